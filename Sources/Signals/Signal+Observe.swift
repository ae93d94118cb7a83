extension Signal {
    /// Adds an observer.
    ///
    /// It gets the events from the next one on: one that is being delivered at this moment passes it by.
    ///
    /// - Returns: A disposable that removes the observer: no call to it begins after that, and no event tells it so. Nil
    ///   if the signal has ended already, in which case the observer gets one ``Event/interrupted`` at once.
    @inlinable @discardableResult
    public func observe(_ observer: Observer) -> (any Disposable)? {
        if let action = observer.action { observe(action) } else { observe(through: ObserverSink(observer)) }
    }

    /// Adds an observer that is one closure for every event.
    ///
    /// - Returns: As ``observe(_:)-(Signal<Value,Failure>.Observer)``.
    @inlinable @discardableResult
    public func observe(_ action: @escaping @Sendable (Event<Value, Failure>) -> Void) -> (any Disposable)? {
        let observation = Observation(core: core)
        return core.observe(EventReceiver(observation: observation, action: action), observation)
    }

    /// Adds a sink as an observer.
    @inlinable
    package func observe<S: Sink>(through sink: S) -> (any Disposable)?
    where S.Value == Value, S.Failure == Failure {
        let observation = Observation(core: core)
        return core.observe(SinkReceiver(observation: observation, sink: sink), observation)
    }

    /// Calls `action` with the error, if the signal ends with one.
    @inlinable @discardableResult
    public func observeError(_ action: @escaping @Sendable (Failure) -> Void) -> (any Disposable)? {
        observe { event in
            if case .error(let error) = event { action(error) }
        }
    }

    /// Calls `action` when the signal completes.
    @inlinable @discardableResult
    public func observeCompleted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        observe { event in
            if case .completed = event { action() }
        }
    }

    /// Calls `action` when the signal is interrupted, or at once if it has ended already.
    @inlinable @discardableResult
    public func observeInterrupted(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        observe { event in
            if case .interrupted = event { action() }
        }
    }

    /// Calls `action` with each value as a success and the error as a failure.
    @inlinable @discardableResult
    public func observeResult(_ action: @escaping @Sendable (Result<Value, Failure>) -> Void) -> (any Disposable)? {
        observe { event in
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
    /// Only for signals that cannot fail: for others say what is to happen with an error, with
    /// ``Signal/observeResult(_:)`` or ``Signal/observe(_:)-(Signal<Value,Failure>.Observer)``.
    @inlinable @discardableResult
    public func observeNext(_ action: @escaping @Sendable (Value) -> Void) -> (any Disposable)? {
        let observation = Observation(core: core)
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
