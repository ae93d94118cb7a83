extension Signal {
    /// Adds an observer.
    ///
    /// It receives the events that follow. An event that is being delivered at this moment is not delivered to it.
    ///
    /// - Returns: A disposable that removes the observer. No call to the observer begins after disposal, and it
    ///   receives no further event. `nil` if the signal has already ended; the observer then receives one
    ///   ``Event/interrupted`` immediately.
    @inlinable @discardableResult
    public func observe(_ observer: Observer, file: StaticString = #fileID, line: UInt = #line) -> (any Disposable)? {
        if let action = observer.action {
            observe(file: file, line: line, action)
        } else {
            observe(through: ObserverSink(observer), at: CodeLocation(file, line))
        }
    }

    /// Adds an observer that calls one closure for every event.
    ///
    /// - Returns: See ``observe(_:file:line:)``.
    @inlinable @discardableResult
    public func observe(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> (any Disposable)? {
        observe(at: CodeLocation(file, line), action)
    }

    /// The same for a place that is known already.
    @inlinable
    package func observe(
        at location: CodeLocation, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> (any Disposable)? {
        let observation = Observation(core: core)
        observation.recordIfNeeded(location)
        return core.observe(EventReceiver(observation: observation, action: action), observation)
    }

    /// Adds a sink as an observer.
    @inlinable
    package func observe<S: Sink>(
        through sink: S, at location: CodeLocation = .unknown
    ) -> (any Disposable)? where S.Value == Value, S.Failure == Failure {
        let observation = Observation(core: core)
        observation.recordIfNeeded(location)
        return core.observe(SinkReceiver(observation: observation, sink: sink), observation)
    }

    /// Calls `action` with the error if the signal fails.
    @_alwaysEmitIntoClient @discardableResult
    public func observeError(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Failure) -> Void
    ) -> (any Disposable)? {
        observe(file: file, line: line) { event in
            if case .error(let error) = event { action(error) }
        }
    }

    /// Calls `action` when the signal completes.
    @_alwaysEmitIntoClient @discardableResult
    public func observeCompleted(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        observe(file: file, line: line) { event in
            if case .completed = event { action() }
        }
    }

    /// Calls `action` when the signal is interrupted, or immediately if it has already ended.
    @_alwaysEmitIntoClient @discardableResult
    public func observeInterrupted(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        observe(file: file, line: line) { event in
            if case .interrupted = event { action() }
        }
    }

    /// Calls `action` with each value as a success and the error as a failure.
    @_alwaysEmitIntoClient @discardableResult
    public func observeResult(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> (any Disposable)? {
        observe(file: file, line: line) { event in
            switch event {
            case .next(let value): action(.success(value))
            case .error(let error): action(.failure(error))
            case .completed, .interrupted: break
            }
        }
    }
}

extension Signal where Failure == Never {
    /// Calls `action` with each value.
    ///
    /// Available only if the signal cannot fail. For other signals, decide what to do with an error: use
    /// ``Signal/observeResult(file:line:_:)`` or ``Signal/observe(_:file:line:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func observeNext(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Value) -> Void
    ) -> (any Disposable)? {
        let observation = Observation(core: core)
        observation.recordIfNeeded(CodeLocation(file, line))
        return core.observe(ValueReceiver<Value, Failure>(observation: observation, action: action), observation)
    }

    /// A signal that cannot fail sends no error.
    @available(*, unavailable, message: "this signal cannot fail: its Failure is Never")
    @discardableResult
    public func observeError(_ action: @escaping @Sendable (Failure) -> Void) -> (any Disposable)? {
        fatalError("unavailable")
    }
}

extension Signal where Value == Never, Failure == Never {
    /// A signal of `Never` sends no value.
    @available(*, unavailable, message: "this signal sends no value: its Value is Never")
    @discardableResult
    public func observeNext(_ action: @escaping @Sendable (Value) -> Void) -> (any Disposable)? {
        fatalError("unavailable")
    }
}
