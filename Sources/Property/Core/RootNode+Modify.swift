public import HotSignals

// Changes that depend on the current value and must therefore be atomic.
extension RootNode {
    /// Sets the value, and returns the previous one.
    @usableFromInline
    package func swap(_ new: Value) -> Value {
        refuseAccess()
        let thread = ThreadIdentity.current
        PureSection.refuseSet(of: self, thread)
        let mayWait = contention == .wait
        while true {
            switch enter(thread, mayWait: mayWait) {
            case .owned(let root, let leaves):
                switch root.acquireCaughtUp(thread, leaves: leaves, mayWait: mayWait) {
                case .refused(let gate): if let former = root.swapAhead(new, gate, for: self) { return former }
                case .acquired(let held):
                    let former = root.value.unsafelyUnwrapped
                    _ = root.propagate(with: new, thread, held, leaves: leaves, mayWait: mayWait)
                    return former
                }
            case .refused(let root, let gate):
                if let former = root.swapAhead(new, gate, for: self) { return former }
            }
        }
    }

    /// Makes a value visible, and returns the previous one. Its propagation runs when `gate` is left. Returns `nil` if
    /// this root no longer decides for `root`.
    private func swapAhead(_ new: Value, _ gate: Gate, for root: RootNode) -> Value? {
        while true {
            let (isDecider, former) = changeAhead { held -> (Bool, Value?) in
                guard decides(for: root, held) else { return (false, nil) }
                let former = newest(held)
                if former != nil { append(ahead: new, gate, held) }
                return (true, former)
            }
            if former != nil { gate.settle() }
            if !isDecider || former != nil { return former }
            awaitBody(isInPlace: false)
        }
    }

    /// The value that was set last, visible or not; `nil` while a body of `modify` is about to set it.
    private func newest(_ held: borrowing HeldLock) -> Value? {
        if domain.state.isInBody { return nil }
        if let last = condition.ahead.last { return last.value }
        return domain.propagation != nil && staged.hasNext ? next : value
    }

    /// Runs `body` with exclusive access to the value, and sends one event after it returns or throws.
    @_alwaysEmitIntoClient
    package func modify<Result, BodyFailure: Error>(
        _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        if domain.sections.contains(thread) { PureSection.refuseSet(of: self, thread) }
        if domain.withLock({ isDirect(thread, $0) }) { return try modify(thread, leaves: true, body) }
        switch enter(thread, mayWait: true, toModify: true) {
        case .owned(let root, let leaves): return try root.modify(thread, leaves: leaves, body)
        case .refused(let root, let gate): return try root.modifyAhead(thread, gate, body)
        }
    }

    /// Used where waiting for the gate would close a cycle: its owner waits for this thread. Other threads may set
    /// values ahead in the meantime, but do not read this one before the body has returned.
    @_alwaysEmitIntoClient
    func modifyAhead<Result, BodyFailure: Error>(
        _ thread: UInt, _ gate: Gate, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        var (copy, place) = beginModifyingAhead()
        let result = access(thread, &copy, body)
        endBodyAfterAhead(copy, place, gate)
        gate.settle()
        return try result.get()
    }

    /// Requires the gate.
    @_alwaysEmitIntoClient
    func modify<Result, BodyFailure: Error>(
        _ thread: UInt, leaves: Bool, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        var isInPlace = beginBody(mayBeInPlace: !_isPOD(Value.self))
        while isInPlace == nil {
            // Values that other threads have set ahead come first.
            if let gate = catchUp(thread, mayWait: true) {
                return try modifyAfterAhead(thread, leaves: leaves, gate, body)
            }
            isInPlace = beginBody(mayBeInPlace: !_isPOD(Value.self))
        }
        guard isInPlace == true else {
            var new = domain.withLock { value.unsafelyUnwrapped }
            let result = access(thread, &new, body)
            // This value precedes those that other threads have set ahead in the meantime. It also ends the body.
            set(new, thread, leaves: leaves)
            if domain.withLock({ condition.waiting > 0 }) { wakeReaders() }
            return try result.get()
        }
        owner.writes()
        let result = access(thread, &value!, body)
        let (delivery, new, hasWaiters) = endBodyInPlace(thread)
        if leaves { domain.gate.leave(thread) }
        if hasWaiters { wakeReaders() }
        sendEnqueued(delivery, new, thread)
        return try result.get()
    }

