import Foundation
import HotSignals

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A gate in time: closed until it is opened, then open for good. Waiting too long ends the process with a message.
final class Latch: @unchecked Sendable {
    // Sendable: the condition guards the flag.
    private let condition = NSCondition()
    private var isOpen = false
    private let name: String

    init(_ name: String) { self.name = name }

    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }

    func wait(atMost seconds: Double = 120) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isOpen {
            guard condition.wait(until: deadline) else { fatalError("the test hangs: \(name)") }
        }
    }
}

/// A thread of the test's own. Not joining it is a mistake; a join that takes too long ends the process with a message.
final class TestThread: @unchecked Sendable {
    // Sendable: written before the thread begins, or published by a latch.
    private let body: @Sendable () -> Void
    private let begun: Latch
    private let ended: Latch
    private var path = ""
    private var handle = pthread_t(bitPattern: 0)

    init(_ name: String, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        begun = Latch("\(name) has not begun")
        ended = Latch("\(name) has not ended")
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        if let stackSize { pthread_attr_setstacksize(attributes, stackSize) }
        let context = Unmanaged.passRetained(self).toOpaque()
        var created = pthread_t(bitPattern: 0)
        let failure = pthread_create(
            &created, attributes,
            { context in
                // The argument is the one passed below.
                let thread = Unmanaged<TestThread>.fromOpaque(context!).takeRetainedValue()
                thread.run()
                return nil
            }, context)
        precondition(failure == 0, "no thread for \(name)")
        handle = created
        pthread_attr_destroy(attributes)
    }

    private func run() {
        path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        begun.open()
        body()
        ended.open()
    }

    func join(atMost seconds: Double = 120) {
        ended.wait(atMost: seconds)
        // The initialiser has set it.
        pthread_join(handle, nil)
    }

    /// Returns once the kernel says that the thread sleeps: it waits for something that the test holds.
    func waitUntilAsleep() {
        begun.wait()
        let deadline = Date(timeIntervalSinceNow: 120)
        var sightings = 0
        // Twice in a row, with others given the processor in between: not on the way through some lock of the runtime.
        while sightings < 3 {
            guard Date() < deadline else { fatalError("the test hangs: a thread does not fall asleep") }
            let status = (try? String(contentsOfFile: "/proc/\(path)/stat", encoding: .utf8)) ?? ""
            let state = status.split(separator: ")").last?.dropFirst().first
            sightings = state == "S" ? sightings + 1 : 0
            sched_yield()
        }
    }
}

/// Runs a body on several threads that start together, and returns when all have ended.
func onThreads(_ count: Int, _ name: String, _ body: @escaping @Sendable (Int) -> Void) {
    let start = Latch("start of \(name)")
    let threads = (0..<count).map { index in
        TestThread("thread \(index) of \(name)") {
            start.wait()
            body(index)
        }
    }
    start.open()
    for thread in threads { thread.join() }
}

/// Runs a body on a thread with a stack of 512 KiB.
func onSmallStack(_ name: String, _ body: @escaping @Sendable () -> Void) {
    // Long, as a million of anything takes a while under a sanitizer.
    TestThread(name, stackSize: 512 * 1024, body).join(atMost: 600)
}
