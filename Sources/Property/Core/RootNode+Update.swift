import HotSignals

// Changes that are part of a greater one: of several roots, or of a state that a property is derived from.
extension RootNode {
    /// Requires the gate. Stages a next value, for a propagation that begins now.
    @_alwaysEmitIntoClient @inline(__always)
    func stage(_ new: Value, _ held: borrowing HeldLock) {
        next = new
        staged.hasNext = true
    }

    /// Requires the gate, and keeps it. Makes a value the current one, and passes `then` a closure that sends the
    /// events. Returns the gate that was refused, if any. The value is then ahead, and the caller settles that gate
    /// once it owns nothing.
    ///
    /// - Parameter new: Called with the lock, when nothing is ahead of the value.
    func propagate(
        with new: () -> Value, _ thread: UInt, mayWait: Bool = true, then: (@escaping () -> Void) -> Void
    ) -> Gate? {
        let held: HeldLock
        switch acquireCaughtUp(thread, leaves: false, mayWait: mayWait) {
        case .acquired(let acquired): held = acquired
        case .refused(let gate):
            changeAhead { append(ahead: new(), gate, $0) }
            return gate
        }
        if links.hasEnded {
            domain.release(held)
            return nil
        }
        if links.dependents.isEmpty {
            let (former, new) = (value, new())
            let publication = replace(with: new, thread, held)
            domain.release(held)
            then {
                self.sendEnqueued(publication, new, thread, mayWait: mayWait)
                withExtendedLifetime(former) {}
            }
            return nil
        }
        stage(new(), held)
        let (refused, events) = propagateToEvents(thread, held, mayWait: mayWait)
        if refused == nil { then { events.deliver(thread, mayWait: mayWait) } }
        return refused
    }

    /// Runs `body` as the owner of the gates of this root and of `domains`, and publishes the state that it changes, if
    /// any. Neither closure may call user code.
    ///
    /// If a gate is refused, `body` runs all the same. So the state needs a lock of its own, which is always taken
    /// after those of the domains.
    ///
    /// - Parameters:
    ///   - mayWait: Whether to wait for other threads, for the gates and for their events.
    ///   - current: Returns what to publish. Several threads may have changed the state when it is called, with the
    ///     lock of this root. So what is published last is the last state.
    ///   - body: Returns whether it has changed the state.
    @_alwaysEmitIntoClient
    package func update<Result>(
        owning domains: [Domain], mayWait: Bool = true, current: () -> Value,
        _ body: () -> (hasChanged: Bool, result: Result)
    ) -> Result {
        let thread = ThreadIdentity.current
        guard domains.isEmpty else {
            return updateSlowly(owning: domains, thread, mayWait: mayWait, current: current, body)
        }
        let held = domain.acquire()
        guard condition.isSimple, domain.propagation == nil else {
            domain.release(held)
            return updateSlowly(owning: [], thread, mayWait: mayWait, current: current, body)
        }
        let (hasChanged, result) = body()
        guard hasChanged else {
            domain.release(held)
            return result
        }
        let (former, new) = (value, current())
        let publication = replace(with: new, thread, held)
        domain.release(held)
        sendEnqueued(publication, new, thread, mayWait: mayWait)
        withExtendedLifetime(former) {}
        return result
    }

    @usableFromInline
    func updateSlowly<Result>(
        owning domains: [Domain], _ thread: UInt, mayWait: Bool, current: () -> Value,
        _ body: () -> (hasChanged: Bool, result: Result)
    ) -> Result {
        var entered = EnteredDomains()
        var refused = entered.enter([domain] + domains, thread, mayWait: mayWait)
        refused = refused ?? catchUp(thread, mayWait: mayWait)
        let (hasChanged, result) = body()
        var send: (() -> Void)?
        if hasChanged {
            if let refused {
                changeAhead { append(ahead: current(), refused, $0) }
            } else {
                refused = propagate(with: current, thread, mayWait: mayWait, then: { send = $0 })
            }
        }
        entered.leave(thread)
        refused?.settle()
        send?()
        return result
    }
}
