import ReactiveServer
import ReactiveSignals

/// Operators that make a producer of each value.
let flatteningRows: [Row] = [
    ("flatMap(_:raising:_:), .merge", { handler($0).flatMap(.merge) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(_:raising:_:), .concat", { handler($0).flatMap(.concat) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(_:raising:_:), .latest", { handler($0).flatMap(.latest) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(_:raising:_:), .race", { handler($0).flatMap(.race) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(_:raising:_:), .throttle", { handler($0).flatMap(.throttle) { handler($0) }.startWithNext { use($0) } }),
    (
        "flatMap(_:raising:_:), .concurrent",
        { handler($0).flatMap(.concurrent(limit: 2)) { handler($0) }.startWithNext { use($0) } }
    ),
    (
        "flatMap(_:raising:_:), ordered",
        { handler($0).flatMap(.concurrent(limit: 2, ordered: true)) { handler($0) }.startWithNext { use($0) } }
    ),
    (
        "flatMap(_:raising:_:), bounded",
        {
            failing($0).flatMap(.concat(waiting: 2, whenFull: .fail), raising: Failure()) { failing($0) }
                .startWithResult { use($0) }
        }
    ),
    (
        "flatMap(_:_:), a result",
        {
            failing($0).flatMap(.merge) { Result<Int, Failure>.success(work($0)) }.startWithResult { use($0) }
        }
    ),
    (
        "flatMap(_:delayErrors:_:)",
        { failing($0).flatMap(.merge, delayErrors: .first) { failing($0) }.startWithResult { use($0) } }
    ),
    (
        "flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)",
        {
            handler($0).flatMap(
                perKey: { $0 & 1 }, .concat, idle: .seconds(1), maxKeys: 2, whenFull: .dropOldest, on: still
            ) { handler($0) }
            .startWithNext { use($0) }
        }
    ),
    ("flatten(_:raising:)", { handler($0).map { handler($0) }.flatten(.merge).startWithNext { use($0) } }),
    ("expand(_:raising:_:)", { handler($0).expand(.merge) { _ in Numbers.empty }.startWithNext { use($0) } }),
]
