extension Signal {
    /// Splits the values into windows, each of which is a producer that completes when a trigger sends.
    ///
    /// Like `collect(until:)`, but sends the values of a window as they arrive.
    ///
    /// A window is sent before its first value, or when the trigger sends and no value has arrived since it sent last:
    /// then the window is empty. It buffers its values until it is first started. Later starts receive only new values.
    /// When the source ends, the open window ends in the same way, and then the result. If the trigger ends, in any
    /// way, the open window receives all further values.
    ///
    /// An open window outlives the result: after `take(first: 2)`, the second window still receives its values and
    /// completes. When the result is no longer observed, the source and the trigger are released as soon as the window
    /// ends, or its producer has been released and nothing observes it.
    ///
    /// - Parameters:
    ///   - trigger: Observed before this signal. Its values are ignored.
    ///   - bufferLimit: The maximum number of values that a window buffers. Traps unless positive.
    ///   - overflow: What happens when one more value arrives in a window that has not been started. In case of
    ///     `.fail`, the window fails, and then the result.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func window<Trigger>(
        until trigger: Signal<Trigger, Never>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> Signal<SignalProducer<Value, Failure>, Failure> {
        overflow.require(for: "window", (label: "bufferLimit", value: bufferLimit), hasError: error != nil)
        return machine("window(until:)", trigger) {
            WindowUntilMachine(
                core: $0, bufferLimit: bufferLimit, overflow: overflow, error: error)
        }
    }
}

extension SignalProducer {
    /// Splits the values into windows, each of which is a producer that completes when a trigger sends.
    ///
    /// Like ``HotSignals/Signal/window(until:bufferLimit:whenFull:raising:)`` of signals, separately for each
    /// start. The trigger's work begins first.
    ///
    /// - Parameters:
    ///   - trigger: A signal, or a producer, which is started once per start. Its values are ignored.
    ///   - bufferLimit: The maximum number of values that a window buffers. Traps unless positive.
    ///   - overflow: What happens when one more value arrives in a window that has not been started. In case of
    ///     `.fail`, the window fails, and then the result.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func window<Trigger>(
        until trigger: some SignalProducerConvertible<Trigger, Never>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer<SignalProducer, Failure> {
        overflow.require(for: "window", (label: "bufferLimit", value: bufferLimit), hasError: error != nil)
        return machine("window(until:)", trigger.producer) { core in
            WindowUntilMachine(
                core: core, bufferLimit: bufferLimit, overflow: overflow, error: error)
        }
    }

    /// Accepts leading-dot syntax for the trigger: `.interval(.seconds(1), on: queue)`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public func window<Trigger>(
        until trigger: SignalProducer<Trigger, Never>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> SignalProducer<SignalProducer, Failure> {
        window(until: trigger, bufferLimit: bufferLimit, whenFull: overflow, raising: error)
    }
}

/// Closes the open window each time a trigger sends.
@usableFromInline
@_fixed_layout
final class WindowUntilMachine<Source: Sendable, Failure: Error, Other: Sendable>: StateMachine, @unchecked Sendable {
    // Sendable: only the owner of the core's gate accesses the variable.
    @usableFromInline let core: Core<SignalProducer<Source, Failure>, Failure>
    @usableFromInline let bufferLimit: Int
    @usableFromInline let overflow: Overflow
    @usableFromInline let error: Failure?
    /// Whether the other stream is a timer, which ends only if its scheduler has released it.
    @usableFromInline let isTimed: Bool
    @usableFromInline let sourceUsers = SourceUsers()
    @exclusivity(unchecked) @usableFromInline var open: InnerStream<Source, Failure>?

    @_alwaysEmitIntoClient
    init(
        core: Core<SignalProducer<Source, Failure>, Failure>, bufferLimit: Int, overflow: Overflow, error: Failure?,
        isTimed: Bool = false
    ) {
        self.core = core
        self.bufferLimit = bufferLimit
        self.overflow = overflow
        self.error = error
        self.isTimed = isTimed
    }

    @_alwaysEmitIntoClient
    var users: SourceUsers? { sourceUsers }

    @_alwaysEmitIntoClient
    var isOver: Bool { sourceUsers.areGone }

    @_alwaysEmitIntoClient
    func receive(_ value: Source) { openWindow()?.send(value) }

    @_alwaysEmitIntoClient
    func receiveOther(_ value: Other) {
        _ = openWindow()
        endWindow(.completed)
    }

    @_alwaysEmitIntoClient
    func receiveEnd(_ termination: Termination<Failure>) {
        sourceUsers.endSource()
        endWindow(termination)
        core.deliverEnd(termination)
    }

    @_alwaysEmitIntoClient
    func wantsOtherEnd(_ termination: Termination<Never>) -> Bool { isTimed }

    @_alwaysEmitIntoClient
    func receiveOtherEnd(_ termination: Termination<Never>) { receiveEnd(.interrupted) }

    /// A window that has not been started cannot buffer another value.
    @_alwaysEmitIntoClient
    func failWindow() {
        core.perform { if !self.isOver, let error = self.error { self.receiveEnd(.error(error)) } }
    }

    /// Returns the open window, or a new one unless the result has ended.
    @_alwaysEmitIntoClient
    func openWindow() -> InnerStream<Source, Failure>? {
        if let open { return open }
        guard !core.terminated.isRaised else { return nil }
        let window = InnerStream<Source, Failure>(
            "window", in: core, of: sourceUsers, capacity: bufferLimit, whenFull: overflow,
            overflowed: { [weak self] in self?.failWindow() })
        open = window
        core.deliver(window.makeProducer())
        return window
    }

    @_alwaysEmitIntoClient
    func endWindow(_ termination: Termination<Failure>) { open.take()?.end(termination) }
}
