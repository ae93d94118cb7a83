import ReactiveSignals
import TestSupport

/// An input of a chain.
enum Input {
    case source, other, ticks
    /// The input of the producers that a chain of producers flattens or continues with.
    case inner

    /// The inputs of a chain of signals.
    static let ofSignals: [Input] = [.source, .other, .ticks]
}

/// An action on a chain.
enum Act: CustomStringConvertible {
    case send(Input, ChainEvent)
    /// Releases an input.
    case release(Input)
    case advance(units: Int)
    /// Disposes of the observation of the chain's result.
    case dispose
    /// Observes the result of the first steps.
    case observe(after: Int)

    var description: String {
        switch self {
        case .send(let input, let event): "\(input) \(event)"
        case .release(let input): "release \(input)"
        case .advance(let units): "advance \(units)"
        case .dispose: "dispose"
        case .observe(let count): "observe after \(count) steps"
        }
    }
}

/// The acts that an observer performs in its callback.
struct Reaction: CustomStringConvertible {
    /// The number of the event, from 0.
    let event: Int
    var acts: [Act]

    var description: String { "in event \(event): \(acts)" }
}

/// A chain and the acts performed on it.
struct ChainCase: CustomStringConvertible {
    var steps: [Step] = []
    /// Performed before the chain is built.
    var early: [Act] = []
    var script: [Act] = []
    var reactions: [Reaction] = []
    /// Whether the inputs enqueue.
    var enqueues = false

    var description: String {
        """
        chain:     \((["source"] + steps.map(\.description)).joined(separator: "."))
        early:     \(early)
        inputs:    \(script)
        reactions: \(reactions)\(enqueues ? "\n(with contention: .enqueue)" : "")
        """
    }

    /// The acts that the observer performs in the callback of its event with that number.
    func reaction(to event: Int) -> [Act] { reactions.filter { $0.event == event }.flatMap(\.acts) }
}

extension ChainCase {
    static func random(_ random: inout Choices) -> ChainCase {
        var result = ChainCase()
        result.steps = (0..<random.number(in: 1...6)).map { Step.random(&random, position: $0) }
        if random.once(in: 6) { result.early = sends(&random, count: 1...3) }
        let count = random.number(in: 2...14)
        let hasTime = result.steps.contains { $0.description.contains("clock") }
        // Lets most chains receive some values first.
        let endsLate = !random.once(in: 4)
        for index in 0..<count {
            let mayEnd = !endsLate || index > count - 4
            if hasTime, random.once(in: 3) {
                result.script.append(.advance(units: random.number(in: 0...5)))
            } else if mayEnd, random.once(in: 12) {
                result.script.append(random.once(in: 2) ? .dispose : .release(random.pick(Input.ofSignals)))
            } else if random.once(in: 12) {
                result.script.append(.observe(after: random.number(in: 0...result.steps.count)))
            } else {
                result.script.append(send(&random, mayEnd: mayEnd))
            }
        }
        if hasTime { result.script.append(.advance(units: random.number(in: 0...9))) }
        if random.once(in: 3) {
            for _ in 0..<random.number(in: 1...3) {
                var acts = sends(&random, count: 1...3)
                if random.once(in: 6) { acts.insert(.dispose, at: random.number(in: 0...acts.count)) }
                result.reactions.append(Reaction(event: random.number(in: 0...3), acts: acts))
            }
        }
        result.enqueues = random.once(in: 5)
        return result
    }

    private static func sends(_ random: inout Choices, count: ClosedRange<Int>) -> [Act] {
        (0..<random.number(in: count)).map { _ in send(&random, mayEnd: true) }
    }

    private static func send(_ random: inout Choices, mayEnd: Bool) -> Act {
        let input = random.pick([.source, .source, .source, .other, .ticks] as [Input])
        guard mayEnd, random.once(in: 5) else { return .send(input, .next(random.number(in: -2...9))) }
        // Ticks cannot fail.
        let ends: [ChainEvent] = [.completed, .completed, .interrupted, .error(ChainError(code: 1))]
        return .send(input, random.pick(input == .ticks ? ends.dropLast() : ends))
    }
}
