import HotSignals

/// Who waits at gates and in queues of senders, since when. Written on slow paths, while ``StreamGraph`` records.
package enum WaitLog {
    /// A thread or a task that waits.
    struct Entry: Sendable {
        /// The address of what it waits for. Never dereferenced.
        let object: UInt
        let kind: StreamWaiting.Kind
        /// The thread that has begun to wait. A task that waits may go on on another one.
        let thread: UInt
        /// The name of that thread. Read by the thread itself: another one could ask for it when the thread is gone.
        let threadName: String?
        let since: Int
        /// Whether the thread runs a task or an event loop, so that a wait stops more than the work that waits.
        let stopsOthers: Bool
    }

    /// From which duration on the wait of a thread that runs tasks counts, in nanoseconds.
    static let shortestTaskWait = 10_000_000

    private static let entries = Locked<[UInt64: Entry]>([:])
    private static let numbers = ProcessCounter()

    /// Notes that the caller begins to wait.
    ///
    /// - Returns: To be called when the waiting has ended.
    static func begin(_ object: AnyObject, _ kind: StreamWaiting.Kind) -> WaitWatch.Ending {
        let number = numbers.next()
        let name = kind == .thread ? ThreadIdentity.currentName : ""
        let entry = Entry(
            object: GraphHook.address(of: object), kind: kind, thread: ThreadIdentity.current,
            threadName: name.isEmpty ? nil : name, since: GraphRegistry.now,
            stopsOthers: kind == .thread && (isInTask || isEventLoop(name)))
        entries.withLock { $0[number] = entry }
        return {
            entries.withLock { $0[number] = nil }
            let duration = GraphRegistry.now - entry.since
            if entry.stopsOthers, duration >= shortestTaskWait { GraphRegistry.addTaskWait(entry.object, duration) }
        }
    }

    private static var isInTask: Bool { withUnsafeCurrentTask { $0 != nil } }

    /// Whether a thread with this name runs an event loop of SwiftNIO, which calls handlers outside of tasks: one of a
    /// group of its own, or of the process's.
    package static func isEventLoop(_ threadName: String) -> Bool {
        threadName.hasPrefix("NIO-ELT-") || threadName.hasPrefix("NIO-SGLTN-")
    }

    /// What waits now, the longest wait first.
    static var all: [Entry] { entries.withLock { Array($0.values) }.sorted { $0.since < $1.since } }
}
