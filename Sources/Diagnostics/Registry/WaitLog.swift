import HotSignals

/// Who waits at gates and in queues of senders, since when. Written on slow paths, while ``StreamGraph`` records.
enum WaitLog {
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
    }

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
            threadName: name.isEmpty ? nil : name, since: GraphRegistry.now)
        entries.withLock { $0[number] = entry }
        return { entries.withLock { $0[number] = nil } }
    }

    /// What waits now, the longest wait first.
    static var all: [Entry] { entries.withLock { Array($0.values) }.sorted { $0.since < $1.since } }
}
