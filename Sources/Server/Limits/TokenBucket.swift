/// What the token buckets of one limiter share: their size, how fast they fill, and the clock.
///
/// Times are attoseconds since the limiter was created, so that no rate needs rounding that a user could notice.
@usableFromInline
@_fixed_layout
final class TokenRate: Sendable {
    /// The time in which one token flows in. Rounded up, so that the rate is never exceeded.
    @usableFromInline let interval: Int128
    /// The time in which an empty bucket fills.
    @usableFromInline let span: Int128
    @usableFromInline let burst: Int
    @usableFromInline let time: ElapsedTime
    @usableFromInline let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?

    @_alwaysEmitIntoClient
    init(_ count: Int, per period: Duration, burst: Int, on scheduler: some DelayScheduler) {
        let interval = (period.attoseconds - 1) / Int128(count) + 1
        self.interval = interval
        self.burst = burst
        let (span, isTooLong) = interval.multipliedReportingOverflow(by: Int128(burst))
        // Later times are added to it.
        let longest = Int128.max / 4
        self.span = isTooLong || span > longest ? longest : span
        time = ElapsedTime(on: scheduler)
        schedule = { delay, action in scheduler.schedule(after: delay, action) }
    }

    /// The current instant. Calls the scheduler, so call it under no lock.
    @_alwaysEmitIntoClient
    func now() -> Int128 { time.attoseconds }

    /// The time in which so many tokens flow in, and at most that in which the bucket fills.
    @_alwaysEmitIntoClient
    func time(for tokens: Int) -> Int128 {
        if tokens == 1 { return interval < span ? interval : span }
        let (time, isTooLong) = interval.multipliedReportingOverflow(by: Int128(tokens))
        return isTooLong || time > span ? span : time
    }
}

/// A token bucket, and the line of those that wait for its tokens.
///
/// The bucket is one instant: the one at which it will be full. Taking a token moves it by ``TokenRate/interval``, and
/// there is a token as long as it is no more than ``TokenRate/span`` ahead. Time never goes back: if the clock does,
/// the bucket's time stands still until the clock has caught up.
///
/// One timer at a time waits for the first in the line. A waiter is taken out of the line, under the lock, either by a
/// grant or by a withdrawal, so it gets its tokens or leaves them, never both.
@usableFromInline
final class TokenBucket: @unchecked Sendable {
    // Sendable: the lock guards the variables.

    /// The answer to a request for tokens.
    @frozen @usableFromInline
    enum Answer {
        case granted
        case refused
        /// The bucket has been forgotten by its keyed limiter, which has to make another one.
        case forgotten
    }

    @usableFromInline let rate: TokenRate
    @usableFromInline let lock = WordLock()
    /// When the bucket will be full.
    @exclusivity(unchecked) @usableFromInline var full: Int128 = 0
    /// The latest instant that the clock has shown.
    @exclusivity(unchecked) @usableFromInline var latest: Int128 = 0
    /// Whether a request may be granted at once: nobody waits, and the bucket has not been forgotten.
    @exclusivity(unchecked) @usableFromInline var isOpen = true
    @exclusivity(unchecked) private var isForgotten = false
    @exclusivity(unchecked) private var line = WaitingLine<ObjectIdentifier, TokenWaiter>()
    /// The time in which the tokens flow in that the whole line waits for.
    @exclusivity(unchecked) private var owed: Int128 = 0
    /// Rings when there are tokens for the first in the line. Set if there is one.
    @exclusivity(unchecked) private var alarm = Alarm()

    @usableFromInline
    init(_ rate: TokenRate) { self.rate = rate }

    /// - Parameter now: Read before the call, because a scheduler is never called under a lock.
    @_alwaysEmitIntoClient
    func take(_ tokens: Int, at now: Int128) -> Answer {
        lock.lock()
        let answer = isOpen ? takeUnlocked(rate.time(for: tokens), at: now) ? .granted : .refused : answerIfClosed()
        lock.unlock()
        return answer
    }

    @usableFromInline @inline(never)
    func answerIfClosed() -> Answer { isForgotten ? .forgotten : .refused }

    /// Takes tokens if there are enough. Call under the lock.
    @_alwaysEmitIntoClient @inline(__always)
    func takeUnlocked(_ time: Int128, at now: Int128) -> Bool {
        if latest < now { latest = now }
        let next = (full < latest ? latest : full) &+ time
        guard next &- latest <= rate.span else { return false }
        full = next
        return true
    }

    /// The time until a request for tokens, made at the end of the line, would be granted.
    func delay(for tokens: Int, at now: Int128) -> Duration {
        lock.lock()
        if latest < now { latest = now }
        let missing = timeMissing(owed &+ rate.time(for: tokens))
        lock.unlock()
        return Self.duration(missing)
    }

    /// Call under the lock.
    private func timeMissing(_ time: Int128) -> Int128 { max(full, latest) &+ time &- rate.span &- latest }

    /// In whole nanoseconds, rounded up: a timer that fires early would have to be set again.
    private static func duration(_ time: Int128) -> Duration {
        if time <= 0 { return .zero }
        let nanoseconds = (time - 1) / 1_000_000_000 + 1
        return Duration(attosecondCount: nanoseconds * 1_000_000_000)
    }

    // MARK: Waiting

