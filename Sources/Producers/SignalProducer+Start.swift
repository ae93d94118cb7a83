extension SignalProducer {
    /// Starts the work, and calls `action` with every event.
    ///
    /// - Returns: A disposable that cancels the work: see ``SignalProducer``. You need not store it.
    @inlinable @discardableResult
    public func start(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> any Disposable {
        start(at: CodeLocation(file, line), EventObserver(action))
    }

    /// Starts the work.
    ///
    /// - Parameter senders: What a source waits for that can be suspended. Only if the producer ``isSuspendable``.
    // Always inlined, so that the compiler sees the chain of which this is the end.
    @inlinable @inline(__always)
    package func start(
        at location: CodeLocation, suspendedBy senders: SenderQueue? = nil,
        _ observer: consuming some Sink<Value, Failure>
    ) -> any Disposable {
        switch work {
        // These two cases need no `Start`: they end before the disposable is returned, so they cannot be disposed of.
        case .value(let value):
            observer.next(value)
            observer.end(.completed)
            return Ended.disposable
        case .ended(let termination):
            observer.end(termination)
            return Ended.disposable
        case .handler(let handler):
            let new = Start(startedAt: location)
            start(new, handler, ChainEnd(new, observer))
            return new
        case .chain(let chain):
            let start = Start(startedAt: location)
            if let senders { start.senders = senders }
            chain(start, ChainEnd(start, observer).erased)
            return start
        }
    }

    /// Starts the work as a start that the caller has created, so that the caller can cancel synchronous work.
    @inlinable
    package func start(with start: Start, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        beginWork(of: start, into: ChainEnd(start, EventObserver(action)).erased)
    }

    /// Not inlined, so that the compiler can fuse a chain that it sees as a whole into one loop.
    @inlinable @inline(never)
    func start<End: Sink>(
        _ start: Start, _ handler: @Sendable (Signal<Value, Failure>.Observer, Start) -> Void,
        _ end: End
    ) where End.Value == Value, End.Failure == Failure {
        let core = Core<Value, Failure>(rootNamed: streamName, contention: contention)
        core.adopt(end)
        // The start cannot have been disposed of yet.
        if start.attach(core) { handler(Signal<Value, Failure>.Observer(core: core), start) }
    }

    /// Starts the work for its side effects.
    @inlinable @discardableResult
    public func start(file: StaticString = #fileID, line: UInt = #line) -> any Disposable {
        StreamHooks.areSet.isOn ? startReportingErrors(file: file, line: line) : start(file: file, line: line) { _ in }
    }

    @usableFromInline @inline(never)
    func startReportingErrors(file: StaticString, line: UInt) -> any Disposable {
        start(file: file, line: line) { [streamName] event in
            if case .error(let error) = event { StreamHooks.report(error, of: streamName) }
        }
    }

    /// Starts the work, and passes every event to `observer`.
    ///
    /// - Returns: See ``start(file:line:_:)``.
    @inlinable @discardableResult
    public func start(
        _ observer: Signal<Value, Failure>.Observer, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        start(file: file, line: line) { event in observer.send(event) }
    }

    /// Starts the work, and calls `action` with the error if it fails.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithError(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Failure) -> Void
    ) -> any Disposable {
        start(file: file, line: line) { event in
            if case .error(let error) = event { action(error) }
        }
    }

    /// Starts the work, and calls `action` when it completes.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithCompleted(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        start(file: file, line: line) { [streamName] event in
            switch event {
            case .completed: action()
            case .error(let error): StreamHooks.report(error, of: streamName)
            default: break
            }
        }
    }

    /// Starts the work, and calls `action` when it is interrupted, for example by disposal.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithInterrupted(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable () -> Void
    ) -> any Disposable {
        start(file: file, line: line) { [streamName] event in
            switch event {
            case .interrupted: action()
            case .error(let error): StreamHooks.report(error, of: streamName)
            default: break
            }
        }
    }

    /// Starts the work, and calls `action` with each value as a success and the error as a failure.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithResult(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> any Disposable {
        start(at: CodeLocation(file, line), ResultObserver(action))
    }
}

extension SignalProducer {
    /// A producer that can fail sends more than values.
    @available(
        *, unavailable,
        message: "this producer can fail: handle its errors first, as with flatMapError, or use startWithResult"
    )
    @_disfavoredOverload @discardableResult
    public func startWithNext(_ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
        fatalError("unavailable")
    }
}

extension SignalProducer where Failure == Never {
    /// Starts the work, and calls `action` with each value.
    ///
    /// Available only if the producer cannot fail. For other producers, decide what to do with an error: use
    /// ``SignalProducer/startWithResult(file:line:_:)`` or ``SignalProducer/start(file:line:_:)``.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithNext(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Value) -> Void
    ) -> any Disposable {
        start(at: CodeLocation(file, line), ValueObserver(action))
    }

    /// A producer that cannot fail sends no error.
    @available(*, unavailable, message: "this producer cannot fail: its Failure is Never")
    @discardableResult
    public func startWithError(_ action: @escaping @Sendable (Failure) -> Void) -> any Disposable {
        fatalError("unavailable")
    }
}

extension SignalProducer where Value == Never, Failure == Never {
    /// A producer of `Never` sends no value.
    @available(*, unavailable, message: "this producer sends no value: its Value is Never")
    @discardableResult
    public func startWithNext(_ action: @escaping @Sendable (Value) -> Void) -> any Disposable {
        fatalError("unavailable")
    }
}

/// The disposable of a start that ended before it returned.
@usableFromInline
enum Ended {
    @usableFromInline static let disposable: any Disposable = {
        let disposable = SimpleDisposable()
        disposable.dispose()
        return disposable
    }()
}
