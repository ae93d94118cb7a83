#if Explore
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Bindings of properties")
    struct LinkExplorations {
        @Test("linked properties are equal at any moment, and send the same events")
        func linked() {
            exhaust(
                Scenario("two linked properties, set on two threads") { trial in
                    let (left, right) = (MutableProperty(0), MutableProperty(0))
                    left <~> right
                    let pairs = left.combineLatest(with: right).map { Pair($0) }
                    let recorders = [Recorder<Int, Never>(trial, "the left"), Recorder<Int, Never>(trial, "the right")]
                    let all = Recorder<Pair, Never>(trial, "the observer of pairs")
                    left.signal.observe(recorders[0])
                    right.signal.observe(recorders[1])
                    pairs.signal.observe(all)
                    trial.thread { for value in [1, 2] { left.value = value } }
                    trial.thread { right.value = 3 }
                    trial.thread {
                        let pair = pairs.value
                        trial.expect(pair.left == pair.right, "they differ: \(pair)")
                    }
                    trial.finally {
                        recorders[0].expectAll([[1, 2], [3]])
                        trial.expect(
                            recorders[0].values == recorders[1].values,
                            "\(recorders[0].values) and \(recorders[1].values)")
                        trial.expect(
                            all.values == recorders[0].values.map { Pair($0, $0) },
                            "\(all.values) of \(recorders[0].values)")
                        trial.expect(left.value == recorders[0].values.last, "\(left.value)")
                        // Releasing a property ends it and the link.
                        withExtendedLifetime(right) {}
                    }
                }, preemptions: 1)
        }

        @Test("a register at both ends of a link is linearizable")
        func linearizable() {
            exhaust(
                Scenario("sets and reads at both ends of a link") { trial in
                    let ends = [MutableProperty(0), MutableProperty(0)]
                    ends[0] <~> ends[1]
                    let history = History(0)
                    let recorder = Recorder<Int, Never>(trial)
                    ends[0].signal.observe(recorder)
                    for index in 0..<2 {
                        trial.thread {
                            history.write(index + 1) { ends[index].value = index + 1 }
                            history.read { ends[1 - index].value }
                        }
                    }
                    trial.thread {
                        history.update {
                            ends[1].modify { value in
                                value += 10
                                return (value - 10, value)
                            }
                        }
                    }
                    trial.finally {
                        for end in ends { history.read { end.value } }
                        let isExplained = history.isLinearizable(changes: recorder.values)
                        trial.expect(isExplained, "not linearizable with \(recorder.values): \(history)")
                    }
                }, preemptions: 1)
        }

        @Test("properties that are linked while they are set are equal afterwards")
        func linking() {
            exhaust(
                Scenario("a link is made beside a setter of each end") { trial in
                    let (left, right) = (MutableProperty(0), MutableProperty(0))
                    let recorder = Recorder<Int, Never>(trial)
                    left.signal.observe(recorder)
                    trial.thread { left.value = 1 }
                    trial.thread { right.value = 2 }
                    trial.thread { left <~> right }
                    trial.finally {
                        trial.expect(left.value == right.value, "\(left.value) and \(right.value)")
                        trial.expect([0, 1, 2].contains(left.value), "\(left.value)")
                        trial.expect(recorder.values.last == left.value, "\(left.value) after \(recorder.values)")
                        left.value = 5
                        right.value += 1
                        trial.expect(left.value == 6 && right.value == 6, "\(left.value) and \(right.value)")
                    }
                }, preemptions: 1)
        }

        @Test("three properties that two threads link agree")
        func threeLinked() {
            exhaust(
                Scenario("two links are made beside a setter") { trial in
                    let properties = (1...3).map { MutableProperty($0) }
                    for index in 0..<2 { trial.thread { properties[index] <~> properties[index + 1] } }
                    trial.thread { properties[0].value = 7 }
                    trial.finally {
                        let values = properties.map(\.value)
                        // The link that is made first transfers a value that the other link then replaces at both
                        // ends.
                        trial.expect(Set(values).count == 1, "\(values)")
                        properties[2].value = 9
                        trial.expect(properties.allSatisfy { $0.value == 9 }, "\(properties.map(\.value))")
                    }
                }, preemptions: 1)
        }

        @Test("a link that was disposed of transfers no value")
        func disposal() {
            exhaust(
                Scenario("a link is disposed of beside a setter of each end") { trial in
                    let (left, right) = (MutableProperty(0), MutableProperty(0))
                    let link = left <~> right
                    let (leftRecorder, rightRecorder) = (
                        Recorder<Int, Never>(trial, "the left"), Recorder<Int, Never>(trial, "the right")
                    )
                    left.signal.observe(leftRecorder)
                    right.signal.observe(rightRecorder)
                    trial.thread { left.value = 1 }
                    trial.thread { right.value = 2 }
                    trial.thread {
                        link.dispose()
                        right.value = 3
                    }
                    trial.finally {
                        leftRecorder.expectOrder([[1], [2]])
                        rightRecorder.expectOrder([[1], [2], [3]])
                        trial.expect(!leftRecorder.values.contains(3), "\(leftRecorder.values)")
                        trial.expect(leftRecorder.values.contains(1), "\(leftRecorder.values)")
                        trial.expect(Set([2, 3]).isSubset(of: rightRecorder.values), "\(rightRecorder.values)")
                        trial.expect(left.value == leftRecorder.values.last, "\(left.value)")
                        trial.expect(right.value == rightRecorder.values.last, "\(right.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a linked property that is released while the other end is set ends once")
        func release() {
            exhaust(
                Scenario("an end of a link goes beside a setter of the other") { trial in
                    let left = MutableProperty(trial.token())
                    let right = Held(MutableProperty(trial.token()))
                    left <~> right.value!
                    let (leftRecorder, rightRecorder) = (
                        Recorder<Trial.Token, Never>(trial, "the left"),
                        Recorder<Trial.Token, Never>(trial, "the right")
                    )
                    left.signal.observe(leftRecorder)
                    right.value!.signal.observe(rightRecorder)
                    trial.thread { for _ in 0..<2 { left.value = trial.token() } }
                    trial.thread { right.value = nil }
                    trial.thread { left.value = trial.token() }
                    trial.finally {
                        rightRecorder.expectOneEnd()
                        trial.expect(leftRecorder.values.count == 3, "\(leftRecorder.values.count) events")
                        trial.expect(rightRecorder.values.count <= 3, "\(rightRecorder.values.count) events")
                        trial.expect(left.value === leftRecorder.values.last, "another value than the last event's")
                    }
                }, preemptions: 1)
        }

        @Test("a set under .enqueue reaches every property that is linked at the time", arguments: [true, false])
        func linkingBesideSets(isMade: Bool) {
            exhaust(
                Scenario("a link \(isMade ? "is made" : "ends") beside two sets") { trial in
                    let left = MutableProperty(0, contention: .enqueue)
                    let right = MutableProperty(0, contention: .enqueue)
                    let link: (any Disposable)? = isMade ? nil : (left <~> right)
                    let recorders = [Recorder<Int, Never>(trial, "the left"), Recorder<Int, Never>(trial, "the right")]
                    left.signal.observe(recorders[0])
                    right.signal.observe(recorders[1])
                    trial.thread { left.value = 1 }
                    trial.thread { left.value = 2 }
                    trial.thread { if let link { link.dispose() } else { left <~> right } }
                    trial.finally {
                        trial.expect(left.value == recorders[0].values.last ?? 0, "left: \(left.value)")
                        trial.expect(right.value == recorders[1].values.last ?? 0, "right: \(right.value)")
                        trial.expect(recorders[0].values.contains(1), "1 is lost: \(recorders[0].values)")
                        trial.expect(recorders[0].values.contains(2), "2 is lost: \(recorders[0].values)")
                        if isMade {
                            trial.expect(left.value == right.value, "\(left.value) and \(right.value)")
                        } else {
                            // The right property has only the values that were set before the link ended.
                            let prefix = Array(recorders[0].values.prefix(recorders[1].values.count))
                            trial.expect(
                                recorders[1].values == prefix, "\(recorders[1].values) of \(recorders[0].values)")
                        }
                        withExtendedLifetime(right) {}
                    }
                }, preemptions: 2)
        }

        @Test("a bound property has the last value of its source", arguments: [Contention.wait, .enqueue])
        func bound(contention: Contention) {
            exhaust(
                Scenario("a property bound to another one, two setters, \(contention)") { trial in
                    let (source, target) = (MutableProperty(0), MutableProperty(-1, contention: contention))
                    let recorder = Recorder<Int, Never>(trial)
                    target.signal.observe(recorder)
                    target <~ source
                    trial.thread { for value in [1, 2] { source.value = value } }
                    trial.thread { source.value = 3 }
                    trial.thread {
                        let first = target.value
                        let second = target.value
                        trial.expect(!(first != 0 && second == 0), "read \(first) and then \(second)")
                    }
                    trial.finally {
                        recorder.expectAll([[0, 1, 2], [3]])
                        trial.expect(target.value == source.value, "\(target.value), not \(source.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a property that is bound while its source is set misses nothing")
        func binding() {
            exhaust(
                Scenario("a binding is made beside two setters") { trial in
                    let (source, target) = (MutableProperty(0), MutableProperty(-1))
                    let all = Recorder<Int, Never>(trial, "the source")
                    let recorder = Recorder<Int, Never>(trial, "the target")
                    source.signal.observe(all)
                    target.signal.observe(recorder)
                    trial.thread { source.value = 1 }
                    trial.thread { source.value = 2 }
                    trial.thread { target <~ source }
                    trial.finally {
                        let values = [0] + all.values
                        trial.expect(
                            !recorder.values.isEmpty
                                && recorder.values == Array(values.suffix(recorder.values.count)),
                            "\(recorder.values) of \(values)")
                        trial.expect(target.value == source.value, "\(target.value), not \(source.value)")
                    }
                }, preemptions: 1)
        }

        @Test("a disposed binding, or one whose target was released, holds nothing")
        func unbinding() {
            exhaust(
                Scenario("a binding is disposed of, and a target goes, beside a setter") { trial in
                    let source = MutableProperty(0)
                    let token = trial.token()
                    let mapped = source.map { [token] value in
                        token.touch()
                        return value * 10
                    }
                    let kept = MutableProperty(-1)
                    let gone = Held(MutableProperty(-1))
                    let keptRecorder = Recorder<Int, Never>(trial, "the target that is kept")
                    let goneRecorder = Recorder<Int, Never>(trial, "the target that goes")
                    kept.signal.observe(keptRecorder)
                    gone.value!.signal.observe(goneRecorder)
                    let binding = kept <~ mapped
                    gone.value! <~ mapped
                    trial.thread { for value in [1, 2] { source.value = value } }
                    trial.thread { binding.dispose() }
                    trial.thread { gone.value = nil }
                    trial.finally {
                        trial.expect(
                            [[0], [0, 10], [0, 10, 20]].contains(keptRecorder.values), "\(keptRecorder.values)")
                        trial.expect(kept.value == keptRecorder.values.last, "\(kept.value)")
                        goneRecorder.expectOneEnd()
                        goneRecorder.expectOrder([[0, 10, 20]])
                        source.value = 5
                        trial.expect(kept.value != 50, "a binding that was disposed of carries a value")
                    }
                }, preemptions: 1)
        }

        @Test("bindings in a cycle do not deadlock, and forward each value once")
        func ring() {
            exhaust(
                Scenario("two properties bound to each other through operators") { trial in
                    let (left, right) = (MutableProperty(0), MutableProperty(0))
                    right <~ left.signal.map { $0 + 1 }
                    left <~ right.signal.filter { $0 < 4 }
                    let recorder = Recorder<Int, Never>(trial)
                    left.signal.observe(recorder)
                    trial.thread { left.value = 1 }
                    trial.thread { right.value = 10 }
                    trial.finally {
                        // 1 causes 2, which causes 3, which causes 4.
                        recorder.expectAll([[1, 2, 3]])
                        trial.expect([4, 10].contains(right.value), "\(right.value)")
                        // Otherwise it could end before the other thread has set it.
                        withExtendedLifetime(left) {}
                    }
                }, preemptions: 1)
        }
    }
}
#endif
