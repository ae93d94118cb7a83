import ReactiveSignals
import ReactiveSignalsTesting

/// A signal or a producer, so that a step is written once and applied to either.
enum HotOrCold<Value: Sendable, Failure: Error>: Sendable {
    case signal(Signal<Value, Failure>)
    case producer(SignalProducer<Value, Failure>)

    typealias Hot<NewValue: Sendable, NewFailure: Error> = Signal<NewValue, NewFailure>
    typealias Cold<NewValue: Sendable, NewFailure: Error> = SignalProducer<NewValue, NewFailure>

    private func apply<NewValue, NewFailure>(
        _ onSignal: (Hot<Value, Failure>) -> Hot<NewValue, NewFailure>,
        _ onProducer: (Cold<Value, Failure>) -> Cold<NewValue, NewFailure>
    ) -> HotOrCold<NewValue, NewFailure> {
        switch self {
        case .signal(let signal): .signal(onSignal(signal))
        case .producer(let producer): .producer(onProducer(producer))
        }
    }

    private func join<Other, OtherFailure, NewValue, NewFailure>(
        _ other: HotOrCold<Other, OtherFailure>,
        _ onSignals: (Hot<Value, Failure>, Hot<Other, OtherFailure>) -> Hot<NewValue, NewFailure>,
        _ onProducers: (Cold<Value, Failure>, Cold<Other, OtherFailure>) -> Cold<NewValue, NewFailure>
    ) -> HotOrCold<NewValue, NewFailure> {
        switch (self, other) {
        case (.signal(let first), .signal(let second)): .signal(onSignals(first, second))
        case (.producer(let first), .producer(let second)): .producer(onProducers(first, second))
        default: fatalError("a chain is made of signals or of producers")
        }
    }
}

// MARK: Values

extension HotOrCold {
    func map<New>(_ transform: @escaping @Sendable (Value) -> New) -> HotOrCold<New, Failure> {
        apply({ $0.map(transform) }, { $0.map(transform) })
    }

    func mapReplace<New>(_ value: New) -> HotOrCold<New, Failure> {
        apply({ $0.mapReplace(value) }, { $0.mapReplace(value) })
    }

    func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.filter(isIncluded) }, { $0.filter(isIncluded) })
    }

    func compactMap<New>(_ transform: @escaping @Sendable (Value) -> New?) -> HotOrCold<New, Failure> {
        apply({ $0.compactMap(transform) }, { $0.compactMap(transform) })
    }

    func skipNil<Wrapped>() -> HotOrCold<Wrapped, Failure> where Value == Wrapped? {
        apply({ $0.skipNil() }, { $0.skipNil() })
    }

    func scan<Result>(
        _ initial: Result, _ next: @escaping @Sendable (Result, Value) -> Result
    ) -> HotOrCold<Result, Failure> {
        apply({ $0.scan(initial, next) }, { $0.scan(initial, next) })
    }

    func scan<Result>(
        into initial: Result, _ next: @escaping @Sendable (inout Result, Value) -> Void
    ) -> HotOrCold<Result, Failure> {
        apply({ $0.scan(into: initial, next) }, { $0.scan(into: initial, next) })
    }

    func scanMap<State: Sendable, New>(
        _ initial: State, _ next: @escaping @Sendable (State, Value) -> (State, New)
    ) -> HotOrCold<New, Failure> {
        apply({ $0.scanMap(initial, next) }, { $0.scanMap(initial, next) })
    }

    func combinePrevious() -> HotOrCold<(Value, Value), Failure> {
        apply({ $0.combinePrevious() }, { $0.combinePrevious() })
    }

    func combinePrevious(_ initial: Value) -> HotOrCold<(Value, Value), Failure> {
        apply({ $0.combinePrevious(initial) }, { $0.combinePrevious(initial) })
    }

    func flatten() -> HotOrCold<Value.Element, Failure> where Value: Sequence, Value.Element: Sendable {
        apply({ $0.flatten() }, { $0.flatten() })
    }

    func on(event: @escaping @Sendable (Event<Value, Failure>) -> Void) -> HotOrCold {
        apply({ $0.on(event: event) }, { $0.on(event: event) })
    }
}

// MARK: Choice

extension HotOrCold {
    func take(first count: Int) -> HotOrCold { apply({ $0.take(first: count) }, { $0.take(first: count) }) }

    func take(last count: Int) -> HotOrCold { apply({ $0.take(last: count) }, { $0.take(last: count) }) }

