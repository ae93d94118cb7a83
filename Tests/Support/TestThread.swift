import Foundation
import HotSignals
import ReactiveSignalsTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A gate that is closed until it is opened, and then stays open. Waiting too long ends the process with a message.
package final class Latch: @unchecked Sendable {
    // Sendable: the condition guards the flag.
    private let condition = NSCondition()
    private var isOpen = false
    private let name: String

    package init(_ name: String) { self.name = name }

    package func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    package func wait() {
        let deadline = Deadline()
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            if deadline.hasPassed { fatalError("the test hangs: \(name)") }
            _ = condition.wait(until: Date(timeIntervalSinceNow: deadline.remaining / .seconds(1)))
        }
    }
}

/// A thread of a test. Must be joined; a join that takes too long ends the process with a message.
package final class TestThread: Sendable {
    private let begun: Latch
    private let ended: Latch
    private let path = Locked(ThreadPath(text: ""))
    private let thread: SizedThread

    package init(_ name: String, stackSize: Int = 8 << 20, _ body: @escaping @Sendable () -> Void) {
        begun = Latch("\(name) has not begun")
        ended = Latch("\(name) has not ended")
        thread = SizedThread(stackSize: stackSize) { [begun, ended, path] in
            let own = ThreadPath.current
            path.withLock { $0 = own }
            begun.open()
            body()
            ended.open()
        }
    }

    package func join() {
        ended.wait()
        thread.join()
    }

    /// Returns once the kernel reports that the thread sleeps, so it waits for something that the test holds.
    package func waitUntilAsleep() {
        begun.wait()
        path.withLock { $0 }.waitUntilAsleep()
    }

    /// Whether the kernel reports at this moment that the thread sleeps, for whatever reason.
    package var isAsleep: Bool { path.withLock { $0 }.isAsleep }
}

/// The kernel's path of a thread.
package struct ThreadPath: Sendable {
    fileprivate let text: String

    /// The path of the calling thread.
    package static var current: ThreadPath {
        ThreadPath(text: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
    }

    fileprivate var isAsleep: Bool { sleeps != nil }

    /// How often the thread has fallen asleep. `nil` unless it sleeps.
    private var sleeps: Substring? {
        let status = (try? String(contentsOfFile: "/proc/\(text)/status", encoding: .utf8)) ?? ""
        let lines = status.split(separator: "\n")
        guard lines.contains(where: { $0.hasPrefix("State:\tS") }) else { return nil }
        return lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
    }

    /// Returns once the kernel reports that the thread sleeps.
    ///
    /// It may sleep for a lock of the runtime whose holder has lost the processor. So it must do so for many looks
    /// without having been awake. Where a test hangs or fails if the thread is not there yet, it must ask for more: for
    /// what the thread has done, such as ``HotSignals/Gate/hasWaiters``.
    package func waitUntilAsleep() {
        let deadline = Deadline()
        var (sightings, former) = (0, Substring?.none)
        // About as many milliseconds. With a sanitizer, the runtime has more locks.
        while sightings < (Sanitizer.current == nil ? 20 : 50) {
            if deadline.hasPassed { fatalError("the test hangs: a thread does not fall asleep") }
            let current = sleeps
            sightings = current != nil && current == former ? sightings + 1 : 0
            former = current
            // A thread that works needs the processor itself.
            usleep(1_000)
        }
    }
}

/// Runs a body on several threads that start together, and returns when all have finished.
package func onThreads(_ count: Int, _ name: String, _ body: @escaping @Sendable (Int) -> Void) {
    let start = Latch("start of \(name)")
    let threads = (0..<count).map { index in
        TestThread("thread \(index) of \(name)") {
            start.wait()
            body(index)
        }
    }
    start.open()
    for thread in threads { thread.join() }
    // With `.enqueue`, a thread of the library may still deliver what the threads have sent.
    waitUntilDrained()
}

/// Runs a body on a thread with a stack of 512 KiB.
package func onSmallStack(_ name: String, _ body: @escaping @Sendable () -> Void) {
    TestThread(name, stackSize: 512 * 1024, body).join()
}

/// Whether a condition becomes true, now or after other threads have finished their current work.
package func becomesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = Deadline()
    var looks = 0
    while !condition() {
        if deadline.hasPassed { return condition() }
        looks += 1
        // The other threads may need the processor themselves.
        if looks < 1_000 { sched_yield() } else { usleep(1_000) }
    }
    return true
}
