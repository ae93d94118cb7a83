import OpenCombine

private typealias Numbers = AnyPublisher<Int, Never>

private struct Failure: Error {}

/// What a publisher has in place of a start handler.
@inline(never) private func handler(_ number: Int) -> Deferred<Future<Int, Never>> {
    Deferred { Future { $0(.success(work(number))) } }
}

@inline(never) private func failing(_ number: Int) -> Deferred<Future<Int, Failure>> {
    Deferred { Future { $0(.success(work(number))) } }
}

/// Its timers fire as soon as they are set.
private struct HastyScheduler: Scheduler {
    typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    var now: SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) { action() }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return AnyCancellable {}
    }
}

/// Its time stands still.
private struct StillScheduler: Scheduler {
    typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    var now: SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {}

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable { withExtendedLifetime(action) {} } }
}

nonisolated(unsafe) private let global = CurrentValueSubject<Int, Never>(0)
nonisolated(unsafe) private let events = PassthroughSubject<Int, Never>()

extension Publisher where Failure == Never {
    @inline(__always)
    fileprivate func run() { withExtendedLifetime(sink { use($0) }) {} }
}

extension Publisher {
    @inline(__always)
    fileprivate func runResult() {
        withExtendedLifetime(sink(receiveCompletion: { use($0) }, receiveValue: { use($0) })) {}
    }
}

/// What a sequence has as a producer: without the type, its operators work on the sequence.
@inline(never) private func values(_ number: Int) -> Numbers { [number, 2].publisher.eraseToAnyPublisher() }

let openCombineRows: [PeerRow] =
    scenarioRows + sourceRows + valueRows + selectionRows + timeRows + successionRows + joiningRows

private let scenarioRows: [PeerRow] = [
    ("value, map", { Just($0).map(work).run() }),
    ("values, map", { [$0, 2].publisher.eraseToAnyPublisher().map(work).run() }),
    ("handler, map", { handler($0).map(work).run() }),
    (
        "never, start and dispose",
        { _ in Empty<Int, Never>(completeImmediately: false).map(work).sink { use($0) }.cancel() }
    ),
    (
        "flatMap(.merge) of 10",
        { number in (0..<10).publisher.flatMap { handler($0 &+ number) }.collect().sink { use($0.count) }.cancel() }
    ),
    (
        "handler: timeout, retry, map",
        { failing($0).timeout(60, scheduler: StillScheduler()) { Failure() }.retry(2).map(work).runResult() }
    ),
    ("observe, dispose", { _ in events.sink { use($0) }.cancel() }),
    ("a property, set", { CurrentValueSubject<Int, Never>($0).value = 2 }),
]

private let sourceRows: [PeerRow] = [
    ("init(value:)", { Just($0).run() }),
    ("init(error:)", { _ in Fail<Int, Failure>(error: Failure()).runResult() }),
    ("init(result:)", { Result<Int, Failure>.success($0).publisher.runResult() }),
    ("init(_:), a sequence", { values($0).run() }),
    (
        "init(_:), a signal",
        { number in
            let subject = PassthroughSubject<Int, Never>()
            let sink = subject.sink { use($0) }
            subject.send(number)
            subject.send(completion: .finished)
            withExtendedLifetime(sink) {}
        }
    ),
    ("init(contention:_:)", { handler($0).run() }),
    ("init(callback:)", { handler($0).run() }),
    ("empty", { _ in Empty<Int, Never>().run() }),
    ("never", { _ in Empty<Int, Never>(completeImmediately: false).sink { use($0) }.cancel() }),
    ("deferred(_:)", { number in Deferred { handler(number) }.run() }),
    (
        "attempt(_:), a source",
        { number in Deferred { Result<Int, Failure>.success(work(number)).publisher }.runResult() }
    ),
    ("Result.producer", { Result<Int, Failure>.success($0).publisher.runResult() }),
    ("MutableProperty.producer", { _ in global.sink { use($0) }.cancel() }),
    (
        "Connection.producer",
        {
            let connection = handler($0).multicast { PassthroughSubject<Int, Never>() }
            let sink = connection.sink { use($0) }
            withExtendedLifetime((sink, connection.connect())) {}
        }
    ),
    ("Connection.autoconnect()", { handler($0).multicast { PassthroughSubject<Int, Never>() }.autoconnect().run() }),
]

