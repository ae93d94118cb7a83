#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

/// The values of two properties at one moment.
struct Pair: Hashable, Sendable, CustomStringConvertible {
    let left: Int
    let right: Int

    init(_ left: Int, _ right: Int) { (self.left, self.right) = (left, right) }

    init(_ pair: (Int, Int)) { (left, right) = pair }

    var description: String { "(\(left), \(right))" }
}

extension AllExplorations {
    @Suite("Graphs of properties")
    struct PropertyGraphExplorations {
        // MARK: One root

        static let contentions: [Contention] = [.wait, .enqueue]

        @Test("a diamond never combines old and new values, for readers and observers", arguments: contentions)
        func diamond(contention: Contention) {
            exhaust(
                Scenario("a diamond, two setters and a reader, \(contention)") { trial in
                    let root = MutableProperty(0, contention: contention)
                    let tenfold = root.map { value in
                        trial.pause()
                        return value * 10
                    }
                    let pairs = root.combineLatest(with: tenfold).map { Pair($0) }
                    let recorder = Recorder<Pair, Never>(trial)
                    pairs.signal.observe(recorder)
                    pairs.signal.observeNext { [unowned pairs] pair in
                        trial.expect(pair.right == pair.left * 10, "a glitch: \(pair)")
                        let value = pairs.value
                        trial.expect(value.right == value.left * 10, "a glitch inside an event: \(value)")
                    }
                    for value in [1, 2] {
                        trial.thread {
                            root.value = value
                        }
                    }
                    trial.thread {
                        let (first, second) = (pairs.value, pairs.value)
                        for pair in [first, second] {
                            trial.expect(pair.right == pair.left * 10, "a glitch: \(pair)")
                        }
                        let isGoneBack = second.left == 0 && first.left != 0
                        trial.expect(!isGoneBack, "read \(first) and then \(second)")
                    }
                    trial.finally {
                        recorder.expectAll([[Pair(1, 10)], [Pair(2, 20)]])
                        trial.expect(recorder.values.last == pairs.value, "\(pairs.value) after \(recorder.values)")
                        trial.expect(pairs.value.left == root.value, "\(pairs.value) of \(root.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a read of a derived property after a set returns a value at least as new")
        func freshness() {
            exhaust(
                Scenario("each thread reads what it has set, derived") { trial in
                    let root = MutableProperty(0)
                    let tenfold = root.map { $0 * 10 }
                    let chain = tenfold.map { $0 + 1 }
                    for thread in 0..<3 {
                        trial.thread {
                            if thread == 2 {
                                let before = tenfold.value
                                trial.expect(chain.value >= before + 1, "a chain goes back behind \(before)")
                            } else {
                                let mine = root.modify {
                                    $0 += 1
                                    return $0
                                }
                                trial.expect(chain.value >= mine * 10 + 1, "\(chain.value) after \(mine)")
                            }
                        }
                    }
                    trial.finally { trial.expect(chain.value == 21, "\(chain.value)") }
                }, preemptions: 1)
        }

        @Test("a read that a set overtakes leaves no old value behind")
        func overtaken() {
            exhaust(
                quick: 4_000,
                Scenario("two properties are derived from one and read, while the root is set") { trial in
                    let root = MutableProperty(0)
                    let tenfold = root.map { $0 * 10 }
                    let between = tenfold.map { $0 + 1 }
                    let tops = (0..<2).map { _ in between.map { $0 } }
                    trial.thread { for top in tops { trial.expect(top.value % 10 == 1, "a value that never was") } }
                    trial.thread {
                        for number in [1, 2] {
                            root.value = number
                            let found = between.value
                            trial.expect(found == number * 10 + 1, "\(found) after a set of \(number)")
                        }
                    }
                    trial.finally {
                        for property in tops + [between] {
                            trial.expect(property.value == 21, "\(property.value) at the end")
                        }
                    }
                }, preemptions: 3)
        }

        @Test("a read that a set overtakes leaves no new value behind as an old one")
        func mixed() {
            exhaust(
                quick: 4_000,
                Scenario("a property is read alone and in a pair with what it derives from, while the root is set") {
                    trial in
                    let root = MutableProperty(0)
                    let tenfold = root.map { $0 * 10 }
                    let between = tenfold.map { $0 + 1 }
                    let alone = between.map { $0 }
                    let pairs = between.combineLatest(with: tenfold).map { Pair($0) }
                    trial.expect(pairs.value == Pair(1, 0), "\(pairs.value) at first")
                    root.value = 1
                    trial.thread { trial.expect(alone.value % 10 == 1, "a value that never was") }
                    trial.thread {
                        let pair = pairs.value
                        trial.expect(pair.left == pair.right + 1, "a mix of two moments: \(pair)")
                    }
                    trial.thread { for number in [2, 3] { root.value = number } }
                    trial.finally {
                        trial.expect(pairs.value == Pair(31, 30), "\(pairs.value) at the end")
                        trial.expect(alone.value == 31, "\(alone.value) at the end")
                    }
                }, preemptions: 3)
        }

        @Test("the observers of all properties of a change see the same order")
        func sameOrder() {
            exhaust(
                Scenario("one order for a root and what is derived from it") { trial in
                    let root = MutableProperty(0)
                    let derived = [root.map { $0 }, root.map { $0 }.map { $0 }]
                    let recorders = (0..<3).map { Recorder<Int, Never>(trial, "observer \($0)") }
                    root.signal.observe(recorders[0])
                    derived[0].signal.observe(recorders[1])
                    derived[1].signal.observe(recorders[2])
                    trial.thread { for value in [1, 2] { root.value = value } }
                    trial.thread { root.value = 3 }
                    trial.finally {
                        recorders[0].expectAll([[1, 2], [3]])
                        for recorder in recorders {
                            trial.expect(
                                recorder.values == recorders[0].values,
                                "\(recorder.values), elsewhere \(recorders[0].values)")
                        }
                        withExtendedLifetime(derived) {}
                    }
                }, preemptions: 1)
        }

        @Test("a property that is derived while its root changes misses nothing")
        func newcomer() {
            exhaust(
                Scenario("a property is derived beside two setters") { trial in
                    let root = MutableProperty(0)
                    // Makes a set compute, so that a property derived during the set is a newcomer.
                    let other = root.map { value in
                        trial.pause()
                        return value
                    }
                    let all = Recorder<Int, Never>(trial, "the observer of the root")
                    let late = Recorder<Int, Never>(trial, "the late observer")
                    let held = Held<Property<Int>>(nil)
                    root.signal.observe(all)
                    trial.thread { root.value = 1 }
                    trial.thread { root.value = 2 }
                    trial.thread {
                        let derived = root.combineLatest(with: other).map { pair in
                            trial.expect(pair.0 == pair.1, "a glitch: \(pair)")
                            return pair.0
                        }
                        _ = derived.producer.start(late)
                        held.value = derived
                    }
                    trial.finally {
                        let values = [0] + all.values
                        trial.expect(
                            !late.values.isEmpty && late.values == Array(values.suffix(late.values.count)),
                            "the late observer has got \(late.values) of \(values)")
                        trial.expect(held.value?.value == root.value, "it has \(held.value?.value ?? -1)")
                        withExtendedLifetime(other) {}
                        held.value = nil
                    }
                }, preemptions: 1)
        }

        @Test("a derived property that is released during a change leaves nothing behind")
        func release() {
            exhaust(
                Scenario("derived properties go beside a setter") { trial in
                    let root = MutableProperty(0)
                    let derived = Held<Property<Int>>(nil)
                    let token = trial.token()
                    let middle = root.map { [token] value in
                        token.touch()
                        return value * 10
                    }
                    derived.value = middle.map { [token] value in
                        token.touch()
                        return value + 1
                    }
                    let recorder = Recorder<Int, Never>(trial)
                    let observation = middle.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { root.value = value } }
                    trial.thread { derived.value = nil }
                    trial.thread {
                        observation?.dispose()
                        recorder.isDisposed()
                    }
                    trial.finally {
                        recorder.expectOrder([[10, 20]])
                        trial.expect(middle.value == 20, "\(middle.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a root that ends during a set and a start ends its derived properties once")
        func end() {
            exhaust(
                Scenario("the last handle of a root goes") { trial in
                    let root = MutableProperty(0)
                    let derived = root.map { $0 * 10 }
                    let recorder = Recorder<Int, Never>(trial)
                    let started = Recorder<Int, Never>(trial, "the start")
                    derived.signal.observe(recorder)
                    let handles = (0..<2).map { _ in Held(root) }
                    for (index, handle) in handles.enumerated() {
                        trial.thread {
                            handle.value?.value = index + 1
                            handle.value = nil
                        }
                    }
                    trial.thread { _ = derived.producer.start(started) }
                    // The scenario's own reference is released when its body has returned.
                    trial.finally {
                        recorder.expectAll([[10], [20]])
                        recorder.expectOneEnd()
                        started.expectOneEnd()
                        let all = [0] + recorder.values
                        trial.expect(
                            !started.values.isEmpty && started.values == Array(all.suffix(started.values.count)),
                            "a start has got \(started.values) of \(all)")
                        trial.expect(derived.value == all.last, "\(derived.value) at the end of \(all)")
                    }
                }, preemptions: 1)
        }

        @Test("a property that follows a stream has its last value, and ends with it")
        func following() {
            exhaust(
                Scenario("a property follows a stream beside its sender and its end") { trial in
                    let (signal, input) = Signal<Int, Never>.pipe()
                    let all = Recorder<Int, Never>(trial, "the stream")
                    let recorder = Recorder<Int, Never>(trial, "the start")
                    let held = Held<Property<Int>>(nil)
                    signal.observe(all)
                    trial.thread { [1, 2].forEach(input.sendNext) }
                    trial.thread { input.sendCompleted() }
                    trial.thread {
                        let property = Property(initial: 0, then: signal)
                        _ = property.producer.start(recorder)
                        held.value = property
                    }
                    trial.finally {
                        recorder.expectOneEnd()
                        let rest = Array(recorder.values.drop { $0 == 0 })
                        trial.expect(
                            !recorder.values.isEmpty && rest == Array(all.values.suffix(rest.count)),
                            "\(recorder.values) of \(all.values)")
                        trial.expect(held.value?.value == recorder.values.last, "\(held.value?.value ?? -1)")
                        held.value = nil
                    }
                }, preemptions: 1)
        }

        // MARK: What has a state

        @Test("stateful properties see each change in order")
        func states() {
            exhaust(
                Scenario("combinePrevious, skipRepeats and filter beside two setters") { trial in
                    let root = MutableProperty(0)
                    let steps = root.combinePrevious(0).map { Pair($0) }
                    let changes = root.map { $0 / 10 }.skipRepeats()
                    let evens = root.filter(initial: 0) { $0.isMultiple(of: 2) }
                    let all = Recorder<Int, Never>(trial, "the observer of the root")
                    let pairs = Recorder<Pair, Never>(trial, "combinePrevious")
                    let tens = Recorder<Int, Never>(trial, "skipRepeats")
                    let even = Recorder<Int, Never>(trial, "filter")
                    root.signal.observe(all)
                    steps.signal.observe(pairs)
                    changes.signal.observe(tens)
                    evens.signal.observe(even)
                    trial.thread { for value in [11, 12] { root.value = value } }
                    trial.thread { root.value = 4 }
                    trial.finally {
                        let values = [0] + all.values
                        let expected = zip(values, values.dropFirst()).map { Pair($0, $1) }
                        trial.expect(pairs.values == expected, "\(pairs.values) of \(values)")
                        var former = 0
                        let different = all.values.map { $0 / 10 }.filter { value in
                            defer { former = value }
                            return value != former
                        }
                        trial.expect(tens.values == different, "\(tens.values) of \(values)")
                        trial.expect(even.values == all.values.filter { $0 != 11 }, "\(even.values) of \(values)")
                    }
                }, preemptions: 1)
        }

        @Test("uniqueValues lets no value through twice")
        func unique() {
            exhaust(
                Scenario("uniqueValues beside two setters of one value") { trial in
                    let root = MutableProperty(0)
                    let unique = root.uniqueValues()
                    let recorder = Recorder<Int, Never>(trial)
                    unique.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { root.value = value } }
                    trial.thread { for value in [2, 1] { root.value = value } }
                    trial.finally {
                        trial.expect(recorder.values.sorted() == [1, 2], "\(recorder.values)")
                        trial.expect(unique.value == recorder.values.last, "\(unique.value) of \(recorder.values)")
                    }
                }, preemptions: 1)
        }
    }
}
#endif
