import ReactiveServer
import ReactiveSignals

private let action = Action<Int, Int, Never> { handler($0) }
private let plainAction = Action<Void, Int, Never> { handler(1) }
private let property = Property(initial: 1, then: Numbers.never)
private let validating = ValidatingProperty<Int, Failure>(1) { _ in .valid }

/// What makes a producer.
let sourceRows: [Row] = [
    ("init(value:)", { Numbers(value: $0).startWithNext { use($0) } }),
    ("init(values:_:_:)", { Numbers(values: $0, 2, 3).startWithNext { use($0) } }),
    ("init(error:)", { _ in Fallible(error: Failure()).startWithResult { use($0) } }),
    ("init(result:)", { Fallible(result: .success($0)).startWithResult { use($0) } }),
    ("init(_:), a sequence", { Numbers([$0, 2]).startWithNext { use($0) } }),
    (
        "init(_:), a signal",
        { number in
            let (signal, input) = Signal<Int, Never>.pipe()
            Numbers(signal).startWithNext { use($0) }
            input.sendNext(number)
            input.sendCompleted()
        }
    ),
    ("init(_:), a producer", { Numbers(handler($0)).startWithNext { use($0) } }),
    ("init(contention:_:)", { handler($0).startWithNext { use($0) } }),
    (
        "init(callback:)",
        { number in Numbers(callback: { $0(.success(work(number))) }).startWithNext { use($0) } }
    ),
    (
        "init(cancellableCallback:)",
        { number in
            Numbers(cancellableCallback: {
                $0(.success(work(number)))
                return {}
            })
            .startWithNext { use($0) }
        }
    ),
    ("empty", { _ in Numbers.empty.startWithCompleted { use(()) } }),
    ("never", { _ in Numbers.never.startWithNext { use($0) }.dispose() }),
    ("deferred(_:)", { number in Numbers.deferred { handler(number) }.startWithNext { use($0) } }),
    (
        "attempt(_:), a source",
        { number in
            Fallible.attempt { () throws(Failure) -> Int in work(number) }.startWithResult { use($0) }
        }
    ),
    (
        "using(resource:producer:)",
        { number in
            Numbers.using(resource: { SimpleDisposable() }, producer: { _ in handler(number) })
                .startWithNext { use($0) }
        }
    ),
    (
        "using(resource:release:producer:)",
        {
            (number: Int) in
            Numbers.using(
                resource: { number }, release: { (resource: Int) -> Void in use(resource) },
                producer: { handler($0) }
            )
            .startWithNext { use($0) }
        }
    ),
    (
        "unfold(_:_:)",
        { number in
            Numbers.unfold(number) { $0 == number ? ($0, $0 &+ 1) : nil }.startWithNext { use($0) }
        }
    ),
    (
        "timer(after:on:)",
        { _ in SignalProducer.timer(after: .seconds(1), on: hasty).startWithNext { use($0) } }
    ),
    (
        "timer(interval:on:leeway:)",
        { _ in
            SignalProducer.timer(interval: .seconds(1), on: hasty).startWithNext { use($0) }.dispose()
        }
    ),
    ("interval(_:on:)", { _ in Numbers.interval(.seconds(1), on: hasty).startWithNext { use($0) }.dispose() }),
    (
        "interval(_:_:on:)",
        { Numbers.interval([$0, 2], .seconds(1), on: hasty).startWithNext { use($0) }.dispose() }
    ),
    (
        "buffer(capacity:)",
        {
            let (producer, input) = Numbers.buffer(capacity: 2)
            producer.startWithNext { use($0) }
            input.sendNext($0)
            input.sendCompleted()
        }
    ),
    ("producer", { handler($0).producer.startWithNext { use($0) } }),
    ("Result.producer", { Result<Int, Failure>.success($0).producer.startWithResult { use($0) } }),
    (
        "Signal.producer",
        { number in
            let (signal, input) = Signal<Int, Never>.pipe()
            signal.producer.startWithNext { use($0) }
            input.sendNext(number)
            input.sendCompleted()
        }
    ),
    ("Property.producer", { _ in property.producer.startWithNext { use($0) }.dispose() }),
    ("MutableProperty.producer", { _ in global.producer.startWithNext { use($0) }.dispose() }),
    ("ValidatingProperty.producer", { _ in validating.producer.startWithNext { use($0) }.dispose() }),
    ("Action.apply(_:)", { action.apply($0).startWithResult { use($0) } }),
    ("Action.apply()", { _ in plainAction.apply().startWithResult { use($0) } }),
    (
        "Action.draining()",
        { _ in Action<Int, Int, Never> { handler($0) }.draining().startWithCompleted { use(()) } }
    ),
    ("SingleFlight.producer(for:)", { flights.producer(for: $0).startWithNext { use($0) } }),
    (
        "Group.producer",
        { handler($0).groupBy { $0 & 1 }.startWithNext { group in group.producer.startWithNext { use($0) } } }
    ),
    (
        "Connection.producer",
        {
            let connection = handler($0).multicast()
            connection.producer.startWithNext { use($0) }
            connection.connect()
        }
    ),
    ("Connection.autoconnect()", { handler($0).multicast().autoconnect().startWithNext { use($0) } }),
    (
        "SignalChannel.Terminal.producer",
        {
            let channel = SignalChannel<Int, Never>()
            channel.following.producer.startWithNext { use($0) }
            channel.leading.sendNext($0)
            channel.leading.sendCompleted()
        }
    ),
]
