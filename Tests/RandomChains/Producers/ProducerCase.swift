import ReactiveSignals
import TestSupport

/// A chain of producers and what happens to it.
struct ProducerCase: CustomStringConvertible {
    var source: Origin
    var other: Origin
    var ticks: Origin
    var steps: [ProducerStep] = []
    var script: [Act] = []
    var reactions: [Reaction] = []
    /// Whether the signal of the start is observed, which can be disposed of before the start has returned.
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

    /// What the observer does in the callback of its event with that number.
    func reaction(to event: Int) -> [Act] {
        let acts = reactions.filter { $0.event == event }.flatMap(\.acts)
        guard sharesWhileObserved, let disposal = acts.firstIndex(where: \.isDisposal) else { return acts }
        // What is shared hears of it when the event has been delivered, and what is sent before does reach it.
        return Array(acts[...disposal])
    }

    fileprivate var sharesWhileObserved: Bool { steps.contains(where: \.sharesWhileObserved) }

    /// Whether what comes of it is fixed.
    ///
    /// Where an operator ends what comes of shared work early, and one downstream begins again because of that, nothing says
    /// whether the former start has left by then or is still counted.
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
        // So that most chains see some values first.
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

/// What came of a case of producers.
struct ProducerOutcome: Equatable, CustomStringConvertible {
    /// What the observer got.
    var trace: [ChainEvent] = []
    /// What `on` told, until the start was disposed of.
    var notes: [ChainEvent] = []
    /// What became of the sources' starts, after the beginning and after each act of the script.
    var tallies: [Tally] = []
    /// How many sources' starts went on in the end, when all had been let go of.
    var leftActive = 0
    /// How many observers and operators were left in the end.
    var alive = 0
    /// Whether a hot signal had an event under way to an observer that another one, which had got it before, disposed of. Only the
    /// model knows.
    var mayNoteLate = false

    /// Whether the library, which gave this, did what the model did.
    ///
    /// What is shared while observed is disposed of, which takes effect when the event has been delivered: until then an `on`
    /// upstream may note more than the model.
    ///
    /// The disposal of an inner start that observes a hot signal takes effect when the event in flight has been delivered, too: where
    /// the signal has several observers, and what one makes of an event disposes of another, an `on` may note the event that is
    /// under way to that one. It gets no further: all else must be the same.
    func agrees(with expected: ProducerOutcome, in chain: ProducerCase) -> Bool {
        var expected = expected
        let mayNoteMore = chain.sharesWhileObserved || expected.mayNoteLate
        expected.mayNoteLate = false
        if mayNoteMore, notes.include(expected.notes) { expected.notes = notes }
        return self == expected
    }

    var description: String {
        """
        \(trace)\(notes.isEmpty ? "" : "; noted \(notes)"); \(tallies)\
        \(leftActive == 0 ? "" : "; \(leftActive) starts left")\(alive == 0 ? "" : "; \(alive) still alive")
        """
    }
}
