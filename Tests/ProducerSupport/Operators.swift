package import HotSignals
package import ReactiveSignals
package import ReactiveSignalsTesting
package import TestSupport
package import Testing

// Helpers that the tests of the operators share, so that each file contains only what is specific to its operator.

/// Expects that each start of an operator follows a start of its source: it has separate state, forwards the terminal
/// event, disposes of the source at the end, and sends `interrupted` on disposal. Nothing begins before a start, and
/// an endless source stops when downstream ends.
///
/// - Parameters:
///   - values: The values that a start sends immediately when its source sends 1.
///   - flushed: The values that it sends before it completes.
///   - completesIfInterrupted: Whether an interruption of the source is treated as completion.
package func expectFollows<Value>(
    values: [String] = ["1"], flushed: [String] = [], completesIfInterrupted: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Numbers) -> SignalProducer<Value, TestError>
) {
    for terminal in terminals {
        let isCompletion = terminal.isCompleted || completesIfInterrupted && terminal == .interrupted
        let all = values + (isCompletion ? flushed + ["completed"] : [terminal.text])
        let source = ManualSource<TestError>()
        let producer = transform(source.producer)
        expect(source.inputs.count, is: 0, "nothing begins before a start", sourceLocation: sourceLocation)
        let starts = (0..<2).map { index in
            let start = producer.startLogged()
            source.send(.next(1), from: index, sourceLocation: sourceLocation)
            return start
        }
        for start in starts {
            expect(start.log.all, is: values, "each start has its own state", sourceLocation: sourceLocation)
        }
        source.send(terminal, from: 0, sourceLocation: sourceLocation)
        expect(starts[0].log.all, is: all, sourceLocation: sourceLocation)
        expect(starts[1].log.all, is: values, "the other start goes on", sourceLocation: sourceLocation)
        expect(source.ended.all, is: [0], sourceLocation: sourceLocation)
        starts[1].disposable.dispose()
        source.send(.next(1), from: 1, sourceLocation: sourceLocation)
        expect(starts[1].log.all, is: values + ["interrupted"], sourceLocation: sourceLocation)
        expect(source.ended.all, is: [0, 1], sourceLocation: sourceLocation)
        source.inputs.removeAll()

        let synchronous = Numbers { observer, _ in
            observer.sendNext(1)
            observer.send(terminal)
        }
        expect(transform(synchronous).logged().all, is: all, "synchronously", sourceLocation: sourceLocation)
    }
    expectInterrupts(values: values, sourceLocation: sourceLocation, transform)
    expectDoesNotBegin(sourceLocation: sourceLocation, transform)
    guard let first = values.first else { return }
    let numbers = Endless()
    let log = transform(Numbers(numbers)).take(first: 1).logged()
    expect(log.all, is: [first, "completed"], "endless", sourceLocation: sourceLocation)
    expect(numbers.computed.value, is: 1, "endless", sourceLocation: sourceLocation)
}

/// A producer that the test drives, with one input per start.
package final class ManualSource<Failure: Error>: Sendable {
    package let inputs = Log<Signal<Int, Failure>.Observer>()
    /// The numbers of the starts that have ended, from 0.
    package let ended = Log<Int>()

    package init() {}

    package var producer: SignalProducer<Int, Failure> {
        SignalProducer { [inputs, ended] observer, lifetime in
            let number = inputs.count
            inputs.append(observer)
            lifetime.observeEnded { ended.append(number) }
        }
    }

    /// Sends from one start. A start that has not begun fails the test.
    package func send(
        _ event: Event<Int, Failure>, from start: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let inputs = inputs.all
        guard inputs.indices.contains(start) else {
            Issue.record("start \(start) has not begun", sourceLocation: sourceLocation)
            return
        }
        inputs[start].send(event)
    }
}

