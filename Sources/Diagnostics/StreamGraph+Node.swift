extension StreamGraph {
    /// Something that was alive when a snapshot was taken.
    public struct Node: Codable, Sendable, Equatable, Identifiable {
        /// What a node is.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// A hot signal on which something sends.
            case signal
            /// A signal that an operator has made.
            case `operator`
            /// A start of a producer that has not ended.
            case start
            /// A property.
            case property
            /// An action.
            case action
            /// A queue of an operator, of a consumer, or of senders.
            case buffer
        }

        /// A number that no other object of the process has. The same in all snapshots.
        public let id: UInt64
        /// What it is.
        public let kind: Kind
        /// The name that the user gave, or what the library calls it: the operator without what is upstream.
        public package(set) var name: String
        /// The file in which it was named, or else the one in which it was made, such as `App/Orders.swift`. `nil` if
        /// neither is known, or if the library has made it.
        public package(set) var fileID: String?
        /// The line in that file.
        public package(set) var line: UInt?
        /// Where it was started. Only for a start, and only if `start` or a similar method was called outside the
        /// library: operators start producers, too.
        public package(set) var startPlace: Place?
        /// For how long it has existed.
        public let age: Duration
        /// What it is derived from or belongs to: the nodes upstream of an operator, the signal of a queue, the start
        /// that has made this start. Those that are not in the snapshot are left out.
        public package(set) var parents: [UInt64] = []
        /// The number of its observers, with the operators that are applied to it. `nil` for what cannot be observed.
        public package(set) var observers: Int?
        /// Where its observers were added, the place of most of them first. `nil` if none of them is known. Operators
        /// are nodes of their own, async sequences are buffers, and what a start sends to is its ``startPlace``.
        public package(set) var observerPlaces: [ObserverPlace]?
        /// How often the value has been set. Only for a property that is set.
        public package(set) var changes: UInt64?
        /// What happens in its gate. `nil` if no thread is inside and none waits, or if it has none of its own.
        public package(set) var gate: GateState?
        /// How often a thread that runs tasks has waited to send to it for 10 ms or more. `nil` if none has.
        public package(set) var taskWaits: TaskWaits?
        /// How much is in the queue. Only for a buffer.
        public package(set) var buffer: BufferState?
        /// What an action does.
        public package(set) var executions: ExecutionState?

        package init(id: UInt64, kind: Kind, name: String, age: Duration) {
            self.id = id
            self.kind = kind
            self.name = name
            self.age = age
        }
    }

    /// What happens in the gate of a stream, which lets one thread deliver at a time.
    public struct GateState: Codable, Sendable, Equatable {
        /// The thread that delivers an event: its `pthread_t`, which debuggers print as well.
        public let owner: UInt64?
        /// For how long at least the event has been in flight. `nil` unless an earlier snapshot has found the same
        /// event in flight.
        public let duration: Duration?
        /// How many threads wait for the owner.
        public let waiting: Int

        package init(owner: UInt64?, duration: Duration?, waiting: Int) {
            self.owner = owner
            self.duration = duration
            self.waiting = waiting
        }
    }

    /// How often threads of Swift's cooperative pool, or of another executor or event loop, have waited for a stream.
    ///
    /// While such a thread waits, all tasks of its executor have a thread less, and those of its event loop stop.
    /// Counted are waits of 10 ms or more that are over: in a task, or on a thread that has the name of an event loop
    /// of SwiftNIO.
    public struct TaskWaits: Codable, Sendable, Equatable {
        /// How many waits there have been.
        public let count: Int
        /// The longest of them.
        public let longest: Duration

        package init(count: Int, longest: Duration) {
            self.count = count
            self.longest = longest
        }
    }

    /// How much is in a queue.
    public struct BufferState: Codable, Sendable, Equatable {
        /// The number of values, or of the senders, executions or streams that wait.
        public let depth: Int
        /// How many there may be. `nil` if there is no bound.
        public let limit: Int?

        package init(depth: Int, limit: Int?) {
            self.depth = depth
            self.limit = limit
        }
    }

    /// What an action does.
    public struct ExecutionState: Codable, Sendable, Equatable {
        /// How many executions run.
        public let running: Int
        /// How many executions wait for their turn.
        public let waiting: Int

        package init(running: Int, waiting: Int) {
            self.running = running
            self.waiting = waiting
        }
    }
}