    func take(while condition: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.take(while: condition) }, { $0.take(while: condition) })
    }

    func take(throughWhile condition: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.take(throughWhile: condition) }, { $0.take(throughWhile: condition) })
    }

    func first(where predicate: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.first(where: predicate) }, { $0.first(where: predicate) })
    }

    func last(where predicate: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.last(where: predicate) }, { $0.last(where: predicate) })
    }

    func element(at index: Int) -> HotOrCold { apply({ $0.element(at: index) }, { $0.element(at: index) }) }

    func skip(first count: Int) -> HotOrCold { apply({ $0.skip(first: count) }, { $0.skip(first: count) }) }

    func skip(while condition: @escaping @Sendable (Value) -> Bool) -> HotOrCold {
        apply({ $0.skip(while: condition) }, { $0.skip(while: condition) })
    }

    func skipRepeats() -> HotOrCold where Value: Equatable { apply({ $0.skipRepeats() }, { $0.skipRepeats() }) }

    func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> HotOrCold {
        apply({ $0.skipRepeats(isRepeat) }, { $0.skipRepeats(isRepeat) })
    }

    func uniqueValues() -> HotOrCold where Value: Hashable { apply({ $0.uniqueValues() }, { $0.uniqueValues() }) }

    func uniqueValues<Identity: Hashable & Sendable>(
        _ identity: @escaping @Sendable (Value) -> Identity
    ) -> HotOrCold {
        apply({ $0.uniqueValues(identity) }, { $0.uniqueValues(identity) })
    }

    func uniqueValues<Identity: Hashable & Sendable>(
        capacity: Int, _ identity: @escaping @Sendable (Value) -> Identity
    ) -> HotOrCold {
        apply({ $0.uniqueValues(capacity: capacity, identity) }, { $0.uniqueValues(capacity: capacity, identity) })
    }
}

// MARK: Gathering

extension HotOrCold {
    func reduce<Result>(
        _ initial: Result, _ next: @escaping @Sendable (Result, Value) -> Result
    ) -> HotOrCold<Result, Failure> {
        apply({ $0.reduce(initial, next) }, { $0.reduce(initial, next) })
    }

    func collect() -> HotOrCold<[Value], Failure> { apply({ $0.collect() }, { $0.collect() }) }

    func collect(count: Int) -> HotOrCold<[Value], Failure> {
        apply({ $0.collect(count: count) }, { $0.collect(count: count) })
    }

    func collect(_ shouldEmit: @escaping @Sendable ([Value]) -> Bool) -> HotOrCold<[Value], Failure> {
        apply({ $0.collect(shouldEmit) }, { $0.collect(shouldEmit) })
    }

    func collect(_ shouldEmit: @escaping @Sendable ([Value], Value) -> Bool) -> HotOrCold<[Value], Failure> {
        apply({ $0.collect(shouldEmit) }, { $0.collect(shouldEmit) })
    }

    func allSatisfy(_ predicate: @escaping @Sendable (Value) -> Bool) -> HotOrCold<Bool, Failure> {
        apply({ $0.allSatisfy(predicate) }, { $0.allSatisfy(predicate) })
    }

    func contains(where predicate: @escaping @Sendable (Value) -> Bool) -> HotOrCold<Bool, Failure> {
        apply({ $0.contains(where: predicate) }, { $0.contains(where: predicate) })
    }

    func count() -> HotOrCold<Int, Failure> { apply({ $0.count() }, { $0.count() }) }

    func min() -> HotOrCold where Value: Comparable { apply({ $0.min() }, { $0.min() }) }

    func max(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> HotOrCold {
        apply({ $0.max(by: areInIncreasingOrder) }, { $0.max(by: areInIncreasingOrder) })
    }

    func slidingWindow(_ count: Int) -> HotOrCold<[Value], Failure> {
        apply({ $0.slidingWindow(count) }, { $0.slidingWindow(count) })
    }
}

// MARK: Ends

extension HotOrCold {
    func materialize() -> HotOrCold<Event<Value, Failure>, Never> { apply({ $0.materialize() }, { $0.materialize() }) }

    func dematerialize<New, NewFailure>() -> HotOrCold<New, NewFailure>
    where Value == Event<New, NewFailure>, Failure == Never {
        apply({ $0.dematerialize() }, { $0.dematerialize() })
    }

    func materializeResults() -> HotOrCold<Result<Value, Failure>, Never> {
        apply({ $0.materializeResults() }, { $0.materializeResults() })
    }

    func dematerializeResults<New, NewFailure>() -> HotOrCold<New, NewFailure>
    where Value == Result<New, NewFailure>, Failure == Never {
        apply({ $0.dematerializeResults() }, { $0.dematerializeResults() })
    }

