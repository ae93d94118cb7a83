/// Notifies a tap of each event of a start, before the only receiver of its head.
///
/// The gate keeps the events apart, and ``SignalCore/afterEvents(_:)`` the end from them. So they need not be counted.
@frozen @usableFromInline
struct HeadTapSink<Tap: StreamTap, Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let link: TapLink<Tap>
    /// That of the link, which is read once for each event.
    @usableFromInline let state: Tap.State
    @usableFromInline let receiver: AnySinkReceiver<Value, Failure>

    @_alwaysEmitIntoClient
    init(_ link: TapLink<Tap>, _ receiver: AnySinkReceiver<Value, Failure>) {
        self.link = link
        state = link.state
        self.receiver = receiver
    }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) {
        link.eventInGate(Event<Value, Failure>.next(value), in: state)
        Unmanaged.passUnretained(receiver)._withUnsafeGuaranteedRef { $0.call(value, $0) }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        link.eventInGate(termination.event(of: Value.self), in: state)
        receiver.callEnd(termination, receiver)
    }

    @usableFromInline var hasEnded: Bool { !receiver.wantsMore }
}

/// Calls the value action of a tap for each value of a start, otherwise like ``HeadTapSink``.
@frozen @usableFromInline
struct HeadActionSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let link: TapLink<ErasedTap>
    /// The action in the state of the link, stored here so that a value reads it from this sink.
    @usableFromInline let action: @Sendable () -> Void
    @usableFromInline let receiver: AnySinkReceiver<Value, Failure>

    @_alwaysEmitIntoClient
    init(_ link: TapLink<ErasedTap>, _ receiver: AnySinkReceiver<Value, Failure>) {
        self.link = link
        action = link.state.valueAction
        self.receiver = receiver
    }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) {
        action()
        Unmanaged.passUnretained(receiver)._withUnsafeGuaranteedRef { $0.call(value, $0) }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        link.eventInGate(termination.event(of: Value.self), in: link.state)
        receiver.callEnd(termination, receiver)
    }

    @usableFromInline var hasEnded: Bool { !receiver.wantsMore }
}

extension Signal.Observer {
    /// Notifies a tap of each event of a start, and of its end. Only for the observer of a start handler, which has not
    /// been called yet.
    @_alwaysEmitIntoClient
    package func beTapped<Tap: StreamTap>(by link: TapLink<Tap>, during start: Start) {
        // An observer of a start handler always has a core. One that was made from a closure has none.
        guard let core = core?.takeUnretainedValue() else { return }
        core.beTapped(by: link)
        start.observeEnded { core.afterEvents { link.end() } }
    }
}

extension Core {
    /// Notifies a tap of each event from now on.
    @_alwaysEmitIntoClient
    func beTapped<Tap: StreamTap>(by link: TapLink<Tap>) {
        // As the owner of the gate, because a disposal may be interrupting the start already.
        actPassively {
            if self.terminated.isRaised { return link.event(Event<Value, Failure>.interrupted) }
            guard let only = self.slots.storage else { return }
            let receiver = Unmanaged<AnySinkReceiver<Value, Failure>>.fromOpaque(only).takeRetainedValue()
            if let link = link.withValueAction {
                self.adopt(HeadActionSink(link, receiver))
            } else {
                self.adopt(HeadTapSink(link, receiver))
            }
        }
    }
}

/// Notifies a tap of each event of a signal.
///
/// The gate keeps the events apart, and ``SignalCore/afterLeaving(_:)`` the end from them. So they need not be counted.
@frozen @usableFromInline
struct GateTapSink<Tap: StreamTap, Value: Sendable, Failure: Error>: OperatorSink {
    @usableFromInline let link: TapLink<Tap>
    /// That of the link, which is read once for each event.
    @usableFromInline let state: Tap.State
    @usableFromInline package let downstream: CoreSink<Value, Failure>

    @_alwaysEmitIntoClient
    init(_ link: TapLink<Tap>, downstream: CoreSink<Value, Failure>) {
        self.link = link
        state = link.state
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        downstream.core.deliver(value, after: { link.eventInGate(Event<Value, Failure>.next(value), in: state) })
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        link.eventInGate(termination.event(of: Value.self), in: state)
        downstream.end(termination)
    }
}
