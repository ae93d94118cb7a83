// What a server does for each request: it makes a short chain, starts it, gets a value, and ends or disposes of it.
// Scripts/check-requests counts the instructions and the heap blocks of each row. The rows of single operators are in
// the folder Operators.

import ReactiveServer
import ReactiveSignals

typealias Row = (name: String, body: @Sendable (Int) -> Void)
typealias Numbers = SignalProducer<Int, Never>
typealias Fallible = SignalProducer<Int, Failure>

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

/// Like `handler`, but it may fail.
@inline(never) func failing(_ number: Int) -> Fallible {
    Fallible { observer, _ in
        observer.sendNext(work(number))
        observer.sendCompleted()
    }
}

@inline(never) func use(_ value: some Any) {}

/// Its time stands still.
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

/// Its timers fire as soon as they are set. Its time is then that of the timer. Only one thread uses it.
final class HastyScheduler: DelayScheduler, @unchecked Sendable {
    private(set) var now = ContinuousClock.now

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        now += delay
        return schedule(action)
    }

    /// Fires once.
    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        now += delay
        action()
        return AnyDisposable { withExtendedLifetime(action) {} }
    }
}

/// Its timers fire when it is asked to let the last one fire. Only one thread uses it.
final class ManualScheduler: DelayScheduler, @unchecked Sendable {
    private(set) var now = ContinuousClock.now
    private var last: (delay: Duration, action: @Sendable () -> Void)?

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        last = (delay, action)
        return AnyDisposable { withExtendedLifetime(action) {} }
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(after: delay, leeway: leeway, action) }

    func fire() {
        guard let (delay, action) = last else { return }
        last = nil
        now += delay
        action()
    }
}

let inline = ImmediateScheduler()
let still = StillScheduler()
let hasty = HastyScheduler()
let manual = ManualScheduler()
/// Its timer is set before the rows are counted, and does not fire.
let queue = QueueScheduler()
let global = MutableProperty(0)
let doubled = global.map { $0 &* 2 }
let other = MutableProperty(0)
let (readings, readingsInput) = Signal<Int, Never>.pipe()
let flights = SingleFlight<Int, Int, Never> { handler($0) }

let scenarioRows: [Row] = [
    ("value, map", { Numbers(value: $0).map(work).startWithNext { use($0) } }),
    ("values, map", { Numbers([$0, 2]).map(work).startWithNext { use($0) } }),
    ("handler, map", { handler($0).map(work).startWithNext { use($0) } }),
    ("never, start and dispose", { _ in Numbers.never.map(work).startWithNext { use($0) }.dispose() }),
    (
        "flatMap(.merge) of 10",
        { number in
            Numbers(0..<10).flatMap(.merge) { handler($0 &+ number) }.collect().startWithNext { use($0.count) }
        }
    ),
    (
        "handler: timeout, retry, map",
        {
            failing($0).timeout(after: .seconds(60), raising: Failure(), on: still).retry(upTo: 2).map(work)
                .startWithResult { use($0) }
        }
    ),
    (
        "handler on a queue: timeout, retry, map",
        {
            failing($0).timeout(after: .seconds(60), raising: Failure(), on: queue).retry(upTo: 2).map(work)
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
    static func main() {
        let requests = scenarioRows.map(repeated(_:))
        if CommandLine.arguments.dropFirst() == ["threads"] { return compareThreads(requests) }
        let operatorRows =
            sourceRows + valueRows + selectionRows + timeRows + successionRows + flatteningRows + joiningRows + taskRows
        count([
            ("Requests", requests),
            // The documentation tests compare their names with the public ones.
            ("Operators and sources", operatorRows.map(repeated(_:))),
        ])
    }

    private static func repeated(_ row: Row) -> RepeatedRow {
        (row.name, { count in for number in 0..<count { row.body(number) } })
    }
}
