extension SignalProducer {
    /// Does the work once, and keeps its values for a time.
    ///
    /// ```swift
    /// let clock = TestScheduler()
    /// let rate = SignalProducer(value: 1.1).on(starting: { print("loading") }).cached(for: .seconds(60), on: clock)
    /// rate.startWithNext { print($0) }
    /// // prints loading
    /// // prints 1.1
    /// rate.startWithNext { print($0) }  // prints 1.1
    /// ```
    ///
    /// The first start begins the work. Starts that come while it runs share it. When it has completed, later starts
    /// receive its values and its completion immediately, until they expire. Then a start does the work again.
    ///
    /// Like ``/ColdProducers/SignalProducer/replayLazily(upTo:)``, but the work is done again after a time,
    /// and work that fails is not kept. For a cache with keys, use ``SingleFlight``.
    ///
    /// **Disposal** of all starts that share the work cancels it, and nothing is kept. `first()` and `take(first: 1)`
    /// dispose of their start before the completion: use `last()`. **Interrupted** work is not kept. All values of the
    /// work are stored, without a limit.
    ///
    /// - Parameters:
    ///   - duration: How long to keep the values, from the completion. Traps unless positive.
    ///   - scheduler: Measures the time, and releases the values.
    ///   - keepsErrors: Whether an error is kept like a completion, so that later starts fail with it.
    @_alwaysEmitIntoClient
    public func cached(
        for duration: Duration, on scheduler: some DelayScheduler, keepsErrors: Bool = false
    ) -> SignalProducer {
        require(duration > .zero, "cached(for: \(duration)): the duration must be positive")
        return cached(
            derivedName("cached(for: @)", duration.nanoseconds), .after(duration, .init(scheduler)), keepsErrors)
    }

    /// Does the work once, and keeps its values until a trigger fires.
    ///
    /// Like ``cached(for:on:keepsErrors:)``. The trigger fires with its first value or with its completion,
    /// and is started, or observed, each time the work begins. If it fires while the work runs, those that share the
    /// work still receive its events, and later starts do the work again. A trigger that is interrupted never fires.
    /// Its start must not wait for the cached values, because the work begins after it.
    ///
    /// ```swift
    /// let (changes, change) = Signal<Void, Never>.pipe()
    /// let settings = SignalProducer(value: "dark").on(starting: { print("loading") }).cached(until: changes)
    /// settings.startWithNext { print($0) }
    /// // prints loading
    /// // prints dark
    /// settings.startWithNext { print($0) }  // prints dark
    /// change.sendNext()
    /// settings.startWithNext { print($0) }
    /// // prints loading
    /// // prints dark
    /// ```
    ///
    /// - Parameters:
    ///   - trigger: A signal, or a producer, which is started before the work.
    ///   - keepsErrors: Whether an error is kept like a completion, so that later starts fail with it.
    @_alwaysEmitIntoClient
    public func cached<Trigger>(
        until trigger: some SignalProducerConvertible<Trigger, Never>, keepsErrors: Bool = false
    ) -> SignalProducer {
        let trigger = trigger.producer
        return cached(
            derivedName("cached(until:)"),
            .when { expire in
                trigger.take(first: 1).start { event in
                    switch event {
                    case .next, .completed: expire()
                    case .error, .interrupted: break
                    }
                }
            }, keepsErrors)
    }

    /// Accepts leading-dot syntax: `cached(until: .interval(.seconds(60), on: queue))`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func cached<Trigger>(
        until trigger: SignalProducer<Trigger, Never>, keepsErrors: Bool = false
    ) -> SignalProducer {
        cached(until: trigger, keepsErrors: keepsErrors)
    }

    @_alwaysEmitIntoClient
    func cached(
        _ name: StreamName, _ expiry: FlightTable.Expiry, _ keepsErrors: Bool
    ) -> SignalProducer {
        let flights = Flights<Bool, Value, Failure>(
            name, contention: contention, FlightTable(expiry, maxEntries: 1, keepsErrors: keepsErrors)
        ) { _ in self }
        return SignalProducer(name, contention: contention) { _, sink in flights.join(true, sink) }
    }
}
