extension Signal {
    /// Sends what came in each interval as an array.
    ///
    /// Like ``collect(count:)``, by time.
    ///
    ///     source                       --1--2-----------3--|
    ///     collect(every: 5, on: s)     -----[1]--[2]--[]--...
    ///
    /// The intervals begin with this call and do not drift. An error or an interruption is sent at once and drops what was
    /// collected; so does disposal. Buffers the values of an interval.
    ///
    /// - Parameters:
    ///   - interval: Traps unless it is positive.
    ///   - scheduler: Where arrays are sent.
    ///   - skipEmpty: Whether nothing is sent, rather than `[]`, for an interval without values.
    ///   - discardWhenCompleted: Whether completion is sent at once and drops what was collected. If not, both are sent at the end
    ///     of the interval.
    @inlinable
    public func collect(
        every interval: Duration, on scheduler: some DelayScheduler, skipEmpty: Bool = false,
        discardWhenCompleted: Bool = true
    ) -> Signal<[Value], Failure> {
        require(interval > .zero, "collect(every: \(interval)): the interval must be positive")
        return deriveRoot("collect(every: @)", argument: interval.nanoseconds) { core, lifetime in
            let collect = CollectEverySink(core: core, skipEmpty: skipEmpty, discardWhenCompleted: discardWhenCompleted)
            lifetime.observeEnded { collect.drop() }
            lifetime += scheduler.schedule(after: interval, interval: interval, leeway: .zero) { collect.flush() }
            lifetime += observe(through: collect)
        }
    }
}

/// Collects values until it is told to flush.
@usableFromInline
@_fixed_layout
final class CollectEverySink<Value: Sendable, Failure: Error>: Sink {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var values: [Value] = []
        @usableFromInline var hasCompleted = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())
    @usableFromInline let core: Core<[Value], Failure>
    @usableFromInline let skipEmpty: Bool
    @usableFromInline let discardWhenCompleted: Bool

    @inlinable
    init(core: Core<[Value], Failure>, skipEmpty: Bool, discardWhenCompleted: Bool) {
        self.core = core
        self.skipEmpty = skipEmpty
        self.discardWhenCompleted = discardWhenCompleted
    }

    @inlinable
    func next(_ value: Value) { state.withLock { $0.values.append(value) } }

    @inlinable
    func end(_ termination: Termination<Failure>) {
        if termination.isCompletion, !discardWhenCompleted {
            state.withLock { $0.hasCompleted = true }
        } else {
            core.sendEnd(termination)
        }
    }

    @inlinable
    var hasEnded: Bool { core.terminated.isRaised }

    @inlinable
    func flush() {
        let (values, hasCompleted) = take()
        if !values.isEmpty || !skipEmpty { core.sendNext(values) }
        if hasCompleted { core.sendEnd(.completed) }
    }

    @inlinable
    func drop() { _ = take() }

    @inlinable
    func take() -> (values: [Value], hasCompleted: Bool) {
        state.withLock { state in
            defer { state.values = [] }
            return (state.values, state.hasCompleted)
        }
    }
}
