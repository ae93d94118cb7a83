#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Properties of several roots")
    struct PropertyJoinExplorations {
        /// Expects that each pair differs from the previous one in one half, and that no half decreases.
        private func expectSteps(_ trial: Trial, _ pairs: [Pair]) {
            for (former, next) in zip(pairs, pairs.dropFirst()) {
                let isStep =
                    former.left == next.left && former.right < next.right
                    || former.right == next.right && former.left < next.left
                trial.expect(isStep, "\(next) after \(former) in \(pairs)")
            }
        }

        /// What changes a property that is bound, and another one.
        enum Change: String, CaseIterable, Sendable { case transaction, link, proposal }

        @Test("a change of several roots, one of them bound, beside an observation of both", arguments: Change.allCases)
        func severalRoots(_ change: Change) {
            exhaust(
                Scenario("a \(change) beside an observation of a bound property and another one") { trial in
                    let (bound, first) = (MutableProperty(0), MutableProperty(0))
                    let second = MutableProperty(0)
                    first <~> bound
                    let validating = ValidatingProperty<Int, TestFailure>(first) { _ in .valid }
                    let other = change == .proposal ? validating.result.map { $0.proposed } : Property(second)
                    let both = bound.combineLatest(with: other).map { Pair($0) }
                    let recorder = Recorder<Pair, Never>(trial)
                    trial.thread {
                        // The first change overtakes the observation, so that it makes other threads wait.
                        for value in [1, 2] {
                            switch change {
                            case .transaction: Property.transaction(first, second) { ($0, $1) = (value, value) }
                            case .link: if value == 1 { second.value = 2 } else { first <~> second }
                            case .proposal: validating.value = value
                            }
                        }
                    }
                    trial.thread { both.signal.observe(recorder) }
                    trial.finally {
                        trial.expect(both.value == Pair(2, 2), "\(both.value)")
                        let possible = change == .link ? [Pair(0, 2), Pair(2, 2)] : [Pair(1, 1), Pair(2, 2)]
                        trial.expect(recorder.values.allSatisfy(possible.contains), "\(recorder.values)")
                        withExtendedLifetime((bound, first, second)) {}
                    }
                }, preemptions: 2)
        }

        @Test("the end of the body of a transaction takes locks in order, if a property is bound")
        func locksOfFollowers() {
            // Few schedules reach the place between two locks on both threads.
            exhaust(
                quick: 2_500,
                Scenario("a transaction beside an observation of a bound property and another one, once") { trial in
                    let (bound, first, second) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
                    first <~> bound
                    let both = bound.combineLatest(with: second)
                    trial.thread { Property.transaction(first, second) { ($0, $1) = (1, 1) } }
                    trial.thread { both.signal.observeNext { _ in }?.dispose() }
                    trial.finally {
                        trial.expect(both.value == (1, 1), "\(both.value)")
                        withExtendedLifetime((bound, first, second)) {}
                    }
                }, preemptions: 2)
        }

        @Test("a transaction of two roots that nobody observes is seen as a whole", arguments: [false, true])
        func twoRoots(isModify: Bool) {
            exhaust(
                Scenario("a transaction beside a \(isModify ? "modify" : "transaction in the other order")") { trial in
                    let (first, second) = (MutableProperty(0), MutableProperty(0))
                    let both = first.combineLatest(with: second).map { Pair($0) }
                    let recorder = Recorder<Int, Never>(trial)
                    first.signal.observe(recorder)
                    trial.thread { Property.transaction(first, second) { ($0, $1) = ($0 + 1, $1 + 1) } }
                    trial.thread {
                        if isModify {
                            first.modify { $0 += 1 }
                        } else {
                            Property.transaction(second, first) { ($0, $1) = ($0 + 1, $1 + 1) }
                        }
                    }
                    trial.thread {
                        let pair = both.value
                        trial.expect(isModify ? pair.left >= pair.right : pair.left == pair.right, "read \(pair)")
                    }
                    trial.finally {
                        trial.expect(both.value == Pair(2, isModify ? 1 : 2), "\(both.value)")
                        trial.expect(recorder.values == [1, 2], "\\(recorder.values)")
                        withExtendedLifetime((first, second)) {}
                    }
                }, preemptions: 1)
        }

        @Test("a property of many roots has values of one moment", arguments: [false, true])
        func snapshots(isObserved: Bool) {
            exhaust(
                Scenario("a fold beside sets, \(isObserved ? "read and observed" : "read twice")") { trial in
                    let roots = (0..<3).map { _ in MutableProperty(0) }
                    let all = roots[0].combineLatest(with: roots[1]).map { Pair($0) }.combineLatest(with: roots[2])
                        .map { pair, last in
                            // They are set in order.
                            let isPossible = pair.left >= pair.right && pair.right >= last
                            trial.expect(isPossible, "\(pair) and \(last)")
                            return pair.left + pair.right + last
                        }
                    trial.thread { for root in roots { root.value = 1 } }
                    trial.thread {
                        let former = all.value
                        trial.expect(former <= all.value, "a reader sees \(former), and less than that afterwards")
                    }
                    trial.thread { if isObserved { all.signal.observeNext { _ in }?.dispose() } else { _ = all.value } }
                    trial.finally {
                        trial.expect(all.value == 3, "\(all.value)")
                        withExtendedLifetime(roots) {}
                    }
                }, preemptions: 1)
        }

        @Test("a combination of two roots never has a pair that never existed", arguments: [Contention.wait, .enqueue])
        func pairs(contention: Contention) {
            exhaust(
                Scenario("combineLatest of two roots, \(contention)") { trial in
                    let roots = [MutableProperty(0, contention: contention), MutableProperty(0)]
                    let pairs = roots[0].combineLatest(with: roots[1]).map { Pair($0) }
                    let recorder = Recorder<Pair, Never>(trial)
                    nonisolated(unsafe) var seen: [Pair] = []
                    pairs.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { roots[0].value = value } }
                    trial.thread { for value in [1, 2] { roots[1].value = value } }
                    trial.thread { for _ in 0..<2 { seen.append(pairs.value) } }
                    trial.finally {
                        let all = [Pair(0, 0)] + recorder.values
                        self.expectSteps(trial, all)
                        trial.expect(all.count == 5 && all.last == Pair(2, 2), "\(all)")
                        let places = seen.compactMap { all.firstIndex(of: $0) }
                        trial.expect(
                            places.count == 2 && places[0] <= places[1], "a reader has seen \(seen) of \(all)")
                    }
                }, preemptions: 1)
        }

        @Test("combinations with one root have the events of their values", arguments: [Contention.wait, .enqueue])
        func combinationsWithOne(contention: Contention) {
            exhaust(
                Scenario("two combinations with one root that is set, \(contention)") { trial in
                    let shared = MutableProperty(0, contention: contention)
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    let combinations = roots.map { $0.combineLatest(with: shared).map { Pair($0) } }
                    let recorders = combinations.map { combination in
                        let recorder = Recorder<Pair, Never>(trial)
                        combination.signal.observe(recorder)
                        return recorder
                    }
                    trial.thread { for value in [1, 2] { shared.value = value } }
                    trial.thread { for value in [1, 2] { roots[1].value = value } }
                    trial.finally {
                        for (recorder, last) in zip(recorders, [Pair(0, 2), Pair(2, 2)]) {
                            let all = [Pair(0, 0)] + recorder.values
                            self.expectSteps(trial, all)
                            trial.expect(all.count == 1 + last.left + last.right && all.last == last, "\(all)")
                        }
                    }
                }, preemptions: 2)
        }

        @Test("a root with a property derived from it and from another root has no glitch")
        func derivedFromTwo() {
            exhaust(
                Scenario("combineLatest of a root and of a sum of two") { trial in
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    let sum = roots[0].combineLatest(with: roots[1]).map { $0 + $1 }
                    let pairs = roots[0].combineLatest(with: sum).map { Pair($0) }
                    let recorder = Recorder<Pair, Never>(trial)
                    pairs.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { roots[0].value = value } }
                    trial.thread { roots[1].value = 10 }
                    trial.thread {
                        let pair = pairs.value
                        trial.expect([0, 10].contains(pair.right - pair.left), "a glitch: \(pair)")
                    }
                    trial.finally {
                        var former = 0
                        for pair in recorder.values {
                            let rest = pair.right - pair.left
                            trial.expect([0, 10].contains(rest) && rest >= former, "a glitch: \(recorder.values)")
                            former = rest
                        }
                        trial.expect(recorder.values.count == 3, "\(recorder.values)")
                        trial.expect(recorder.values.last == Pair(2, 12), "\(recorder.values)")
                    }
                }, preemptions: 1)
        }

        @Test("two graphs that are joined during changes of both agree at the end")
        func joining() {
            exhaust(
                Scenario("combineLatest beside a setter of each root") { trial in
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    let mapped = roots.map { root in
                        root.map { value in
                            trial.pause()
                            return value
                        }
                    }
                    let recorder = Recorder<Pair, Never>(trial)
                    let held = Held<Property<Pair>>(nil)
                    for root in roots { trial.thread { root.value = 1 } }
                    trial.thread {
                        let pairs = mapped[0].combineLatest(with: mapped[1]).map { Pair($0) }
                        _ = pairs.producer.start(recorder)
                        held.value = pairs
                    }
                    trial.finally {
                        // Changes of both roots during the join may be sent as one event.
                        for (former, next) in zip(recorder.values, recorder.values.dropFirst()) {
                            let grows = former.left <= next.left && former.right <= next.right && former != next
                            trial.expect(grows, "\(next) after \(former) in \(recorder.values)")
                        }
                        trial.expect(recorder.values.last == Pair(1, 1), "\(recorder.values)")
                        trial.expect(held.value?.value == Pair(1, 1), "\(held.value?.value ?? Pair(-1, -1))")
                        held.value = nil
                    }
                }, preemptions: 1)
        }

        @Test("three graphs that two threads join concurrently become one")
        func twoJoins() {
            exhaust(
                Scenario("two joins that overlap, and a setter") { trial in
                    let roots = (0..<3).map { _ in MutableProperty(0) }
                    let joined = (0..<2).map { _ in Held<Property<Pair>>(nil) }
                    for index in 0..<2 {
                        trial.thread {
                            let pairs = roots[index].combineLatest(with: roots[index + 1]).map { Pair($0) }
                            joined[index].value = pairs
                            roots[index].value += 1
                        }
                    }
                    trial.thread { roots[2].value = 7 }
                    trial.finally {
                        let values = joined.map { $0.value!.value }
                        trial.expect(values == [Pair(1, 1), Pair(1, 7)], "\(values)")
                        let agreement = joined[0].value!.combineLatest(with: joined[1].value!).map { pairs in
                            pairs.0.right == pairs.1.left
                        }
                        let recorder = Recorder<Bool, Never>(trial)
                        agreement.signal.observe(recorder)
                        roots[1].value = 5
                        trial.expect(recorder.values == [true], "they are not one graph: \(recorder.values)")
                        for held in joined { held.value = nil }
                    }
                }, preemptions: 1)
        }

        @Test("observing a combination does not wait for the body of a modify, which may need a lock of the observer's")
        func observedUnderLock() {
            // Each input is linked with the combination, which took more attempts than those allowed without a gate.
            exhaust(
                Scenario("a combination of five properties is observed under a lock") { trial in
                    let roots = (0..<5).map { MutableProperty($0) }
                    let all = Property<Int>.combineLatest(roots.map { root in root.map { $0 } })
                    let recorder = Recorder<[Int], Never>(trial)
                    let lock = ExploredLock()
                    trial.thread {
                        roots[0].modify { value in
                            lock.lock()
                            value = 7
                            lock.unlock()
                        }
                    }
                    trial.thread {
                        lock.lock()
                        _ = all.producer.start(recorder)
                        lock.unlock()
                    }
                    trial.finally {
                        trial.expect(recorder.values.last == [7, 1, 2, 3, 4], "\(recorder.values)")
                    }
                }, preemptions: 1)
        }

        @Test("a join that is released during a change of each root leaves nothing behind")
        func releasedJoin() {
            exhaust(
                Scenario("a property of two roots comes and goes") { trial in
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    for root in roots { trial.thread { root.value = 1 } }
                    trial.thread {
                        let token = trial.token()
                        let pairs = roots[0].combineLatest(with: roots[1]).map { [token] pair in
                            token.touch()
                            return pair.0 + pair.1
                        }
                        trial.expect((0...2).contains(pairs.value), "\(pairs.value)")
                    }
                    trial.finally { trial.expect(roots.map(\.value) == [1, 1], "\(roots.map(\.value))") }
                }, preemptions: 1)
        }

        @Test("roots of one graph whose observers set each other do not deadlock, and agree at the end")
        func crossing() {
            exhaust(
                Scenario("two roots of one graph that set each other") { trial in
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    let pairs = roots[0].combineLatest(with: roots[1]).map { Pair($0) }
                    let recorders = (0..<2).map { Recorder<Int, Never>(trial, "root \($0)") }
                    let all = Recorder<Pair, Never>(trial, "the observer of pairs")
                    pairs.signal.observe(all)
                    for (index, root) in roots.enumerated() {
                        root.signal.observe(recorders[index])
                        root.signal.observeNext { [unowned other = roots[1 - index]] value in
                            if value < 10 { other.value = value + 10 }
                        }
                    }
                    trial.thread { roots[0].value = 1 }
                    trial.thread { roots[1].value = 2 }
                    trial.finally {
                        recorders[0].expectAll([[1], [12]])
                        recorders[1].expectAll([[2], [11]])
                        let last = Pair(recorders[0].values[1], recorders[1].values[1])
                        trial.expect(pairs.value == last && all.values.last == last, "\(all.values), not \(last)")
                        trial.expect(all.values.count == 4, "\(all.values)")
                    }
                }, preemptions: 1)
        }

        @Test("an observer added below the level of the current propagation misses no change")
        func newcomerBelow() {
            exhaust(
                Scenario("a newcomer below what two setters meet in") { trial in
                    let roots = [MutableProperty(0), MutableProperty(0)]
                    let above = roots[0].map { $0 }.map { $0 }.combineLatest(with: roots[1]).map { Pair($0) }
                    let below = roots[0].combineLatest(with: roots[1]).map { Pair($0) }
                    let recorders = (0..<2).map { Recorder<Pair, Never>(trial, "observer \($0)") }
                    above.signal.observe(recorders[0])
                    trial.thread { roots[0].modify { $0 += 1 } }
                    trial.thread { roots[1].modify { $0 += 1 } }
                    trial.thread {
                        _ = below.producer.start(recorders[1])
                        roots[0].modify { $0 += 1 }
                    }
                    trial.finally {
                        let last = Pair(2, 1)
                        trial.expect(roots.map(\.value) == [2, 1], "\(roots.map(\.value))")
                        trial.expect(above.value == last && below.value == last, "\(above.value), \(below.value)")
                        self.expectSteps(trial, [Pair(0, 0)] + recorders[0].values)
                        for recorder in recorders {
                            trial.expect(recorder.values.last == last, "\(recorder.values)")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("zip pairs the changes of two threads by their number", arguments: [Contention.wait, .enqueue])
        func zipped(contention: Contention) {
            exhaust(
                Scenario("zip of two roots, \(contention)") { trial in
                    let roots = [MutableProperty(0, contention: contention), MutableProperty(0)]
                    let pairs = roots[0].zip(with: roots[1]).map { Pair($0) }
                    let recorder = Recorder<Pair, Never>(trial)
                    pairs.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { roots[0].value = value } }
                    trial.thread { for value in [1, 2] { roots[1].value = value } }
                    trial.thread {
                        let pair = pairs.value
                        trial.expect(pair.left == pair.right, "\(pair)")
                    }
                    trial.finally {
                        trial.expect(recorder.values == [Pair(1, 1), Pair(2, 2)], "\(recorder.values)")
                    }
                }, preemptions: 1)
        }

        @Test("zip and combineLatest end once, whichever root is released first")
        func ends() {
            exhaust(
                Scenario("two roots go on two threads") { trial in
                    let handles = (0..<2).map { _ in Held(MutableProperty(0)) }
                    let roots = handles.map { $0.value! }
                    let latest = Recorder<Pair, Never>(trial, "combineLatest")
                    let zipped = Recorder<Pair, Never>(trial, "zip")
                    roots[0].combineLatest(with: roots[1]).map { Pair($0) }.signal.observe(latest)
                    roots[0].zip(with: roots[1]).map { Pair($0) }.signal.observe(zipped)
                    for handle in handles {
                        trial.thread {
                            handle.value?.value = 1
                            handle.value = nil
                        }
                    }
                    trial.finally {
                        latest.expectOneEnd()
                        zipped.expectOneEnd()
                        self.expectSteps(trial, [Pair(0, 0)] + latest.values)
                        trial.expect(latest.values.last == Pair(1, 1), "\(latest.values)")
                        trial.expect(zipped.values == [Pair(1, 1)], "\(zipped.values)")
                    }
                }, preemptions: 1)
        }

        @Test("flatMap follows the inner property of the last value", arguments: [0, 1])
        func flatMapped(released: Int) {
            exhaust(
                Scenario("flatMap, an outer and two inner setters\(released == 1 ? ", released" : "")") { trial in
                    let outer = MutableProperty(0)
                    let inner = [MutableProperty(10), MutableProperty(20)]
                    let token = trial.token()
                    let flat = Held<Property<Int>>(
                        outer.flatMap(.latest) { [token] index in
                            token.touch()
                            return inner[index]
                        })
                    let recorder = Recorder<Int, Never>(trial)
                    flat.value!.signal.observe(recorder)
                    let late = released == 1 ? nil : flat.value
                    trial.thread { outer.value = 1 }
                    trial.thread {
                        inner[0].value = 11
                        inner[1].value = 21
                    }
                    if released == 1 { trial.thread { flat.value = nil } }
                    trial.finally {
                        recorder.expectOrder([[11, 20, 21], [11, 21]])
                        trial.expect(recorder.values.last == 21, "\(recorder.values)")
                        if let late { trial.expect(late.value == 21, "\(late.value)") }
                        flat.value = nil
                    }
                }, preemptions: 1)
        }
    }
}
#endif
