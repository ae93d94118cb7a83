import HotSignals
import ReactiveSignals
import TestSupport
import Testing

// Tests operators against models, with every combination of small inputs, and checks when each source is released.

/// Every sequence of up to `length` elements of an alphabet.
func sequences<Element>(of alphabet: [Element], upTo length: Int) -> [[Element]] {
    var all: [[Element]] = [[]]
    var longest = all
    for _ in 0..<length {
        longest = longest.flatMap { sequence in alphabet.map { sequence + [$0] } }
        all += longest
    }
    return all
}

extension Signal {
    /// The same signal, which retains a member of a population until it is released.
    func holding(_ member: Population.Member) -> Signal {
        map { value in
            member.touch()
            return value
        }
    }
}

/// How a stream may end in the tests, or nil if it does not.
let endings: [Event<Int, TestError>?] = [nil, .completed, .error(.first), .interrupted]

/// Expects an operator to match a model for all short sequences of 1, 2 and 3 and every terminal event, and to release
/// the source within the event that ends it, or on disposal.
///
/// - Parameter model: The expected events; those after the first terminal event are ignored.
func expectModel<Value, Failure>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Source) -> Signal<Value, Failure>,
    does model: (_ values: [Int], _ ending: Event<Int, TestError>?) -> [String]
) {
    for values in sequences(of: [1, 2, 3], upTo: 4) {
        for ending in endings {
            let population = Population()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            let disposable = transform(source.holding(population.member())).observe { log.append($0.text) }
            for event in values.map(Event.next) + [ending].compactMap(\.self) {
                input.send(event)
                #expect(
                    population.alive == (hasEnded(log) ? 0 : 1), "\(values), then \(ending?.text ?? "nothing")",
                    sourceLocation: sourceLocation)
            }
            expect(
                log.all, is: throughEnd(model(values, ending)), "\(values), then \(ending?.text ?? "nothing")",
                sourceLocation: sourceLocation)
            disposable?.dispose()
            expect(population.alive, is: 0, "disposed of after \(values)", sourceLocation: sourceLocation)
            withExtendedLifetime(input) {}
        }
    }
}

/// An event for an operator with two inputs.
enum Step<OtherFailure: Error>: Sendable {
    case source(Event<Int, TestError>)
    case other(Event<Int, OtherFailure>)

    /// The same event with another value, if it has one.
    fileprivate func numbered(_ number: Int) -> Step {
        switch self {
        case .source(let event): .source(event.map { _ in number })
        case .other(let event): .other(event.map { _ in number })
        }
    }
}

/// Expects an operator with two inputs to match a model for all short sequences of their events, and to release both
/// inputs within the event that ends it, or on disposal.
///
/// Each value is the number of its step, starting from 1.
///
/// - Parameters:
///   - others: The events of the other input.
///   - model: The expected events; those after the first terminal event are ignored.
func expectModel<Value, OtherFailure>(
    sourceLocation: SourceLocation = #_sourceLocation,
    others: [Event<Int, OtherFailure>],
    _ transform: (Source, Signal<Int, OtherFailure>) -> Signal<Value, TestError>,
    does model: ([Step<OtherFailure>]) -> [String]
) {
    let alphabet: [Step<OtherFailure>] =
        [.source(.next(0)), .source(.completed), .source(.error(.first)), .source(.interrupted)]
        + others.map(Step.other)
    for sequence in sequences(of: alphabet, upTo: 4) {
        let steps = sequence.enumerated().map { $1.numbered($0 + 1) }
        guard areLegal(steps) else { continue }
        let population = Population()
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int, OtherFailure>.pipe()
        let log = Log<String>()
        let disposable = transform(source.holding(population.member()), other.holding(population.member()))
            .observe { log.append($0.text) }
        for step in steps {
            switch step {
            case .source(let event): input.send(event)
            case .other(let event): otherInput.send(event)
            }
            #expect(!hasEnded(log) || population.alive == 0, "\(steps)", sourceLocation: sourceLocation)
        }
        expect(log.all, is: throughEnd(model(steps)), "\(steps)", sourceLocation: sourceLocation)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of after \(steps)", sourceLocation: sourceLocation)
        withExtendedLifetime((input, otherInput)) {}
    }
}

/// Whether no input sends anything after its end.
private func areLegal<OtherFailure>(_ steps: [Step<OtherFailure>]) -> Bool {
    var hasSourceEnded = false
    var hasOtherEnded = false
    for step in steps {
        switch step {
        case .source(let event):
            if hasSourceEnded { return false }
            hasSourceEnded = event.isTerminating
        case .other(let event):
            if hasOtherEnded { return false }
            hasOtherEnded = event.isTerminating
        }
    }
    return true
}

private func isTerminating(_ text: String) -> Bool {
    text == "completed" || text == "interrupted" || text.hasPrefix("error ")
}

private func hasEnded(_ log: Log<String>) -> Bool { log.all.last.map(isTerminating) ?? false }

/// The texts up to the first terminal event.
private func throughEnd(_ texts: [String]) -> [String] {
    guard let end = texts.firstIndex(where: isTerminating) else { return texts }
    return Array(texts[...end])
}
