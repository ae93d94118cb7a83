import ReactiveSignals
import TestSupport

/// A chain of producers and the acts performed on it.
struct ProducerCase: CustomStringConvertible {
    var source: Origin
    var other: Origin
    var ticks: Origin
    var steps: [ProducerStep] = []
    var script: [Act] = []
    var reactions: [Reaction] = []
    /// Whether the signal of the start is observed, which can be disposed of before the start returns.
    var startsWithSignal = false

    var description: String {
        """
        source:    \(source)
        other:     \(other)
        ticks:     \(ticks)
        chain:     \((["source"] + steps.map(\.description)).joined(separator: "."))
        inputs:    \(script)
        reactions: \(reactions)\(startsWithSignal ? "\n(with startWithSignal)" : "")
        """
    }

    /// The acts that the observer performs in the callback of its event with that number.
    func reaction(to event: Int) -> [Act] {
        let acts = reactions.filter { $0.event == event }.flatMap(\.acts)
        guard sharesWhileObserved, let disposal = acts.firstIndex(where: \.isDisposal) else { return acts }
        // A shared start is disposed of only after the current delivery, so events sent before that still reach it.
        return Array(acts[...disposal])
    }

    fileprivate var sharesWhileObserved: Bool { steps.contains(where: \.sharesWhileObserved) }

    /// Whether a window or a group is disposed of while it may be delivering.
    fileprivate var splits: Bool {
        reactions.contains { $0.acts.contains(where: \.isDisposal) }
            && steps.contains { $0.description.contains("window") || $0.description.contains("groupBy") }
    }

    /// Whether an operator keeps a start that nobody observes any more.
    fileprivate var keepsStarts: Bool { steps.contains { $0.description.contains("replayLazily") } }

    /// Whether the outcome is determined.
    ///
    /// If an operator ends a shared start early, and an operator downstream starts again because of that, it is not
    /// determined whether the previous start has already left.
    var isFixed: Bool {
        guard let sharing = steps.firstIndex(where: \.sharesWhileObserved),
            let restart = steps.lastIndex(where: \.beginsAgain), sharing < restart
        else { return true }
        return steps[sharing..<restart].allSatisfy(\.sharesWhileObserved)
    }
}

extension ProducerCase {
    static func random(_ random: inout Choices) -> ProducerCase {
        var result = ProducerCase(
            source: .random(&random, .source, position: 6), other: .random(&random, .other, position: 7),
            ticks: .random(&random, .ticks, position: 7))
        result.steps = (0..<random.number(in: 1...6)).map { ProducerStep.random(&random, position: $0) }
        let count = random.number(in: 0...12)
        // Lets most chains receive some values first.
        let endsLate = !random.once(in: 4)
        for index in 0..<count {
            let mayEnd = !endsLate || index > count - 4
            if random.once(in: 3) {
                result.script.append(.advance(units: random.number(in: 0...5)))
            } else if mayEnd, random.once(in: 8) {
                result.script.append(random.once(in: 2) ? .dispose : .release(random.pick(inputs)))
            } else {
                result.script.append(send(&random, mayEnd: mayEnd))
            }
        }
        result.script.append(.advance(units: random.number(in: 0...9)))
        if random.once(in: 3) {
            for _ in 0..<random.number(in: 1...3) {
                var acts = (0..<random.number(in: 0...2)).map { _ in send(&random, mayEnd: true) }
                if acts.isEmpty || random.once(in: 4) { acts.insert(.dispose, at: random.number(in: 0...acts.count)) }
                result.reactions.append(Reaction(event: random.number(in: 0...3), acts: acts))
            }
        }
        result.startsWithSignal = random.once(in: 3)
        return result
    }

    private static let inputs: [Input] = [.source, .source, .source, .other, .ticks, .inner, .inner]

    private static func send(_ random: inout Choices, mayEnd: Bool) -> Act {
        let ends = mayEnd && random.once(in: 4)
        return .send(random.pick(inputs), ends ? .terminal(&random) : .next(random.number(in: -2...9)))
    }
}

extension ProducerStep {
    fileprivate var sharesWhileObserved: Bool { description.contains("while: .observed") }
    fileprivate var beginsAgain: Bool { description.hasPrefix("repeat(") || description.hasPrefix("retry(") }
}

extension Act {
    fileprivate var isDisposal: Bool {
        if case .dispose = self { true } else { false }
    }
}

/// The outcome of a case of producers.
struct ProducerOutcome: Equatable, CustomStringConvertible {
    /// The events that the observer received.
    var trace: [ChainEvent] = []
    /// The events that `on` reported until the start was disposed of.
    var notes: [ChainEvent] = []
    /// The counts of the sources' starts, after the chain has started and after each act of the script.
    var tallies: [Tally] = []
    /// The number of sources' starts that were active at the end, after everything had been released.
    var leftActive = 0
    /// The number of observers and operators left at the end.
    var alive = 0
    /// Whether a hot signal was delivering an event to an observer that an earlier one had disposed of. Set by the
    /// model only.
    var mayNoteLate = false
    /// The number of events that waited while their start was disposed of. Set by the model only.
    var lateEvents = 0
    /// Whether something upstream of an end that was being delivered was not wanted any more. Set by the model only.
    var mayWorkLate = false

    /// Whether this outcome of the library matches the model's.
    ///
    /// A start shared while observed is disposed of only after the current delivery. Until then, an `on` upstream may
    /// note more than the model.
    ///
    /// The disposal of an inner start that observes a hot signal also takes effect only after the current delivery. If
    /// the signal has several observers, and one of them disposes of another while it handles an event, an `on` may
    /// note the event on its way to that one. The event gets no further, so everything else must match. The same holds
    /// for each event that waits behind the one in which its start is disposed of.
    ///
    /// A window or a group that is delivering is observed until the delivery is over, even if it is disposed of from
    /// inside, and keeps its source as long. Until then, work upstream may start, and may be asked for more. The same
    /// holds for the work upstream of an end until the observer has received it.
    func agrees(with expected: ProducerOutcome, in chain: ProducerCase) -> Bool {
        var expected = expected
        let mayWorkLate = chain.splits || expected.mayWorkLate
        let mayNoteMore = chain.sharesWhileObserved || mayWorkLate || expected.mayNoteLate
        // Each step may note such an event.
        let isLate = notes.count - expected.notes.count <= expected.lateEvents * chain.steps.count
        (expected.mayNoteLate, expected.mayWorkLate, expected.lateEvents) = (false, false, 0)
        if mayNoteMore || isLate, notes.include(expected.notes) { expected.notes = notes }
        if mayWorkLate, tallies.count == expected.tallies.count,
            zip(tallies, expected.tallies).allSatisfy({ $0.agrees(with: $1, mayStay: chain.keepsStarts) })
        {
            expected.tallies = tallies
        }
        return self == expected
    }

    var description: String {
        """
        \(trace)\(notes.isEmpty ? "" : "; noted \(notes)"); \(tallies)\
        \(leftActive == 0 ? "" : "; \(leftActive) starts left")\(alive == 0 ? "" : "; \(alive) still alive")
        """
    }
}