private let valueRows: [PeerRow] = [
    ("map(_:)", { handler($0).map(work).run() }),
    ("map(_:), a key path", { handler($0).map(\.description).run() }),
    ("compactMap(_:)", { handler($0).compactMap { Optional(work($0)) }.run() }),
    ("attemptMap(_:)", { failing($0).tryMap { (value) throws(Failure) in work(value) }.runResult() }),
    ("scan(_:_:)", { handler($0).scan(0) { $0 &+ $1 }.run() }),
    ("reduce(_:_:)", { handler($0).reduce(0) { $0 &+ $1 }.run() }),
    ("count()", { handler($0).count().run() }),
    ("min()", { handler($0).min().run() }),
    ("min(by:)", { handler($0).min { $0 < $1 }.run() }),
    ("max()", { handler($0).max().run() }),
    ("max(by:)", { handler($0).max { $0 < $1 }.run() }),
    ("allSatisfy(_:)", { handler($0).allSatisfy { $0 > 0 }.run() }),
    ("contains(where:)", { handler($0).contains { $0 > 0 }.run() }),
    ("collect()", { handler($0).collect().run() }),
    ("collect(count:)", { handler($0).collect(1).run() }),
    ("mapError(_:)", { failing($0).mapError { $0 }.runResult() }),
    ("promoteError(_:)", { handler($0).setFailureType(to: Failure.self).runResult() }),
    ("ignoreErrors(complete:)", { failing($0).catch { _ in Empty<Int, Never>() }.run() }),
    ("ignoreValues()", { handler($0).ignoreOutput().run() }),
    (
        "on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
        { handler($0).handleEvents(receiveOutput: { use($0) }).run() }
    ),
    (
        "breakpoint(next:error:completed:interrupted:)",
        { handler($0).breakpoint(receiveOutput: { _ in false }).run() }
    ),
]

private let selectionRows: [PeerRow] = [
    ("filter(_:)", { handler($0).filter { $0 > 0 }.run() }),
    ("skipNil()", { handler($0).map { Optional($0) }.compactMap { $0 }.run() }),
    ("take(first:)", { handler($0).prefix(1).run() }),
    ("take(last:)", { handler($0).last().run() }),
    ("take(while:)", { handler($0).prefix { $0 > 0 }.run() }),
    (
        "take(until:)",
        { handler($0).prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).run() }
    ),
    ("skip(first:)", { values($0).dropFirst().run() }),
    ("skip(while:)", { handler($0).drop { $0 < 0 }.run() }),
    ("skip(until:)", { handler($0).drop(untilOutputFrom: Just(1)).run() }),
    ("skipRepeats()", { handler($0).removeDuplicates().run() }),
    ("skipRepeats(_:)", { handler($0).removeDuplicates { $0 == $1 }.run() }),
    ("first(where:)", { handler($0).first { $0 > 0 }.run() }),
    ("last(where:)", { handler($0).last { $0 > 0 }.run() }),
    ("element(at:)", { handler($0).output(at: 0).run() }),
    ("defaultIfEmpty(_:)", { handler($0).replaceEmpty(with: 9).run() }),
]

private let timeRows: [PeerRow] = [
    ("observe(on:)", { handler($0).receive(on: ImmediateScheduler.shared).run() }),
    ("start(on:)", { handler($0).subscribe(on: ImmediateScheduler.shared).run() }),
    ("delay(_:on:)", { handler($0).delay(for: 1, scheduler: HastyScheduler()).run() }),
    (
        "debounce(_:on:discardWhenCompleted:)",
        { handler($0).debounce(for: 1, scheduler: HastyScheduler()).run() }
    ),
    (
        "throttle(_:on:latest:discardWhenCompleted:)",
        { handler($0).throttle(for: 1, scheduler: StillScheduler(), latest: true).run() }
    ),
    ("timeInterval(on:)", { handler($0).measureInterval(using: StillScheduler()).run() }),
    (
        "timeout(after:raising:on:)",
        { failing($0).timeout(60, scheduler: StillScheduler()) { Failure() }.runResult() }
    ),
    (
        "timeout(between:raising:on:)",
        { failing($0).timeout(60, scheduler: StillScheduler()) { Failure() }.runResult() }
    ),
]

private let successionRows: [PeerRow] = [
    ("concat(_:)", { handler($0).append(handler(2)).run() }),
    ("concat(value:)", { handler($0).append(2).run() }),
    ("concat(error:)", { failing($0).append(Fail(error: Failure())).runResult() }),
    ("prefix(_:)", { handler($0).prepend(handler(2)).run() }),
    ("prefix(value:)", { handler($0).prepend(2).run() }),
    ("retry(upTo:)", { failing($0).retry(2).runResult() }),
    ("flatMapError(_:)", { failing($0).catch { _ in failing(1) }.runResult() }),
    ("share(replay:while:)", { handler($0).share().run() }),
]

private let joiningRows: [PeerRow] = [
    ("flatMap(_:raising:_:), .merge", { handler($0).flatMap { handler($0) }.run() }),
    ("flatMap(_:raising:_:), .concat", { handler($0).flatMap(maxPublishers: .max(1)) { handler($0) }.run() }),
    ("flatMap(_:raising:_:), .concurrent", { handler($0).flatMap(maxPublishers: .max(2)) { handler($0) }.run() }),
    ("flatMap(_:raising:_:), .latest", { handler($0).map { handler($0) }.switchToLatest().run() }),
    (
        "flatMap(_:_:), a result",
        { failing($0).flatMap { Result<Int, Failure>.success(work($0)).publisher }.runResult() }
    ),
    ("flatten(_:raising:)", { handler($0).map { handler($0) }.flatMap { $0 }.run() }),
    ("zip(_:_:)", { handler($0).zip(handler(2)).run() }),
    ("zip(_:_:_:)", { handler($0).zip(handler(2), handler(3)).run() }),
    ("zip(_:_:_:_:)", { handler($0).zip(handler(2), handler(3), handler(4)).run() }),
    ("zip(with:)", { handler($0).zip(handler(2)).run() }),
]
