/// Allows a number of things per period, and a number of them at once, to everyone who shares it.
///
/// ```swift
/// let clock = TestScheduler()
/// let limiter = RateLimiter(2, per: .seconds(1), on: clock)
/// print(limiter.tryAcquire(), limiter.tryAcquire(), limiter.tryAcquire())  // prints true true false
/// print(limiter.delay())                                                   // prints 0.5 seconds
/// clock.advance(by: .milliseconds(500))
/// print(limiter.tryAcquire())                                              // prints true
/// ```
///
/// A token bucket: it holds up to `burst` permits, begins full, and fills at an even rate of `count` permits per
/// period. So in any interval, at most `burst` permits and those of that interval are acquired.
///
/// Ask and go on with ``tryAcquire(_:)``, in a request handler that answers 429. Wait with
/// ``acquire(_:)``, in a task, or with ``ColdProducers/SignalProducer/start(limitedBy:)``, in a stream. The
/// callers that wait are in one line, which is unbounded: first come, first served, whatever the number of permits.
/// Nobody overtakes them.
///
/// **Threads**: any thread can use it. ``tryAcquire(_:)`` takes constant time and does not allocate. Leaving
/// the line takes constant time as well. There is one timer if somebody waits, and none otherwise.
///
/// **Time** is that of the scheduler. If its clock goes backwards, no permits are added until it has caught up. Callers
/// that wait get their permits at the full rate as long as the scheduler runs its actions no later than the time in
/// which `burst - 1` permits are added. If it is later, the bucket is full meanwhile, and the rate is lower. So for
/// thousands of permits per second, choose a burst for 10 milliseconds or more.
///
/// **Work that hangs** holds no permit: a permit is used up when it is acquired.
@_fixed_layout
public final class RateLimiter: Sendable {
    @usableFromInline let bucket: TokenBucket

    /// Creates a limiter, with all its permits available.
    ///
    /// - Parameters:
    ///   - count: How many permits are added per period. Traps unless positive.
    ///   - period: Traps unless positive.
    ///   - burst: How many permits there are at most, and so how many can be acquired at once. By default, `count`.
    ///     Traps unless positive.
    ///   - scheduler: Measures the time, and resumes those that wait.
    @_alwaysEmitIntoClient
    public init(_ count: Int, per period: Duration, burst: Int? = nil, on scheduler: some DelayScheduler) {
        let burst = burst ?? count
        requireRate("RateLimiter", count, period, burst)
        bucket = TokenBucket(TokenRate(count, per: period, burst: burst, on: scheduler))
    }

    /// Acquires permits if they are available and nobody waits for any.
    ///
    /// - Parameters:
    ///   - permits: How many. Traps unless positive and at most the burst.
    /// - Returns: Whether the permits have been acquired. If not, none has.
    @_alwaysEmitIntoClient
    public func tryAcquire(_ permits: Int = 1) -> Bool {
        requirePermits("tryAcquire", permits, bucket.rate)
        return bucket.take(permits, at: bucket.rate.now()) == .granted
    }

    /// The time until permits would be available to a caller that joins the line now. Acquires nothing.
    ///
    /// Zero if ``tryAcquire(_:)`` would succeed. Suitable for `Retry-After`. Rounded up to nanoseconds.
    ///
    /// - Parameters:
    ///   - permits: How many. Traps unless positive and at most the burst.
    public func delay(_ permits: Int = 1) -> Duration {
        requirePermits("delay", permits, bucket.rate)
        return bucket.delay(for: permits, at: bucket.rate.now())
    }

    /// Waits until permits are available, behind those that already wait, and acquires them.
    ///
    /// - Parameters:
    ///   - permits: How many. Traps unless positive and at most the burst.
    /// - Throws: `CancellationError` if the task is cancelled before the permits have been acquired, or if the
    ///   scheduler releases the timer without running it. Then none has been, and those behind it in the line move up.
    public nonisolated(nonsending) func acquire(_ permits: Int = 1) async throws(CancellationError) {
        requirePermits("acquire", permits, bucket.rate)
        try await TokenRequest.wait(for: permits) { bucket }
    }

