import HotSignals
import ReactiveSignals
import TestSupport

/// A graph of properties on which random steps are performed, on one thread, from outside and during events. Records
/// the steps for a model to replay.
final class RandomGraph: Sendable {
    private struct State {
        var random: SplitMix64
        var steps: [GraphStep] = []
        var roots: [MutableProperty<Int>?] = []
        /// Released properties are nil.
        var properties: [Property<Int>?] = []
        var calls: [Counter] = []
        var logs: [Log<String>] = []
        var starts: [any Disposable] = []
        /// The remaining number of steps that may be performed during events.
        var budget: Int
    }

    private let state: Locked<State>
    private let members: Population

    init(seed: UInt64, members: Population) {
        state = Locked(State(random: SplitMix64(seed: seed), budget: 40))
        self.members = members
        for _ in 0..<3 {
            note(.make(.root, inputs: []))
            let root = MutableProperty(0)
            state.withLock {
                $0.roots.append(root)
                $0.properties.append(Property(root))
                $0.calls.append(Counter())
            }
        }
    }

    var steps: [GraphStep] { state.withLock { $0.steps } }
    var events: [[String]] { state.withLock { $0.logs }.map(\.all) }
    /// The numbers of the properties that are still held, and how often their closures were called.
    var held: [(node: Int, value: Int, calls: Int)] {
        let (properties, calls) = state.withLock { ($0.properties, $0.calls) }
        return properties.indices.compactMap { node in
            properties[node].map { (node, $0.value, calls[node].value) }
        }
    }

    private func note(_ step: GraphStep) { state.withLock { $0.steps.append(step) } }

    private func number(_ range: ClosedRange<Int>) -> Int { state.withLock { $0.random.number(in: range) } }

    /// A random held property. The views of the roots are held as long as the roots.
    private func pick() -> (node: Int, property: Property<Int>) {
        state.withLock { state in
            while true {
                let node = state.random.number(in: 0...state.properties.count - 1)
                if let property = state.properties[node] { return (node, property) }
            }
        }
    }

    /// Performs a random step.
    func act(isInside: Bool = false) {
        switch number(0...15) {
        case 0...2: make()
        case 3...4: observe()
        case 5 where number(0...2) == 0: drop()
        case 6: dispose(isInside: isInside)
        case 7 where !isInside && number(0...7) == 0: endRoot()
        case 8...9: read()
        default: set()
        }
    }

    private func set() {
        let number = number(0...2)
        let value = self.number(0...5)
        guard let root = state.withLock({ $0.roots[number] }) else { return }
        note(.set(root: number, value))
        root.value = value
        // The thread that sets sees the derived values.
        for _ in 0..<2 { read() }
    }

    private func read() {
        let (node, property) = pick()
        note(.read(node: node, property.value))
    }

    private func endRoot() {
        let number = number(0...2)
        let root = state.withLock { state in
            defer { state.roots[number] = nil }
            return state.roots[number]
        }
        guard root != nil else { return }
        note(.end(root: number))
        withExtendedLifetime(root) {}
    }

    private func drop() {
        let (node, _) = pick()
        guard node > 2 else { return }
        let dropped = state.withLock { $0.properties[node].take() }
        withExtendedLifetime(dropped) {}
    }

    private func observe() {
        let (node, property) = pick()
        let reacts = number(0...1) == 0
        let log = Log<String>()
        note(.observe(node: node))
        state.withLock { $0.logs.append(log) }
        // Reserves its place, as its first event may start other observers.
        let start = SerialDisposable()
        state.withLock { $0.starts.append(start) }
        property.producer.startWithSignal { signal, disposable in
            start.inner = disposable
            signal.observe { [weak self] event in
                log.append(event.text)
                guard reacts, event.value != nil, let self, takeFromBudget() else { return }
                act(isInside: true)
            }
            return
        }
    }

