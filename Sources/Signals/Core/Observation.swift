/// One observer's subscription: what `observe` returns.
///
/// It is also the operation that adds the observer, or removes it, when the gate is taken: disposing never waits and
/// never allocates. It does not hold what the observer captured; the core's slot does.
@usableFromInline
package final class Observation: GateOperation, Disposable, @unchecked Sendable {
    // Sendable: `state` is atomic, `receiver` is for the owner of the gate only.
    private let core: SignalCore
    /// Two bits. Disposing sets its bit before anything else, and a delivery looks at it before each call, so disposal
    /// takes effect at once, whoever owns the gate.
    @usableFromInline let state: AtomicWord
    /// Owner only (of this reference's one count, until the core takes it over). Nil once removed.
    @exclusivity(unchecked) var receiver: Unmanaged<AnyReceiver>?

    @usableFromInline static let disposedBit: UInt = 1
    /// Set while the operation that adds the observer is in the gate's inbox.
    private static let addingBit: UInt = 2

    @usableFromInline
    init(core: SignalCore) {
        self.core = core
        state = AtomicWord(0)
        super.init()
    }

    @usableFromInline
    package var isDisposed: Bool { state.load() & Self.disposedBit != 0 || core.terminated.isRaised }

    /// Whether ``dispose()`` has been called.
    @inlinable @inline(__always)
    var isDisposedByHand: Bool { state.loadRelaxed() & Self.disposedBit != 0 }

    @usableFromInline
    package func dispose() {
        let former = state.set(Self.disposedBit)
        // With the addition still in the inbox, its performance sees the bit.
        guard former & (Self.disposedBit | Self.addingBit) == 0, !core.terminated.isRaised else { return }
        let thread = ThreadIdentity.current
        let gate = core.gate
        guard gate.enterIfFree(thread) else { return gate.push(self) }
        let removed = core.remove(self)
        gate.leave(thread)
        // The observer's captures go here, with the gate free.
        removed?.release()
    }

    /// Adds the observer through the inbox, since the gate is taken.
    func pushAddition() {
        _ = state.set(Self.addingBit)
        core.gate.push(self)
    }

    package override func perform() {
        let former = state.clear(Self.addingBit)
        if former & Self.addingBit != 0, former & Self.disposedBit == 0 {
            core.add(self)
        } else if former & Self.addingBit != 0 {
            receiver.take().map { core.gate.letGoAfterLeaving($0.takeRetainedValue()) }
        } else if let removed = core.remove(self) {
            core.gate.letGoAfterLeaving(removed.takeRetainedValue())
        }
    }
}
