import Foundation
import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// The version of each root that a value was computed from.
private typealias Stamps = [Int: Int]

/// Random graphs whose values record what they were computed from, which reveals mixtures of old and new.
private final class StampedGraph: Sendable {
    struct Member: Sendable {
        let property: Property<Stamps>
        let roots: Set<Int>
        let computations: Counter
        /// The number of sets of the roots before the property was created.
        let setsBefore: Int
    }

    let roots: [MutableProperty<Stamps>]
    let sets: [Counter]
    let members = Locked<[Member]>([])
    let observations = Log<any Disposable>()
    let mistakes: Log<String>
    /// Combines two values. Does not retain the graph, as the properties that the graph holds call it.
    let merge: @Sendable (Stamps, Stamps) -> Stamps

    init(roots count: Int) {
        roots = (0..<count).map { MutableProperty([$0: 0]) }
        sets = (0..<count).map { _ in Counter() }
        let mistakes = Log<String>()
        self.mistakes = mistakes
        merge = { first, second in
            first.merging(second) { old, new in
                if old != new { mistakes.append("\(first) beside \(second)") }
                return max(old, new)
            }
        }
        for index in 0..<count {
            let member = Member(
                property: Property(roots[index]), roots: [index], computations: Counter(), setsBefore: 0)
            members.withLock { $0.append(member) }
        }
    }

    /// Adds a property that is derived from random ones.
    func grow(_ random: inout SplitMix64) {
        let all = members.withLock { $0 }
        let (first, second, third) = (random.pick(all), random.pick(all), random.pick(all))
        let computations = Counter()
        let roots: Set<Int>
        let property: Property<Stamps>
        switch random.number(in: 0...6) {
        case 0:
            roots = first.roots
            property = first.property.map { stamps in
                computations.increment()
                return stamps
            }
        case 1:
            roots = first.roots
            property = first.property.skipRepeats().filter(initial: [:]) { _ in true }.map { stamps in
                computations.increment()
                return stamps
            }
        case 2:
            roots = first.roots.union(second.roots).union(third.roots)
            property = Property.combineLatest(first.property, second.property, third.property).map { [merge] triple in
                computations.increment()
                return merge(merge(triple.0, triple.1), triple.2)
            }
        case 3:
            roots = first.roots.union(second.roots).union(third.roots)
            property = Property.combineLatest([first.property, second.property, third.property]).map { [merge] all in
                computations.increment()
                return all.reduce([:], merge)
            }
        default:
            roots = first.roots.union(second.roots)
            property = first.property.combineLatest(with: second.property).map { [merge] pair in
                computations.increment()
                return merge(pair.0, pair.1)
            }
        }
        let setsBefore = roots.reduce(0) { $0 + sets[$1].value }
        members.withLock {
            $0.append(Member(property: property, roots: roots, computations: computations, setsBefore: setsBefore))
        }
    }

    /// Releases a property, which continues while others need it.
    func drop(_ random: inout SplitMix64) {
        let place = Int(random.next() % 1_000_000)
        let dropped = members.withLock { members in
            members.count > roots.count ? members.remove(at: roots.count + place % (members.count - roots.count)) : nil
        }
        withExtendedLifetime(dropped) {}
    }

    func set(_ index: Int) {
        sets[index].increment()
        let version = roots[index].modify { stamps in
            stamps[index]! += 1
            return stamps[index]!
        }
        // The thread that sets a property sees the derived values.
        for member in members.withLock({ $0 }) where member.roots.contains(index) {
            if member.property.value[index]! < version { mistakes.append("late") }
        }
    }

    /// Like `set`, for cases in which the thread may have to leave the rest to another one.
    func setInside(_ index: Int) {
        sets[index].increment()
        roots[index].modify { $0[index]! += 1 }
    }

    /// Observes a property until ``end()``, and checks that its versions never decrease.
    func observe(_ member: Member) -> Locked<Stamps> {
        let last = Locked<Stamps>([:])
        let observation = member.property.producer.startWithNext { [mistakes] stamps in
            let former = last.withLock { last in
                defer { last = stamps }
                return last
            }
            for (root, version) in former where stamps[root]! < version { mistakes.append("backwards") }
            for (root, version) in member.property.value where version < stamps[root]! {
                mistakes.append("an event before its value")
            }
        }
        observations.append(observation)
        return last
    }

    /// Disposes of the observations, whose closures retain the properties that they observe.
    func end() { for observation in observations.all { observation.dispose() } }

