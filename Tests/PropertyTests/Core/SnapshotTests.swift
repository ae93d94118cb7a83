import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Properties with so many roots, in so many steps, that they are read in a snapshot.
@Suite("A property with many roots", .watched)
struct SnapshotTests {
    private let count = 300

    /// The sum of properties, each of which is a step.
    private func sum(_ properties: [Property<Int>]) -> Property<Int> {
        properties.dropFirst().reduce(properties[0]) { $0.combineLatest(with: $1).map { $0 &+ $1 } }
    }

    /// Each step adds a root to the sum of the ones before.
    private func fold(
        _ roots: [MutableProperty<Int>], _ check: @escaping @Sendable (_ step: Int, Int, Int) -> Void
    )
        -> [Property<Int>]
    {
        var sums = [Property(roots[0])]
        for (step, root) in roots.enumerated().dropFirst() {
            sums.append(
                sums[step - 1].combineLatest(with: root).map {
                    check(step, $0, $1)
                    return $0 &+ $1
                })
        }
        return sums
    }

    @Test("computes once per change what follows from it, and nothing else")
    func computations() {
        let (roots, last) = ((0..<count).map { _ in MutableProperty(1) }, count - 1)
        let computed = Log<Int>()
        let sums = fold(roots) { step, _, _ in computed.append(step) }
        expect(sums[last].value, is: count)
        expect(computed.all, is: Array(1..<count))
        for place in [last, 20, 0] {
            roots[place].value += 1
            let before = computed.count
            expect(sums[last].value, is: roots.map(\.value).reduce(0, +))
            expect(computed.all.dropFirst(before), is: Array(max(place, 1)..<count)[...])
            // Has been computed as an input.
            expect(sums[280].value, is: roots.prefix(281).map(\.value).reduce(0, +))
            expect(computed.count, is: before + count - max(place, 1))
        }
        let before = computed.count
        let observation = sums[last].signal.observeNext { _ in }
        expect(computed.count, is: before)
        roots[290].value = 7
        expect(sums[295].value, is: roots.prefix(296).map(\.value).reduce(0, +))
        observation?.dispose()
        expect(sums[last].value, is: roots.map(\.value).reduce(0, +))
        expect(computed.count, is: before + count - 290)
    }

    @Test("gives its closures, readers and observers values of one moment", arguments: [0, 1, 2])
    func consistency(observed: Int) {
        let (roots, last) = ((0..<count).map { _ in MutableProperty(0) }, count - 1)
        let mistakes = Log<String>()
        // All roots are equal at any time.
        let sums = fold(roots) { step, sum, value in
            if sum != step * value { mistakes.append("step \(step) is given \(sum) and \(value)") }
        }
        let observations = observed == 1 ? [sums[5], sums[last - 7]].map { $0.signal.observeNext { _ in } } : []
        onThreads(4, "changes and reads") { thread in
            for number in 0..<raceRounds {
                if thread == 0 { Property.transaction(roots) { $0 = $0.map { _ in number } } }
                if observed == 2, thread == 1 {
                    sums[last - 5].signal.observeNext {
                        if $0 % (last - 4) != 0 { mistakes.append("an observer receives \($0)") }
                    }?.dispose()
                }
                for place in [last, last - 8, 3] where sums[place].value % (place + 1) != 0 {
                    mistakes.append("a reader of step \(place)")
                }
            }
        }
        expect(mistakes.all, is: [])
        for observation in observations { observation?.dispose() }
        expect(sums[last].value, is: count * roots[0].value)
    }

    @Test(
        "agrees with a model in random graphs, while members are observed, released, read and set",
        .notUnderThreadSanitizer)
    func model() {
        var random = SplitMix64(seed: .random(in: 0...UInt64(UInt32.max)))
        print("snapshots: seed \(random)")
        for _ in 0..<raceRounds {
            let roots = (0..<14).map { MutableProperty($0) }
            var members: [(property: Property<Int>, weights: [Int])] = roots.indices.map { place in
                (Property(roots[place]), roots.indices.map { $0 == place ? 1 : 0 })
            }
            // What is derived from this has many roots.
            let others = (0..<count).map { _ in MutableProperty(0) }
            members.append((sum([members[0].property] + others.map { Property($0) }), members[0].weights))
            for _ in 0..<30 {
                let (left, right) = (random.pick(members), random.pick(members))
                let weights = zip(left.weights, right.weights).map { $0 &* 3 &+ $1 }
                members.append((left.property.combineLatest(with: right.property).map { $0 &* 3 &+ $1 }, weights))
                if random.once(in: 3) {
                    let all = (0..<4).map { _ in random.pick(members) }
                    let sum = Property<Int>.combineLatest(all.map(\.property)).map { $0.reduce(0, &+) }
                    members.append((sum, roots.indices.map { place in all.reduce(0) { $0 &+ $1.weights[place] } }))
                }
                if random.once(in: 6) { members.append((left.property.skipRepeats(), left.weights)) }
            }
            var observations: [(any Disposable)?] = []
            for _ in 0..<100 {
                switch random.number(in: 0...5) {
                case 0: observations.append(random.pick(members).property.signal.observeNext { _ in })
                case 1: observations.popLast()??.dispose()
                case 2:
                    let (one, other) = (random.number(in: 0...6), random.number(in: 7...13))
                    Property.transaction(roots[one], roots[other]) { ($0, $1) = ($1, $0 &+ 1) }
                default: roots[random.number(in: 0...13)].value = random.number(in: 0...9)
                }
                let values = roots.map(\.value)
                let member = random.pick(members)
                let expected = zip(values, member.weights).reduce(0) { $0 &+ $1.0 &* $1.1 }
                if member.property.value != expected {
                    Issue.record("\(member.property.value), not \(expected)")
                    return
                }
            }
            for observation in observations { observation?.dispose() }
        }
    }

