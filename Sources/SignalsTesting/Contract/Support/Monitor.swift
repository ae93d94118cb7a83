#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A state that threads change and wait for, with a time limit.
final class Monitor<State>: @unchecked Sendable {
    // Sendable: the mutex guards the state.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ initial: State) {
        state = initial
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads the state.
    func read<Result>(_ body: (State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(state)
    }

    /// Changes the state. Wakes all waiting threads if the new state is useful to them.
    func withLock<Result>(wakingIf isOfUse: (State) -> Bool = { _ in true }, _ body: (inout State) -> Result) -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&state)
        if isOfUse(state) { pthread_cond_broadcast(condition) }
        return result
    }

    /// Waits until the state satisfies a condition.
    ///
    /// - Returns: Whether it did so in time.
    func wait(atMost patience: Duration, until isReached: (State) -> Bool) -> Bool {
        // The clock that condition variables use.
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let (seconds, attoseconds) = patience.components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000

        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isReached(state) {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isReached(state) }
        }
        return true
    }
}