    /// Requests the tokens for a waiter, which stays in the line if the answer is `refused`.
    func enter(_ waiter: TokenWaiter, at now: Int128) -> Answer {
        lock.lock()
        if isForgotten {
            lock.unlock()
            return .forgotten
        }
        if line.count == 0, takeUnlocked(waiter.time, at: now) {
            lock.unlock()
            return .granted
        }
        if latest < now { latest = now }
        isOpen = false
        line.append(waiter, for: ObjectIdentifier(waiter))
        owed &+= waiter.time
        let setting = line.count == 1 ? setAlarm() : nil
        lock.unlock()
        if let setting { schedule(setting) }
        return .refused
    }

    /// Takes a waiter out of the line. Returns `false` if it is not in the line, or no longer. Never waits.
    func withdraw(_ waiter: TokenWaiter) -> Bool {
        let now = rate.now()
        lock.lock()
        let wasFirst = line.first === waiter
        // The caller retains the waiter, so this does not release the last reference.
        guard line.remove(ObjectIdentifier(waiter)) != nil else {
            lock.unlock()
            return false
        }
        if latest < now { latest = now }
        owed &-= waiter.time
        let formerAction = wasFirst ? alarm.clear() : nil
        let setting = wasFirst ? setAlarm() : nil
        lock.unlock()
        formerAction?.dispose()
        if let setting { schedule(setting) }
        return true
    }

    /// Decides how long to wait for the first in the line. With nobody in it, reopens the bucket and waits for nothing.
    /// Call under the lock, while the alarm is not set.
    private func setAlarm() -> (number: UInt, delay: Duration)? {
        guard let first = line.first else {
            isOpen = !isForgotten
            return nil
        }
        return (alarm.set(), Self.duration(timeMissing(first.time)))
    }

    private func schedule(_ setting: (number: UInt, delay: Duration)) {
        let number = setting.number
        let released = ReleasedAction { self.actionWasReleased(number) }
        let action = rate.schedule(setting.delay) {
            self.ring(number)
            withExtendedLifetime(released) {}
        }
        lock.lock()
        let unwanted = alarm.keep(action, for: number)
        lock.unlock()
        unwanted?.dispose()
    }

    private func ring(_ number: UInt) {
        let now = rate.now()
        lock.lock()
        guard alarm.isSet(as: number) else { return lock.unlock() }
        let formerAction = alarm.clear()
        // One at a time: what it begins may withdraw the next request.
        var granted: TokenWaiter?
        if let first = line.first, takeUnlocked(first.time, at: now) {
            owed &-= first.time
            granted = line.popFirst()
        }
        let setting = setAlarm()
        lock.unlock()
        // Before the grant, which may begin long work.
        if let setting { schedule(setting) }
        withExtendedLifetime(formerAction) {}
        granted?.grant()
    }

    /// Called if the scheduler has released an action without running it. Then nothing ends the waiting of those in the
    /// line, so they are told that they get no tokens.
    private func actionWasReleased(_ number: UInt) {
        lock.lock()
        let isCurrent = alarm.isSet(as: number)
        lock.unlock()
        if isCurrent { LibraryThread.run { self.sendAway(number) } }
    }

    private func sendAway(_ number: UInt) {
        var waiters: [TokenWaiter] = []
        lock.lock()
        guard alarm.isSet(as: number) else { return lock.unlock() }
        let formerAction = alarm.clear()
        while let first = line.popFirst() { waiters.append(first) }
        owed = 0
        _ = setAlarm()
        lock.unlock()
        withExtendedLifetime(formerAction) {}
        for waiter in waiters { waiter.withdraw() }
    }

    // MARK: For keyed limiters

    /// When the bucket will be full. Later than `now` as long as somebody waits.
    func fullTime(at now: Int128) -> Int128 {
        lock.lock()
        defer { lock.unlock() }
        return line.count > 0 ? max(full, now &+ 1) : full
    }

    /// Refuses further requests. Those that wait still get their tokens.
    func forget() {
        lock.lock()
        isForgotten = true
        isOpen = false
        lock.unlock()
    }
}

/// A place in the line of a ``TokenBucket``. Disposing of it withdraws the request.
final class TokenWaiter: Disposable {
    let bucket: TokenBucket
    let time: Int128
    private struct Answers: Sendable {
        /// The task-locals of the code that waits, if they matter to it.
        let context: CapturedContext?
        let granted: @Sendable () -> Void
        let withdrawn: @Sendable () -> Void
    }

    private let isOver = AtomicFlag()
    /// Released with the answer.
    private let answers: Locked<Answers?>

    /// - Parameters:
    ///   - granted: Called when the tokens have been taken.
    ///   - withdrawn: Called if the request is withdrawn before.
    init(
        _ bucket: TokenBucket, _ tokens: Int, in context: CapturedContext? = nil,
        granted: @escaping @Sendable () -> Void, withdrawn: @escaping @Sendable () -> Void = {}
    ) {
        self.bucket = bucket
        time = bucket.rate.time(for: tokens)
        answers = Locked(Answers(context: context, granted: granted, withdrawn: withdrawn))
    }

    var isDisposed: Bool { isOver.isRaised }

    func grant() {
        guard let answers = takeAnswers() else { return }
        if let context = answers.context { context.run { answers.granted() } } else { answers.granted() }
    }

    func dispose() { if !isOver.isRaised, bucket.withdraw(self) { withdraw() } }

    /// Call when it is no longer in the line.
    func withdraw() { takeAnswers()?.withdrawn() }

    private func takeAnswers() -> Answers? {
        isOver.raise()
        return answers.withLock { $0.take() }
    }
}
