import HotSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// Threads that are started once, and released together in each round.
package final class ContractThreads: Sendable {
    private struct State {
        var round = 0
        var isOver = false
        var running = 0
        var body: (@Sendable (_ thread: Int) -> Void)?
    }

    private let state: Monitor<State>
    private let count: Int
    private let trial: ContractTrial
    private let threads: [SizedThread]

    fileprivate init(_ count: Int, stackSize: Int, trial: ContractTrial) {
        self.count = count
        self.trial = trial
        let state = Monitor(State())
        self.state = state
        threads = (0..<count).map { thread in
            SizedThread(stackSize: stackSize) {
                var round = 0
                while true {
                    // Their creator always stops them, because it waits only for a limited time.
                    while !state.wait(atMost: .seconds(3_600), until: { $0.isOver || $0.round > round }) {}
                    round += 1
                    guard let body = state.read({ $0.isOver ? nil : $0.body }) else { return }
                    body(thread)
                    state.withLock(wakingIf: { $0.running == 0 }) { $0.running -= 1 }
                }
            }
        }
    }

    /// Runs `body` once on each thread, all at the same time. Returns when all have returned, or when the trial is
    /// given up because they take too long.
    package func race(_ body: @escaping @Sendable (_ thread: Int) -> Void) {
        if trial.isGivenUp { return }
        state.withLock { state in
            state.body = body
            state.running = count
            state.round += 1
        }
        // Longer than the waits inside `body`, whose messages are more specific.
        guard state.wait(atMost: trial.patience * 1.25, until: { $0.running == 0 }) else {
            let missing = state.read(\.running)
            return trial.giveUp("\(missing) of \(count) threads hang in what they were to do at the same time")
        }
        // Released here, not by a thread, which would retain it until the next round.
        let former = state.withLock(wakingIf: { _ in false }) { state in
            defer { state.body = nil }
            return state.body
        }
        withExtendedLifetime(former) {}
        trial.progress()
    }

    fileprivate func stop() {
        state.withLock { $0.isOver = true }
        // A thread that hangs does not end.
        if !trial.isGivenUp { for thread in threads { thread.join() } }
    }
}

extension ContractTrial {
    /// Runs some rounds on threads that are ended afterwards.
    ///
    /// - Parameter stackSize: Large by default, so that an operator that recurses is detected instead of ending the
    ///   process.
    package func withThreads(_ count: Int, stackSize: Int = 16 << 20, _ rounds: (ContractThreads) -> Void) {
        let threads = ContractThreads(count, stackSize: stackSize, trial: self)
        rounds(threads)
        threads.stop()
    }

    /// Runs `body` on a thread with a stack of this size, and waits for it.
    package func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
        withThreads(1, stackSize: stackSize) { threads in threads.race { _ in body() } }
    }
}

/// A thread, identified by its path in the kernel's `/proc`.
package struct ContractThreadPath: Sendable {
    private let path: String

    /// The calling thread.
    package static var current: ContractThreadPath {
        #if os(Linux)
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            // A buffer that is not empty has an address.
            let start = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            let length = readlink("/proc/thread-self", start, buffer.count)
            return ContractThreadPath(path: String(decoding: buffer[..<max(length, 0)], as: UTF8.self))
        }
        #else
        ContractThreadPath(path: "")
        #endif
    }

    /// Returns when the kernel reports that the thread is asleep or has ended, or immediately where the kernel cannot
    /// be asked.
    package func waitUntilAsleep(atMost patience: Duration) {
        #if os(Linux)
        let deadline = ContinuousClock.now + patience
        var sightings = 0
        var looks = 0
        // Must be asleep several times in a row, with the processor yielded in between, so that a short wait for a lock
        // of the runtime does not count.
        while sightings < 3, ContinuousClock.now < deadline {
            sightings = isAsleep ? sightings + 1 : 0
            looks += 1
            // A thread that computes for a long time needs the processor itself.
            if looks < 100 { sched_yield() } else { usleep(1_000) }
        }
        #endif
    }

    #if os(Linux)
    private var isAsleep: Bool {
        let file = open("/proc/\(path)/stat", O_RDONLY)
        // A thread that has ended has no file.
        guard file >= 0 else { return true }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
            let length = read(file, buffer.baseAddress, buffer.count)
            // `PID (NAME) STATE`, where the name can contain any character.
            guard length > 0, let end = buffer[..<length].lastIndex(of: UInt8(ascii: ")")), end + 2 < length else {
                return false
            }
            return buffer[end + 2] == UInt8(ascii: "S")
        }
    }
    #endif
}