    @Test("can be read while other threads observe and release what it is derived from")
    func toggled() {
        let roots = (0..<count).map { MutableProperty($0) }
        let doubled = roots.map { root in root.map { $0 * 2 } }
        let sum = sum(doubled)
        let isOver = Counter()
        onThreads(3, "toggles or reads") { thread in
            if thread == 0 {
                for number in 0..<raceRounds {
                    roots[7].value = number
                    expect(sum.value, is: 2 * (count * (count - 1) / 2 - 7 + number))
                }
                isOver.increment()
            } else {
                var place = 0
                while isOver.value == 0 {
                    doubled[place % count].signal.observeNext { _ in }?.dispose()
                    place += 1
                }
            }
        }
    }

    /// An object that a closure makes anew each time.
    private final class Made: Sendable {}

    @Test("gives all readers the same object of a closure, when several threads compute it")
    func identity() {
        let roots = (0..<count).map { MutableProperty($0) }
        let made = roots[0].map { _ in Made() }
        let derived = made.map { [$0] }
        let others = sum(roots.map { Property($0) })
        let both = made.combineLatest(with: derived).combineLatest(with: others).map { $0.0 }
        let mistakes = Counter()
        for number in 0..<raceRounds {
            roots[0].value = number
            onThreads(3, "reads") { _ in
                let (one, other) = both.value
                if one !== other[0] { mistakes.increment() }
            }
            if derived.value[0] !== made.value { mistakes.increment() }
        }
        expect(mistakes.value, is: 0)
    }

    @Test("can be read at the end of a long chain, while other threads set its roots")
    func chains() {
        let roots = (0..<count).map { _ in MutableProperty(0) }
        let end = (0..<thorough(10_000)).reduce(sum(roots.map { Property($0) })) {
            chain, _ in
            chain.map { $0 }
        }
        onThreads(3, "sets or reads") { thread in
            for number in 0..<5 {
                if thread < 2 { roots[thread].value = number } else { #expect((0...8).contains(end.value)) }
            }
        }
        expect(end.value, is: 8)
    }

    @Test("is computed about once per change, also if it is deep and a root changes during each computation")
    func deep() {
        let root = MutableProperty(0)
        let calls = Counter()
        let depth = 12
        // The change is made by another thread: a closure sets nothing.
        let end = (0..<depth).reduce(root.map { $0 }) { chain, _ in
            chain.map { value in
                calls.increment()
                TestThread("sets the root") { root.value += 1 }.join()
                return value
            }
        }
        let sum = (0..<depth).reduce(root.map { $0 }) { chain, _ in
            chain.combineLatest(with: chain).map { first, second in
                calls.increment()
                TestThread("sets the root") { root.value += 1 }.join()
                return first == second ? first : -1
            }
        }
        for property in [end, sum] {
            let before = calls.value
            #expect(property.value >= 0)
            #expect(calls.value - before <= 3 * depth, "\(calls.value - before) calls")
        }
    }

    @Test("a property with a memory is made while another thread sets its source all the time", .watched)
    func kept() {
        let root = MutableProperty(0)
        let (isMade, calls) = (DoneFlag(), Counter())
        let setter = TestThread("sets the root") { while !isMade.isRaised { root.value += 1 } }
        let scanned = root.scan(0) { sum, value in
            calls.increment()
            let before = root.value
            // As slow as it takes for another set.
            while calls.value <= 8, root.value == before {}
            return sum + value
        }
        isMade.raise()
        setter.join()
        #expect(calls.value > 8)
        withExtendedLifetime(scanned) {}
    }
}
