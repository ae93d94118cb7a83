/// Runs the work for a key once for all starts that come while it runs, and keeps its events for later starts: the
/// engine of ``SingleFlight`` and `cached`.
///
/// The lock guards the table and the state of every flight. Keys are compared, and work is begun, cancelled and
/// released, outside it.
@usableFromInline
final class Flights<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    /// When the result of a flight is forgotten, apart from invalidation and lack of room.
    enum Expiry: Sendable {
        /// When the work ends.
        case immediately
        case after(Duration, Clock)
        /// When the closure, which is called when the work begins, calls its argument.
        case when(@Sendable (@escaping @Sendable () -> Void) -> any Disposable)
    }

    /// A scheduler whose instants are durations since the creation of the flights.
    struct Clock: Sendable {
        let elapsed: @Sendable () -> Duration
        let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?

        init(_ scheduler: some DelayScheduler) {
            let origin = scheduler.now
            elapsed = { origin.duration(to: scheduler.now) }
            schedule = { delay, action in scheduler.schedule(after: delay, action) }
        }
    }

    /// One run of the work for a key. The lock of its `Flights` guards the variables.
    private final class Flight: KeyTableEntry, @unchecked Sendable {
        // Sendable: see above.
        let key: Key
        let hash: Int
        let source: ReplaySource<Value, Failure>
        @exclusivity(unchecked) var starts = 0
        @exclusivity(unchecked) var isListed = false
        /// Set when the work has ended, and its events are kept.
        @exclusivity(unchecked) var hasLanded = false
        @exclusivity(unchecked) var expiry: Duration?
        /// Whether the trigger that ends this flight has been, or is being, started.
        @exclusivity(unchecked) var hasTrigger = false
        @exclusivity(unchecked) var trigger: (any Disposable)?

        init(_ key: Key, _ hash: Int, _ source: ReplaySource<Value, Failure>) {
            self.key = key
            self.hash = hash
            self.source = source
        }

        /// Whether the kept events have expired.
        func hasExpired(at now: Duration?) -> Bool {
            if let now, let expiry { now >= expiry } else { false }
        }
    }

    /// What has been taken out of the table, to be disposed of and released outside the lock.
    private struct Dropped {
        var flights: [Flight] = []
        var disposables: [any Disposable] = []

        func release() { for disposable in disposables { disposable.dispose() } }
    }

    private struct State {
        var table = KeyTable<Flight>()
        /// Those that have landed, the least recently used first.
        var landed = WaitingLine<ObjectIdentifier, Flight>()
        /// Those that expire after a time, in the order in which they do.
        var expiring = WaitingLine<ObjectIdentifier, Flight>()
        /// Rings when the first of them expires.
        var alarm = Alarm()

        /// Takes a flight out of the table, unless it has been taken out.
        mutating func drop(_ flight: Flight, into dropped: inout Dropped) {
            guard flight.isListed else { return }
            flight.isListed = false
            _ = table.remove(flight)
            _ = landed.remove(ObjectIdentifier(flight))
            _ = expiring.remove(ObjectIdentifier(flight))
            dropped.flights.append(flight)
            if let trigger = flight.trigger.take() { dropped.disposables.append(trigger) }
            if expiring.count == 0, let action = alarm.clear() { dropped.disposables.append(action) }
        }
    }

    private let name: StreamName
    private let contention: Contention
    private let expiry: Expiry
    private let maxEntries: Int
    private let keepsErrors: Bool
    private let work: @Sendable (Key) -> SignalProducer<Value, Failure>
    private let state = Locked(State())

    init(
        _ name: StreamName, contention: Contention = .wait, _ expiry: Expiry, maxEntries: Int, keepsErrors: Bool,
        work: @escaping @Sendable (Key) -> SignalProducer<Value, Failure>
    ) {
        self.name = name
        self.contention = contention
        self.expiry = expiry
        self.maxEntries = maxEntries
        self.keepsErrors = keepsErrors
        self.work = work
    }

    deinit {
        var dropped = Dropped()
        state.withLock { state in
            for flight in state.table.all { state.drop(flight, into: &dropped) }
        }
        dropped.release()
    }

    private var clock: Clock? {
        if case .after(_, let clock) = expiry { clock } else { nil }
    }

    /// The number of keys with a subscription in progress or a kept result.
    var count: Int { state.withLock { $0.table.count } }

    // MARK: Starts

    /// Adds a start, and begins the work if there is none for the key.
    @usableFromInline
    func join(_ key: Key, _ sink: ProducerSink<Value, Failure>) {
        let flight = board(key)
        flight.source.join(sink)
        sink.subscription.addCleanup { self.leave(flight) }
        if sink.subscription.isOver { return }
        startTrigger(of: flight)
        // Before the starts receive the terminal event, so that one which that event causes, such as a retry, finds
        // the table as it is then.
        flight.source.begin(for: sink.subscription, willEnd: { self.land(flight, with: $0) })
    }

    /// Finds the flight for a key, or adds one, and counts a start of it.
    private func board(_ key: Key) -> Flight {
        let hash = key.hashValue
        let now = clock?.elapsed()
        var seen = state.withLock { $0.table[hash] }
        var new: Flight?
        while true {
            let found = seen.first { $0.key == key }
            if found == nil, new == nil { new = makeFlight(key, hash) }
            var dropped = Dropped()
            let flight = state.withLock { state -> Flight? in
                if let found, found.isListed {
                    if !found.hasExpired(at: now) {
                        found.starts += 1
                        if found.hasLanded, state.landed.remove(ObjectIdentifier(found)) != nil {
                            state.landed.append(found, for: ObjectIdentifier(found))
                        }
                        return found
                    }
                    state.drop(found, into: &dropped)
                } else if found == nil, let new, state.table[hash] === seen {
                    state.table.insert(new, to: seen)
                    new.isListed = true
                    new.starts = 1
                    return new
                }
                seen = state.table[hash]
                return nil
            }
            dropped.release()
            if let flight { return flight }
        }
    }

    private func makeFlight(_ key: Key, _ hash: Int) -> Flight {
        let work = work
        // Called when the work begins, by one of the starts.
        let producer = SignalProducer<Value, Failure>(name, contention: contention) { subscription, sink in
            if subscription.isOver {
                sink.end(.interrupted)
            } else {
                work(key).beginWork(of: subscription, into: sink)
            }
        }
        return Flight(key, hash, ReplaySource(producer, name, capacity: .max))
    }

    private func startTrigger(of flight: Flight) {
        guard case .when(let start) = expiry else { return }
        let isFirst = state.withLock { _ in
            defer { flight.hasTrigger = true }
            return !flight.hasTrigger
        }
        guard isFirst else { return }
        let trigger = start { [weak self] in self?.forget(flight) }
        let isUnwanted = state.withLock { _ in
            if flight.isListed { flight.trigger = trigger }
            return !flight.isListed
        }
        if isUnwanted { trigger.dispose() }
    }

    /// Called when a start is over.
    private func leave(_ flight: Flight) {
        var dropped = Dropped()
        let isAbandoned = state.withLock { state in
            flight.starts -= 1
            guard flight.starts == 0, !flight.hasLanded else { return false }
            state.drop(flight, into: &dropped)
            return true
        }
        dropped.release()
        // Releasing the source would cancel it too late if the leaving start is still beginning the work.
        if isAbandoned { flight.source.subscription.dispose() }
    }

    // MARK: Results

    /// Called when the work has ended.
    private func land(_ flight: Flight, with event: Event<Value, Failure>) {
        let isKept =
            switch (expiry, event) {
            case (.immediately, _), (_, .next), (_, .interrupted): false
            case (_, .completed): true
            case (_, .error): keepsErrors
            }
        let now = isKept ? clock?.elapsed() : nil
        var dropped = Dropped()
        let needsAlarm = state.withLock { state in
            guard isKept, flight.isListed else {
                state.drop(flight, into: &dropped)
                return false
            }
            flight.hasLanded = true
            state.landed.append(flight, for: ObjectIdentifier(flight))
            if let now, case .after(let duration, _) = expiry {
                flight.expiry = now + duration
                state.expiring.append(flight, for: ObjectIdentifier(flight))
            }
            while state.landed.count > maxEntries, let oldest = state.landed.first {
                state.drop(oldest, into: &dropped)
            }
            return !state.alarm.isSet && state.expiring.count > 0
        }
        dropped.release()
        if needsAlarm { setAlarm() }
    }

    /// Schedules the next expiry, unless that is scheduled.
    private func setAlarm() {
        guard let clock else { return }
        let now = clock.elapsed()
        let next = state.withLock { state -> (number: UInt, delay: Duration)? in
            guard !state.alarm.isSet, let expiry = state.expiring.first?.expiry else { return nil }
            return (state.alarm.set(), max(.zero, expiry - now))
        }
        guard let (number, delay) = next else { return }
        // If the scheduler releases the action without running it, nothing that it was to release is kept.
        let released = ReleasedAction { [weak self] in self?.alarmWasReleased(number) }
        let action = clock.schedule(delay) { [weak self] in
            self?.expire(number)
            withExtendedLifetime(released) {}
        }
        state.withLock { $0.alarm.keep(action, for: number) }?.dispose()
    }

    private func expire(_ number: UInt) {
        guard let now = clock?.elapsed() else { return }
        var dropped = Dropped()
        let isCurrent = state.withLock { state in
            guard state.alarm.isSet(as: number) else { return false }
            if let action = state.alarm.clear() { dropped.disposables.append(action) }
            while let first = state.expiring.first, first.hasExpired(at: now) { state.drop(first, into: &dropped) }
            return true
        }
        dropped.release()
        if isCurrent { setAlarm() }
    }

    private func alarmWasReleased(_ number: UInt) {
        guard state.withLock({ $0.alarm.isSet(as: number) }) else { return }
        LibraryThread.run {
            var dropped = Dropped()
            self.state.withLock { state in
                guard state.alarm.isSet(as: number) else { return }
                while let first = state.expiring.first { state.drop(first, into: &dropped) }
            }
            dropped.release()
        }
    }

    // MARK: Invalidation

    /// Makes later starts for a key run the work again.
    func forget(_ key: Key) {
        let hash = key.hashValue
        while true {
            let seen = state.withLock { $0.table[hash] }
            guard let flight = seen.first(where: { $0.key == key }) else { return }
            if forget(flight) { return }
        }
    }

    /// Returns `false` if the flight has already been forgotten.
    @discardableResult
    private func forget(_ flight: Flight) -> Bool {
        var dropped = Dropped()
        state.withLock { $0.drop(flight, into: &dropped) }
        dropped.release()
        return !dropped.flights.isEmpty
    }

    func forgetAll() {
        var dropped = Dropped()
        state.withLock { state in
            for flight in state.table.all { state.drop(flight, into: &dropped) }
            state.landed = WaitingLine()
            state.expiring = WaitingLine()
        }
        dropped.release()
    }
}
