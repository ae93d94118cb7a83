import Foundation
import Glibc

/// A file that cannot be opened yet, because the kernel first asks the holder of a lease, who does not answer.
///
/// A non-blocking open fails with EAGAIN for 45 seconds. A busy machine can need longer, so ``keep()`` puts another
/// file in its place before that.
final class LeasedFile: @unchecked Sendable {
    // Sendable: the condition guards the state.
    private let path: String
    private let text: String
    private let condition = NSCondition()
    private var descriptor: Int32
    private var hasBeenWanted = false
    private var isReleased = false

    /// `F_SETSIG`, `F_SETLEASE` and `F_GETLEASE`, which are not available in Swift.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    /// Creates the file.
    ///
    /// A file that is open elsewhere, even in a program that another test has just started, cannot be leased. So the
    /// file must be new.
    init(_ path: String, text: String) throws {
        self.path = path
        self.text = text
        descriptor = try Self.lease(path, text)
    }

    private static func lease(_ path: String, _ text: String) throws -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // The signal with which the kernel asks is one that is ignored by default.
        guard descriptor >= 0, write(descriptor, text, text.utf8.count) == text.utf8.count,
            fcntl(descriptor, setSignal, SIGURG) == 0,
            fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0
        else {
            throw ProcessFailure.notStarted("a lease on \(path)", reason: String(cString: strerror(errno)))
        }
        return descriptor
    }

    /// Whether a program has tried to open the file. From then on, the kernel no longer reports the lease as granted.
    var isWanted: Bool { condition.withLock { isWantedNow } }

    private var isWantedNow: Bool {
        if fcntl(descriptor, Self.getLease) != Int32(F_WRLCK) { hasBeenWanted = true }
        return hasBeenWanted
    }

    /// Makes the lease last until it is released.
    func keep() {
        Thread.detachNewThread { [self] in
            condition.lock()
            defer { condition.unlock() }
            while !isReleased {
                if condition.wait(until: Date(timeIntervalSinceNow: Self.interval)) { continue }
                // Not in the directory, which a program may be reading.
                guard let directory = try? TemporaryDirectory(),
                    let next = try? Self.lease("\(directory.path)/next", text)
                else { continue }
                _ = isWantedNow
                rename("\(directory.path)/next", path)
                close(descriptor)
                descriptor = next
            }
        }
    }

    private static let interval = 10.0

    /// Releases the lease, so that the file can be opened.
    func release() {
        condition.withLock {
            isReleased = true
            close(descriptor)
            condition.broadcast()
        }
    }
}