    func mapError<New>(_ transform: @escaping @Sendable (Failure) -> New) -> HotOrCold<Value, New> {
        apply({ $0.mapError(transform) }, { $0.mapError(transform) })
    }

    func promoteError<New>() -> HotOrCold<Value, New> where Failure == Never {
        apply({ $0.promoteError(New.self) }, { $0.promoteError(New.self) })
    }

    func promoteValue<New>() -> HotOrCold<New, Failure> where Value == Never {
        apply({ $0.promoteValue() }, { $0.promoteValue() })
    }

    func ignoreValues() -> HotOrCold<Never, Failure> { apply({ $0.ignoreValues() }, { $0.ignoreValues() }) }

    func attempt(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> HotOrCold {
        apply({ $0.attempt(action) }, { $0.attempt(action) })
    }

    func attemptMap<New>(_ transform: @escaping @Sendable (Value) throws(Failure) -> New) -> HotOrCold<New, Failure> {
        apply({ $0.attemptMap(transform) }, { $0.attemptMap(transform) })
    }

    func exactlyOne(orError error: Failure) -> HotOrCold {
        apply({ $0.exactlyOne(orError: error) }, { $0.exactlyOne(orError: error) })
    }

    func defaultIfEmpty(_ value: Value) -> HotOrCold {
        apply({ $0.defaultIfEmpty(value) }, { $0.defaultIfEmpty(value) })
    }

    func ignoreErrors(complete: Bool) -> HotOrCold<Value, Never> {
        apply({ $0.ignoreErrors(complete: complete) }, { $0.ignoreErrors(complete: complete) })
    }

    func concat(value: Value) -> HotOrCold { apply({ $0.concat(value: value) }, { $0.concat(value: value) }) }

    func concat(error: Failure) -> HotOrCold { apply({ $0.concat(error: error) }, { $0.concat(error: error) }) }
}

// MARK: Time

extension HotOrCold {
    func delay(_ interval: Duration, on clock: TestScheduler) -> HotOrCold {
        apply({ $0.delay(interval, on: clock) }, { $0.delay(interval, on: clock) })
    }

    func throttle(
        _ interval: Duration, on clock: TestScheduler, latest: Bool, discardWhenCompleted discards: Bool
    ) -> HotOrCold {
        apply(
            { $0.throttle(interval, on: clock, latest: latest, discardWhenCompleted: discards) },
            { $0.throttle(interval, on: clock, latest: latest, discardWhenCompleted: discards) })
    }

    func take(for interval: Duration, on clock: TestScheduler) -> HotOrCold {
        apply({ $0.take(for: interval, on: clock) }, { $0.take(for: interval, on: clock) })
    }

    func skip(for interval: Duration, on clock: TestScheduler) -> HotOrCold {
        apply({ $0.skip(for: interval, on: clock) }, { $0.skip(for: interval, on: clock) })
    }

    func timeout(between interval: Duration, raising error: Failure, on clock: TestScheduler) -> HotOrCold {
        apply(
            { $0.timeout(between: interval, raising: error, on: clock) },
            { $0.timeout(between: interval, raising: error, on: clock) })
    }

    func heartbeat(
        every interval: Duration, on clock: TestScheduler, _ value: @escaping @Sendable () -> Value
    ) -> HotOrCold {
        apply({ $0.heartbeat(every: interval, on: clock, value) }, { $0.heartbeat(every: interval, on: clock, value) })
    }

    func collect(every interval: Duration, upTo count: Int, on clock: TestScheduler) -> HotOrCold<[Value], Failure> {
        apply(
            { $0.collect(every: interval, upTo: count, on: clock) },
            { $0.collect(every: interval, upTo: count, on: clock) })
    }

    func pace(
        every interval: Duration, on clock: TestScheduler, buffer limit: Int, whenFull overflow: Overflow,
        raising error: Failure
    ) -> HotOrCold {
        apply(
            { $0.pace(every: interval, on: clock, buffer: limit, whenFull: overflow, raising: error) },
            { $0.pace(every: interval, on: clock, buffer: limit, whenFull: overflow, raising: error) })
    }

    func rateLimit(
        _ count: Int, per period: Duration, buffer limit: Int, whenFull overflow: Overflow, raising error: Failure,
        on clock: TestScheduler
    ) -> HotOrCold {
        apply(
            { $0.rateLimit(count, per: period, buffer: limit, whenFull: overflow, raising: error, on: clock) },
            { $0.rateLimit(count, per: period, buffer: limit, whenFull: overflow, raising: error, on: clock) })
    }

