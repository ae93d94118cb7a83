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

let openCombineRows: [PeerRow] = [
    ("value, map", { Just($0).map(work).run() }),
    ("values, map", { [$0, 2].publisher.eraseToAnyPublisher().map(work).run() }),
    ("handler, map", { handler($0).map(work).run() }),
    (
        "never, start and dispose",
        { _ in Empty<Int, Never>(completeImmediately: false).map(work).sink { use($0) }.cancel() }
    ),
    ("flatMap(.merge)", { handler($0).flatMap { handler($0) }.run() }),
    ("flatMap(.concat)", { handler($0).flatMap(maxPublishers: .max(1)) { handler($0) }.run() }),
    ("flatMap(.latest)", { handler($0).map { handler($0) }.switchToLatest().run() }),
    (
        "flatMap(.merge) of 10",
        { number in (0..<10).publisher.flatMap { handler($0 &+ number) }.collect().sink { use($0.count) }.cancel() }
    ),
    ("concat", { handler($0).append(handler(2)).run() }),
    ("zip of 2", { handler($0).zip(handler(2)).run() }),
    ("zip of 3", { handler($0).zip(handler(2), handler(3)).run() }),
    (
        "take(until:)",
        { handler($0).prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).run() }
    ),
    ("observe(on:), inline", { handler($0).receive(on: ImmediateScheduler.shared).run() }),
    ("retry(upTo: 2)", { failing($0).retry(2).runResult() }),
    ("flatMapError", { failing($0).catch { _ in failing(1) }.runResult() }),
    ("timeout", { failing($0).timeout(60, scheduler: StillScheduler()) { Failure() }.runResult() }),
    (
        "handler: timeout, retry, map",
        { failing($0).timeout(60, scheduler: StillScheduler()) { Failure() }.retry(2).map(work).runResult() }
    ),
    ("share", { handler($0).share().run() }),
    ("observe, dispose", { _ in events.sink { use($0) }.cancel() }),
    ("a property, set", { CurrentValueSubject<Int, Never>($0).value = 2 }),
]