/// Sends the events of a script from two producers, and returns the events of a producer that combines them. In `a1
/// b2 a|` the first sends 1, the second 2, then the first completes. `X` is an error, `!` an interruption.
///
/// Two starts play the script side by side, and must receive the same events. When one ends, both of its inputs must
/// have been disposed of. If the script contains no end, disposal ends the starts with an interruption.
package func played<Value, OtherFailure>(
    _ script: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ combine: (Numbers, SignalProducer<Int, OtherFailure>) -> SignalProducer<Value, TestError>
) -> [String] {
    let (first, second) = (ManualSource<TestError>(), ManualSource<OtherFailure>())
    let producer = combine(first.producer, second.producer)
    let starts = (0..<2).map { _ in producer.startLogged() }
    func expectEnd(_ index: Int, _ comment: Comment) {
        let haveEnded = [first.ended, second.ended].map { $0.all.contains(index) }
        expect(haveEnded, is: [true, true], comment, sourceLocation: sourceLocation)
    }
    for step in script.split(separator: " ") {
        for (index, start) in starts.enumerated() {
            guard let mark = step.last, let event = Event(mark: mark) else { fatalError("no step: \(step)") }
            if step.first == "a" {
                first.send(event, from: index, sourceLocation: sourceLocation)
            } else {
                // A script that sends an error from a producer that cannot fail is a mistake.
                second.send(event.mapError { $0 as! OtherFailure }, from: index, sourceLocation: sourceLocation)
            }
            if hasEnded(start.log) { expectEnd(index, "\(script): at \(step)") }
        }
    }
    let results = starts.map { $0.log.all }
    expect(results[0], is: results[1], "\(script): each start on its own", sourceLocation: sourceLocation)
    for (index, start) in starts.enumerated() {
        let end = hasEnded(start.log) ? [] : ["interrupted"]
        start.disposable.dispose()
        expectEnd(index, "\(script): disposed of")
        expect(start.log.all, is: results[index] + end, "\(script): disposed of", sourceLocation: sourceLocation)
    }
    first.inputs.removeAll()
    second.inputs.removeAll()
    return results[0]
}

private func hasEnded(_ log: Log<String>) -> Bool {
    guard let last = log.all.last else { return false }
    return last == "completed" || last == "interrupted" || last.hasPrefix("error ")
}

extension Population.Member {
    /// Retains the member in a closure that calls this function.
    package func through<Value>(_ value: Value) -> Value { value }
}

/// Sends the events of a diagram, one character per second, and returns the resulting events with their times: `1 at
/// 2` for a value two seconds after the start. Marks events that do not arrive on the scheduler.
///
/// A second start, three seconds later and with a separate source, must receive the same events. Finally both are
/// disposed of, which interrupts a start that has not ended, and disposes of the sources.
///
/// - Parameter end: The second after which a start is disposed of.
package func timeline<Value>(
    of diagram: String, until end: Int = 50, sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Numbers, TestScheduler) -> SignalProducer<Value, TestError>
) -> [String] {
    let scheduler = TestScheduler()
    let source = ManualSource<TestError>()
    let producer = transform(source.producer, scheduler)
    let beginnings = [0, 3]
    let logs = beginnings.map { _ in Log<String>() }
    let ends = Counter()
    var disposables: [any Disposable] = []
    var results: [[String]] = []
    for now in 0...(end + beginnings[1]) {
        scheduler.advance(to: TestScheduler.Instant(offset: .seconds(now)))
        for (index, beginning) in beginnings.enumerated() where now >= beginning {
            if now == beginning {
                let log = logs[index]
                disposables.append(
                    producer.start { event in
                        log.append(when(event, scheduler, since: beginning))
                        if event.isTerminating { ends.increment() }
                    })
            }
            if let mark = diagram.dropFirst(now - beginning).first, let event = Event(mark: mark) {
                source.send(event, from: index, sourceLocation: sourceLocation)
                scheduler.advance()
            }
            guard now == beginning + end else { continue }
            results.append(logs[index].all)
            disposables[index].dispose()
            // An interruption may be scheduled.
            scheduler.advance()
        }
    }
    expect(results[0], is: results[1], "each start has its own clock", sourceLocation: sourceLocation)
    expect(ends.value, is: 2, "an end a start", sourceLocation: sourceLocation)
    expect(Set(source.ended.all), is: [0, 1], "the sources are disposed of", sourceLocation: sourceLocation)
    for input in source.inputs.all { input.sendNext(0) }
    // Does not return if a timer still repeats.
    scheduler.run()
    for (log, result) in zip(logs, results) {
        let rest = log.all.dropFirst(result.count)
        #expect(
            rest.count <= 1 && rest.allSatisfy { $0.hasPrefix("interrupted at \(end)") },
            "disposal brings nothing else: \(rest)", sourceLocation: sourceLocation)
    }
    source.inputs.removeAll()
    return results[0]
}
