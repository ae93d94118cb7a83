import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport

extension Step {
    /// The operators that take another signal.
    static let partnerSteps: [@Sendable (inout Choices) -> Step] = [
        { random in
            join(&random, "merge(with:)", { $0.merge(with: $1) }, state: 2) { running, event in
                switch event {
                case .next, .error: return [event]
                case .completed, .interrupted:
                    running -= 1
                    return running == 0 ? [.completed] : []
                }
            } partner: { running, event in
                switch event {
                case .next, .error: return [event]
                case .completed, .interrupted:
                    running -= 1
                    return running == 0 ? [.completed] : []
                }
            }
        },
        { random in
            join(&random, "combineLatest(with:)", { $0.combineLatest(with: $1).map(pair) }, state: Latest()) {
                $0.receive($1, from: 0)
            } partner: {
                $0.receive($1, from: 1)
            }
        },
        { random in
            join(&random, "zip(with:)", { $0.zip(with: $1).map(pair) }, state: Zipped()) {
                $0.receive($1, from: 0)
            } partner: {
                $0.receive($1, from: 1)
            }
        },
        { random in
            let limit = random.number(in: 1...2)
            let overflow = random.pick([Overflow.dropOldest, .dropNewest, .fail])
            return join(
                &random, "zip(bufferLimit: \(limit), whenFull: \(overflow), raising: E3, with:)",
                { $0.zip(with: $1, bufferLimit: limit, whenFull: overflow, raising: ChainError(code: 3)).map(pair) },
                state: Zipped(limit: limit, overflow: overflow)
            ) {
                $0.receive($1, from: 0)
            } partner: {
                $0.receive($1, from: 1)
            }
        },
        { random in
            trigger(
                &random, "collect(until:)", partnerFirst: true, { $0.collect(until: $1).map(digest) }, state: [Int]()
            ) { values, event in
                guard let value = event.value else {
                    return event.isCompleted && !values.isEmpty ? [.next(digest(values)), event] : [event]
                }
                values.append(value)
                return []
            } partner: { values, event in
                guard event.value != nil else { return [] }
                defer { values = [] }
                return [.next(digest(values))]
            }
        },
        { random in
            join(
                &random, "take(untilReplacement:)", partnerFirst: true, { $0.take(untilReplacement: $1) }, state: false
            ) { isReplaced, event in
                isReplaced || event.isCompleted ? [] : [event]
            } partner: { isReplaced, event in
                isReplaced = true
                return [event]
            } needs: {
                !$0
            }
        },
        { random in
            trigger(&random, "take(until:)", partnerFirst: true, { $0.take(until: $1) }, state: ()) {
                [$1]
            } partner: {
                $1 == .interrupted ? [] : [.completed]
            }
        },
        { random in
            trigger(&random, "skip(until:)", partnerFirst: true, { $0.skip(until: $1) }, state: false) {
                isOpen, event in
                isOpen || event.isTerminating ? [event] : []
            } partner: { isOpen, event in
                isOpen = isOpen || event != .interrupted
                return []
            } needs: {
                !$0
            }
        },
        { random in
            trigger(&random, "sample(on:)", partnerFirst: false, { $0.sample(on: $1) }, state: Sampled()) {
                $0.receive($1)
            } partner: { sampled, event in
                sampled.tick(event) { latest, _ in latest }
            }
        },
        { random in
            trigger(&random, "sample(with:)", partnerFirst: false, { $0.sample(with: $1).map(pair) }, state: Sampled())
            {
                $0.receive($1)
            } partner: {
                $0.tick($1, pair)
            }
        },
        { random in
            trigger(
                &random, "withLatest(from:)", partnerFirst: true, { $0.withLatest(from: $1).map(pair) },
                state: Int?.none
            ) { latest, event in
                guard let value = event.value else { return [event] }
                return latest.map { [.next(pair(value, $0))] } ?? []
            } partner: { latest, event in
                latest = event.value ?? latest
                return []
            }
        },
    ]

