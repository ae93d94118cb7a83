// What a server does for each request: it makes a short chain, starts it, gets a value, and ends or disposes of it.
// Scripts/check-requests counts the instructions and the heap blocks of each row.

import ReactiveServer
import ReactiveSignals

typealias Numbers = SignalProducer<Int, Never>

struct Failure: Error {}

/// Work of which the compiler knows nothing.
@inline(never) func work(_ number: Int) -> Int { number &+ 1 }

/// A producer whose handler sends a value and completes.
@inline(never) func handler(_ number: Int) -> Numbers {
    Numbers { observer, _ in
        observer.sendNext(work(number))
        observer.sendCompleted()
    }
}

@inline(never) func failing(_ number: Int) -> SignalProducer<Int, Failure> {
    SignalProducer { observer, _ in
        observer.sendNext(work(number))
        observer.sendCompleted()
    }
}

@inline(never) func use(_ value: some Any) {}

/// Its time stands still. How a queue sets a timer depends on the machine.
final class StillScheduler: DelayScheduler {
    let now = ContinuousClock.now

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { AnyDisposable { withExtendedLifetime(action) {} } }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { AnyDisposable { withExtendedLifetime(action) {} } }
}

let inline = ImmediateScheduler()
let still = StillScheduler()
let global = MutableProperty(0)
let doubled = global.map { $0 &* 2 }
let other = MutableProperty(0)
let (readings, readingsInput) = Signal<Int, Never>.pipe()
let flights = SingleFlight<Int, Int, Never> { handler($0) }

