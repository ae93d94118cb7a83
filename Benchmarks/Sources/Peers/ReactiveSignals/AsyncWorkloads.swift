import Dispatch
package import PeerSupport
import ReactiveSignals
import ReactiveSignalsTesting

extension ReactiveSignalsPeer {
    /// Values from one thread into `for await` on a task, through a signal.
    package static func values(_ functions: Functions) -> Run {
        { count in
            let (signal, input) = Signal<Int, Never>.pipe()
            waitForTask {
                // Observes from here on.
                var iterator = signal.values(buffering: .unbounded).makeAsyncIterator()
                startThread {
                    for value in 0..<count { input.sendNext(value) }
                    input.sendCompleted()
                }
                while let value = await iterator.next() { functions.observe(value) }
            }
        }
    }

    /// Values from one task into a slow `for await` on another, through a pipe with a limit.
    package static func bounded(_ functions: Functions) -> Run {
        { count in
            let (signal, input) = Signal<Int, Never>.pipe(capacity: 64)
            waitForTask {
                // Observes from here on.
                var iterator = signal.values(buffering: .suspending(64)).makeAsyncIterator()
                Task.detached {
                    for value in 0..<count { await input.send(value) }
                    input.sendCompleted()
                }
                var received = 0
                while let value = await iterator.next() {
                    precondition(value == received)
                    received += 1
                    functions.observeSlowly(value)
                }
                precondition(received == count)
            }
        }
    }

    /// Values from one task to many consumers, through a pipe with a limit.
    package static func bounded(consumers: Int, _ functions: Functions) -> Run {
        { count in
            let (signal, input) = Signal<Int, Never>.pipe(capacity: 64)
            waitForTask {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<consumers {
                        nonisolated(unsafe) let values = signal.values(buffering: .suspending(64)).makeAsyncIterator()
                        group.addTask {
                            var iterator = values
                            while let value = await iterator.next() { functions.observe(value) }
                        }
                    }
                    for value in 0..<count { await input.send(value) }
                    input.sendCompleted()
                }
            }
        }
    }

    /// A producer of an `AsyncStream`.
    package static func fromAsync(_ functions: Functions) -> Run {
        { count in wait(for: SignalProducer(stream(count)), functions) }
    }

    /// A producer of a sequence that never waits.
    package static func fromReadyAsync(_ functions: Functions) -> Run {
        { count in wait(for: SignalProducer(ReadyNumbers(count)), functions) }
    }

    private static func wait(for numbers: SignalProducer<Int, Never>, _ functions: Functions) {
        let ended = DispatchSemaphore(value: 0)
        numbers.start { event in
            if case .next(let value) = event { functions.observe(value) } else { ended.signal() }
        }
        ended.wait()
    }

    /// Actions on a test scheduler.
    package static func virtualTime(_ functions: Functions) -> Run {
        { count in
            let scheduler = TestScheduler()
            for value in 0..<count { scheduler.schedule(after: scattered(value)) { functions.observe(value) } }
            scheduler.run()
        }
    }
}