    private static func join<State: Sendable>(
        _ random: inout Choices, _ name: String, partnerFirst: Bool = false,
        _ apply: @escaping @Sendable (IntChain, IntChain) -> IntChain,
        state: State,
        source: @escaping @Sendable (inout State, ChainEvent) -> [ChainEvent],
        partner: @escaping @Sendable (inout State, ChainEvent) -> [ChainEvent],
        needs: @escaping @Sendable (State) -> Bool = { _ in true }
    ) -> Step {
        let other = Partner.random(&random)
        return Step(
            "\(name.dropLast()) \(other))", gate: .own, partner: other, observesPartnerFirst: partnerFirst,
            { apply($0, $1.chain(other)) }
        ) { PartnerModel(state: state, source: source, partner: partner, needs: needs) }
    }

    private static func trigger<State: Sendable>(
        _ random: inout Choices, _ name: String, partnerFirst: Bool,
        _ apply: @escaping @Sendable (IntChain, HotOrCold<Int, Never>) -> IntChain,
        state: State,
        source: @escaping @Sendable (inout State, ChainEvent) -> [ChainEvent],
        partner: @escaping @Sendable (inout State, ChainEvent) -> [ChainEvent],
        needs needsPartner: @escaping @Sendable (State) -> Bool = { _ in true }
    ) -> Step {
        let other = Partner.random(&random)
        return Step(
            "\(name.dropLast()) trigger \(other))", gate: .own, partner: other, hasTrigger: true,
            observesPartnerFirst: partnerFirst, { apply($0, $1.trigger(other)) }
        ) { PartnerModel(state: state, source: source, partner: partner, needsOther: needsPartner) }
    }
}

private struct Latest: Sendable {
    var values: [Int?] = [nil, nil]
    var completed = 0

    mutating func receive(_ event: ChainEvent, from input: Int) -> [ChainEvent] {
        switch event {
        case .next(let value):
            values[input] = value
            guard let first = values[0], let second = values[1] else { return [] }
            return [.next(pair(first, second))]
        case .completed:
            completed += 1
            return completed == 2 ? [.completed] : []
        case .error, .interrupted: return [event]
        }
    }
}

private struct Zipped: Sendable {
    var limit = Int.max
    var overflow = Overflow.fail
    var queues: [[Int]] = [[], []]
    var hasCompleted = [false, false]

    mutating func receive(_ event: ChainEvent, from input: Int) -> [ChainEvent] {
        var sent: [ChainEvent] = []
        switch event {
        case .next(let value):
            if queues[input].count == limit {
                if overflow == .dropNewest { return [] }
                if overflow == .fail { return [.error(ChainError(code: 3))] }
                queues[input].removeFirst()
            }
            queues[input].append(value)
            if !queues[0].isEmpty, !queues[1].isEmpty {
                sent.append(.next(pair(queues[0].removeFirst(), queues[1].removeFirst())))
            }
        case .completed: hasCompleted[input] = true
        case .error, .interrupted: return [event]
        }
        let isExhausted = (0...1).contains { hasCompleted[$0] && queues[$0].isEmpty }
        return isExhausted ? sent + [.completed] : sent
    }
}

private struct Sampled: Sendable {
    var latest: Int?
    var completed = 0

    mutating func receive(_ event: ChainEvent) -> [ChainEvent] {
        guard let value = event.value else { return end(event) }
        latest = value
        return []
    }

    mutating func tick(_ event: ChainEvent, _ combine: (Int, Int) -> Int) -> [ChainEvent] {
        guard let value = event.value else { return end(event) }
        return latest.map { [.next(combine($0, value))] } ?? []
    }

    private mutating func end(_ event: ChainEvent) -> [ChainEvent] {
        guard event.isCompleted else { return [event] }
        completed += 1
        return completed == 2 ? [.completed] : []
    }
}
