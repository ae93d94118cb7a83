import Foundation

/// How often a race is run that is about the core and not about one operator.
let manyRounds = 2_500

/// Threads that are started once and released together, round after round.
final class RacingThreads: @unchecked Sendable {
    // Sendable: the barriers order every access.
    private let start: Barrier
    private let end: Barrier
    private var body: (@Sendable (_ thread: Int) -> Void)?

    init(_ count: Int, stackSize: Int = 1 << 20) {
        start = Barrier(count + 1)
        end = Barrier(count + 1)
        for index in 0..<count {
            let thread = Thread { [self] in
                while true {
                    start.wait()
                    guard let body else { return end.wait() }
                    body(index)
                    end.wait()
                }
            }
            thread.stackSize = stackSize
            thread.start()
        }
    }

    /// Runs `body` once on each thread, all at the same time, and returns when all have returned.
    ///
    /// A round that takes too long ends the process: a thread that hangs cannot be ended otherwise.
    func race(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
        self.body = body
        start.wait()
        end.wait(until: Date(timeIntervalSinceNow: patience))
        self.body = nil
    }

    /// Ends the threads. To be called at last.
    func stop() {
        body = nil
        start.wait()
        end.wait()
    }
}

/// Runs some rounds on threads that are ended afterwards.
func withThreads(_ count: Int, _ rounds: (RacingThreads) -> Void) {
    let threads = RacingThreads(count)
    rounds(threads)
    threads.stop()
}

/// Runs `body` on a thread with a stack of that size, and waits for it.
func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = RacingThreads(1, stackSize: stackSize)
    threads.race { _ in body() }
    threads.stop()
}

/// How long a test waits for what must come.
private let patience = 180.0

/// Lets threads go on when all have come.
private final class Barrier: @unchecked Sendable {
    // Sendable: the condition guards the rest.
    private let condition = NSCondition()
    private let count: Int
    private var missing: Int
    private var generation = 0

    init(_ count: Int) {
        self.count = count
        missing = count
    }

    func wait(until limit: Date? = nil) {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing == 0 {
            missing = count
            generation += 1
            return condition.broadcast()
        }
        let mine = generation
        while generation == mine {
            guard let limit else {
                condition.wait()
                continue
            }
            guard condition.wait(until: limit) || generation != mine else {
                fatalError("the contract suite hangs: threads do not return from a race: \(missing) of \(count - 1)")
            }
        }
    }
}

/// A moment that threads wait for.
final class Moment: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let name: String

    init(_ name: String) { self.name = name }

    func arrive() { semaphore.signal() }

    func wait() {
        guard semaphore.wait(timeout: .now() + patience) == .success else {
            fatalError("the contract suite hangs: it waits for \(name)")
        }
        // For the others that wait.
        semaphore.signal()
    }
}
