#if Explore
import Dispatch

/// A thread waits on its baton until another thread lets it continue.
struct Baton {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    func wait() { semaphore.wait() }

    /// Returns `false` if there is no signal within this time.
    func wait(atMost seconds: Double) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}
#endif
