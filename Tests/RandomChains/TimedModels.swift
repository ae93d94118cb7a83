import ReactiveSignals

/// Delays values and completion; an error or an interruption discards them.
struct DelayModel: Model {
    let interval: Int
    private var pending: [ChainEvent] = []

    init(interval: Int) { self.interval = interval }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(let event):
            guard event.value != nil || event.isCompleted else {
                pending = [event]
                return [.cancel, .schedule(after: 0)]
            }
            pending.append(event)
            return [.schedule(after: interval)]
        case .timer: return [.send(pending.removeFirst())]
        case .partner: return []
        }
    }
}

/// Sends at most one value per interval, the latest; terminal events at once, after a due value and instead of a
/// pending one.
struct ThrottleModel: Model {
    let interval: Int
    let sendsLatest: Bool
    let discards: Bool
    private var value: ChainEvent?
    private var end: ChainEvent?
    private var due = 0
    private var lastSent: Int?

    init(interval: Int, sendsLatest: Bool, discards: Bool) {
        self.interval = interval
        self.sendsLatest = sendsLatest
        self.discards = discards
    }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(.completed) where !discards && value != nil:
            end = .completed
            return []
        case .event(let event) where event.isTerminating:
            if due > now { value = nil }
            end = event
            // A value that is due keeps its place in the schedule, and the end follows it.
            return value == nil ? [.cancel, .schedule(after: 0)] : []
        case .event(let event):
            let isScheduled = value != nil
            let isInInterval = lastSent.map { now < $0 + interval } ?? false
            if !sendsLatest, isScheduled || isInInterval { return [] }
            value = event
            if isScheduled { return [] }
            due = max(now, lastSent.map { $0 + interval } ?? now)
            return [.schedule(after: due - now)]
        case .timer:
            lastSent = now
            defer { value = nil }
            return [value, end].compactMap { $0.map { .send($0) } }
        case .partner: return []
        }
    }
}

/// Sends the latest value after a quiet interval; terminal events at once and instead of a pending value, unless the
/// source completes and the value is to be kept.
struct DebounceModel: Model {
    let interval: Int
    let discards: Bool
    private var pending: [ChainEvent] = []

    init(interval: Int, discards: Bool) {
        self.interval = interval
        self.discards = discards
    }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(.completed) where !discards && !pending.isEmpty:
            pending.append(.completed)
            return []
        case .event(let event):
            pending = [event]
            return [.cancel, .schedule(after: event.isTerminating ? 0 : interval)]
        case .timer:
            defer { pending = [] }
            return pending.map { .send($0) }
        case .partner: return []
        }
    }
}

/// Sends the values of each interval.
struct CollectEveryModel: Model {
    let interval: Int
    let skipsEmpty: Bool
    let discards: Bool
    private var values: [Int] = []
    private var hasCompleted = false
    private var end: ChainEvent?

    init(interval: Int, skipsEmpty: Bool, discards: Bool) {
        self.interval = interval
        self.skipsEmpty = skipsEmpty
        self.discards = discards
    }

    func begin() -> [ModelEffect] { [.repeatEvery(interval)] }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(.next(let value)):
            values.append(value)
            return []
        case .event(.completed) where !discards:
            hasCompleted = true
            return []
        case .event(let event):
            end = event
            return [.cancel, .schedule(after: 0)]
        case .timer:
            if let end { return [.send(end)] }
            let group: [ModelEffect] = values.isEmpty && skipsEmpty ? [] : [.send(.next(digest(values)))]
            values = []
            return hasCompleted ? group + [.send(.completed)] : group
        case .partner: return []
        }
    }
}

/// Ends after the interval.
struct TimeoutModel: Model {
    let interval: Int
    let end: ChainEvent

    func begin() -> [ModelEffect] { [.schedule(after: interval)] }

    func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else { return [.send(end)] }
        return [.send(event)]
    }
}

/// Sends an event after each silent interval.
struct SilenceModel: Model {
    let interval: Int
    let alert: ChainEvent

    func begin() -> [ModelEffect] { [.schedule(after: interval)] }

    func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else { return [.send(alert), .schedule(after: interval)] }
        return [.cancel, .send(event), .schedule(after: interval)]
    }
}

/// Drops values until the interval has elapsed.
struct SkipForModel: Model {
    let interval: Int
    private var isOver = false

    init(interval: Int) { self.interval = interval }

    func begin() -> [ModelEffect] { [.schedule(after: interval)] }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else {
            isOver = true
            return []
        }
        return isOver || event.isTerminating ? [.send(event)] : []
    }
}

/// Sends arrays that are full, or old enough.
struct CollectUpToModel: Model {
    let interval: Int
    let count: Int
    private var values: [Int] = []
    private var full: [[Int]] = []
    private var due = 0
    private var end: ChainEvent?

