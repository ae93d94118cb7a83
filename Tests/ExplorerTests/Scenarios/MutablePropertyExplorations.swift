#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Mutable properties")
    struct MutablePropertyExplorations {
        /// The properties derived from the property. Without any, a change takes a fast path.
        enum Shape: CaseIterable { case bare, mapped }

        /// A property, its history and its observer.
        final class Subject: @unchecked Sendable {
            let property: MutableProperty<Int>
            let history = History(0)
            let recorder: Recorder<Int, Never>
            private let mapped: Property<Int>?
            private let mappedRecorder: Recorder<Int, Never>
            private let trial: Trial

            init(_ trial: Trial, _ shape: Shape, _ contention: Contention = .wait) {
                self.trial = trial
                property = MutableProperty(0, contention: contention)
                recorder = Recorder(trial)
                mappedRecorder = Recorder(trial, "the observer of the derived property")
                property.signal.observe(recorder)
                mapped = shape == .bare ? nil : property.map { $0 * 10 }
                mapped?.signal.observe(mappedRecorder)
            }

            func read() { history.read { property.value } }
            func set(_ value: Int) { history.write(value) { property.value = value } }
            func swap(_ value: Int) { history.update { (property.swap(value), value) } }

            func add(_ amount: Int) {
                history.update {
                    property.modify { value in
                        let found = value
                        trial.pause()
                        value += amount
                        return (found, value)
                    }
                }
            }

            func look() {
                history.read {
                    property.withValue { value in
                        trial.pause()
                        return value
                    }
                }
            }

            /// One event per change, in the order in which the changes became visible.
            func check() {
                read()
                let isExplained = history.isLinearizable(changes: recorder.values)
                trial.expect(isExplained, "not linearizable with \(recorder.values): \(history)")
                guard let mapped else { return }
                trial.expect(mapped.value == property.value * 10, "\(mapped.value) of \(property.value)")
                let expected = recorder.values.map { $0 * 10 }
                trial.expect(mappedRecorder.values == expected, "\(mappedRecorder.values) of \(recorder.values)")
            }
        }

        private func scenario(
            _ name: String, _ shape: Shape, _ contention: Contention, _ threads: [@Sendable (Subject) -> Void]
        ) -> Scenario {
            Scenario("\(name), \(shape), \(contention)") { trial in
                let subject = Subject(trial, shape, contention)
                for thread in threads { trial.thread { thread(subject) } }
                trial.finally { subject.check() }
            }
        }

        static let contentions: [Contention] = [.wait, .enqueue]

        @Test("sets and reads are linearizable", arguments: Shape.allCases, contentions)
        func setsAndReads(shape: Shape, contention: Contention) {
            exhaust(
                scenario(
                    "two setters and a reader", shape, contention,
                    [
                        {
                            $0.set(1)
                            $0.read()
                        },
                        {
                            $0.set(2)
                            $0.read()
                        },
                        {
                            $0.read()
                            $0.read()
                        },
                    ]), preemptions: 1)
        }

        @Test("three setters of three values are linearizable", arguments: Shape.allCases, contentions)
        func threeSetters(shape: Shape, contention: Contention) {
            exhaust(
                scenario(
                    "three setters of three values", shape, contention,
                    [
                        { subject in [11, 12, 13].forEach(subject.set) },
                        { subject in [21, 22, 23].forEach(subject.set) },
                        { subject in [31, 32, 33].forEach(subject.set) },
                    ]), preemptions: 1)
        }

        @Test("modify and swap lose no change", arguments: Shape.allCases, contentions)
        func updates(shape: Shape, contention: Contention) {
            exhaust(
                scenario(
                    "modify, swap and set", shape, contention,
                    [
                        {
                            $0.add(1)
                            $0.add(2)
                        },
                        {
                            $0.swap(10)
                            $0.read()
                        },
                        {
                            $0.set(20)
                            $0.read()
                        },
                    ]), preemptions: 1)
        }

        @Test("three threads count without a loss", arguments: Shape.allCases, contentions)
        func counting(shape: Shape, contention: Contention) {
            exhaust(
                scenario(
                    "three counters", shape, contention,
                    [{ $0.add(1) }, { $0.add(10) }, { $0.add(100) }]))
        }

        @Test("withValue sees a value that does not change in its body", arguments: Shape.allCases)
        func looking(shape: Shape) {
            exhaust(
                scenario(
                    "withValue beside set and modify", shape, .wait,
                    [
                        {
                            $0.look()
                            $0.look()
                        },
                        { $0.set(10) }, { $0.add(1) },
                    ]))
        }

        @Test("nothing changes the value in the body of withValue, and no two bodies of modify overlap")
        func exclusion() {
            exhaust(
                Scenario("withValue and modify exclude each other") { trial in
                    let property = MutableProperty(0)
                    nonisolated(unsafe) var inside = 0
                    let state = Trial.State()
                    @Sendable func body() {
                        state.touch()
                        inside += 1
                        trial.expect(inside == 1, "two bodies at a time")
                        trial.pause()
                        state.touch()
                        inside -= 1
                    }
                    trial.thread { property.withValue { _ in body() } }
                    for amount in [1, 2] {
                        trial.thread {
                            property.modify {
                                body()
                                $0 += amount
                            }
                        }
                    }
                    trial.finally { trial.expect(property.value == 3, "counted \(property.value)") }
                }, preemptions: 1)
        }

        @Test("a change in place is atomic for readers, and bodies can read each other's property")
        func inPlace() {
            exhaust(
                Scenario("two bodies in place that read each other's property") { trial in
                    let properties = [MutableProperty([0]), MutableProperty([0])]
                    @Sendable func look(at property: MutableProperty<[Int]>) {
                        let seen = property.value
                        trial.expect(seen == [0] || seen == [0, 1, 2], "\(seen) is seen in the middle")
                    }
                    for index in 0..<2 {
                        trial.thread {
                            properties[index].modify { value in
                                value.append(1)
                                look(at: properties[1 - index])
                                value.append(2)
                            }
                        }
                    }
                    trial.thread { properties.forEach(look) }
                    trial.finally {
                        for property in properties {
                            trial.expect(property.value == [0, 1, 2], "\(property.value) at the end")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("an observer of a property derived from a value that is modified in place receives the change")
        func observingBesideBody() {
            exhaust(
                quick: 5_000,
                Scenario("a body in place beside an observer of what is derived") { trial in
                    let property = MutableProperty([0])
                    let count = property.map(\.count)
                    let recorder = Recorder<Int, Never>(trial)
                    trial.thread {
                        property.modify { value in
                            value.append(1)
                            trial.pause()
                        }
                    }
                    trial.thread {
                        trial.expect([1, 2].contains(count.value), "\(count.value)")
                        _ = count.producer.start(recorder)
                    }
                    trial.finally {
                        trial.expect([[2], [1, 2]].contains(recorder.values), "\(recorder.values)")
                        trial.expect(count.value == 2, "\(count.value)")
                    }
                }, preemptions: 2)
        }

        @Test("a closure that sends to an observer which sets its source hands its event over", arguments: contentions)
        func sendingClosure(contention: Contention) {
            exhaust(
                Scenario("a closure sends into a stream whose observer sets the source, \(contention)") { trial in
                    let subject = Subject(trial, .bare, contention)
                    let (output, input) = Signal<Int, Never>.pipe()
                    let sent = Recorder<Int, Never>(trial, "the stream")
                    output.observe(sent)
                    // Only another thread than the one that computes sends 100.
                    output.observeNext { [unowned subject] value in if value == 100 { subject.set(7) } }
                    let derived = subject.property.map { value in
                        if value == 1 { input.sendNext(value) }
                        return value
                    }
                    let recorder = Recorder<Int, Never>(trial, "the derived property")
                    derived.signal.observe(recorder)
                    trial.thread { subject.set(1) }
                    trial.thread { input.sendNext(100) }
                    trial.finally {
                        subject.check()
                        trial.expect(sent.values.sorted() == [1, 100], "\(sent.values)")
                        trial.expect(recorder.values == subject.recorder.values, "\(recorder.values)")
                        trial.expect(derived.value == subject.property.value, "\(derived.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a property that is released while another one computes what follows from both ends once")
        func releasedBesideComputation() {
            exhaust(
                Scenario("one of two sources goes beside a setter of the other") { trial in
                    let (gone, other) = (Held(MutableProperty(0)), MutableProperty(0))
                    let both = gone.value!.combineLatest(with: other).map { pair in
                        trial.pause()
                        return pair.0 + pair.1
                    }
                    let (recorder, ofBoth) = (
                        Recorder<Int, Never>(trial, "the released one"), Recorder<Int, Never>(trial, "both")
                    )
                    gone.value!.signal.observe(recorder)
                    both.signal.observe(ofBoth)
                    trial.thread { for value in [1, 2] { other.value = value } }
                    trial.thread { gone.value = nil }
                    trial.finally {
                        recorder.expectOneEnd()
                        trial.expect(ofBoth.values == [1, 2], "\(ofBoth.values)")
                        trial.expect(both.value == 2, "\(both.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a start receives the value, then each following change", arguments: Shape.allCases, contentions)
        func starting(shape: Shape, contention: Contention) {
            exhaust(
                Scenario("starts beside two sets and a set, \(shape), \(contention)") { trial in
                    let subject = Subject(trial, shape, contention)
                    let late = Recorder<Int, Never>(trial, "the start")
                    trial.thread { [1, 2].forEach(subject.set) }
                    trial.thread { subject.set(3) }
                    trial.thread {
                        _ = subject.property.producer.start(late)
                        subject.read()
                    }
                    trial.finally {
                        subject.check()
                        let all = [0] + subject.recorder.values
                        let rest = Array(all.suffix(late.values.count))
                        trial.expect(
                            !late.values.isEmpty && late.values == rest, "a start has got \(late.values) of \(all)")
                    }
                }, preemptions: 1)
        }

        @Test("starts no delivery after a start or an observation was disposed of", arguments: contentions)
        func disposal(contention: Contention) {
            exhaust(
                Scenario("disposals beside two setters, \(contention)") { trial in
                    let subject = Subject(trial, .bare, contention)
                    let (observer, started) = (
                        Recorder<Int, Never>(trial, "the observation"), Recorder<Int, Never>(trial, "the start")
                    )
                    let observation = subject.property.signal.observe(observer)
                    let start = subject.property.producer.start(started)
                    trial.thread { [1, 2].forEach(subject.set) }
                    trial.thread { subject.set(3) }
                    trial.thread {
                        observation?.dispose()
                        observer.isDisposed()
                        start.dispose()
                    }
                    trial.finally {
                        subject.check()
                        let all = subject.recorder.values
                        trial.expect(
                            observer.values == Array(all.prefix(observer.values.count)),
                            "an observer has got \(observer.values) of \(all)")
                        started.expectOneEnd()
                        trial.expect(
                            started.values == Array(([0] + all).prefix(started.values.count)),
                            "a start has got \(started.values) of \(all)")
                    }
                }, preemptions: 1)
        }

        @Test(
            "a re-entrant set is delivered after the current event, with another setter",
            arguments: Shape.allCases, contentions)
        func nested(shape: Shape, contention: Contention) {
            exhaust(
                Scenario("an observer sets, \(shape), \(contention)") { trial in
                    let subject = Subject(trial, shape, contention)
                    subject.property.signal.observeNext { [unowned subject] value in
                        if value < 100 { subject.set(value + 100) }
                    }
                    trial.thread { subject.set(1) }
                    trial.thread {
                        subject.set(2)
                        subject.read()
                    }
                    trial.finally {
                        subject.check()
                        subject.recorder.expectAll([[1, 101], [2, 102]])
                    }
                }, preemptions: 1)
        }

        @Test("two properties whose observers set each other do not deadlock", arguments: contentions)
        func crossing(contention: Contention) {
            exhaust(
                Scenario("two properties that set each other, \(contention)") { trial in
                    let subjects = [Subject(trial, .bare, contention), Subject(trial, .mapped)]
                    for (index, subject) in subjects.enumerated() {
                        subject.property.signal.observeNext { [unowned other = subjects[1 - index]] value in
                            if value < 100 { other.set(value + 100) }
                        }
                    }
                    trial.thread { subjects[0].set(1) }
                    trial.thread { subjects[1].set(2) }
                    trial.finally {
                        for subject in subjects { subject.check() }
                        subjects[0].recorder.expectAll([[1], [102]])
                        subjects[1].recorder.expectAll([[2], [101]])
                    }
                }, preemptions: 1)
        }

        @Test("the value inside an observer is at least as new as the event", arguments: Shape.allCases)
        func fresh(shape: Shape) {
            exhaust(
                Scenario("reads inside events, \(shape)") { trial in
                    let property = MutableProperty(0)
                    let mapped = shape == .bare ? Property(property) : property.map { $0 }
                    // Both count up by one, so a value that is less than the event's is older.
                    for signal in [property.signal, mapped.signal] {
                        signal.observeNext { [unowned property, unowned mapped] value in
                            trial.expect(property.value >= value, "\(property.value) in the event of \(value)")
                            trial.expect(mapped.value >= value, "\(mapped.value) derived in the event of \(value)")
                        }
                    }
                    for _ in 0..<2 { trial.thread { property.modify { $0 += 1 } } }
                    trial.finally { trial.expect(mapped.value == 2, "counted \(mapped.value)") }
                }, preemptions: 1)
        }
    }
}
#endif
