extension Signal {
    /// Receives events: either the input of a signal, or the closures of an observer.
    ///
    /// You get the input of a signal from ``Signal/pipe(contention:disposable:file:line:)`` or in a generator. Any
    /// thread can use it, and it ignores events after a terminal event. An observer made of closures must be called
    /// serially, as every signal does.
    @_fixed_layout
    public final class Observer: Sendable {
        /// The core that this is the input of. Holds one manually retained reference, so that a send needs no other.
        @usableFromInline let core: Unmanaged<Core<Value, Failure>>?
        @usableFromInline let action: (@Sendable (Event<Value, Failure>) -> Void)?

        @inlinable
        package init(core: Core<Value, Failure>) {
            self.core = .passRetained(core)
            action = nil
        }

        /// Creates an observer that calls one closure for every event.
        @inlinable
        public init(_ action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
            core = nil
            self.action = action
        }

        /// Creates an observer that calls a closure for each kind of event, and ignores the kinds without one.
        @inlinable
        public convenience init(
            next: (@Sendable (Value) -> Void)? = nil,
            error: (@Sendable (Failure) -> Void)? = nil,
            completed: (@Sendable () -> Void)? = nil,
            interrupted: (@Sendable () -> Void)? = nil
        ) {
            self.init { event in
                switch event {
                case .next(let value): next?(value)
                case .error(let failure): error?(failure)
                case .completed: completed?()
                case .interrupted: interrupted?()
                }
            }
        }

        deinit {
            guard let core else { return }
            core._withUnsafeGuaranteedRef { $0.releaseInput() }
            core.release()
        }

        /// Sends a value.
        @inlinable @inline(__always)
        public func sendNext(_ value: Value) {
            if let core { core._withUnsafeGuaranteedRef { $0.sendNext(value) } } else { action?(.next(value)) }
        }

        /// Sends an error, which terminates the stream.
        @_alwaysEmitIntoClient
        public func sendError(_ error: Failure) { end(.error(error)) }

        /// Completes the stream.
        @_alwaysEmitIntoClient
        public func sendCompleted() { end(.completed) }

        /// Interrupts the stream.
        @_alwaysEmitIntoClient
        public func sendInterrupted() { end(.interrupted) }

        /// Sends any event.
        @_alwaysEmitIntoClient
        public func send(_ event: Event<Value, Failure>) {
            switch event {
            case .next(let value): sendNext(value)
            case .error(let error): end(.error(error))
            case .completed: end(.completed)
            case .interrupted: end(.interrupted)
            }
        }

        @_alwaysEmitIntoClient
        func end(_ termination: Termination<Failure>) {
            if let core {
                core._withUnsafeGuaranteedRef { $0.sendEnd(termination) }
            } else {
                action?(termination.event())
            }
        }
    }
}

extension Signal.Observer where Value == Void {
    /// Sends a value of type `Void`.
    @inlinable
    public func sendNext() { sendNext(()) }
}

/// Forwards events to an observer.
@frozen @usableFromInline
package struct ObserverSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let observer: Signal<Value, Failure>.Observer

    @_alwaysEmitIntoClient
    package init(_ observer: Signal<Value, Failure>.Observer) { self.observer = observer }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) { observer.sendNext(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { observer.end(termination) }

    /// An observer made of closures cannot tell.
    @_alwaysEmitIntoClient
    package var hasEnded: Bool { observer.core?._withUnsafeGuaranteedRef { $0.terminated.isRaised } ?? false }
}
