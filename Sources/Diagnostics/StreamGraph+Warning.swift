public import HotSignals

extension StreamGraph {
    /// A thread or a task that waits for a stream.
    public struct Wait: Codable, Sendable, Equatable {
        /// What waits.
        public let kind: StreamWaiting.Kind
        /// What it waits for. `nil` if that was not recorded.
        public let node: UInt64?
        /// The thread that waits: its `pthread_t`. For a task, the thread on which it has begun to wait.
        public let thread: UInt64
        /// The name of that thread, if it has one of its own. `nil` for a task.
        public let threadName: String?
        /// For how long it has waited.
        public let duration: Duration
        /// The thread that it waits for. `nil` for a task, and if that thread has just finished.
        public let owner: UInt64?

        package init(
            kind: StreamWaiting.Kind, node: UInt64?, thread: UInt64, threadName: String? = nil, duration: Duration,
            owner: UInt64?
        ) {
            self.kind = kind
            self.node = node
            self.thread = thread
            self.threadName = threadName
            self.duration = duration
            self.owner = owner
        }
    }

    /// Something that looks wrong.
    public struct Warning: Codable, Sendable, Equatable, CustomStringConvertible {
        /// What looks wrong.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// A thread has waited for more than a second to send. If the thread that it waits for wants a lock that
            /// the waiting thread holds, neither can go on.
            case waitsLong
            /// Threads that run tasks or an event loop wait to send, or have waited since the former snapshot, each for
            /// 10 ms or more: an observer takes long, and tasks that have nothing to do with it cannot run. The text
            /// names the stream's place and those of its observers. See ``StreamGraph/TaskWaits``.
            case blocksTasks
            /// An event has been in flight for more than a second: an observer or an operator takes long. Found by the
            /// second snapshot that finds the event in flight.
            case deliversLong
            /// A queue without a bound holds at least 100 values, and more than in the former snapshot.
            case bufferGrows
        }

        /// What looks wrong.
        public let kind: Kind
        /// Which node it concerns.
        public let node: UInt64?
        /// The warning as text, with the names of the streams and threads.
        public let description: String

        package init(kind: Kind, node: UInt64?, description: String) {
            self.kind = kind
            self.node = node
            self.description = description
        }
    }
}