    init(interval: Int, count: Int) {
        self.interval = interval
        self.count = count
    }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(.next(let value)):
            if values.isEmpty { due = now + interval }
            values.append(value)
            if values.count == count {
                full.append(values)
                values = []
                return full.count == 1 ? [.cancel, .schedule(after: 0)] : []
            }
            return values.count == 1 && full.isEmpty ? [.schedule(after: interval)] : []
        case .event(let event):
            end = event
            if event != .completed { values = [] }
            // Full arrays are already scheduled, and what comes with them keeps their turn.
            return full.isEmpty ? [.cancel, .schedule(after: 0)] : []
        case .timer:
            var arrays = full
            full = []
            if !values.isEmpty, due <= now || end != nil {
                arrays.append(values)
                values = []
            }
            return arrays.map { .send(.next(digest($0))) } + (end.map { [.send($0)] } ?? [])
                + (values.isEmpty ? [] : [.schedule(after: due - now)])
        case .partner: return []
        }
    }
}

/// Sends one value per interval, of those that wait in a bounded queue, and the completion after the last one.
struct PaceModel: Model {
    let interval: Int
    let limit: Int
    let overflow: Overflow
    private var values: [Int] = []
    private var end: ChainEvent?
    private var nextDue = 0
    /// The time for which the timer has been set. It may have passed.
    private var alarm: Int?

    init(interval: Int, limit: Int, overflow: Overflow) {
        self.interval = interval
        self.limit = limit
        self.overflow = overflow
    }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        switch input {
        case .event(.next(let value)): take(value)
        case .event(let event):
            end = end ?? event
            if !event.isCompleted { values = [] }
        case .timer:
            alarm = nil
            var sent: [ChainEvent] = []
            if let first = values.first, nextDue <= now {
                values.removeFirst()
                nextDue = now + interval
                sent.append(.next(first))
            }
            if values.isEmpty, let end { return (sent + [end]).map { .send($0) } }
            return sent.map { .send($0) } + wake(now)
        case .partner: break
        }
        return wake(now)
    }

    private mutating func take(_ value: Int) {
        guard end == nil else { return }
        if values.count == limit {
            if overflow == .dropNewest { return }
            if overflow == .fail {
                end = .error(ChainError(code: 3))
                values = []
                return
            }
            values.removeFirst()
        }
        values.append(value)
    }

    /// Sets the timer, unless it is set early enough.
    private mutating func wake(_ now: Int) -> [ModelEffect] {
        guard !values.isEmpty || end != nil else { return [] }
        let due = values.isEmpty ? 0 : nextDue
        if let alarm, alarm <= due { return [] }
        defer { alarm = due }
        return (alarm == nil ? [] : [.cancel]) + [.schedule(after: max(0, due - now))]
    }
}

/// Sends every event in order, pending ones together.
struct ObserveOnModel: Model {
    private var pending: [ChainEvent] = []

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else {
            defer { pending = [] }
            return pending.map { .send($0) }
        }
        pending.append(event)
        return pending.count == 1 ? [.schedule(after: 0)] : []
    }
}

/// Sends every event in order, and lets a limited number of values wait, without the one that is being sent.
struct BufferModel: Model {
    let limit: Int
    let overflow: Overflow
    private var values: [Int] = []
    private var end: ChainEvent?
    private var isScheduled = false

    init(limit: Int, overflow: Overflow) {
        self.limit = limit
        self.overflow = overflow
    }

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else {
            if !values.isEmpty { return [.send(.next(values.removeFirst())), .goOn] }
            isScheduled = false
            return end.map { [.send($0)] } ?? []
        }
        if let value = event.value { take(value) } else { end = end ?? event }
        guard !isScheduled, !values.isEmpty || end != nil else { return [] }
        isScheduled = true
        return [.schedule(after: 0)]
    }

    private mutating func take(_ value: Int) {
        guard end == nil else { return }
        if values.count == limit {
            switch overflow {
            case .dropNewest: return
            case .dropOldest: values.removeFirst()
            default:
                end = .error(ChainError(code: 3))
                values = []
                return
            }
        }
        values.append(value)
    }
}

/// Sends the latest value, transformed on the scheduler; completion and errors after it, an interruption instead of it.
struct LazyMapModel: Model {
    private var value: Int?
    private var end: ChainEvent?
    private var isScheduled = false

    mutating func receive(_ input: ModelInput, at now: Int) -> [ModelEffect] {
        guard case .event(let event) = input else {
            defer { self = LazyMapModel() }
            return (value.map { [.send(.next(rest($0 &+ 2, 9)))] } ?? []) + (end.map { [.send($0)] } ?? [])
        }
        if event.isTerminating { end = event } else { value = event.value }
        if event == .interrupted { value = nil }
        defer { isScheduled = true }
        return isScheduled ? [] : [.schedule(after: 0)]
    }
}