    /// Acquires permits now or later, then calls an action.
    ///
    /// - Parameter action: Called on the calling thread if the permits are available, otherwise on the scheduler.
    /// - Returns: A disposable that withdraws the request, or `nil` if `action` has been called.
    @usableFromInline
    package func acquire(_ permits: Int, then action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let now = bucket.rate.now()
        if bucket.take(permits, at: now) == .granted {
            action()
            return nil
        }
        let waiter = TokenWaiter(bucket, permits, in: CapturedContext(), granted: action)
        guard bucket.enter(waiter, at: now) == .granted else { return waiter }
        action()
        return nil
    }
}

/// A task that waits for tokens.
///
/// The lock decides only whether the task is cancelled before it has a place in a line. After that, the line decides.
final class TokenRequest: Sendable {
    private struct State {
        var waiter: TokenWaiter?
        var isCancelled = false
    }

    private let state = Locked(State())

    /// - Parameter bucket: Returns the bucket to take the tokens from. Called again if that one has been forgotten
    ///   meanwhile.
    static func wait(
        for tokens: Int, isolation: isolated (any Actor)? = #isolation, _ bucket: () -> TokenBucket
    ) async throws(CancellationError) {
        let request = TokenRequest()
        let isGranted = await withTaskCancellationHandler {
            // Referencing the actor keeps this closure on it.
            _ = isolation
            return await withUnsafeContinuation(isolation: isolation) { continuation in
                request.begin(continuation, tokens, bucket)
            }
        } onCancel: {
            request.cancel()
        }
        if !isGranted { throw CancellationError() }
    }

    private func begin(
        _ continuation: UnsafeContinuation<Bool, Never>, _ tokens: Int, _ bucket: () -> TokenBucket
    ) {
        if state.withLock({ $0.isCancelled }) { return continuation.resume(returning: false) }
        while true {
            let bucket = bucket()
            let waiter = TokenWaiter(
                bucket, tokens, granted: { continuation.resume(returning: true) },
                withdrawn: { continuation.resume(returning: false) })
            switch bucket.enter(waiter, at: bucket.rate.now()) {
            case .granted: return continuation.resume(returning: true)
            case .forgotten: continue
            case .refused:
                let isCancelled = state.withLock { state in
                    state.waiter = waiter
                    return state.isCancelled
                }
                if isCancelled { waiter.dispose() }
                return
            }
        }
    }

    private func cancel() {
        let waiter = state.withLock { state in
            state.isCancelled = true
            return state.waiter.take()
        }
        waiter?.dispose()
    }
}

extension SignalProducer {
    /// Begins the work when a limiter permits it.
    ///
    /// ```swift
    /// let request = SignalProducer(value: 200)
    /// let limiter = RateLimiter(10, per: .seconds(1), on: QueueScheduler())
    /// let answer = request.start(limitedBy: limiter).retry(upTo: 2)  // each attempt acquires a permit
    /// ```
    ///
    /// Each start acquires one permit. If none is available, the start waits in the limiter's line, and the work begins
    /// on the limiter's scheduler. Otherwise it begins immediately, on the thread of the start. It does not wait again
    /// after that, so apply it to the producer whose starts are to be limited, before `retry` or `repeat`.
    ///
    /// **Disposal** while it waits gives up the place in the line. No permit is taken, and no work begins. If the
    /// limiter's scheduler releases the timer without running it, those that wait are interrupted.
    ///
    /// - Parameter limiter: Shared by all starts, and by anything else that uses it.
    @_alwaysEmitIntoClient
    public func start(limitedBy limiter: RateLimiter) -> SignalProducer {
        SignalProducer(derivedName("start(limitedBy:)"), of: self) { _, sink in
            SerialStart.run(into: sink, .wait({ limiter.acquire(1, then: $0) }, then: { step { .end($0) } }))
        }
    }
}

@usableFromInline
func requireRate(_ name: StaticString, _ count: Int, _ period: Duration, _ burst: Int) {
    require(count > 0, "\(name)(\(count)): the count must be positive")
    require(period > .zero, "\(name)(per: \(period)): the period must be positive")
    require(burst > 0, "\(name)(burst: \(burst)): the burst must be positive")
}

@_alwaysEmitIntoClient @inline(__always)
func requirePermits(_ name: StaticString, _ permits: Int, _ rate: TokenRate) {
    if permits <= 0 || permits > rate.burst { refusePermits(name, permits, rate.burst) }
}

@usableFromInline
func refusePermits(_ name: StaticString, _ permits: Int, _ burst: Int) -> Never {
    trap("\(name)(\(permits)): the permits must be in 1...\(burst), the burst")
}
