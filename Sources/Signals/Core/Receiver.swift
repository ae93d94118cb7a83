/// What a signal keeps for each observer and for each operator applied to it.
///
/// The base class is not generic, so that adding and removing needs no look-up of metadata.
@usableFromInline
@_fixed_layout
package class AnyReceiver: @unchecked Sendable {
    // Sendable: `index` is for the owner of the gate only, the rest does not change.

    /// The handle that the observer's owner disposes of; nil for an operator, which detaches as the gate's owner.
    @usableFromInline final let observation: Observation?
    /// Owner only. The place in the core's slots.
    @exclusivity(unchecked) final var index: Int32 = 0
    /// Which of the two kinds this is, so that a delivery need not ask the runtime.
    @usableFromInline final let isSink: Bool

    @inlinable
    init(observation: Observation?, isSink: Bool) {
        self.observation = observation
        self.isSink = isSink
    }

    /// Whether events may still be delivered to it.
    @inlinable @inline(__always)
    final var isLive: Bool {
        observation.map { !$0.isDisposedByHand } ?? true
    }

    func receiveInterrupted() { preconditionFailure("AnyReceiver is abstract") }
}

/// A receiver of events of one type: a closure or a sink.
///
/// Neither kind has a virtual method for events, as such a method of a generic class would run unspecialised. Both have a
/// constant closure instead, which is called without being retained.
@usableFromInline
package class Receiver<Value: Sendable, Failure: Error>: AnyReceiver, @unchecked Sendable {
    // Sendable: as the base class.

    /// Passes an event on, unless the receiver has been disposed of.
    @inlinable @inline(__always)
    final func receiveIfLive(_ event: Event<Value, Failure>) {
        if isSink {
            guard isLive else { return }
            // The flag says so.
            let receiver = unsafeDowncast(self, to: AnySinkReceiver<Value, Failure>.self)
            receiver.call(event, receiver)
        } else {
            // A closure always comes with an observation.
            guard !observation.unsafelyUnwrapped.isDisposedByHand else { return }
            unsafeDowncast(self, to: ClosureReceiver<Value, Failure>.self).action(event)
        }
    }

    override final func receiveInterrupted() { receiveIfLive(.interrupted) }
}

/// An observer that is one closure.
@usableFromInline
@_fixed_layout
final class ClosureReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: the closure is.
    @usableFromInline let action: @Sendable (Event<Value, Failure>) -> Void

    @inlinable
    init(observation: Observation, action: @escaping @Sendable (Event<Value, Failure>) -> Void) {
        self.action = action
        super.init(observation: observation, isSink: false)
    }
}

/// A receiver with a sink of unknown type.
@usableFromInline
@_fixed_layout
class AnySinkReceiver<Value: Sendable, Failure: Error>: Receiver<Value, Failure>, @unchecked Sendable {
    // Sendable: as the base class.
    @usableFromInline
    typealias Call = @Sendable (Event<Value, Failure>, AnySinkReceiver<Value, Failure>) -> Void

    /// Passes an event to the sink of a receiver. It captures nothing: the sink lies in the receiver, in one allocation.
    @usableFromInline final let call: Call

    @inlinable
    init(observation: Observation?, call: @escaping Call) {
        self.call = call
        super.init(observation: observation, isSink: true)
    }
}

/// An operator's sink, or an observer that is more than one closure.
@usableFromInline
@_fixed_layout
final class SinkReceiver<S: Sink>: AnySinkReceiver<S.Value, S.Failure>, @unchecked Sendable {
    // Sendable: the sink is.
    @usableFromInline let sink: S

    @inlinable
    init(observation: Observation?, sink: S) {
        self.sink = sink
        // Made here, where the type of the sink is known, so that the whole of it is specialised.
        super.init(observation: observation) { event, receiver in
            let receiver = unsafeDowncast(receiver, to: SinkReceiver<S>.self)
            switch event {
            case .next(let value): receiver.sink.next(value)
            case .error(let error): receiver.sink.end(.error(error))
            case .completed: receiver.sink.end(.completed)
            case .interrupted: receiver.sink.end(.interrupted)
            }
        }
    }
}
