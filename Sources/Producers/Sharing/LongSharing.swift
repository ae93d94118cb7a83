/// Counts the starts that share a source, and cancels it some time after the last of them has left.
///
/// Like ``Sharing``. A leaving start that is the last one sets an alarm, and a start that comes clears it.
@usableFromInline
final class LongSharing<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var source: ReplaySource<Value, Failure>?
        var starts = 0
        /// The latest values of the source, if they are to outlive it.
        var values = Queue<Value>()
        /// Ends the work.
        var alarm = Alarm()
        /// Releases the values of work that has been cancelled, unless other work begins before.
        var expiry = Alarm()
    }

    private let producer: SignalProducer<Value, Failure>
    private let name: StreamName
    private let capacity: Int
    private let grace: GracePeriod
    private let state = Locked(State())

    @usableFromInline
    init(_ producer: SignalProducer<Value, Failure>, _ name: StreamName, capacity: Int, _ grace: GracePeriod) {
        self.producer = producer
        self.name = name
        self.capacity = capacity
        self.grace = grace
    }

    private var keepsValues: Bool { grace.expiry > .zero && capacity > 0 }

    @usableFromInline
    func join(_ sink: ProducerSink<Value, Failure>) {
        let new = ReplaySource(producer, name, capacity: capacity)
        let (source, action, expires) = state.withLock {
            state -> (ReplaySource<Value, Failure>, (any Disposable)?, Bool) in
            if state.source == nil {
                state.source = new
                state.starts = 0
                // Nothing has been sent into the new hub, and no other thread knows it.
                new.hub.memory = state.values
            }
            state.starts += 1
            return (state.source ?? new, state.alarm.clear(), state.expiry.isSet)
        }
        action?.dispose()
        source.join(sink)
        let hub = source.hub
        sink.start.addCleanup { self.leave(hub) }
        let remember: @Sendable (Value) -> Void = { self.remember($0, of: hub) }
        if sink.start.isOver { return }
        source.begin(willSend: keepsValues ? remember : nil, willEnd: { _ in self.forget(hub) })
        // Not if the start has ended with the stored values.
        if expires, source.hasBegun.isRaised {
            state.withLock { $0.source?.hub === hub ? $0.expiry.clear() : nil }?.dispose()
        }
    }

    private func remember(_ value: Value, of hub: ReplayHub<Value, Failure>) {
        // Released outside the lock.
        let forgotten = state.withLock { state -> Value? in
            guard state.source?.hub === hub else { return nil }
            let forgotten = state.values.count == capacity ? state.values.popFirst() : nil
            state.values.append(value)
            return forgotten
        }
        withExtendedLifetime(forgotten) {}
    }

    // MARK: After the last start

    private func leave(_ hub: ReplayHub<Value, Failure>) {
        var source: ReplaySource<Value, Failure>?
        let number = state.withLock { state -> UInt? in
            guard state.source?.hub === hub else { return nil }
            state.starts -= 1
            if state.starts > 0 { return nil }
            if state.source?.hasBegun.isRaised == true { return state.alarm.set() }
            // All starts have ended with the stored values.
            source = state.source.take()
            return nil
        }
        source?.start.dispose()
        if let number { schedule(number, isExpiry: false, after: grace.grace) { self.stop(number) } }
    }

    private func schedule(
        _ number: UInt, isExpiry: Bool, after delay: Duration, _ ring: @escaping @Sendable () -> Void
    ) {
        // If the scheduler releases the action without running it, nothing else would end the work.
        let released = ReleasedAction {
            let isSet = self.state.withLock { (isExpiry ? $0.expiry : $0.alarm).isSet(as: number) }
            if isSet { LibraryThread.run(ring) }
        }
        let action = grace.schedule(delay) {
            ring()
            withExtendedLifetime(released) {}
        }
        let unwanted = state.withLock { state in
            isExpiry ? state.expiry.keep(action, for: number) : state.alarm.keep(action, for: number)
        }
        unwanted?.dispose()
    }

    /// The grace period is over.
    private func stop(_ number: UInt) {
        var (source, expiry): (ReplaySource<Value, Failure>?, UInt?)
        var (action, former): ((any Disposable)?, (any Disposable)?)
        state.withLock { state in
            guard state.alarm.isSet(as: number) else { return }
            action = state.alarm.clear()
            source = state.source.take()
            guard keepsValues, !state.values.isEmpty else { return }
            former = state.expiry.clear()
            expiry = state.expiry.set()
        }
        withExtendedLifetime(action) {}
        former?.dispose()
        source?.start.dispose()
        if let expiry { schedule(expiry, isExpiry: true, after: grace.expiry) { self.expire(expiry) } }
    }

    /// The values that have outlived the work expire.
    private func expire(_ number: UInt) {
        let (values, action) = state.withLock { state -> (Queue<Value>?, (any Disposable)?) in
            guard state.expiry.isSet(as: number) else { return (nil, nil) }
            let action = state.expiry.clear()
            // Then other work is beginning, which may have sent values.
            if state.source?.hasBegun.isRaised == true { return (nil, action) }
            let values = state.values
            state.values = Queue()
            return (values, action)
        }
        withExtendedLifetime((values, action)) {}
    }

    /// The work has ended by itself.
    private func forget(_ hub: ReplayHub<Value, Failure>) {
        var (source, values): (ReplaySource<Value, Failure>?, Queue<Value>?)
        var (action, expiry): ((any Disposable)?, (any Disposable)?)
        state.withLock { state in
            guard state.source?.hub === hub else { return }
            (action, expiry) = (state.alarm.clear(), state.expiry.clear())
            source = state.source.take()
            values = state.values
            state.values = Queue()
        }
        action?.dispose()
        expiry?.dispose()
        withExtendedLifetime((source, values)) {}
    }
}
