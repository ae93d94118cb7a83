/// One run of the work for a key, with everything but the key and the events.
@usableFromInline
@_fixed_layout
class Flight: KeyTableEntry, @unchecked Sendable {
    // Sendable: the lock of its `FlightTable` guards the variables, and a subclass adds constants.
    @usableFromInline let hash: Int
    /// The start of the work.
    fileprivate let start: Start
    @exclusivity(unchecked) fileprivate var starts = 0
    @exclusivity(unchecked) fileprivate var isListed = false
    /// Set when the work has ended, and its events are kept.
    @exclusivity(unchecked) fileprivate var hasLanded = false
    @exclusivity(unchecked) fileprivate var expiry: Duration?
    /// Whether the trigger that ends this flight has been started. `nil` before that begins.
    @exclusivity(unchecked) fileprivate var hasTrigger: Bool?
    @exclusivity(unchecked) fileprivate var trigger: (any Disposable)?

    @usableFromInline
    init(_ hash: Int, _ start: Start) {
        self.hash = hash
        self.start = start
    }

    /// Whether the kept events have expired.
    fileprivate func hasExpired(at now: Duration?) -> Bool {
        if let now, let expiry { now >= expiry } else { false }
    }
}

@usableFromInline
@_fixed_layout
final class KeyedFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Flight, @unchecked Sendable {
    @usableFromInline let source: ReplaySource<Value, Failure>
    @usableFromInline let key: Key

    @_alwaysEmitIntoClient
    init(_ key: Key, _ hash: Int, _ source: ReplaySource<Value, Failure>) {
        self.source = source
        self.key = key
        super.init(hash, source.start)
    }

    /// All flights of one table have the same type.
    @_alwaysEmitIntoClient
    static func of(_ flight: Flight) -> KeyedFlight { unsafeDowncast(flight, to: KeyedFlight.self) }
}

/// Runs the work for a key once for all starts that come while it runs, and keeps its events for later starts: the
/// engine of ``SingleFlight`` and `cached`.
///
/// Keys are compared, and work is begun, cancelled and released, outside the lock of the table.
@usableFromInline
@_fixed_layout
final class Flights<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let name: StreamName
    @usableFromInline let contention: Contention
    @usableFromInline let work: @Sendable (Key) -> SignalProducer<Value, Failure>
    @usableFromInline let table: FlightTable

    @_alwaysEmitIntoClient
    init(
        _ name: StreamName, contention: Contention = .wait, _ table: FlightTable,
        work: @escaping @Sendable (Key) -> SignalProducer<Value, Failure>
    ) {
        self.name = name
        self.contention = contention
        self.work = work
        self.table = table
    }

    /// Adds a start, and begins the work if there is none for the key.
    @_alwaysEmitIntoClient
    func join(_ key: Key, _ sink: ProducerSink<Value, Failure>) {
        let (table, flight) = (table, board(key))
        flight.source.join(sink)
        sink.start.addCleanup { table.leave(flight) }
        guard !sink.start.isOver, table.startTrigger(of: flight) else { return }
        // Before the starts receive the terminal event, so that one which that event causes, such as a retry, finds
        // the table as it is then.
        flight.source.begin(
            willEnd: { event in
                switch event {
                case .next, .interrupted: table.land(flight, .nothing)
                case .completed: table.land(flight, .values)
                case .error: table.land(flight, .error)
                }
            })
    }

    /// Finds the flight for a key, or adds one, and counts a start of it.
    @_alwaysEmitIntoClient
    func board(_ key: Key) -> KeyedFlight<Key, Value, Failure> {
        let hash = key.hashValue
        let now = table.now
        var seen = table.flights(hash)
        var new: KeyedFlight<Key, Value, Failure>?
        while true {
            let found = seen.first { KeyedFlight<Key, Value, Failure>.of($0).key == key }
            if found == nil, new == nil { new = makeFlight(key, hash) }
            if let flight = table.board(found, new, &seen, hash, at: now) { return .of(flight) }
        }
    }

    @_alwaysEmitIntoClient
    func makeFlight(_ key: Key, _ hash: Int) -> KeyedFlight<Key, Value, Failure> {
        let (work, name, contention) = (work, name, contention)
        let source = ReplaySource<Value, Failure>(name, contention: contention, capacity: .max) { hub in
            // Called when the work begins, by one of the starts.
            SignalProducer(name, contention: contention) { start, sink in
                if start.isOver { return sink.end(.interrupted) }
                let made = work(key)
                hub.core.join(made.contention)
                made.beginWork(of: start, into: sink)
            }
        }
        return KeyedFlight(key, hash, source)
    }

    /// Makes later starts for a key run the work again.
    @_alwaysEmitIntoClient
    func forget(_ key: Key) {
        let hash = key.hashValue
        while let flight = table.flights(hash).first(where: { KeyedFlight<Key, Value, Failure>.of($0).key == key }) {
            if table.forget(flight) { return }
        }
    }
}

/// The flights of all keys. It knows no type of the user's, so it is compiled once.
///
/// The lock guards the table and the state of every flight.
@usableFromInline
final class FlightTable: Sendable {
    /// When the result of a flight is forgotten, apart from invalidation and lack of room.
    @usableFromInline
    enum Expiry: Sendable {
        /// When the work ends.
        case immediately
        case after(Duration, Clock)
        /// When the closure, which is called when the work begins, calls its argument.
        case when(@Sendable (@escaping @Sendable () -> Void) -> any Disposable)
    }

