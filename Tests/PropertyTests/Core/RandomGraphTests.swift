import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Which version of each root something was computed from.
private typealias Stamps = [Int: Int]

/// Random graphs whose values say what they were computed from, so that a mix of old and new shows.
private final class RandomGraph: Sendable {
    struct Member: Sendable {
        let property: Property<Stamps>
        let roots: Set<Int>
        let computations: Counter
        /// How often the roots had been set when it was made.
        let setsBefore: Int
    }

    let roots: [MutableProperty<Stamps>]
    let sets: [Counter]
    let members = Locked<[Member]>([])
    let mistakes = Log<String>()

    init(roots count: Int) {
        roots = (0..<count).map { MutableProperty([$0: 0]) }
        sets = (0..<count).map { _ in Counter() }
        for index in 0..<count {
            let member = Member(
                property: Property(roots[index]), roots: [index], computations: Counter(), setsBefore: 0)
            members.withLock { $0.append(member) }
        }
    }

    func merge(_ first: Stamps, _ second: Stamps) -> Stamps {
        first.merging(second) { old, new in
            if old != new { mistakes.append("\(first) beside \(second)") }
            return max(old, new)
        }
    }

    /// Adds a property that is derived from random ones.
    func grow(_ random: inout SystemRandomNumberGenerator) {
        let all = members.withLock { $0 }
        let (first, second) = (all.randomElement(using: &random)!, all.randomElement(using: &random)!)
        let computations = Counter()
        let roots: Set<Int>
        let property: Property<Stamps>
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            roots = first.roots
            property = first.property.map { stamps in
                computations.increment()
                return stamps
            }
        case 1:
            roots = first.roots
            property = first.property.skipRepeats().map { stamps in
                computations.increment()
                return stamps
            }
        default:
            roots = first.roots.union(second.roots)
            property = first.property.combineLatest(with: second.property).map { [self] pair in
                computations.increment()
                return merge(pair.0, pair.1)
            }
        }
        let setsBefore = roots.reduce(0) { $0 + sets[$1].value }
        members.withLock {
            $0.append(Member(property: property, roots: roots, computations: computations, setsBefore: setsBefore))
        }
    }

    func set(_ index: Int) {
        sets[index].increment()
        let version = roots[index].modify { stamps in
            stamps[index]! += 1
            return stamps[index]!
        }
        // Whoever sets a property sees what follows.
        for member in members.withLock({ $0 }) where member.roots.contains(index) {
            if member.property.value[index]! < version { mistakes.append("late") }
        }
    }

    /// Observes a property, and checks that it goes forward only.
    func observe(_ member: Member) -> Locked<Stamps> {
        let last = Locked<Stamps>([:])
        member.property.producer.startWithNext { [mistakes] stamps in
            let former = last.withLock { last in
                defer { last = stamps }
                return last
            }
            for (root, version) in former where stamps[root]! < version { mistakes.append("backwards") }
            for (root, version) in member.property.value where version < stamps[root]! {
                mistakes.append("an event before its value")
            }
        }
        return last
    }

    /// What every property is to have now.
    func check(_ observed: [(Member, Locked<Stamps>)]) {
        #expect(mistakes.all == [])
        let final = roots.map(\.value).reduce([:]) { merge($0, $1) }
        for member in members.withLock({ $0 }) {
            #expect(member.property.value == final.filter { member.roots.contains($0.key) })
            let sets = member.roots.reduce(0) { $0 + self.sets[$1].value }
            #expect(member.computations.value <= sets + 1)
        }
        for (member, last) in observed { #expect(last.withLock { $0 } == member.property.value) }
    }
}

@Suite("Properties that derive from one another", .watched)
struct RandomGraphTests {
    @Test("never mix what is old and new, and are computed once a change", arguments: 0..<40)
    func oneThread(_ round: Int) {
        var random = SystemRandomNumberGenerator()
        let graph = RandomGraph(roots: 3)
        var observed: [(RandomGraph.Member, Locked<Stamps>)] = []
        for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: graph.grow(&random)
            case 1:
                let member = graph.members.withLock { $0 }.randomElement(using: &random)!
                observed.append((member, graph.observe(member)))
            default: graph.set(Int.random(in: 0..<3, using: &random))
            }
        }
        graph.check(observed)
    }

    @Test("nor with sets and composition from inside events", arguments: 0..<40)
    func nested(_ round: Int) {
        var random = SystemRandomNumberGenerator()
        let graph = RandomGraph(roots: 3)
        for _ in 0..<8 { graph.grow(&random) }
        var observed: [(RandomGraph.Member, Locked<Stamps>)] = []
        let budget = Locked(60)
        for member in graph.members.withLock({ $0 }) {
            observed.append((member, graph.observe(member)))
            member.property.signal.observeNext { _ in
                let isAllowed = budget.withLock { budget in
                    budget -= 1
                    return budget >= 0
                }
                guard isAllowed else { return }
                var random = SystemRandomNumberGenerator()
                if Bool.random(using: &random) { graph.grow(&random) }
                graph.set(Int.random(in: 0..<3, using: &random))
            }
        }
        for index in 0..<3 { graph.set(index) }
        graph.check(observed)
    }

    @Test("nor from four threads that set, compose and observe at once", arguments: 0..<20)
    func threads(_ round: Int) {
        let graph = RandomGraph(roots: 4)
        let observed = Log<(RandomGraph.Member, Locked<Stamps>)>()
        onThreads(4, "graph") { thread in
            var random = SystemRandomNumberGenerator()
            for _ in 0..<60 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: graph.grow(&random)
                case 1:
                    let member = graph.members.withLock { $0 }.randomElement(using: &random)!
                    observed.append((member, graph.observe(member)))
                default: graph.set(Int.random(in: 0..<4, using: &random))
                }
            }
        }
        graph.check(observed.all)
    }
}