    func buffer(
        upTo count: Int, whenFull overflow: Overflow, raising error: Failure, on clock: TestScheduler
    ) -> HotOrCold {
        apply(
            { $0.buffer(upTo: count, whenFull: overflow, raising: error, on: clock) },
            { $0.buffer(upTo: count, whenFull: overflow, raising: error, on: clock) })
    }

    /// The values of windows that are flattened as they come.
    func flattenedWindows(count: Int) -> HotOrCold {
        apply({ $0.window(count: count).flatten(.merge) }, { $0.window(count: count).flatten(.merge) })
    }

    func debounce(_ interval: Duration, on clock: TestScheduler, discardWhenCompleted discards: Bool) -> HotOrCold {
        apply(
            { $0.debounce(interval, on: clock, discardWhenCompleted: discards) },
            { $0.debounce(interval, on: clock, discardWhenCompleted: discards) })
    }

    func collect(
        every interval: Duration, on clock: TestScheduler, skipEmpty: Bool, discardWhenCompleted discards: Bool
    ) -> HotOrCold<[Value], Failure> {
        apply(
            { $0.collect(every: interval, on: clock, skipEmpty: skipEmpty, discardWhenCompleted: discards) },
            { $0.collect(every: interval, on: clock, skipEmpty: skipEmpty, discardWhenCompleted: discards) })
    }

    func timeout(after interval: Duration, raising error: Failure, on clock: TestScheduler) -> HotOrCold {
        apply(
            { $0.timeout(after: interval, raising: error, on: clock) },
            { $0.timeout(after: interval, raising: error, on: clock) })
    }

    func observe(on scheduler: some Scheduler) -> HotOrCold {
        apply({ $0.observe(on: scheduler) }, { $0.observe(on: scheduler) })
    }

    func lazyMap<New>(
        on scheduler: some Scheduler, transform: @escaping @Sendable (Value) -> New
    ) -> HotOrCold<New, Failure> {
        apply(
            { $0.lazyMap(on: scheduler, transform: transform) }, { $0.lazyMap(on: scheduler, transform: transform) })
    }
}

// MARK: Partners

extension HotOrCold {
    func merge(with other: HotOrCold) -> HotOrCold { join(other, { $0.merge(with: $1) }, { $0.merge(with: $1) }) }

    func combineLatest<Other>(with other: HotOrCold<Other, Failure>) -> HotOrCold<(Value, Other), Failure> {
        join(other, { $0.combineLatest(with: $1) }, { $0.combineLatest(with: $1) })
    }

    func zip<Other>(with other: HotOrCold<Other, Failure>) -> HotOrCold<(Value, Other), Failure> {
        join(other, { $0.zip(with: $1) }, { $0.zip(with: $1) })
    }

    func zip<Other>(
        with other: HotOrCold<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow, raising error: Failure
    ) -> HotOrCold<(Value, Other), Failure> {
        join(
            other, { $0.zip(with: $1, bufferLimit: bufferLimit, whenFull: overflow, raising: error) },
            { $0.zip(with: $1, bufferLimit: bufferLimit, whenFull: overflow, raising: error) })
    }

    func collect<Trigger>(until trigger: HotOrCold<Trigger, Never>) -> HotOrCold<[Value], Failure> {
        join(trigger, { $0.collect(until: $1) }, { $0.collect(until: $1) })
    }

    func take(untilReplacement other: HotOrCold) -> HotOrCold {
        join(other, { $0.take(untilReplacement: $1) }, { $0.take(untilReplacement: $1) })
    }

    func take<Other>(until other: HotOrCold<Other, Never>) -> HotOrCold {
        join(other, { $0.take(until: $1) }, { $0.take(until: $1) })
    }

    func skip<Other>(until other: HotOrCold<Other, Never>) -> HotOrCold {
        join(other, { $0.skip(until: $1) }, { $0.skip(until: $1) })
    }

    func sample<Tick>(on sampler: HotOrCold<Tick, Never>) -> HotOrCold {
        join(sampler, { $0.sample(on: $1) }, { $0.sample(on: $1) })
    }

    func sample<Tick>(with sampler: HotOrCold<Tick, Never>) -> HotOrCold<(Value, Tick), Failure> {
        join(sampler, { $0.sample(with: $1) }, { $0.sample(with: $1) })
    }

    func withLatest<Other>(from other: HotOrCold<Other, Never>) -> HotOrCold<(Value, Other), Failure> {
        join(other, { $0.withLatest(from: $1) }, { $0.withLatest(from: $1) })
    }
}
