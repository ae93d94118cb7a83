extension SignalProducer {
    /// A producer that calls a function that reports a single result to a completion handler.
    ///
    /// ```swift
    /// let address = SignalProducer<Address, LookUpError>(callback: { completion in
    ///     resolver.resolve(host, completion)
    /// })
    /// ```
    ///
    /// **Termination**: a success is sent as a value, followed by the completion. A failure is sent as an error. Only
    /// the first call of the handler counts. If the handler is released without having been called, the stream is
    /// interrupted, so no code waits forever.
    ///
    /// **Threads**: the function is called on the thread of the start. The handler can be called on any thread,
    /// immediately or later.
    ///
    /// **Disposal** interrupts immediately, and a later call of the handler is ignored. The function is not notified:
    /// see ``init(cancellableCallback:)``.
    ///
    /// - Parameter operation: Called once per start, with the handler.
    @inlinable
    public init(
        callback operation:
            @escaping @Sendable (_ completion: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
    ) {
        self.init(StreamName("callback")) { _, sink in
            guard let core = Core.head(of: sink) else { return }
            let completion = Completion(core, CallFlag())
            operation { completion($0) }
        }
    }

    /// A producer that calls a function that reports a single result to a completion handler and can be cancelled.
    ///
    /// ```swift
    /// let page = SignalProducer<Page, HTTPError>(cancellableCallback: { completion in
    ///     let task = session.load(url, completion)
    ///     return { task.cancel() }
    /// })
    /// ```
    ///
    /// Like ``init(callback:)``, but a start that is disposed of before the handler has been called is cancelled.
    ///
    /// - Parameter operation: Called once per start, with the handler. Returns a closure that cancels, which is called
    ///   at most once, if the start ends before the handler has been called: on the thread that disposes of the start,
    ///   or when `operation` returns if that is later. It is not called after the handler has been called.
    @inlinable
    public init(
        cancellableCallback operation:
            @escaping @Sendable (_ completion: @escaping @Sendable (Result<Value, Failure>) -> Void) ->
            @Sendable () ->
            Void
    ) {
        self.init(StreamName("callback")) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            let flag = CallFlag()
            let completion = Completion(core, flag)
            let cancel = operation { completion($0) }
            start.observeEnded {
                if flag.raise() { cancel() }
            }
        }
    }
}

/// Records what came first: the call of the handler, or the end of the start.
@usableFromInline
@_fixed_layout
final class CallFlag: Sendable {
    @usableFromInline let flag = AtomicFlag()

    @_alwaysEmitIntoClient
    init() {}

    /// Returns `true` for the first call only.
    @_alwaysEmitIntoClient
    func raise() -> Bool { flag.raise() }
}

/// The handler that a callback API receives. It holds the input of the start: when it is released, nothing more can be
/// sent.
@usableFromInline
@_fixed_layout
final class Completion<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let observer: Signal<Value, Failure>.Observer
    @usableFromInline let flag: CallFlag

    @_alwaysEmitIntoClient
    init(_ core: Core<Value, Failure>, _ flag: CallFlag) {
        observer = Signal.Observer(core: core)
        self.flag = flag
    }

    // Releasing the observer interrupts the start. Raising the flag prevents the cancellation of an operation that has
    // already given up its handler.
    deinit { _ = flag.raise() }

    @_alwaysEmitIntoClient
    func callAsFunction(_ result: Result<Value, Failure>) {
        guard flag.raise() else { return }
        switch result {
        case .success(let value):
            observer.sendNext(value)
            observer.sendCompleted()
        case .failure(let error): observer.sendError(error)
        }
    }
}
