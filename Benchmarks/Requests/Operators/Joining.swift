import ReactiveServer
import ReactiveSignals

/// A producer whose handler sends a Boolean value and completes.
private func condition(_ number: Int) -> SignalProducer<Bool, Never> { handler(number).map { $0 > 0 } }

/// Operators that join several producers.
let joiningRows: [Row] = [
    ("merge(_:)", { Numbers.merge([handler($0), handler(2)]).startWithNext { use($0) } }),
    (
        "merge(_:delayErrors:)",
        { Fallible.merge([failing($0), failing(2)], delayErrors: .first).startWithResult { use($0) } }
    ),
    ("merge(with:)", { handler($0).merge(with: handler(2)).startWithNext { use($0) } }),
    ("combineLatest(_:_:)", { SignalProducer.combineLatest(handler($0), handler(2)).startWithNext { use($0) } }),
    (
        "combineLatest(_:_:_:)",
        { SignalProducer.combineLatest(handler($0), handler(2), handler(3)).startWithNext { use($0) } }
    ),
    (
        "combineLatest(_:_:_:_:)",
        { SignalProducer.combineLatest(handler($0), handler(2), handler(3), handler(4)).startWithNext { use($0) } }
    ),
    (
        "combineLatest(_:_:_:_:_:)",
        {
            SignalProducer.combineLatest(
                handler($0), handler(2), handler(3), handler(4), handler(5)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "combineLatest(_:_:_:_:_:_:)",
        {
            SignalProducer.combineLatest(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "combineLatest(_:), seven",
        {
            SignalProducer.combineLatest(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6), handler(7)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "combineLatest(_:), a collection",
        { Numbers.combineLatest([handler($0), handler(2)]).startWithNext { use($0) } }
    ),
    (
        "combineLatest(_:emptySentinel:)",
        { Numbers.combineLatest([handler($0), handler(2)], emptySentinel: []).startWithNext { use($0) } }
    ),
    ("combineLatest(with:)", { handler($0).combineLatest(with: handler(2)).startWithNext { use($0) } }),
    (
        "combineLatest(_:delayErrors:)",
        { Fallible.combineLatest([failing($0), failing(2)], delayErrors: .first).startWithResult { use($0) } }
    ),
    ("zip(_:_:)", { SignalProducer.zip(handler($0), handler(2)).startWithNext { use($0) } }),
    ("zip(_:_:_:)", { SignalProducer.zip(handler($0), handler(2), handler(3)).startWithNext { use($0) } }),
    (
        "zip(_:_:_:_:)",
        { SignalProducer.zip(handler($0), handler(2), handler(3), handler(4)).startWithNext { use($0) } }
    ),
    (
        "zip(_:_:_:_:_:)",
        { SignalProducer.zip(handler($0), handler(2), handler(3), handler(4), handler(5)).startWithNext { use($0) } }
    ),
    (
        "zip(_:_:_:_:_:_:)",
        {
            SignalProducer.zip(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "zip(_:), seven",
        {
            SignalProducer.zip(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6), handler(7)
            )
            .startWithNext { use($0) }
        }
    ),
    ("zip(_:), a collection", { Numbers.zip([handler($0), handler(2)]).startWithNext { use($0) } }),
    ("zip(_:emptySentinel:)", { Numbers.zip([handler($0), handler(2)], emptySentinel: []).startWithNext { use($0) } }),
    ("zip(with:)", { handler($0).zip(with: handler(2)).startWithNext { use($0) } }),
    (
        "zip(with:bufferLimit:whenFull:raising:)",
        { handler($0).zip(with: handler(2), bufferLimit: 2, whenFull: .dropOldest).startWithNext { use($0) } }
    ),
    ("forkJoin(_:_:)", { SignalProducer.forkJoin(handler($0), handler(2)).startWithNext { use($0) } }),
    ("forkJoin(_:_:_:)", { SignalProducer.forkJoin(handler($0), handler(2), handler(3)).startWithNext { use($0) } }),
    (
        "forkJoin(_:_:_:_:)",
        { SignalProducer.forkJoin(handler($0), handler(2), handler(3), handler(4)).startWithNext { use($0) } }
    ),
    (
        "forkJoin(_:_:_:_:_:)",
        {
            SignalProducer.forkJoin(
                handler($0), handler(2), handler(3), handler(4), handler(5)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "forkJoin(_:_:_:_:_:_:)",
        {
            SignalProducer.forkJoin(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6)
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "forkJoin(_:), seven",
        {
            SignalProducer.forkJoin(
                handler($0), handler(2), handler(3), handler(4), handler(5), handler(6), handler(7)
            )
            .startWithNext { use($0) }
        }
    ),
    ("forkJoin(_:maxConcurrent:)", { Numbers.forkJoin([handler($0), handler(2)]).startWithNext { use($0) } }),
    ("race(_:)", { Numbers.race([handler($0), handler(2)]).startWithNext { use($0) } }),
    ("withLatest(from:)", { handler($0).withLatest(from: handler(2)).startWithNext { use($0) } }),
    ("sample(on:)", { handler($0).sample(on: handler(2)).startWithNext { use($0) } }),
    ("sample(with:)", { handler($0).sample(with: handler(2)).startWithNext { use($0) } }),
    ("collect(until:)", { handler($0).collect(until: Numbers.never).startWithNext { use($0) } }),
    ("and(_:)", { condition($0).and(condition(2)).startWithNext { use($0) } }),
    ("or(_:)", { condition($0).or(condition(2)).startWithNext { use($0) } }),
    ("all(_:)", { SignalProducer.all([condition($0), condition(2)]).startWithNext { use($0) } }),
    ("all(_:_:)", { SignalProducer.all(condition($0), condition(2)).startWithNext { use($0) } }),
    ("any(_:)", { SignalProducer.any([condition($0), condition(2)]).startWithNext { use($0) } }),
    ("any(_:_:)", { SignalProducer.any(condition($0), condition(2)).startWithNext { use($0) } }),
]
