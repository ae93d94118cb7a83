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
    ("flatMap(.concat)", { await handler($0).flatMap { handler($0) }.run() }),
    ("concat", { await chain(handler($0), handler(2)).run() }),
    ("merge of 2", { await merge(handler($0), handler(2)).run() }),
    ("zip of 2", { await zip(handler($0), handler(2)).run() }),
    ("zip of 3", { await zip(handler($0), handler(2), handler(3)).run() }),
    ("combineLatest of 2", { await combineLatest(handler($0), handler(2)).run() }),
    ("combineLatest of 3", { await combineLatest(handler($0), handler(2), handler(3)).run() }),
    ("share", { await handler($0).share().run() }),
]
