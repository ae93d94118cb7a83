public import HotSignals

// Changes that depend on the current value and must therefore be atomic.
extension RootNode {
    /// Sets the value, and returns the previous one.
    @usableFromInline
    package func swap(_ new: Value) -> Value {
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: self, thread)
        let root = enter(thread)
        let held = root.domain.acquire()
        let former = root.value.unsafelyUnwrapped
        root.propagate(with: new, thread, held, mayWait: contention == .wait)
        return former
    }

    /// Sets the value if the current one is wanted. Otherwise nothing changes, and no event is sent.
    ///
    /// - Parameter isWanted: Called with the lock.
    /// - Returns: Whether the value has been set.
    @_alwaysEmitIntoClient
    package func set(_ new: Value, if isWanted: (Value) -> Bool) -> Bool {
        let thread = ThreadIdentity.current
        if domain.sections.mayContain(thread) { PureSection.refuseSet(of: self, thread) }
        let root = enter(thread)
        let held = root.domain.acquire()
        guard isWanted(root.value.unsafelyUnwrapped) else {
            root.domain.release(held)
            root.domain.gate.leave(thread)
            return false
        }
        root.propagate(with: new, thread, held, mayWait: contention == .wait)
        return true
    }

    /// Runs `body` with exclusive access to the value, and sends one event after it returns or throws.
    @_alwaysEmitIntoClient
    package func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let thread = ThreadIdentity.current
        if domain.sections.mayContain(thread) { PureSection.refuseSet(of: self, thread) }
        let root = domain.withLock({ isDirect(thread, $0) }) ? self : enter(thread)
        return try root.modify(thread, mayWait: contention == .wait, body)
    }

    /// Requires the gate, and leaves it.
    @_alwaysEmitIntoClient
    func modify<Result, BodyFailure: Error>(
        _ thread: UInt, mayWait: Bool, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        guard beginBody(mayBeInPlace: !_isPOD(Value.self)) else {
            var new = domain.withLock { value.unsafelyUnwrapped }
            let (result, afterwards) = access(thread, &new, body)
            // Ends the body.
            propagate(with: new, thread, domain.acquire(), mayWait: mayWait)
            if domain.withLock({ condition.waiting > 0 }) { wakeReaders() }
            afterwards?.perform()
            return try result.get()
        }
        owner.writes()
        let (result, afterwards) = access(thread, &value!, body)
        let (delivery, new, hasWaiters) = endBodyInPlace(thread)
        // First, because other threads may be waiting for the readers.
        if hasWaiters { wakeReaders() }
        domain.gate.leave(thread)
        sendEnqueued(delivery, new, thread, mayWait: mayWait)
        afterwards?.perform()
        return try result.get()
    }

    /// Requires the gate. Begins a body, and returns whether that may change the value in place, so that a large array
    /// is not copied. It may if nothing else looks at the value. Threads that need the value then wait.
    ///
    /// Only one thread of the process changes values in place at a time. Other threads change copies. So a body can
    /// read any property but its own: the only thread that makes readers wait never waits as a reader itself.
    @_alwaysEmitIntoClient
    func beginBody(mayBeInPlace: Bool) -> Bool {
        let hasTurn = mayBeInPlace && SoleThread.inPlace.begin()
        let isInPlace = domain.withLock { held -> Bool in
            condition.isInPlace = hasTurn && condition.isSimple && condition.waiting == 0
            markBody(true, held)
            return condition.isInPlace
        }
        if hasTurn, !isInPlace { SoleThread.inPlace.end() }
        return isInPlace
    }

    /// Notes that a body runs or not, for readers of the value and of what is derived from it. The caller holds no
    /// other lock.
    @usableFromInline
    func markBody(_ isRunning: Bool, _ held: borrowing HeldLock) {
        markOwnBody(isRunning, held)
        if height < 0 { noteBodyInFollowers(isRunning) }
    }

    /// The same, except for the roots that follow this one.
    @_alwaysEmitIntoClient @inline(__always)
    func markOwnBody(_ isRunning: Bool, _ held: borrowing HeldLock) {
        domain.state.isInBody = isRunning
        reconsider(held)
        noteBody(isRunning)
    }

    @usableFromInline
    func endBody() {
        let hasWaiters = domain.withLock { held -> Bool in
            markBody(false, held)
            return condition.waiting > 0
        }
        if hasWaiters { wakeReaders() }
    }

    @usableFromInline
    func wakeReaders() { WaitingRoom.shared.wake(for: self) }

    @_alwaysEmitIntoClient
    func endBodyInPlace(_ thread: UInt) -> (Publication, Value, hasWaiters: Bool) {
        SoleThread.inPlace.end()
        return domain.withLock { held in
            condition.isInPlace = false
            markBody(false, held)
            countChange(held)
            let value = value.unsafelyUnwrapped
            return (lineUp(value, thread, held), value, condition.waiting > 0)
        }
    }

    /// Runs a body in which this property must not be used.
    ///
    /// - Returns: Its result, and what to perform when the caller owns no domain any more, if anything.
    @_alwaysEmitIntoClient
    func access<Result, BodyFailure: Error>(
        _ thread: UInt, _ value: inout Value, _ body: (inout Value) throws(BodyFailure) -> Result
    ) -> (Swift.Result<Result, BodyFailure>, PureSection.Afterwards?) {
        let sections = PureSection.begin(thread, self, isBody: true)
        accessor.store(thread)
        let result: Swift.Result<Result, BodyFailure>
        do {
            result = .success(try body(&value))
        } catch {
            result = .failure(error)
        }
        accessor.store(0)
        return (result, PureSection.end(thread, sections, self))
    }

    /// Runs `body` with the value, which does not change in the meantime.
    @_alwaysEmitIntoClient
    package func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        let thread = ThreadIdentity.current
        // Must not wait for other threads there.
        if domain.sections.contains(thread) { return try body(latestOfRoot) }
        let root = enter(thread)
        _ = root.beginBody(mayBeInPlace: false)
        var copy = root.domain.withLock { root.value.unsafelyUnwrapped }
        let (result, afterwards) = root.access(thread, &copy) { (value: inout Value) throws(BodyFailure) -> Result in
            try body(value)
        }
        root.endBody()
        root.domain.gate.leave(thread)
        afterwards?.perform()
        return try result.get()
    }
}

extension RootNode: Awaited {
    package var holder: UInt { accessor.load() }
}
