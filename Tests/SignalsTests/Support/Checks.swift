import HotSignals
import ReactiveSignals
import TestSupport
import Testing

typealias Source = Signal<Int, TestError>

/// Expects an operator to forward each terminal event, however it arises, and to be terminated afterward.
func expectForwardsTerminals<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ transform: (Source) -> Signal<Value, TestError>
) {
    for (event, text) in [
        (Event<Int, TestError>.completed, "completed"), (.error(.first), "error first"), (.interrupted, "interrupted"),
    ] {
        let (source, input) = Source.pipe()
        let result = transform(source)
        let log = result.logged()
        input.send(event)
        input.sendNext(9)
        input.sendInterrupted()
        expect(log.all.last, is: text, sourceLocation: sourceLocation)
        expect(log.all.count { $0 == text }, is: 1, sourceLocation: sourceLocation)
        expect(result.logged().all, is: ["interrupted"], sourceLocation: sourceLocation)
    }

    let (source, log) = {
        let (source, input) = Source.pipe()
        let log = transform(source).logged()
        withExtendedLifetime(input) {}
        return (source, log)
    }()
    expect(log.all, is: ["interrupted"], "the input was released", sourceLocation: sourceLocation)
    withExtendedLifetime(source) {}

    for ended in [Source.empty, terminated(.error(.first)), terminated(.interrupted)] {
        expect(
            transform(ended).logged().all, is: ["interrupted"], "the source had ended", sourceLocation: sourceLocation)
    }
}

func terminated(_ event: Event<Int, TestError>) -> Source {
    let (source, input) = Source.pipe()
    input.send(event)
    return source
}

/// Expects an operator to release its closure when the result is released, is disposed of, or ends.
func expectReleasesClosure<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Source, Population.Member) -> Signal<Value, TestError>
) {
    let population = Population()
    let (source, input) = Source.pipe()

    _ = transform(source, population.member())
    expect(population.alive, is: 0, "nobody ever observed", sourceLocation: sourceLocation)

    let disposable = transform(source, population.member()).observe { _ in }
    expect(population.alive, is: 1, sourceLocation: sourceLocation)
    input.sendNext(1)
    expect(population.alive, is: 1, "observed", sourceLocation: sourceLocation)
    disposable?.dispose()
    expect(population.alive, is: 0, "disposed of", sourceLocation: sourceLocation)

    let held = transform(source, population.member())
    let second = held.observe { _ in }
    second?.dispose()
    expect(population.alive, is: 1, "held", sourceLocation: sourceLocation)
    input.sendCompleted()
    expect(population.alive, is: 0, "ended", sourceLocation: sourceLocation)
    withExtendedLifetime(held) {}
}
