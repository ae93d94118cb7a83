import ReactiveServer
import ReactiveSignals

/// Operators that start one producer after another, and those that share a start.
let successionRows: [Row] = [
    ("concat(_:)", { handler($0).concat(handler(2)).startWithNext { use($0) } }),
    ("concat(_:), a collection", { Numbers.concat([handler($0), handler(2)]).startWithNext { use($0) } }),
    (
        "concat(_:delayErrors:)",
        { Fallible.concat([failing($0), failing(2)], delayErrors: .first).startWithResult { use($0) } }
    ),
    ("concat(value:)", { handler($0).concat(value: 2).startWithNext { use($0) } }),
    ("concat(error:)", { failing($0).concat(error: Failure()).startWithResult { use($0) } }),
    ("prefix(_:)", { handler($0).prefix(handler(2)).startWithNext { use($0) } }),
    ("prefix(value:)", { handler($0).prefix(value: 2).startWithNext { use($0) } }),
    ("then(_:)", { handler($0).then(handler(2)).startWithNext { use($0) } }),
    ("repeat(_:)", { handler($0).repeat(2).startWithNext { use($0) } }),
    ("repeat(while:)", { handler($0).repeat(while: { false }).startWithNext { use($0) } }),
    ("repeatForever()", { handler($0).repeatForever().take(first: 2).startWithNext { use($0) } }),
    ("retry(upTo:)", { failing($0).retry(upTo: 2).startWithResult { use($0) } }),
    (
        "retry(upTo:interval:on:)",
        { failing($0).retry(upTo: 2, interval: .seconds(1), on: still).startWithResult { use($0) } }
    ),
    (
        "retry(_:on:)",
        { failing($0).retry(.constant(.seconds(1), upTo: 2), on: still).startWithResult { use($0) } }
    ),
    ("retry(when:)", { failing($0).retry { $0.take(first: 1) }.startWithResult { use($0) } }),
    ("flatMapError(_:)", { failing($0).flatMapError { _ in failing(1) }.startWithResult { use($0) } }),
    (
        "firstSuccess(_:)",
        { SignalProducer.firstSuccess([failing($0), failing(2)]).startWithResult { use($0) } }
    ),
    (
        "firstSuccess(_:staggeredBy:on:)",
        {
            SignalProducer.firstSuccess([failing($0), failing(2)], staggeredBy: .seconds(1), on: still)
                .startWithResult { use($0) }
        }
    ),
    ("share(replay:while:)", { handler($0).share(while: .observed).startWithNext { use($0) } }),
    (
        "multicast(replay:)",
        {
            let connection = handler($0).multicast(replay: 1)
            connection.connect()
            connection.producer.startWithNext { use($0) }
        }
    ),
    ("replayLazily(upTo:)", { handler($0).replayLazily(upTo: 1).startWithNext { use($0) } }),
    ("replayEagerly(upTo:)", { handler($0).replayEagerly(upTo: 1).startWithNext { use($0) } }),
    (
        "cached(for:on:keepsErrors:)",
        { handler($0).cached(for: .seconds(60), on: still).startWithNext { use($0) } }
    ),
    ("cached(until:keepsErrors:)", { handler($0).cached(until: Numbers.never).startWithNext { use($0) } }),
]