    /// Checks the final value of every property.
    func check(_ observed: [(Member, Locked<Stamps>)], _ comment: Comment) {
        expect(mistakes.all, is: [], comment)
        let final = roots.map(\.value).reduce([:]) { merge($0, $1) }
        for member in members.withLock({ $0 }) {
            expect(member.property.value, is: final.filter { member.roots.contains($0.key) }, comment)
            let sets = member.roots.reduce(0) { $0 + self.sets[$1].value }
            // Concurrent threads may compute the same value twice.
            #expect(member.computations.value <= 2 * sets + 1, comment)
        }
        for (member, last) in observed { expect(last.withLock { $0 }, is: member.property.value, comment) }
    }
}

/// Seeds for the cases of this run. `REACTIVE_SEED` fixes them.
private enum Seeds {
    static let base = {
        let given = ProcessInfo.processInfo.environment["REACTIVE_SEED"].flatMap(UInt64.init)
        let base = given ?? .random(in: 0...UInt64(UInt32.max))
        // Needed to reproduce a crash.
        print("random graphs: seed \(base)")
        return base
    }()

    /// The seed of a case.
    static func seed(of number: Int) -> UInt64 {
        var seeds = SplitMix64(seed: base ^ UInt64(number) << 32)
        return seeds.next()
    }

    /// How to run a case again.
    static func again(_ number: Int) -> Comment {
        "case \(number): again with REACTIVE_SEED=\(base) swift test --filter RandomGraphTests"
    }
}

@Suite("Random graphs of properties", .watched)
struct RandomGraphTests {
    @Test("match a model's values, events and computations", .notUnderThreadSanitizer, arguments: 0..<20)
    func model(_ batch: Int) {
        for number in batch * 12..<batch * 12 + 12 {
            let members = Population()
            do {
                let graph = RandomGraph(seed: Seeds.seed(of: number), members: members)
                for _ in 0..<70 { graph.act() }
                if !agrees(graph, number) { return }
            }
            expect(members.alive, is: 0, Seeds.again(number))
        }
    }

    /// Compares a graph with the model.
    private func agrees(_ graph: RandomGraph, _ number: Int) -> Bool {
        let (steps, events) = (graph.steps, graph.events)
        let model = GraphModel(steps)
        var mistakes = model.mistakes
        for (node, value, calls) in graph.held {
            let expected = model.nodes[node]
            if value != expected.value { mistakes.append("node \(node) is \(value), not \(expected.value)") }
            if expected.kind.isCounted, calls > expected.calls {
                mistakes.append("node \(node) was computed \(calls) times, more than \(expected.calls)")
            }
        }
        for (observer, expected) in model.observers.enumerated() where !expected.agrees(with: events[observer]) {
            mistakes.append(
                "observer \(observer) of node \(expected.node) got \(events[observer]), not \(expected.events)")
        }
        if mistakes.isEmpty { return true }
        let text = steps.enumerated().map { "\($0): \($1)" }.joined(separator: "\n")
        Issue.record("\(Seeds.again(number))\n\(mistakes.joined(separator: "\n"))\n\(text)")
        return false
    }

    @Test("never mix old and new values while four threads set, compose, observe and release", arguments: 0..<20)
    func threads(_ round: Int) {
        let graph = StampedGraph(roots: 4)
        let observed = Log<(StampedGraph.Member, Locked<Stamps>)>()
        onThreads(4, "graph") { thread in
            var random = SplitMix64(seed: Seeds.seed(of: 1_000 + round * 4 + thread))
            for _ in 0..<60 {
                switch random.number(in: 0...7) {
                case 0...1: graph.grow(&random)
                case 2: graph.drop(&random)
                case 3:
                    let member = random.pick(graph.members.withLock { $0 })
                    observed.append((member, graph.observe(member)))
                default: graph.set(random.number(in: 0...3))
                }
            }
        }
        graph.check(observed.all, Seeds.again(round))
        graph.end()
    }

    @Test("never mix old and new values with re-entrant sets and composition on four threads", arguments: 0..<20)
    func nestedThreads(_ round: Int) {
        let graph = StampedGraph(roots: 3)
        var random = SplitMix64(seed: Seeds.seed(of: 2_000 + round))
        for _ in 0..<8 { graph.grow(&random) }
        let draws = Locked(random)
        var observed: [(StampedGraph.Member, Locked<Stamps>)] = []
        let budget = Locked(60)
        for member in graph.members.withLock({ $0 }) {
            observed.append((member, graph.observe(member)))
            member.property.signal.observeNext { [weak graph] _ in
                let isAllowed = budget.withLock { budget in
                    budget -= 1
                    return budget >= 0
                }
                guard isAllowed, let graph else { return }
                var random = draws.withLock { SplitMix64(seed: $0.next()) }
                if random.once(in: 2) { graph.grow(&random) }
                graph.setInside(random.number(in: 0...2))
            }
        }
        onThreads(4, "nested") { thread in for _ in 0..<5 { graph.setInside(thread % 3) } }
        graph.check(observed, Seeds.again(round))
        graph.end()
    }
}
