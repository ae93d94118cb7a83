extension Signal {
    /// Notifies a tap of the events, the waiting and the end, and forwards the events unchanged.
    ///
    /// ```swift
    /// let (orders, input) = Signal<String, Never>.pipe()
    /// orders.named("orders").tapped(by: requestLog).observeNext { handle($0) }
    /// ```
    ///
    /// The tap is notified from now on, in this order: `begin(_:)` at once, each event before it is
    /// sent downstream, and `end(_:)` when the resulting signal has ended, or is neither retained nor
    /// observed.
    ///
    /// - Parameters:
    ///   - tap: Is notified. Retained until its end.
    ///   - file: The file that the tap sees.
    ///   - line: The line that the tap sees.
    /// - SeeAlso: ``on(event:next:error:completed:interrupted:terminated:disposed:)``
    @_alwaysEmitIntoClient
    public func tapped(by tap: some StreamTap, file: StaticString = #fileID, line: UInt = #line) -> Signal {
        tapped("", by: tap, CodeLocation(file, line))
    }

    /// - Parameters:
    ///   - name: The operator as it is printed. Empty if the result is the same stream.
    ///   - watchesWaiting: Whether to notify the tap of what waits.
    @_alwaysEmitIntoClient
    func tapped<Tap: StreamTap>(
        _ name: StaticString, by tap: Tap, _ location: CodeLocation? = nil, watchesWaiting: Bool = true
    ) -> Signal {
        let link = TapLink(tap, TappedStream(.signal, core, location))
        return derive(name) { downstream, lifetime in
            lifetime.observeEnded { [unowned core = downstream.core] in core.afterLeaving { link.end() } }
            if watchesWaiting { lifetime += core.watchWaiting { link.wait($0) } }
            return GateTapSink(link, downstream: downstream)
        }
    }
}

extension SignalCore {
    /// Only for the owner of the gate. Performs `action` when the gate has been left, so that no event is in flight.
    @usableFromInline
    func afterLeaving(_ action: @escaping @Sendable () -> Void) { gate.releaseAfterLeaving(ActionAfterLeaving(action)) }

    /// Performs `action` when all events so far have been delivered, and no event is in flight.
    @usableFromInline
    func afterEvents(_ action: @escaping @Sendable () -> Void) { actPassively { self.afterLeaving(action) } }

    /// Notifies `action` of the threads and the senders that wait for this signal, until the result is disposed of.
    @usableFromInline
    func watchWaiting(_ action: @escaping WaitWatch.Action) -> any Disposable {
        let objects: [any AnyObject & Sendable] = [gate] + (senders.map { [$0] } ?? [])
        return CompositeDisposable(objects.map { WaitWatch.watch($0, action) })
    }
}

/// Performs an action when the gate has been left.
private final class ActionAfterLeaving: DeferredGateRelease {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
