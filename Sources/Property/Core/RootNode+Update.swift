package import HotSignals

// Changes that are part of a greater one: of several roots, or of a state that a property is derived from.
extension RootNode {
    /// Requires the gate. Stages a next value, for a propagation that begins now.
    @_alwaysEmitIntoClient @inline(__always)
    func stage(_ new: Value, _ held: borrowing HeldLock) {
        next = new
        staged.hasNext = true
    }

    /// Requires the gate, and keeps it. Makes a value the current one. Returns a closure that sends the events, to call
    /// when nothing is owned.
    ///
    /// - Parameters:
    ///   - new: Called with the lock.
    ///   - mayWait: Whether to wait for domains, and for observers. Otherwise returns the gate that was taken if the
    ///     value has not been set.
    func propagate(
        with new: () -> Value, _ thread: UInt, mayWait: Bool = true
    ) -> (taken: DomainGate?, send: () -> Void) {
        let held = domain.acquire()
        if links.hasEnded {
            domain.release(held)
            return (nil, {})
        }
        let new = new()
        if links.dependents.isEmpty {
            let former = value
            let publication = replace(with: new, thread, held)
            domain.release(held)
            return (
                nil,
                {
                    self.sendEnqueued(publication, new, thread, mayWait: mayWait)
                    withExtendedLifetime(former) {}
                }
            )
        }
        stage(new, held)
        let (taken, events) = propagateToEvents(thread, held, mayWait: mayWait)
        return (taken, { events.deliver(thread, mayWait: mayWait) })
    }

    /// Runs `body` as the owner of the gates of this root and of `domains`, and publishes the state that it changes, if
    /// any. No closure may call user code.
    ///
    /// If a gate is taken and the caller cannot wait, `body` runs all the same. So the state needs a lock of its own,
    /// which is always taken after those of the domains.
    ///
    /// - Parameters:
    ///   - mayWait: Whether to wait for other threads, for the gates and for their events.
    ///   - current: Returns what to publish. Several threads may have changed the state when it is called, with the
    ///     lock of this root. So what is published last is the last state.
    ///   - publishLater: Called when nothing is owned, if the state has not been published: with the gate that was
    ///     taken, or with `nil` in a ``PureSection``. Publishes it when that gate is free, or after the section.
    ///   - body: Returns whether it has changed the state.
    @_alwaysEmitIntoClient
    package func update<Result>(
        owning domains: [Domain], mayWait: Bool = true, current: () -> Value, publishLater: (DomainGate?) -> Void,
        _ body: () -> (hasChanged: Bool, result: Result)
    ) -> Result {
        let thread = ThreadIdentity.current
        guard domains.isEmpty else {
            return updateSlowly(owning: domains, thread, mayWait, current, publishLater, body)
        }
        let held = domain.acquire()
        guard condition.isSimple, domain.propagation == nil, !domain.sections.mayContain(thread) else {
            domain.release(held)
            return updateSlowly(owning: [], thread, mayWait, current, publishLater, body)
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
        owning domains: [Domain], _ thread: UInt, _ mayWait: Bool, _ current: () -> Value,
        _ publishLater: (DomainGate?) -> Void, _ body: () -> (hasChanged: Bool, result: Result)
    ) -> Result {
        if PureSection.isCurrent {
            let (hasChanged, result) = body()
            if hasChanged { publishLater(nil) }
            return result
        }
        var entered = EnteredDomains()
        var taken: DomainGate?
        if mayWait {
            entered.enter([domain] + domains, thread)
        } else {
            taken = entered.enterIfFree([domain] + domains, thread)
        }
        let (hasChanged, result) = body()
        var send: (() -> Void)?
        if hasChanged, taken == nil { (taken, send) = propagate(with: current, thread, mayWait: mayWait) }
        entered.leave(thread)
        if hasChanged, let taken { publishLater(taken) }
        send?()
        return result
    }
}