    /// A scheduler whose instants are durations since the creation of the flights.
    @frozen @usableFromInline
    struct Clock: Sendable {
        @usableFromInline let elapsed: @Sendable () -> Duration
        @usableFromInline let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?

        @_alwaysEmitIntoClient
        init(_ scheduler: some DelayScheduler) {
            let origin = scheduler.now
            elapsed = { origin.duration(to: scheduler.now) }
            schedule = { delay, action in scheduler.schedule(after: delay, action) }
        }
    }

    /// What the work has ended with.
    @frozen @usableFromInline
    enum Result: Sendable {
        case values, error, nothing
    }

    /// What has been taken out of the table, to be disposed of and released outside the lock.
    private struct Dropped {
        /// Usually the only one, so that there is no array to allocate.
        var first: Flight?
        var others: [Flight] = []
        var disposables: [any Disposable] = []

        mutating func add(_ flight: Flight) { if first == nil { first = flight } else { others.append(flight) } }

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
            if flight.hasLanded {
                _ = landed.remove(ObjectIdentifier(flight))
                _ = expiring.remove(ObjectIdentifier(flight))
            }
            dropped.add(flight)
            if let trigger = flight.trigger.take() { dropped.disposables.append(trigger) }
            if expiring.count == 0, let action = alarm.clear() { dropped.disposables.append(action) }
        }
    }

    private let expiry: Expiry
    private let maxEntries: Int
    private let keepsErrors: Bool
    private let state = Locked(State())

    @usableFromInline
    init(_ expiry: Expiry, maxEntries: Int, keepsErrors: Bool) {
        self.expiry = expiry
        self.maxEntries = maxEntries
        self.keepsErrors = keepsErrors
    }

    deinit {
        // The flights are released with the table: no start refers to one of them any more.
        let disposables = state.withLock { state in
            state.table.all.compactMap { $0.trigger.take() } + (state.alarm.clear().map { [$0] } ?? [])
        }
        for disposable in disposables { disposable.dispose() }
    }

    private var clock: Clock? {
        if case .after(_, let clock) = expiry { clock } else { nil }
    }

    /// The time, if results expire with it.
    @usableFromInline var now: Duration? { clock?.elapsed() }

    /// The number of keys with a start in progress or a kept result.
    @usableFromInline var count: Int { state.withLock { $0.table.count } }

    // MARK: Starts

    /// The flights with a hash value.
    @usableFromInline
    func flights(_ hash: Int) -> KeyTable<Flight>.Match { state.withLock { $0.table[hash] } }

    /// Counts a start of a flight.
    ///
    /// - Parameters:
    ///   - found: The flight for the key among those that have been seen.
    ///   - new: Added if there is none.
    ///   - seen: The flights with the hash value that have been compared. Set to the present ones if they are to be
    ///     compared again, in which case the result is `nil`.
    @usableFromInline
    func board(
        _ found: Flight?, _ new: Flight?, _ seen: inout KeyTable<Flight>.Match, _ hash: Int, at now: Duration?
    ) -> Flight? {
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
            return nil
        }
        dropped.release()
        if flight == nil { seen = flights(hash) }
        return flight
    }

    /// Starts the trigger of a flight before its work begins.
    ///
    /// - Returns: Whether to begin the work. False while another start starts the trigger: that one begins the work.
    @usableFromInline
    func startTrigger(of flight: Flight) -> Bool {
        guard case .when(let start) = expiry else { return true }
        let isStarted = state.withLock { _ in
            defer { flight.hasTrigger = flight.hasTrigger ?? false }
            return flight.hasTrigger
        }
        if let isStarted { return isStarted }
        // It is the cache's, and may outlive the start that makes it.
        let trigger = LibraryTask.withoutCounter { start { [weak self] in self?.forget(flight) } }
        let (isUnwanted, isNeeded) = state.withLock { _ in
            flight.hasTrigger = true
            if flight.isListed { flight.trigger = trigger }
            return (!flight.isListed, flight.starts > 0)
        }
        if isUnwanted { trigger.dispose() }
        return isNeeded
    }

    /// Called when a start is over.
    @usableFromInline
    func leave(_ flight: Flight) {
        var dropped = Dropped()
        let isAbandoned = state.withLock { state in
            flight.starts -= 1
            guard flight.starts == 0, !flight.hasLanded else { return false }
            state.drop(flight, into: &dropped)
            return true
        }
        dropped.release()
        // Releasing the flight would cancel it too late if the leaving start is still beginning the work.
        if isAbandoned { flight.start.dispose() }
    }

    // MARK: Results

    /// Called when the work has ended.
    @usableFromInline
    func land(_ flight: Flight, _ result: Result) {
        let isKept =
            switch (expiry, result) {
            case (.immediately, _), (_, .nothing): false
            case (_, .values): true
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
                flight.expiry = now + duration.limitedForSums
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

    /// Returns `false` if the flight has already been forgotten.
    @usableFromInline @discardableResult
    func forget(_ flight: Flight) -> Bool {
        var dropped = Dropped()
        state.withLock { $0.drop(flight, into: &dropped) }
        dropped.release()
        return dropped.first != nil
    }

    @usableFromInline
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
