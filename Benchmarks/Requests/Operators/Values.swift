import ReactiveServer
import ReactiveSignals

/// An operator that a program has written.
private struct Incrementing: StreamOperator {
    func receive(_ value: Int, to output: inout OperatorOutput<Int, Never>) { output.sendNext(work(value)) }
}

private struct Tap: StreamTap {
    func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) { use(event) }
}

/// Prints nothing.
private let logger: EventLogger = { _, event, _, _, _ in use(event) }

/// Operators that transform values, and those that change none.
let valueRows: [Row] = [
    ("map(_:)", { handler($0).map(work).startWithNext { use($0) } }),
    (
        "map(_:), a key path",
        {
            let path: any KeyPath<Int, String> & Sendable = \.description
            handler($0).map(path).startWithNext { use($0) }
        }
    ),
    ("mapReplace(_:)", { handler($0).mapReplace(7).startWithNext { use($0) } }),
    ("compactMap(_:)", { handler($0).compactMap { Optional(work($0)) }.startWithNext { use($0) } }),
    ("attempt(_:)", { failing($0).attempt { (value) throws(Failure) in use(value) }.startWithResult { use($0) } }),
    (
        "attemptMap(_:)",
        { failing($0).attemptMap { (value) throws(Failure) in work(value) }.startWithResult { use($0) } }
    ),
    ("scan(_:_:)", { handler($0).scan(0) { $0 &+ $1 }.startWithNext { use($0) } }),
    ("scan(into:_:)", { handler($0).scan(into: 0) { $0 &+= $1 }.startWithNext { use($0) } }),
    ("scanMap(_:_:)", { handler($0).scanMap(0) { ($0 &+ $1, $1) }.startWithNext { use($0) } }),
    (
        "scanMap(into:_:)",
        {
            handler($0).scanMap(into: 0) { (sum: inout Int, value: Int) -> Int in
                sum &+= value
                return sum
            }
            .startWithNext { use($0) }
        }
    ),
    ("reduce(_:_:)", { handler($0).reduce(0) { $0 &+ $1 }.startWithNext { use($0) } }),
    ("reduce(into:_:)", { handler($0).reduce(into: 0) { $0 &+= $1 }.startWithNext { use($0) } }),
    ("count()", { handler($0).count().startWithNext { use($0) } }),
    ("min()", { handler($0).min().startWithNext { use($0) } }),
    ("min(by:)", { handler($0).min { $0 < $1 }.startWithNext { use($0) } }),
    ("max()", { handler($0).max().startWithNext { use($0) } }),
    ("max(by:)", { handler($0).max { $0 < $1 }.startWithNext { use($0) } }),
    ("allSatisfy(_:)", { handler($0).allSatisfy { $0 > 0 }.startWithNext { use($0) } }),
    ("contains(where:)", { handler($0).contains { $0 > 0 }.startWithNext { use($0) } }),
    ("combinePrevious()", { Numbers([$0, 2]).combinePrevious().startWithNext { use($0) } }),
    ("combinePrevious(_:)", { handler($0).combinePrevious(0).startWithNext { use($0) } }),
    ("collect()", { handler($0).collect().startWithNext { use($0) } }),
    ("collect(count:)", { handler($0).collect(count: 1).startWithNext { use($0) } }),
    (
        "collect(_:)",
        { handler($0).collect { (values: [Int]) -> Bool in values.count == 1 }.startWithNext { use($0) } }
    ),
    ("slidingWindow(_:)", { handler($0).slidingWindow(1).startWithNext { use($0) } }),
    ("slidingWindow(upTo:)", { handler($0).slidingWindow(upTo: 2).startWithNext { use($0) } }),
    ("flatten()", { handler($0).map { [$0, 2] }.flatten().startWithNext { use($0) } }),
    ("negate()", { handler($0).map { $0 > 0 }.negate().startWithNext { use($0) } }),
    ("materialize()", { handler($0).materialize().startWithNext { use($0) } }),
    ("dematerialize()", { handler($0).materialize().dematerialize().startWithNext { use($0) } }),
    ("materializeResults()", { failing($0).materializeResults().startWithNext { use($0) } }),
    (
        "dematerializeResults()",
        { failing($0).materializeResults().dematerializeResults().startWithResult { use($0) } }
    ),
    ("mapError(_:)", { failing($0).mapError { $0 }.startWithResult { use($0) } }),
    ("promoteError(_:)", { handler($0).promoteError(Failure.self).startWithResult { use($0) } }),
    ("promoteValue(_:)", { handler($0).ignoreValues().promoteValue(Int.self).startWithCompleted { use(()) } }),
    ("ignoreErrors(complete:)", { failing($0).ignoreErrors().startWithNext { use($0) } }),
    ("ignoreValues()", { handler($0).ignoreValues().startWithCompleted { use(()) } }),
    (
        "lift(_:)",
        {
            handler($0).lift { (signal: Signal<Int, Never>) -> Signal<Int, Never> in signal.map(work) }
                .startWithNext { use($0) }
        }
    ),
    ("applying(_:named:argument:)", { handler($0).applying(Incrementing()).startWithNext { use($0) } }),
    ("named(_:file:line:)", { handler($0).named("handler").startWithNext { use($0) } }),
    (
        "on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
        { handler($0).on(next: { use($0) }).startWithNext { use($0) } }
    ),
    ("tapped(by:file:line:)", { handler($0).tapped(by: Tap()).startWithNext { use($0) } }),
    (
        "breakpoint(next:error:completed:interrupted:)",
        { handler($0).breakpoint(next: { _ in false }).startWithNext { use($0) } }
    ),
    ("recordEvents(last:)", { handler($0).recordEvents(last: 2).producer.startWithNext { use($0) } }),
    ("recordEvents(last:on:)", { handler($0).recordEvents(last: 2, on: still).producer.startWithNext { use($0) } }),
    (
        "logEvents(identifier:events:fileName:functionName:lineNumber:logger:)",
        { handler($0).logEvents(logger: logger).startWithNext { use($0) } }
    ),
    (
        "logAll(fileName:functionName:lineNumber:logger:)",
        { handler($0).logAll(logger: logger).startWithNext { use($0) } }
    ),
    (
        "logNext(fileName:functionName:lineNumber:logger:)",
        { handler($0).logNext(logger: logger).startWithNext { use($0) } }
    ),
    (
        "logError(fileName:functionName:lineNumber:logger:)",
        { failing($0).logError(logger: logger).startWithResult { use($0) } }
    ),
    (
        "logCompleted(fileName:functionName:lineNumber:logger:)",
        { handler($0).logCompleted(logger: logger).startWithNext { use($0) } }
    ),
    (
        "logInterrupted(fileName:functionName:lineNumber:logger:)",
        { handler($0).logInterrupted(logger: logger).startWithNext { use($0) } }
    ),
    ("waitingForWork()", { handler($0).waitingForWork().startWithNext { use($0) } }),
    ("uninterruptible()", { handler($0).uninterruptible().startWithNext { use($0) } }),
]