let rows: [(name: String, body: @Sendable (Int) -> Void)] = [
    ("value, map", { Numbers(value: $0).map(work).startWithNext { use($0) } }),
    ("values, map", { Numbers([$0, 2]).map(work).startWithNext { use($0) } }),
    ("handler, map", { handler($0).map(work).startWithNext { use($0) } }),
    ("never, start and dispose", { _ in Numbers.never.map(work).startWithNext { use($0) }.dispose() }),
    ("flatMap(.merge)", { handler($0).flatMap(.merge) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(.concat)", { handler($0).flatMap(.concat) { handler($0) }.startWithNext { use($0) } }),
    ("flatMap(.latest)", { handler($0).flatMap(.latest) { handler($0) }.startWithNext { use($0) } }),
    (
        "flatMap(.merge) of 10",
        { number in
            Numbers(0..<10).flatMap(.merge) { handler($0 &+ number) }.collect().startWithNext { use($0.count) }
        }
    ),
    ("concat", { handler($0).concat(handler(2)).startWithNext { use($0) } }),
    ("merge of 2", { Numbers.merge([handler($0), handler(2)]).startWithNext { use($0) } }),
    ("zip of 2", { SignalProducer.zip(handler($0), handler(2)).startWithNext { use($0) } }),
    ("zip of 3", { SignalProducer.zip(handler($0), handler(2), handler(3)).startWithNext { use($0) } }),
    ("combineLatest of 2", { SignalProducer.combineLatest(handler($0), handler(2)).startWithNext { use($0) } }),
    (
        "combineLatest of 3",
        { SignalProducer.combineLatest(handler($0), handler(2), handler(3)).startWithNext { use($0) } }
    ),
    ("forkJoin of 3", { SignalProducer.forkJoin(handler($0), handler(2), handler(3)).startWithNext { use($0) } }),
    ("race of 2", { Numbers.race([handler($0), handler(2)]).startWithNext { use($0) } }),
    ("take(until:)", { handler($0).take(until: Numbers.never).startWithNext { use($0) } }),
    ("withLatest(from:)", { handler($0).withLatest(from: handler(2)).startWithNext { use($0) } }),
    ("sample(with:)", { handler($0).sample(with: handler(2)).startWithNext { use($0) } }),
    ("observe(on:), inline", { handler($0).observe(on: inline).startWithNext { use($0) } }),
    ("retry(upTo: 2)", { failing($0).retry(upTo: 2).startWithResult { use($0) } }),
    ("flatMapError", { failing($0).flatMapError { _ in failing(1) }.startWithResult { use($0) } }),
    (
        "timeout",
        { failing($0).timeout(after: .seconds(60), raising: Failure(), on: still).startWithResult { use($0) } }
    ),
    (
        "handler: timeout, retry, map",
        {
            failing($0).timeout(after: .seconds(60), raising: Failure(), on: still).retry(upTo: 2).map(work)
                .startWithResult { use($0) }
        }
    ),
    (
        "retry, reset on success",
        {
            failing($0).retry(.constant(.seconds(1), upTo: 2).resetOnSuccess(), on: still)
                .startWithResult { use($0) }
        }
    ),
    (
        "flatMap(.merge), delayed errors",
        { failing($0).flatMap(.merge, delayErrors: .first) { failing($0) }.startWithResult { use($0) } }
    ),
    ("waitingForWork", { handler($0).waitingForWork().startWithNext { use($0) } }),
    ("uninterruptible", { handler($0).uninterruptible().startWithNext { use($0) } }),
    ("slidingWindow(upTo:)", { handler($0).slidingWindow(upTo: 2).startWithNext { use($0) } }),
    ("settle", { handler($0).settle(for: .seconds(1), atMost: .seconds(2), on: still).startWithNext { use($0) } }),
    (
        "buffer(upTo:) that reports",
        { handler($0).buffer(upTo: 2, whenFull: .dropOldest, on: inline) { use($0) }.startWithNext { use($0) } }
    ),
    ("share", { handler($0).share(while: .observed).startWithNext { use($0) } }),
    ("groupBy, flatMap", { handler($0).groupBy { $0 & 1 }.flatMap(.merge) { $0.producer }.startWithNext { use($0) } }),
    ("window(count:), flatMap", { handler($0).window(count: 2).flatMap(.merge) { $0 }.startWithNext { use($0) } }),
    ("expand", { handler($0).expand(.merge) { _ in Numbers.empty }.startWithNext { use($0) } }),
    ("firstSuccess of 2", { SignalProducer.firstSuccess([failing($0), failing(2)]).startWithResult { use($0) } }),
    ("single flight", { flights.producer(for: $0).startWithNext { use($0) } }),
    ("cached", { handler($0).cached(for: .seconds(60), on: still).startWithNext { use($0) } }),
    ("observe, dispose", { _ in global.signal.observeNext { use($0) }?.dispose() }),
    ("a property, set", { MutableProperty($0).value = 2 }),
    ("map of a property", { number in use(global.map { $0 &+ number }.value) }),
    ("observe a map, dispose", { _ in doubled.signal.observeNext { use($0) }?.dispose() }),
    ("observe a new map, dispose", { number in global.map { $0 &+ number }.signal.observeNext { use($0) }?.dispose() }),
    ("property <~ signal", { (MutableProperty($0) <~ readings).dispose() }),
    ("<~>", { _ in (global <~> other).dispose() }),
    (
        "combined with a global",
        {
            MutableProperty($0).combineLatest(with: global).map { $0 &+ $1 }.producer.startWithNext { use($0) }
                .dispose()
        }
    ),
    (
        "session: a property and a global one",
        {
            let own = MutableProperty($0)
            let start = own.combineLatest(with: global).map { $0 &+ $1 }.producer.startWithNext { use($0) }
            for number in 0..<5 { own.value = number }
            start.dispose()
        }
    ),
]

@main
struct Requests {
    /// Prints the names of the rows, or runs one of them a number of times.
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            for row in rows { print(row.name) }
            return
        }
        guard let row = rows.first(where: { $0.name == arguments[1] }) else { fatalError("no row \(arguments[1])") }
        for number in 0..<count { row.body(number) }
    }
}
