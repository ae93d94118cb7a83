/// What a signal stores for each observer and for each operator applied to it.
///
/// The base class is not generic, so that adding and removing a receiver needs no metadata lookup.
@_fixed_layout
@usableFromInline
package class AnyReceiver: DeferredGateRelease, @unchecked Sendable {
    // Sendable: `index` and `next` are only for the owner of the gate. The rest is constant.

    /// The possible subclasses, so that a delivery need not ask the runtime for the type.
    @frozen @usableFromInline
    enum Kind: Sendable {
        case values, events, sink
    }

    /// The disposable that the observer's owner holds. `nil` for an operator, which detaches as the owner of the gate.
    @usableFromInline final let observation: Observation?
    /// Only for the owner of the gate. The position in the core's slots.
    @exclusivity(unchecked) @usableFromInline final var index: Int32 = 0
    @usableFromInline final let kind: Kind

    @_alwaysEmitIntoClient
    init(observation: Observation?, kind: Kind) {
        self.observation = observation
        self.kind = kind
        super.init()
    }

    /// Whether events may still be delivered to this receiver.
    @inlinable @inline(__always)
    final var isLive: Bool { observation.map { !$0.isDisposedByHand } ?? true }

    /// Only for the owner of the gate. Whether an event sent to this receiver can still reach an observer.
    @usableFromInline
    var wantsMore: Bool { isLive }

    /// Delivers the `interrupted` of a signal that had already ended.
    func receiveInterrupted() { preconditionFailure("AnyReceiver is abstract") }
}

/// A receiver of events of one type.
///
/// Events do not go through virtual methods, because a virtual method of a generic class would run unspecialized.
/// Instead, each kind has constant closures, which are called without being retained.
@_fixed_layout
@usableFromInline
package class Receiver<Value: Sendable, Failure: Error>: AnyReceiver, @unchecked Sendable {
    // Sendable: for the same reason as the base class.

    /// Delivers a value, unless the receiver has been disposed of.
    @inlinable @inline(__always)
    final func receive(_ value: Value) {
        // `kind` identifies the subclass. A receiver with a closure always has an observation.
        switch kind {
        case .values:
            guard !observation.unsafelyUnwrapped.isDisposedByHand else { return }
            callClosure(value)
        case .events:
            guard !observation.unsafelyUnwrapped.isDisposedByHand else { return }
            unsafeDowncast(self, to: EventReceiver<Value, Failure>.self).action(.next(value))
        case .sink: unsafeDowncast(self, to: AnySinkReceiver<Value, Failure>.self).call(value, self)
        }
    }

    /// Delivers a value to a live receiver of the kind `.values`.
    @inlinable @inline(__always)
    final func callClosure(_ value: Value) {
        unsafeDowncast(self, to: ValueReceiver<Value, Failure>.self).action(value)
    }

    /// Delivers a terminal event to a live receiver.
    @inlinable
    final func receiveEnd(_ termination: Termination<Failure>) {
        switch kind {
        case .values: break
        case .events: unsafeDowncast(self, to: EventReceiver<Value, Failure>.self).receiveLast(termination)
        case .sink: unsafeDowncast(self, to: AnySinkReceiver<Value, Failure>.self).callEnd(termination, self)
        }
    }

    override final func receiveInterrupted() { receiveEnd(.interrupted) }
}

/// An observer with one closure for values.
@_fixed_layout
@usableFromInline
package final class ValueReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: the closure is.
    @usableFromInline let action: @Sendable (Value) -> Void

    @_alwaysEmitIntoClient
    package init(observation: Observation, action: @escaping @Sendable (Value) -> Void) {
        self.action = action
        super.init(observation: observation, kind: .values)
    }
}

/// An observer with one closure for all events.
@_fixed_layout
@usableFromInline
final class EventReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: the closure is.
    @usableFromInline let action: @Sendable (Event<Value, Failure>) -> Void

    @_alwaysEmitIntoClient
    init(observation: Observation, action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        self.action = action
        super.init(observation: observation, kind: .events)
    }

    // Not inlined: code that is not specialized would ask the runtime for the type of the event for receivers of other
    // kinds, too.
    @inlinable @inline(never)
    func receiveLast(_ termination: Termination<Failure>) { action(termination.event()) }
}

/// A receiver whose sink type is erased.
@_fixed_layout
@usableFromInline
class AnySinkReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: for the same reason as the base class.
    @usableFromInline typealias Call = @Sendable (Value, Receiver<Value, Failure>) -> Void

    @usableFromInline typealias EndCall = @Sendable (Termination<Failure>, Receiver<Value, Failure>) -> Void

    /// Passes a value to the sink of a receiver, unless the receiver has been disposed of. Captures nothing: the sink
    /// is stored in the receiver, in the same allocation.
    @usableFromInline final let call: Call
    /// Passes a terminal event to the sink of a receiver. Captures nothing either.
    @usableFromInline final let callEnd: EndCall

    @inlinable
    init(observation: Observation?, call: @escaping Call, callEnd: @escaping EndCall) {
        self.call = call
        self.callEnd = callEnd
        super.init(observation: observation, kind: .sink)
    }
}

/// A receiver with the sink of an operator, or of an observer that is more than one closure.
@_fixed_layout
@usableFromInline
final class SinkReceiver<S: Sink>: AnySinkReceiver<S.Value, S.Failure>, @unchecked Sendable {
    // Sendable: the sink is.
    @usableFromInline let sink: S

    @inlinable
    init(observation: Observation?, sink: S) {
        self.sink = sink
        // Created here, where the type of the sink is known, so that the closures are fully specialized.
        super.init(observation: observation, call: observation == nil ? Self.pass : Self.passIfLive) {
            termination, receiver in
            unsafeDowncast(receiver, to: SinkReceiver<S>.self).sink.end(termination)
        }
    }

    // Always inlined, so the closures are, too: into the thunks that read the value. Otherwise these would call them.

    /// Passes a value to the sink of an operator, which has no observation.
    @inlinable @inline(__always)
    static var pass: Call {
        { value, receiver in unsafeDowncast(receiver, to: SinkReceiver<S>.self).sink.next(value) }
    }

    /// Passes a value to the sink of an observer.
    @inlinable @inline(__always)
    static var passIfLive: Call {
        { value, receiver in
            guard !receiver.observation.unsafelyUnwrapped.isDisposedByHand else { return }
            unsafeDowncast(receiver, to: SinkReceiver<S>.self).sink.next(value)
        }
    }

    @usableFromInline
    override var wantsMore: Bool { isLive && !sink.hasEnded }
}
