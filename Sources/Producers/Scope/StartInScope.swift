// Each method has one overload per relation between the error type of the work and that of the scope: the types are
// equal, the scope accepts any error, or the work cannot fail. Where two of them apply, a last overload resolves the
// ambiguity.

extension SignalProducer {
    /// Starts the work in a scope, which does not end before the work, and passes every event to `action`.
    ///
    /// If the work fails, so does the scope. When the scope ends, fails or is cancelled, it disposes of the start. In a
    /// scope that has ended, no work begins: `action` receives ``/HotSignals/Event/interrupted``.
    ///
    /// - Returns: A disposable that cancels only this work. You need not store it.
    @discardableResult
    public func start(
        in scope: SignalScope<Failure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Failure>) -> Void = { _ in }
    ) -> any Disposable {
        scope.start(self, promoting: { $0 }, at: CodeLocation(file, line), action)
    }

    /// Starts the work in a scope that can fail with any error: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult @_disfavoredOverload
    public func start(
        in scope: SignalScope<any Error>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Failure>) -> Void = { _ in }
    ) -> any Disposable {
        scope.start(self, promoting: { $0 }, at: CodeLocation(file, line), action)
    }

    /// Starts the work in a scope, and calls `action` with each value: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func startWithNext(
        in scope: SignalScope<Failure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        start(in: scope, file: file, line: line, Self.onlyValues(action))
    }

    /// Starts the work in a scope that can fail with any error, and calls `action` with each value: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult @_disfavoredOverload
    public func startWithNext(
        in scope: SignalScope<any Error>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        start(in: scope, file: file, line: line, Self.onlyValues(action))
    }

    fileprivate static func onlyValues(
        _ action: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Event<Value, Failure>) -> Void {
        { event in
            if case .next(let value) = event { action(value) }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Starts work that cannot fail in a scope of any error type: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func start<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Never>) -> Void = { _ in }
    ) -> any Disposable {
        scope.start(self, promoting: nil, at: CodeLocation(file, line), action)
    }

    /// Starts work that cannot fail in a scope that cannot fail either: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func start(
        in scope: SignalScope<Never>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Never>) -> Void = { _ in }
    ) -> any Disposable {
        scope.start(self, promoting: nil, at: CodeLocation(file, line), action)
    }

    /// Starts work that cannot fail in a scope of any error type, and calls `action` with each value: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func startWithNext<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        start(in: scope, file: file, line: line, Self.onlyValues(action))
    }

    /// Starts work that cannot fail in a scope that cannot fail either, and calls `action` with each value: see
    /// ``start(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func startWithNext(
        in scope: SignalScope<Never>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        start(in: scope, file: file, line: line, Self.onlyValues(action))
    }
}

extension Signal {
    /// Observes the signal in a scope, which does not end before the observation, and passes every event to `action`.
    ///
    /// If the signal fails, so does the scope. When the scope ends, fails or is cancelled, it ends the observation with
    /// ``/HotSignals/Event/interrupted``. The signal is not affected.
    ///
    /// - Returns: A disposable that ends only this observation. You need not store it.
    @discardableResult
    public func observe(
        in scope: SignalScope<Failure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> any Disposable {
        SignalProducer(self).start(in: scope, file: file, line: line, action)
    }

    /// Observes the signal in a scope that can fail with any error: see
    /// ``observe(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult @_disfavoredOverload
    public func observe(
        in scope: SignalScope<any Error>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> any Disposable {
        SignalProducer(self).start(in: scope, file: file, line: line, action)
    }
}

extension Signal where Failure == Never {
    /// Observes a signal that cannot fail in a scope of any error type: see
    /// ``observe(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func observe<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Never>) -> Void
    ) -> any Disposable {
        SignalProducer(self).start(in: scope, file: file, line: line, action)
    }

    /// Observes a signal that cannot fail in a scope that cannot fail either: see
    /// ``observe(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func observe(
        in scope: SignalScope<Never>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Event<Value, Never>) -> Void
    ) -> any Disposable {
        SignalProducer(self).start(in: scope, file: file, line: line, action)
    }

    /// Observes the values of a signal that cannot fail in a scope: see
    /// ``observe(in:file:line:_:)-(SignalScope<Failure>,_,_,_)``.
    @discardableResult
    public func observeNext<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, file: StaticString = #fileID, line: UInt = #line,
        _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        SignalProducer(self).startWithNext(in: scope, file: file, line: line, action)
    }
}
