import HotSignals

/// What an operator keeps for one key.
// Closures, and not a protocol: those are specialized for the user's types where they are created.
@frozen @usableFromInline
struct LaneWork: Sendable {
    @usableFromInline let object: any AnyObject & Sendable
    /// Whether nothing runs or waits, so that the key may be forgotten.
    @usableFromInline let isDone: @Sendable () -> Bool
    /// Ends what is left. Called once, with no lock held.
    @usableFromInline let close: @Sendable (LaneClosure) -> Void

    @_alwaysEmitIntoClient
    init(
        _ object: any AnyObject & Sendable, isDone: @escaping @Sendable () -> Bool,
        close: @escaping @Sendable (LaneClosure) -> Void
    ) {
        self.object = object
        self.isDone = isDone
        self.close = close
    }
}

@frozen @usableFromInline
enum LaneClosure: Sendable {
    /// The key has been idle, or another one has taken its place.
    case forgotten
    /// The result has ended.
    case stopped
}

/// One key, and its work. The key is in a subclass.
@usableFromInline
@_fixed_layout
class Lane: KeyTableEntry, @unchecked Sendable {
    // Sendable: the lock of the lanes guards the variables, and a subclass adds a constant key.
    @usableFromInline let hash: Int
    /// `nil` once the key has been forgotten. The work may retain the lane until then.
    @exclusivity(unchecked) fileprivate var work: LaneWork?
    /// Ascends from lane to lane.
    @exclusivity(unchecked) fileprivate var number: UInt = 0
    /// The number of uses that have begun and not been finished.
    @exclusivity(unchecked) fileprivate var uses = 0
    /// Counts the uses.
    @exclusivity(unchecked) fileprivate var version: UInt = 0
    /// Whether the lane is not known to be idle.
    @exclusivity(unchecked) fileprivate var isBusy = false
    @exclusivity(unchecked) fileprivate var idleSince = Duration.zero

    @usableFromInline
    init(_ hash: Int) { self.hash = hash }
}

@usableFromInline
@_fixed_layout
final class KeyedLane<Key: Hashable & Sendable>: Lane, @unchecked Sendable {
    @usableFromInline let key: Key

    @_alwaysEmitIntoClient
    init(_ key: Key, _ hash: Int) {
        self.key = key
        super.init(hash)
    }

    /// All keys of one operator have the same type.
    @_alwaysEmitIntoClient
    static func of(_ lane: Lane) -> KeyedLane { unsafeDowncast(lane, to: KeyedLane.self) }
}

/// The lanes of an operator that works separately for each key, and forgets the keys that are idle.
///
/// A use of a lane begins when a value with its key arrives, and is finished when its work has taken the value. A lane
/// is idle when its work is done and no use of it has begun since. It is forgotten when it has been idle for some time,
/// or when a new key needs its place. Decisions are made under a lock, and their consequences follow outside it. Keys
/// are compared and released outside it, too, because their code is the user's.
@usableFromInline
final class KeyedLanes: Sendable {
    private struct State {
        var table = KeyTable<Lane>()
        /// The idle lanes, those that have been idle the longest first.
        var idle = WaitingLine<UInt, Lane>()
        /// All lanes, those whose last use began first at the front. Empty if no lane has to make room for another one.
        var used = WaitingLine<UInt, Lane>()
        var lastNumber: UInt = 0
        var busy = 0
        var time = SteadyTime()
        /// Rings when the first idle lane is to be forgotten.
        var alarm = Alarm()
        /// Whether no key is used any more, so that the end of the last work is the end of all.
        var isEnding = false
        var isStopped = false
    }

    /// A lane that has been removed, and its work, which is to be closed.
    private typealias Removed = (lane: Lane, work: LaneWork?)

