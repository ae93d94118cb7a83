import HeapModule
package import PeerSupport

extension FloorPeer {
    /// Values from one thread into `for await` on a task, through an `AsyncStream`.
    package static func values(_ functions: Functions) -> Run {
        { count in
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            startThread {
                for value in 0..<count { continuation.yield(value) }
                continuation.finish()
            }
            waitForTask {
                for await value in stream { functions.observe(value) }
            }
        }
    }

    /// Values from one task to many consumers, through an `AsyncStream` for each. It has no limit.
    package static func streams(consumers: Int, _ functions: Functions) -> Run {
        { count in
            waitForTask {
                await withTaskGroup(of: Void.self) { group in
                    var continuations: [AsyncStream<Int>.Continuation] = []
                    for _ in 0..<consumers {
                        let (stream, continuation) = AsyncStream<Int>.makeStream()
                        continuations.append(continuation)
                        group.addTask {
                            for await value in stream { functions.observe(value) }
                        }
                    }
                    for value in 0..<count {
                        for continuation in continuations { continuation.yield(value) }
                    }
                    for continuation in continuations { continuation.finish() }
                }
            }
        }
    }

    /// `for await` over an `AsyncStream`.
    package static func iterate(_ functions: Functions) -> Run {
        { count in
            let numbers = stream(count)
            waitForTask {
                for await value in numbers { functions.observe(value) }
            }
        }
    }

    /// `for await` over a sequence that never waits.
    package static func iterateReady(_ functions: Functions) -> Run {
        { count in
            waitForTask {
                for await value in ReadyNumbers(count) { functions.observe(value) }
            }
        }
    }

    /// Closures through a heap, in the order of their time.
    package static func virtualTime(_ functions: Functions) -> Run {
        { count in
            var heap = Heap<Timed>()
            for value in 0..<count {
                heap.insert(Timed(due: scattered(value), number: value) { functions.observe(value) })
            }
            while let first = heap.popMin() { first.action() }
        }
    }
}

/// A closure and its time.
private struct Timed: Comparable {
    let due: Duration
    let number: Int
    let action: @Sendable () -> Void

    static func < (left: Timed, right: Timed) -> Bool {
        left.due != right.due ? left.due < right.due : left.number < right.number
    }

    static func == (left: Timed, right: Timed) -> Bool { left.number == right.number }
}
