#if Explore
import Dispatch

/// What a thread sleeps on until another one lets it go on.
struct Baton {
    private let semaphore = DispatchSemaphore(value: 0)

    func signal() { semaphore.signal() }

    func wait() { semaphore.wait() }

    /// False if nobody signals for so long.
    func wait(atMost seconds: Double) -> Bool { semaphore.wait(timeout: .now() + seconds) == .success }
}
#endif
