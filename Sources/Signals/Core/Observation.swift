/// One observer of a signal: the disposable that `observe` returns.
///
/// It is also the operation that adds or removes the observer if the gate is taken, so disposal never waits and never
/// allocates. It does not retain what the observer captured. The core's slot does.
@usableFromInline
package final class Observation: GateOperation, Disposable, @unchecked Sendable {
    // Sendable: `state` is atomic.
    @usableFromInline let core: SignalCore
    /// The receiver's address (0 after removal) and two bits.
    ///
    /// The address is only for the owner of the gate. While the addition is pending, its one reference belongs to the
    /// owner. Disposal sets its bit before anything else, and a delivery checks it before each call. So disposal takes
    /// effect immediately, no matter which thread owns the gate.
    @usableFromInline let state: AtomicWord

    @usableFromInline static let disposedBit: UInt = 1
    /// Set while the operation that adds the observer is in the gate's inbox.
    private static let addingBit: UInt = 2
    private static let addressMask: UInt = ~3

    @usableFromInline
    package init(core: SignalCore) {
        self.core = core
        state = AtomicWord(0)
        super.init()
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

    @usableFromInline
    package var isDisposed: Bool { isDisposedByHand || core.terminated.isRaised }

    /// Whether ``dispose()`` has been called.
    @inlinable @inline(__always)
    var isDisposedByHand: Bool { state.loadRelaxed() & Self.disposedBit != 0 }

    @usableFromInline
    package func dispose() {
        let former = state.set(Self.disposedBit)
        // If the addition is still in the inbox, performing it will see the bit.
        guard former & (Self.disposedBit | Self.addingBit) == 0, !core.terminated.isRaised else { return }
        let thread = ThreadIdentity.current
        let gate = core.gate
        guard gate.enterPassively(thread) else {
            // Inside a delivery the removal takes effect immediately, also upstream. Not for `.values` receivers,
            // because a delivery to these expects no holes.
            if gate.isOwnedByCaller, let receiver, receiver._withUnsafeGuaranteedRef({ $0.kind }) != .values {
                if let removed = core.remove(self) { gate.releaseAfterLeaving(removed.takeRetainedValue()) }
                return
            }
            return PassiveSection.run { gate.push(self) }
        }
        let removed = core.remove(self)
        gate.leavePassively(thread)
        // The observer's captures are released here, while the gate is free.
        removed?.release()
    }

    /// Adds the observer through the inbox, because the gate is taken.
    func pushAddition() {
        _ = state.set(Self.addingBit)
        PassiveSection.run { core.gate.push(self) }
    }

    package override func perform() {
        let former = state.clear(Self.addingBit)
        if former & Self.addingBit != 0 {
            core.add(self, isWanted: former & Self.disposedBit == 0)
        } else if let removed = core.remove(self) {
            core.gate.releaseAfterLeaving(removed.takeRetainedValue())
        }
    }

    // MARK: The receiver, for the owner of the gate

    var receiver: Unmanaged<AnyReceiver>? { Self.receiver(state.loadRelaxed()) }

    /// Called once, by the owner or before any other code can reach the observation.
    func setReceiver(_ receiver: Unmanaged<AnyReceiver>) { _ = state.set(UInt(bitPattern: receiver.toOpaque())) }

    func takeReceiver() -> Unmanaged<AnyReceiver>? { Self.receiver(state.clear(Self.addressMask)) }

    private static func receiver(_ state: UInt) -> Unmanaged<AnyReceiver>? {
        UnsafeRawPointer(bitPattern: state & addressMask).map { .fromOpaque($0) }
    }
}

extension Observation: GraphMember {
    /// Tells the hook of the observation, if there is one. Call before the observer is added.
    ///
    /// - Parameter location: Where the user has added the observer.
    @inlinable @inline(__always)
    func recordIfNeeded(_ location: CodeLocation) {
        if GraphHook.isOn.isOn { record(location) }
    }

    @usableFromInline @inline(never)
    func record(_ location: CodeLocation) {
        GraphHook.appeared(self, at: location)
    }

    @usableFromInline package var graphEntry: GraphEntry? { isDisposed ? nil : GraphEntry(.observer, parents: [core]) }
}