    private let maxKeys: Int
    private let overflow: Overflow
    private let idleTime: Duration
    private let clock: OperatorClock
    /// Forgets keys when their time has come.
    private let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let done: @Sendable () -> Void
    private let interrupt: @Sendable (KeyedLanes) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - perform: Runs a closure that forgets keys: now, or in order with what a new lane of the same key sends.
    ///   - done: Called when all lanes are idle and no key is used any more.
    ///   - interrupt: Called on a thread of the library if the scheduler has released the action that forgets keys.
    @usableFromInline
    init(
        maxKeys: Int, whenFull overflow: Overflow, idle: Duration, clock: OperatorClock,
        perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, done: @escaping @Sendable () -> Void,
        interrupt: @escaping @Sendable (KeyedLanes) -> Void
    ) {
        self.maxKeys = maxKeys
        self.overflow = overflow
        idleTime = idle.limitedForSums
        self.clock = clock
        self.perform = perform
        self.done = done
        self.interrupt = interrupt
    }

    // MARK: Using

    @frozen @usableFromInline
    enum Use {
        /// ``KeyedLanes/finish(_:)`` must follow.
        case lane(Lane, LaneWork, isNew: Bool)
        /// There is no room for the key, or the result has ended.
        case refused
        /// There is no room for the key, and this is an error.
        case full
    }

    /// Begins a use of the lane of a key. The calls are serial.
    ///
    /// - Parameters:
    ///   - mayBeNew: Whether a new key has a lane. Otherwise it is refused.
    ///   - make: Creates the work of a new lane. Called under the lock.
    @_alwaysEmitIntoClient
    func use<Key: Hashable & Sendable>(_ key: Key, mayBeNew: Bool = true, make: (Lane) -> LaneWork) -> Use {
        let hash = key.hashValue
        while true {
            let match = lanes(hash)
            let known = match.first { KeyedLane<Key>.of($0).key == key }
            if known == nil, !mayBeNew { return .refused }
            let lane = known ?? KeyedLane(key, hash)
            if let use = use(lane, isNew: known == nil, ifStill: match, make: make) { return use }
        }
    }

    /// The lanes with a hash value.
    @usableFromInline
    func lanes(_ hash: Int) -> KeyTable<Lane>.Match { state.withLock { $0.table[hash] } }

    /// Returns `nil` if the lanes with this hash value are not those that have been compared.
    @usableFromInline
    func use(
        _ lane: Lane, isNew: Bool, ifStill match: KeyTable<Lane>.Match, make: (Lane) -> LaneWork
    ) -> Use? {
        let (use, removed) = state.withLock { state -> (Use?, Removed?) in
            guard !state.isStopped else { return (.refused, nil) }
            guard state.table[lane.hash] === match else { return (nil, nil) }
            var removed: Removed?
            if isNew {
                if state.table.count >= maxKeys {
                    switch overflow.kind {
                    case .dropNewest: return (.refused, nil)
                    case .fail: return (.full, nil)
                    case .dropOldest:
                        if let oldest = state.idle.first ?? state.used.first { removed = remove(oldest, &state) }
                    }
                }
                state.lastNumber += 1
                lane.number = state.lastNumber
                lane.work = make(lane)
                // One of these may have been removed.
                state.table.insert(lane, to: state.table[lane.hash])
            }
            begin(lane, &state)
            guard let work = lane.work else { return (.refused, removed) }
            return (.lane(lane, work, isNew: isNew), removed)
        }
        removed?.work?.close(.forgotten)
        return use
    }

    /// Call only under the lock.
    private func begin(_ lane: Lane, _ state: inout State) {
        lane.uses += 1
        lane.version &+= 1
        if !lane.isBusy {
            lane.isBusy = true
            state.busy += 1
            _ = state.idle.remove(lane.number)
        }
        guard overflow.kind == .dropOldest else { return }
        _ = state.used.remove(lane.number)
        state.used.append(lane, for: lane.number)
    }

    /// Finishes a use.
    @usableFromInline
    func finish(_ lane: Lane) {
        state.withLock { _ in lane.uses -= 1 }
        settle(lane)
    }

