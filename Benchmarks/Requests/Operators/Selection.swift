import ReactiveServer
import ReactiveSignals

private let token = Lifetime.Token()
private let lifetime = Lifetime(token)

/// Operators that deliver some of the values.
let selectionRows: [Row] = [
    ("filter(_:)", { handler($0).filter { $0 > 0 }.startWithNext { use($0) } }),
    ("skipNil()", { handler($0).map { Optional($0) }.skipNil().startWithNext { use($0) } }),
    ("take(first:)", { handler($0).take(first: 1).startWithNext { use($0) } }),
    ("take(last:)", { handler($0).take(last: 1).startWithNext { use($0) } }),
    ("take(while:)", { handler($0).take(while: { $0 > 0 }).startWithNext { use($0) } }),
    ("take(throughWhile:)", { handler($0).take(throughWhile: { $0 > 0 }).startWithNext { use($0) } }),
    ("take(until:)", { handler($0).take(until: Numbers.never).startWithNext { use($0) } }),
    ("take(untilReplacement:)", { handler($0).take(untilReplacement: handler(2)).startWithNext { use($0) } }),
    ("take(during:)", { handler($0).take(during: lifetime).startWithNext { use($0) } }),
    ("skip(first:)", { Numbers([$0, 2]).skip(first: 1).startWithNext { use($0) } }),
    ("skip(while:)", { handler($0).skip(while: { $0 < 0 }).startWithNext { use($0) } }),
    ("skip(until:)", { handler($0).skip(until: Numbers(value: 1)).startWithNext { use($0) } }),
    ("skipRepeats()", { handler($0).skipRepeats().startWithNext { use($0) } }),
    ("skipRepeats(_:)", { handler($0).skipRepeats { $0 == $1 }.startWithNext { use($0) } }),
    ("uniqueValues()", { handler($0).uniqueValues().startWithNext { use($0) } }),
    ("uniqueValues(_:)", { handler($0).uniqueValues { $0 & 1 }.startWithNext { use($0) } }),
    ("uniqueValues(capacity:)", { handler($0).uniqueValues(capacity: 2).startWithNext { use($0) } }),
    ("uniqueValues(capacity:_:)", { handler($0).uniqueValues(capacity: 2) { $0 & 1 }.startWithNext { use($0) } }),
    ("first(where:)", { handler($0).first { $0 > 0 }.startWithNext { use($0) } }),
    ("last(where:)", { handler($0).last { $0 > 0 }.startWithNext { use($0) } }),
    ("element(at:)", { handler($0).element(at: 0).startWithNext { use($0) } }),
    ("exactlyOne(orError:)", { failing($0).exactlyOne(orError: Failure()).startWithResult { use($0) } }),
    (
        "partition(_:)",
        {
            let (matches, others) = handler($0).partition { $0 > 0 }
            matches.startWithNext { use($0) }
            others.startWithNext { use($0) }
        }
    ),
    ("defaultIfEmpty(_:)", { handler($0).defaultIfEmpty(9).startWithNext { use($0) } }),
    ("switchIfEmpty(_:)", { handler($0).switchIfEmpty(handler(2)).startWithNext { use($0) } }),
    (
        "groupBy(_:)",
        { handler($0).groupBy { $0 & 1 }.flatMap(.merge) { $0.producer }.startWithNext { use($0) } }
    ),
    (
        "groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)",
        {
            handler($0).groupBy(
                { $0 & 1 }, bufferLimit: 1, idle: .seconds(1), maxKeys: 2, whenFull: .dropOldest, on: still
            )
            .flatMap(.merge) { $0.producer }.startWithNext { use($0) }
        }
    ),
    ("window(count:)", { handler($0).window(count: 2).flatMap(.merge) { $0 }.startWithNext { use($0) } }),
    (
        "window(until:bufferLimit:whenFull:raising:)",
        {
            handler($0).window(until: Numbers.never, bufferLimit: 2, whenFull: .dropOldest).flatMap(.merge) { $0 }
                .startWithNext { use($0) }
        }
    ),
    (
        "window(every:on:bufferLimit:whenFull:raising:)",
        {
            handler($0).window(every: .seconds(1), on: still, bufferLimit: 2, whenFull: .dropOldest)
                .flatMap(.merge) { $0 }.startWithNext { use($0) }
        }
    ),
]