    private func takeFromBudget() -> Bool {
        state.withLock { state in
            state.budget -= 1
            return state.budget >= 0
        }
    }

    private func dispose(isInside: Bool) {
        let count = state.withLock { $0.starts.count }
        guard count > 0 else { return }
        let number = number(0...count - 1)
        note(.dispose(observer: number, isInside: isInside))
        state.withLock { $0.starts[number] }.dispose()
    }

    private func make() {
        let kinds: [NodeKind] = [
            .map(add: number(0...5)), .filter(modulus: number(2...3), initial: number(0...5)), .skipRepeats,
            .skipRepeatsBy(number(2...3)), .uniqueValues, .combinePrevious, .negate, .and, .or, .all, .any, .pair,
            .pair,
            .three, .six, .collection, .zip,
        ]
        let kind = kinds[number(0...kinds.count - 1)]
        let count =
            switch kind {
            case .and, .or, .pair, .zip: 2
            case .three: 3
            case .six: 6
            case .all, .any, .collection: number(0...4)
            default: 1
            }
        let inputs = (0..<count).map { _ in pick() }
        let calls = Counter()
        let made = make(kind, inputs.map(\.property), calls, members.member())
        note(.make(kind, inputs: inputs.map(\.node)))
        state.withLock {
            $0.properties.append(made)
            $0.calls.append(calls)
        }
    }

    private func make(
        _ kind: NodeKind, _ inputs: [Property<Int>], _ calls: Counter, _ member: Population.Member
    ) -> Property<Int> {
        let see: @Sendable ([Int]) -> Int = { values in
            member.touch()
            calls.increment()
            return values.reduce(0) { ($0 * 3 + $1) % 6 }
        }
        let isOdd = { @Sendable (value: Int) in value % 2 == 1 }
        let number = { @Sendable (isTrue: Bool) in isTrue ? 1 : 0 }
        switch kind {
        case .root: return inputs[0]
        case .map(let add):
            return inputs[0].map { value in
                _ = see([])
                return (value + add) % 6
            }
        case .filter(let modulus, let initial):
            return inputs[0].filter(initial: initial) { value in
                _ = see([])
                return value % modulus == 0
            }
        case .skipRepeats: return inputs[0].skipRepeats()
        case .skipRepeatsBy(let divisor): return inputs[0].skipRepeats { $0 / divisor == $1 / divisor }
        case .uniqueValues:
            return inputs[0].uniqueValues { value in
                _ = see([])
                return value
            }
        case .combinePrevious:
            // The first pair contains the initial value -1, which is replaced by the value itself.
            return inputs[0].combinePrevious(-1).map { $0.0 < 0 ? $0.1 : ($0.0 * 10 + $0.1) % 6 }
        case .negate: return inputs[0].map(isOdd).negate().map(number)
        case .and: return inputs[0].map(isOdd).and(inputs[1].map(isOdd)).map(number)
        case .or: return inputs[0].map(isOdd).or(inputs[1].map(isOdd)).map(number)
        case .all: return Property.all(inputs.map { $0.map(isOdd) }).map(number)
        case .any: return Property.any(inputs.map { $0.map(isOdd) }).map(number)
        case .pair: return inputs[0].combineLatest(with: inputs[1]).map { see([$0.0, $0.1]) }
        case .three:
            return Property.combineLatest(inputs[0], inputs[1], inputs[2]).map { see([$0.0, $0.1, $0.2]) }
        case .six:
            return Property.combineLatest(inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5])
                .map { see([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5]) }
        case .collection: return Property.combineLatest(inputs).map(see)
        case .zip: return inputs[0].zip(with: inputs[1]).map { ($0.0 * 10 + $0.1) % 6 }
        }
    }
}

extension NodeKind {
    /// Whether the graph counts the calls of its closure.
    var isCounted: Bool {
        switch self {
        case .map, .filter, .uniqueValues, .pair, .three, .six, .collection: true
        default: false
        }
    }
}
