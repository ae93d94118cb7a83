import AsyncAlgorithms

/// What an async sequence has in place of a start handler.
@inline(never) private func handler(_ number: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
        continuation.yield(work(number))
        continuation.finish()
    }
}

extension AsyncSequence where Failure == Never {
    @inline(__always)
    fileprivate func run() async {
        for await value in self { use(value) }
    }
}

/// Its time stands still, and sleep is over at once.
private struct HastyClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

let asyncRows: [AsyncPeerRow] = [
    ("value, map", { await [$0].async.map(work).run() }),
    ("values, map", { await [$0, 2].async.map(work).run() }),
    ("handler, map", { await handler($0).map(work).run() }),
    (
        "never, start and dispose",
        { _ in
            let task = Task { await AsyncStream<Int> { _ in }.map(work).run() }
            task.cancel()
            await task.value
        }
    ),
    ("init(value:)", { await [$0].async.run() }),
    ("init(_:), a sequence", { await [$0, 2].async.run() }),
    ("init(contention:_:)", { await handler($0).run() }),
    ("empty", { _ in await EmptyCollection<Int>().async.run() }),
    (
        "never",
        { _ in
            let task = Task { await AsyncStream<Int> { _ in }.run() }
            task.cancel()
            await task.value
        }
    ),
    ("async(priority:_:)", { number in use(await Task { work(number) }.value) }),
    ("map(_:)", { await handler($0).map(work).run() }),
    ("compactMap(_:)", { await handler($0).compactMap { Optional(work($0)) }.run() }),
    ("scan(_:_:)", { await handler($0).reductions(0) { $0 &+ $1 }.run() }),
    ("reduce(_:_:)", { use(await handler($0).reduce(0) { $0 &+ $1 }) }),
    ("reduce(into:_:)", { use(await handler($0).reduce(into: 0) { $0 &+= $1 }) }),
    ("min()", { use(await handler($0).min()) }),
    ("min(by:)", { use(await handler($0).min { $0 < $1 }) }),
    ("max()", { use(await handler($0).max()) }),
    ("max(by:)", { use(await handler($0).max { $0 < $1 }) }),
    ("allSatisfy(_:)", { use(await handler($0).allSatisfy { $0 > 0 }) }),
    ("contains(where:)", { use(await handler($0).contains { $0 > 0 }) }),
    ("combinePrevious()", { await [$0, 2].async.adjacentPairs().run() }),
    ("collect()", { use(await Array(handler($0))) }),
    ("collect(count:)", { await handler($0).chunks(ofCount: 1).run() }),
    ("filter(_:)", { await handler($0).filter { $0 > 0 }.run() }),
    ("skipNil()", { await handler($0).map { Optional($0) }.compacted().run() }),
    ("take(first:)", { await handler($0).prefix(1).run() }),
    ("take(while:)", { await handler($0).prefix { $0 > 0 }.run() }),
    ("skip(first:)", { await [$0, 2].async.dropFirst().run() }),
    ("skip(while:)", { await handler($0).drop { $0 < 0 }.run() }),
    ("skipRepeats()", { await handler($0).removeDuplicates().run() }),
    ("skipRepeats(_:)", { await handler($0).removeDuplicates { $0 == $1 }.run() }),
    ("first(where:)", { use(await handler($0).first { $0 > 0 } as Any) }),
    (
        "debounce(_:on:discardWhenCompleted:)",
        { await handler($0).debounce(for: .seconds(1), clock: HastyClock()).run() }
    ),
    ("buffer(upTo:whenFull:on:)", { await handler($0).buffer(policy: .bounded(2)).run() }),
    ("concat(_:)", { await chain(handler($0), handler(2)).run() }),
    ("share(replay:while:)", { await handler($0).share().run() }),
    ("flatMap(_:raising:_:), .concat", { await handler($0).flatMap { handler($0) }.run() }),
    ("flatten(_:raising:)", { await handler($0).map { handler($0) }.joined().run() }),
    ("merge(_:)", { await merge(handler($0), handler(2)).run() }),
    ("merge(with:)", { await merge(handler($0), handler(2)).run() }),
    ("combineLatest(_:_:)", { await combineLatest(handler($0), handler(2)).run() }),
    ("combineLatest(_:_:_:)", { await combineLatest(handler($0), handler(2), handler(3)).run() }),
    ("zip(_:_:)", { await zip(handler($0), handler(2)).run() }),
    ("zip(_:_:_:)", { await zip(handler($0), handler(2), handler(3)).run() }),
]
