/// What a signal keeps for each observer and for each operator applied to it.
///
/// The base class is not generic, so that adding and removing needs no look-up of metadata.
@_fixed_layout
@usableFromInline
package class AnyReceiver: GateDebris, @unchecked Sendable {
    // Sendable: `index` and `next` are for the owner of the gate only, the rest does not change.

    /// The classes there are, so that a delivery need not ask the runtime which one this is.
    @frozen @usableFromInline
    enum Kind: Sendable {
        case values, events, sink
    }

    /// The handle that the observer's owner disposes of; nil for an operator, which detaches as the gate's owner.
    @usableFromInline final let observation: Observation?
    /// Owner only. The place in the core's slots.
    @exclusivity(unchecked) @usableFromInline final var index: Int32 = 0
    @usableFromInline final let kind: Kind

    @inlinable
    init(observation: Observation?, kind: Kind) {
        self.observation = observation
        self.kind = kind
        super.init()
    }

    /// Whether events may still be delivered to it.
    @inlinable @inline(__always)
    final var isLive: Bool { observation.map { !$0.isDisposedByHand } ?? true }

    /// Owner only. Whether anybody waits for what it would get.
    @usableFromInline
    var wantsMore: Bool { isLive }

    /// Passes on the `interrupted` of a signal that had ended before.
    func receiveInterrupted() { preconditionFailure("AnyReceiver is abstract") }
}

/// A receiver of events of one type.
///
/// Events do not go through virtual methods, as such a method of a generic class would run unspecialised: each kind has
/// constant closures, which are called without being retained.
@_fixed_layout
@usableFromInline
package class Receiver<Value: Sendable, Failure: Error>: AnyReceiver, @unchecked Sendable {
    // Sendable: as the base class.

    /// Passes a value on, unless the receiver has been disposed of.
    @inlinable @inline(__always)
    final func receive(_ value: Value) {
        // `kind` says which class this is. A closure always comes with an observation.
        switch kind {
        case .values:
            guard !observation.unsafelyUnwrapped.isDisposedByHand else { return }
            callClosure(value)
        case .events:
            guard !observation.unsafelyUnwrapped.isDisposedByHand else { return }
            unsafeDowncast(self, to: EventReceiver<Value, Failure>.self).action(.next(value))
        case .sink:
            guard isLive else { return }
            unsafeDowncast(self, to: AnySinkReceiver<Value, Failure>.self).call(value, self)
        }
    }

    /// Passes a value on, for a receiver whose kind is `.values` and that is live.
    @inlinable @inline(__always)
    final func callClosure(_ value: Value) {
        unsafeDowncast(self, to: ValueReceiver<Value, Failure>.self).action(value)
    }

    /// Passes the end on, for a receiver that is live.
    @inlinable
    final func receiveEnd(_ termination: Termination<Failure>) {
        switch kind {
        case .values: break
        case .events: unsafeDowncast(self, to: EventReceiver<Value, Failure>.self).action(termination.event())
        case .sink: unsafeDowncast(self, to: AnySinkReceiver<Value, Failure>.self).callEnd(termination, self)
        }
    }

    override final func receiveInterrupted() { receiveEnd(.interrupted) }
}

/// An observer that is one closure for values.
@_fixed_layout
@usableFromInline
package final class ValueReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: the closure is.
    @usableFromInline let action: @Sendable (Value) -> Void

    @inlinable
    package init(observation: Observation, action: @escaping @Sendable (Value) -> Void) {
        self.action = action
        super.init(observation: observation, kind: .values)
    }
}

/// An observer that is one closure for all events.
@_fixed_layout
@usableFromInline
final class EventReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: the closure is.
    @usableFromInline let action: @Sendable (Event<Value, Failure>) -> Void

    @inlinable
    init(observation: Observation, action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        self.action = action
        super.init(observation: observation, kind: .events)
    }
}

/// A receiver with a sink of unknown type.
@_fixed_layout
@usableFromInline
class AnySinkReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: as the base class.
    @usableFromInline typealias Call = @Sendable (Value, Receiver<Value, Failure>) -> Void

    @usableFromInline typealias EndCall = @Sendable (Termination<Failure>, Receiver<Value, Failure>) -> Void

    /// Passes a value to the sink of a receiver. It captures nothing: the sink lies in the receiver, in one allocation.
    @usableFromInline final let call: Call
    /// Passes the end to it, likewise.
    @usableFromInline final let callEnd: EndCall

    @inlinable
    init(observation: Observation?, call: @escaping Call, callEnd: @escaping EndCall) {
        self.call = call
        self.callEnd = callEnd
        super.init(observation: observation, kind: .sink)
    }
}

/// An operator's sink, or an observer that is more than one closure.
@_fixed_layout
@usableFromInline
final class SinkReceiver<S: Sink>: AnySinkReceiver<S.Value, S.Failure>, @unchecked Sendable {
    // Sendable: the sink is.
    @usableFromInline let sink: S

    @inlinable
    init(observation: Observation?, sink: S) {
        self.sink = sink
        // Made here, where the type of the sink is known, so that the whole of it is specialised.
        super.init(observation: observation) { value, receiver in
            unsafeDowncast(receiver, to: SinkReceiver<S>.self).sink.next(value)
        } callEnd: { termination, receiver in
            unsafeDowncast(receiver, to: SinkReceiver<S>.self).sink.end(termination)
        }
    }

    @usableFromInline
    override var wantsMore: Bool { isLive && !sink.hasEnded }
}
