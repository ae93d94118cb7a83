/// An event that found the gate taken.
///
/// Not generic, because the deinitializer of a generic class looks up the types of its fields, which would take half of
/// the time that a nested send takes. A small event lies in the object all the same, a large one in a closure.
///
/// An observer that sends from inside a delivery usually does so again. So the gate keeps the object of a small event
/// that its owner has pushed, and the next such event allocates nothing.
@usableFromInline
@_fixed_layout
package final class WaitingEvent: Delivery, @unchecked Sendable {
    // Sendable: once the operation has been added, only the owner of the gate uses the event.
    @usableFromInline typealias Words = (UInt, UInt, UInt)
    @usableFromInline typealias Action = @Sendable (_ operation: WaitingEvent, _ isDelivered: Bool) -> Void

    /// Contains a small event until it is delivered.
    @exclusivity(unchecked) @usableFromInline var words: Words = (0, 0, 0)
    @exclusivity(unchecked) @usableFromInline var isStored = false
    /// The core of the signal, with one retained reference until the event has been delivered.
    @exclusivity(unchecked) @usableFromInline var core: Unmanaged<SignalCore>?
    /// Takes the event out of the object, and delivers it if it should be. Captures nothing if the event is small.
    /// Created where the type is known, because a virtual method would run unspecialized.
    @exclusivity(unchecked) @usableFromInline var action: Action

    @inlinable
    package init<Value, Failure>(_ event: Event<Value, Failure>, to core: Core<Value, Failure>) {
        if Self.isSmall(event) {
            action = { _, _ in }
            super.init(isEvent: true)
            store(event, to: core)
        } else {
            action = { _, isDelivered in if isDelivered { core.deliver(event) } }
            self.core = .passRetained(core)
            super.init(isEvent: true)
        }
    }

    deinit {
        if isStored { action(self, false) }
        core?.release()
    }

    /// Whether an event fits into ``words``.
    @inlinable @inline(__always)
    static func isSmall<Content>(_ event: Content) -> Bool {
        MemoryLayout<Content>.size <= MemoryLayout<Words>.size
            && MemoryLayout<Content>.alignment <= MemoryLayout<Words>.alignment
    }

    /// Stores a small event. Call only while the object contains none.
    @inlinable @inline(__always)
    func store<Value, Failure>(_ event: Event<Value, Failure>, to core: Core<Value, Failure>) {
        typealias Content = Event<Value, Failure>
        self.core = .passRetained(core)
        action = { operation, isDelivered in
            operation.isStored = false
            let event = withUnsafeMutablePointer(to: &operation.words) {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: Content.self).move()
            }
            guard isDelivered else { return }
            operation.core.unsafelyUnwrapped._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: Core<Value, Failure>.self).deliver(event)
            }
        }
        withUnsafeMutablePointer(to: &words) {
            UnsafeMutableRawPointer($0).bindMemory(to: Content.self, capacity: 1).initialize(to: event)
        }
        isStored = true
    }

    @usableFromInline
    package override func deliver() {
        let isSmall = isStored
        action(self, true)
        core.take()?.release()
        isReusable = isSmall && isPushedByOwner
    }
}