    /// Requires the gate. Used when a propagation of a value ahead was refused a gate: the result of the body follows
    /// that value.
    @_alwaysEmitIntoClient
    func modifyAfterAhead<Result, BodyFailure: Error>(
        _ thread: UInt, leaves: Bool, _ gate: Gate, _ body: (inout Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        var (copy, place) = beginBodyAfterAhead()
        let result = access(thread, &copy, body)
        endBodyAfterAhead(copy, place, gate)
        if leaves { domain.gate.leave(thread) }
        gate.settle()
        return try result.get()
    }

    @usableFromInline
    func beginBodyAfterAhead() -> (Value, place: Int) {
        domain.withLock { beginBody(condition.ahead.last?.value ?? value.unsafelyUnwrapped, $0) }
    }

    /// Returns the value that a body starts with, and the place in `ahead` of what it makes of that.
    private func beginBody(_ start: Value, _ held: borrowing HeldLock) -> (Value, place: Int) {
        domain.state.isInBody = true
        reconsider(held)
        return (start, condition.ahead.count)
    }

    @usableFromInline
    func endBodyAfterAhead(_ new: Value, _ place: Int, _ gate: Gate) {
        let hasWaiters = changeAhead { held -> Bool in
            domain.state.isInBody = false
            insert(ahead: new, at: place, gate, held)
            return condition.waiting > 0
        }
        if hasWaiters { wakeReaders() }
    }

    /// Requires the gate. Begins a body, and returns whether that may change the value in place, so that a large array
    /// is not copied. It may if nothing else looks at the value. Threads that need the value then wait.
    ///
    /// Only one thread of the process changes values in place at a time. Other threads change copies. So a body can
    /// read any property but its own: the only thread that makes readers wait never waits as a reader itself. Returns
    /// `nil`, and does not begin a body, if there are values ahead that the body must see.
    @_alwaysEmitIntoClient
    func beginBody(mayBeInPlace: Bool, seesAhead: Bool = true) -> Bool? {
        let hasTurn = mayBeInPlace && SoleThread.inPlace.begin()
        let isInPlace = domain.withLock { () -> Bool? in
            if seesAhead, condition.isAhead { return nil }
            domain.state.isInBody = true
            condition.isInPlace = hasTurn && condition.isSimple && condition.waiting == 0
            condition.isPlain = false
            condition.isSimple = false
            return condition.isInPlace
        }
        if hasTurn, isInPlace != true { SoleThread.inPlace.end() }
        return isInPlace
    }

    @usableFromInline
    func endBody() {
        let hasWaiters = domain.withLock { held -> Bool in
            domain.state.isInBody = false
            reconsider(held)
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
            domain.state.isInBody = false
            condition.isInPlace = false
            reconsider(held)
            countChange(held)
            let value = value.unsafelyUnwrapped
            return (lineUp(value, thread, held), value, condition.waiting > 0)
        }
    }

    /// Runs a body in which this property must not be used.
    @_alwaysEmitIntoClient
    func access<Result, BodyFailure: Error>(
        _ thread: UInt, _ value: inout Value, _ body: (inout Value) throws(BodyFailure) -> Result
    ) -> Swift.Result<Result, BodyFailure> {
        let sections = beginBodySection(thread)
        defer { endSection(thread, sections) }
        // If the gate was refused, another thread may also be in a body.
        let former = accessor.exchange(thread)
        defer { if former != thread { _ = accessor.compareExchangeAcquiring(from: thread, to: 0) } }
        do {
            return .success(try body(&value))
        } catch {
            return .failure(error)
        }
    }

    /// The same for a thread that does not own the gate. Traps if the body that is running waits for this thread.
    @usableFromInline
    func beginModifyingAhead() -> (Value, place: Int) {
        while true {
            let start = domain.withLock { held -> (Value, place: Int)? in
                guard let newest = newest(held) else { return nil }
                return beginBody(newest, held)
            }
            if let start { return start }
            guard tryToAwaitBody(isInPlace: false) else {
                let name = StreamName.description(of: core)
                fatalError("\(name): two threads in bodies of modify are waiting for each other's property")
            }
        }
    }

    /// Runs `body` with the value, which does not change in the meantime.
    @_alwaysEmitIntoClient
    package func withValue<Result, BodyFailure: Error>(
        _ body: (Value) throws(BodyFailure) -> Result
    ) throws(BodyFailure) -> Result {
        if accessor.loadRelaxed() != 0 { refuseAccess() }
        let thread = ThreadIdentity.current
        // Must not wait for other threads there.
        if domain.sections.contains(thread) { return try body(latestOfRoot) }
        let entry = enter(thread, mayWait: true, toModify: true)
        let root: RootNode
        let (isOwned, leaves): (Bool, Bool)
        switch entry {
        case .owned(let owned, let isLeft): (root, isOwned, leaves) = (owned, true, isLeft)
        case .refused(let refused, _): (root, isOwned, leaves) = (refused, false, false)
        }
        if isOwned { _ = root.beginBody(mayBeInPlace: false, seesAhead: false) }
        var copy = root.latestOfRoot
        let result = root.access(thread, &copy) { (value: inout Value) throws(BodyFailure) -> Result in try body(value)
        }
        if isOwned { root.endBody() }
        if leaves { root.domain.gate.leave(thread) }
        return try result.get()
    }
}

extension RootNode: Awaited {
    package var holder: UInt { accessor.load() }
}
