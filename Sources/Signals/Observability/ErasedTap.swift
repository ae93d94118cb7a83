/// A tap whose type is not known, such as the one of all producers that have a name.
///
/// A concrete type, so the code that notifies it is specialized for the values of the stream. The tap itself is not. So
/// it gives an action for values, which is as cheap to call in any code.
@frozen @usableFromInline
package struct ErasedTap: StreamTap {
    @usableFromInline let tap: any StreamTap

    @usableFromInline
    package init(_ tap: any StreamTap) { self.tap = tap }

    @usableFromInline
    package func begin(_ stream: TappedStream) -> ErasedTapState { Self.begin(stream, tap) }

    private static func begin<Tap: StreamTap>(_ stream: TappedStream, _ tap: Tap) -> ErasedTapState {
        let state = tap.begin(stream)
        return ErasedTapState(valueAction: tap.valueAction(in: state), TapOfStream(tap, state))
    }

    @usableFromInline
    package func run(_ work: () -> Void, in state: ErasedTapState) { state.stream.run(work) }

    @_alwaysEmitIntoClient @inline(__always)
    package func event<Value, Failure>(_ event: Event<Value, Failure>, in state: ErasedTapState) {
        state.forward(event)
    }

    @usableFromInline
    package func waiting(_ waiting: StreamWaiting, in state: ErasedTapState) { state.stream.waiting(waiting) }

    @usableFromInline
    package func end(_ state: ErasedTapState) { state.stream.end() }
}

/// What an ``ErasedTap`` stores for a stream.
@frozen @usableFromInline
package struct ErasedTapState: Sendable {
    @usableFromInline let hasValueAction: Bool
    /// Not optional, because it would be retained for each call.
    @usableFromInline package let valueAction: @Sendable () -> Void
    @usableFromInline let stream: AnyTapOfStream

    init(valueAction: (@Sendable () -> Void)?, _ stream: AnyTapOfStream) {
        hasValueAction = valueAction != nil
        // Not `??`, which is generic: it would wrap the action twice.
        if let valueAction { self.valueAction = valueAction } else { self.valueAction = {} }
        self.stream = stream
    }

    @_alwaysEmitIntoClient @inline(never)
    func forward<Value, Failure>(_ event: Event<Value, Failure>) { stream.event(event) }
}

extension TapLink {
    /// This link if its tap is an ``ErasedTap`` that has a value action, otherwise `nil`.
    ///
    /// Constant in specialized code: for a tap of a known type, the compiler removes the branch.
    @_alwaysEmitIntoClient @inline(__always)
    package var withValueAction: TapLink<ErasedTap>? {
        guard Tap.self == ErasedTap.self else { return nil }
        let link = unsafeDowncast(self, to: TapLink<ErasedTap>.self)
        return link.state.hasValueAction ? link : nil
    }
}

/// A tap with its state for one stream, type-erased.
@usableFromInline
class AnyTapOfStream: @unchecked Sendable {
    // Sendable: the only subclass is.
    func run(_ work: () -> Void) { preconditionFailure("AnyTapOfStream is abstract") }

    @usableFromInline
    func event<Value, Failure>(_ event: Event<Value, Failure>) { preconditionFailure("AnyTapOfStream is abstract") }

    func waiting(_ waiting: StreamWaiting) { preconditionFailure("AnyTapOfStream is abstract") }

    func end() { preconditionFailure("AnyTapOfStream is abstract") }
}

private final class TapOfStream<Tap: StreamTap>: AnyTapOfStream, @unchecked Sendable {
    private let tap: Tap
    private let state: Tap.State

    init(_ tap: Tap, _ state: Tap.State) {
        self.tap = tap
        self.state = state
    }

    override func run(_ work: () -> Void) { tap.run(work, in: state) }

    override func event<Value, Failure>(_ event: Event<Value, Failure>) { tap.event(event, in: state) }

    override func waiting(_ waiting: StreamWaiting) { tap.waiting(waiting, in: state) }

    override func end() { tap.end(state) }
}
