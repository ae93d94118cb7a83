import HotSignals

extension PropertyNode {
    /// The name of the signal, built from the names of the inputs.
    @usableFromInline
    final var streamName: StreamName {
        switch name {
        case .root(let name): name
        case .alone(let text): StreamName(text)
        case .after(let text): StreamName(text, parent: input?.namedCore())
        case .joining(let text): StreamName(text, parent: joinedInputs)
        }
    }

    /// What a combination is named after: the cores of the inputs, or the names of roots that have none.
    private final var joinedInputs: OperatorInputs {
        var cores: [SignalCore] = []
        let names = inputs.map { input in
            if case .root(let name) = input.name, input.domain.withLock({ input.signalCore == nil }) { return name }
            cores.append(input.namedCore())
            return StreamName("", parent: cores.last)
        }
        return OperatorInputs(names, signals: cores)
    }

    /// Links the node while the signal is observed, and retains it as long as the signal can be observed.
    @usableFromInline
    final func watch(_ core: SignalCore, _ held: borrowing HeldLock) {
        if let tether {
            core.beWatched(by: SignalWatcher(tether.takeUnretainedValue(), begin: { _ in }, end: { _, _ in }))
        } else {
            core.beWatched(
                by: SignalWatcher(
                    self, begin: { unsafeDowncast($0, to: PropertyNode.self).beginObserving() },
                    end: { unsafeDowncast($0, to: PropertyNode.self).endWish($1) }))
        }
    }

    // `AnyObject` in place of the signal's type, which would need a metadata look-up.
    /// Call it last, for a handle that no other thread uses.
    @usableFromInline
    final func releaseSignal(in handle: borrowing AtomicWord) {
        if let handle = UnsafeRawPointer(bitPattern: handle.loadLast()) {
            Unmanaged<AnyObject>.fromOpaque(handle).release()
        }
    }

    private final func beginObserving() {
        if isRoot { return }
        // Also if it has its value, so that it does not depend on that.
        if domain.sections.mayContain(ThreadIdentity.current) { refuseReading() }
        beginWish()
        endIfInputsHave()
    }

    /// Ends the signal if the node turned out to have ended when it was linked.
    @usableFromInline
    final func endIfInputsHave() {
        let core = domain.withLock { links.wasFoundEnded ? signalCore : nil }
        core?.cutOff()
    }
}

/// How a derived property is named.
@frozen @usableFromInline
package enum NodeName: Sendable {
    /// The name of a root, with the place where it was made.
    case root(StreamName)
    /// This text alone.
    case alone(StaticString)
    /// This text after the name of the only input.
    case after(StaticString)
    /// This text after the names of all inputs.
    case joining(StaticString)
}