    /// Makes a lane idle if its work is done. Call when a work is done, from any thread.
    @usableFromInline
    func settle(_ lane: Lane) {
        let seen = state.withLock { _ -> (work: LaneWork, version: UInt)? in
            guard lane.isBusy, lane.uses == 0, let work = lane.work else { return nil }
            return (work, lane.version)
        }
        guard let seen, seen.work.isDone() else { return }
        let (removed, setting, isDone) = atTime { state -> (Removed?, UInt?, Bool) in
            guard lane.isBusy, lane.uses == 0, lane.version == seen.version, !state.isStopped else {
                return (nil, nil, false)
            }
            lane.isBusy = false
            state.busy -= 1
            let isDone = state.isEnding && state.busy == 0
            if idleTime == .zero { return (remove(lane, &state), nil, isDone) }
            lane.idleSince = state.time.now
            state.idle.append(lane, for: lane.number)
            return (nil, state.alarm.isSet ? nil : state.alarm.set(), isDone)
        }
        removed?.work?.close(.forgotten)
        if isDone { done() } else if let setting { setTimer(setting, after: idleTime) }
    }

    // MARK: Forgetting

    /// Calls `body` under the lock, at the present time.
    private func atTime<Result>(_ body: (inout State) -> Result) -> Result {
        var known: Duration?
        while true {
            let now = clock.now()
            let result = state.withLock { state in
                state.time.advance(to: now, known: &known) ? body(&state) : nil
            }
            if let result { return result }
        }
    }

    /// Call only under the lock. The lane and its work are released outside it.
    private func remove(_ lane: Lane, _ state: inout State) -> Removed {
        _ = state.table.remove(lane)
        _ = state.idle.remove(lane.number)
        _ = state.used.remove(lane.number)
        if lane.isBusy { state.busy -= 1 }
        lane.isBusy = false
        return (lane, lane.work.take())
    }

    private func setTimer(_ number: UInt, after delay: Duration) {
        let released = ReleasedAction { [self] in
            if awaits(number) { LibraryThread.run { [self] in if awaits(number) { interrupt(self) } } }
        }
        let timer = clock.schedule(delay) { [self] in
            clock.scheduler.runWithoutTaskLocals {
                perform {
                    self.expire(number)
                    withExtendedLifetime(released) {}
                }
            }
        }
        state.withLock { $0.alarm.keep(timer, for: number) }?.dispose()
    }

    private func awaits(_ number: UInt) -> Bool { state.withLock { $0.alarm.isSet(as: number) } }

    /// Forgets the lanes that have been idle for long enough.
    private func expire(_ number: UInt) {
        let (removed, former, next) = atTime { state -> ([Removed], (any Disposable)?, (UInt, Duration)?) in
            guard state.alarm.isSet(as: number) else { return ([], nil, nil) }
            let former = state.alarm.clear()
            var removed: [Removed] = []
            while let first = state.idle.first {
                let left = first.idleSince + idleTime - state.time.now
                if left > .zero { return (removed, former, (state.alarm.set(), left)) }
                removed.append(remove(first, &state))
            }
            return (removed, former, nil)
        }
        for lane in removed { lane.work?.close(.forgotten) }
        if let next { setTimer(next.0, after: next.1) }
        withExtendedLifetime(former) {}
    }

    // MARK: The end

    /// No key is used any more.
    @usableFromInline
    func endUses() {
        let isDone = state.withLock { state in
            state.isEnding = true
            return state.busy == 0
        }
        if isDone { done() }
    }

    /// Removes all lanes, and returns their work in the order in which they were created. The keys used from now on are
    /// refused.
    @usableFromInline
    func takeAll() -> [LaneWork] {
        let (lanes, works, timer, _) = state.withLock { state in
            state.isStopped = true
            let lanes = state.table.all.sorted { $0.number < $1.number }
            let works = lanes.compactMap { $0.work.take() }
            let former = (state.table, state.idle, state.used)
            state.table = KeyTable()
            state.idle = WaitingLine()
            state.used = WaitingLine()
            return (lanes, works, state.alarm.clear(), former)
        }
        timer?.dispose()
        return withExtendedLifetime(lanes) { works }
    }

    /// Closes all lanes when the result ends.
    @usableFromInline
    func stop() {
        for work in takeAll() { work.close(.stopped) }
    }
}
