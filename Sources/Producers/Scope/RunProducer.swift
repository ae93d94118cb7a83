extension SignalProducer {
    /// Runs the producer for its side effects, until it has ended.
    ///
    /// ```swift
    /// try await jobs.run()
    /// ```
    ///
    /// Cancelling the task interrupts the work. This method then returns, without an error, after all of the work has
    /// ended, as ``withSignalScope(throwing:isolation:_:)`` describes. A producer is therefore a service that a service
    /// lifecycle can run and stop gracefully, for example with swift-service-lifecycle:
    ///
    /// ```swift
    /// struct Jobs: Service {
    ///     func run() async throws { try await cancelWhenGracefulShutdown { try await jobs.run() } }
    /// }
    /// ```
    ///
    /// Also returns if the work completes or is interrupted on its own.
    public func run() async throws(Failure) {
        try await withSignalScope(throwing: Failure.self) { (scope) throws(Failure) in
            start(in: scope)
            try await scope.waitForAll()
        }
    }

    /// Runs the producer until it has ended or is told to stop.
    ///
    /// ```swift
    /// try await server.run(until: .unixSignal(SIGTERM, SIGINT))
    /// ```
    ///
    /// Like ``run()``, but the first value or the completion of `stop` also interrupts the work, and this method
    /// returns after all of the work has ended.
    ///
    /// - Parameter stop: Started first, and disposed of when the work has ended. If it stops immediately, no work
    ///   begins. Its interruption is ignored.
    /// - Throws: The error of the producer.
    public func run<StopValue>(until stop: SignalProducer<StopValue, Never>) async throws(Failure) {
        try await withSignalScope(throwing: Failure.self) { (scope) throws(Failure) in
            stop.start(in: scope) { event in
                if case .interrupted = event { return }
                scope.cancelAll()
            }
            start(in: scope) { event in
                if event.isTerminating { scope.cancelAll() }
            }
            try await scope.waitForAll()
        }
    }

    /// Runs the producer until it has ended or is told to stop: see ``run(until:)-(SignalProducer<StopValue,Never>)``.
    public func run<StopValue>(until stop: some SignalProducerConvertible<StopValue, Never>) async throws(Failure) {
        try await run(until: stop.producer)
    }
}
