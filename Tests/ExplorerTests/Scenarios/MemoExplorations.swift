#if Explore
import HotSignals
import InterleavingExplorer
import MemoizedSequences
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Sequences that evaluate each element once, on any thread.
    @Suite("Memos")
    struct MemoExplorations {
        private func threads(_ threads: Int, count: Int) -> Scenario {
            Scenario("\(threads) threads ask for \(count) elements") { trial in
                let calls = Log<Int>()
                let sequence = Array(1...count).memoized.map { [token = trial.token()] value in
                    token.touch()
                    calls.note(value)
                    trial.pause()
                    return 10 * value
                }
                for _ in 0..<threads {
                    trial.thread {
                        let elements = Array(sequence)
                        trial.expect(elements == (1...count).map { 10 * $0 }, "got \(elements)")
                    }
                }
                trial.finally {
                    trial.expect(calls.entries.sorted() == Array(1...count), "called for \(calls.entries)")
                }
            }
        }

        @Test("each element is evaluated once")
        func asking() {
            exhaust(threads(2, count: 2))
            exhaust(threads(3, count: 1), preemptions: 1)
            exhaust(threads(3, count: 2), preemptions: 1)
        }

        @Test("an element is published with its contents, with weak memory")
        func weakMemory() { exhaust(threads(2, count: 1), preemptions: 1, staleReads: 2) }

        @Test("threads that evaluate shared elements through different sequences do not deadlock")
        func chains() {
            exhaust(
                Scenario("two sequences over one, asked for in different places") { trial in
                    let calls = Log<Int>()
                    let base = [1, 2, 3].memoized.map { value in
                        calls.note(value)
                        return value
                    }
                    let doubled = base.map { 2 * $0 }
                    let zipped = doubled.zip(with: base)
                    trial.thread { trial.expect(Array(doubled.prefix(2)) == [2, 4], "the doubled ones are wrong") }
                    trial.thread {
                        let third = zipped.tail.tail.head
                        trial.expect(third.map { $0 == (6, 3) } == true, "the third is \(String(describing: third))")
                    }
                    trial.thread { trial.expect(base.tail.head == 2, "the second is wrong") }
                    trial.finally { trial.expect(calls.entries.sorted() == [1, 2, 3], "called for \(calls.entries)") }
                }, preemptions: 1)
        }

        private func concatenation() -> Scenario {
            Scenario("three parts, asked for by two threads") { trial in
                let calls = Log<Int>()
                let parts = (0..<3).map { part in
                    [2 * part, 2 * part + 1].memoized.map { value in
                        calls.note(value)
                        return value
                    }
                }
                let joined = parts[0].concat(parts[1]).concat(parts[2])
                for _ in 0..<2 {
                    trial.thread { trial.expect(Array(joined) == Array(0..<6), "the elements are wrong") }
                }
                trial.finally { trial.expect(calls.entries.sorted() == Array(0..<6), "called for \(calls.entries)") }
            }
        }

        @Test("the elements of a concatenation are evaluated once")
        func concatenations() { exhaust(concatenation(), preemptions: 1) }

        @Test("a sequence that is released while threads evaluate it leaves nothing behind")
        func release() {
            exhaust(
                Scenario("the sequence is released beside two threads that ask for its elements") { trial in
                    let calls = Log<Int>()
                    let base = [1, 2].memoized.map { [token = trial.token()] value in
                        token.touch()
                        calls.note(value)
                        return value
                    }
                    let held = (0..<3).map { _ in Held(base.map { 10 * $0 }) }
                    for index in 0..<2 {
                        trial.thread {
                            guard let sequence = held[index].value else { return }
                            held[index].value = nil
                            trial.expect(Array(sequence) == [10, 20], "the elements are wrong")
                        }
                    }
                    trial.thread { for held in held { held.value = nil } }
                    trial.finally {
                        trial.expect([[], [1, 2]].contains(calls.entries), "called for \(calls.entries)")
                    }
                }, preemptions: 1)
        }

        /// A memo whose closure sends into a signal, while another thread reads the memo during an event of that
        /// signal.
        ///
        /// Does not use `.enqueue`, with which the thread that evaluates the memo may deliver the other's event
        /// itself.
        private var sending: Scenario {
            Scenario("a memo that sends, and an observer that asks for it") { trial in
                let (signal, input) = Signal<Int, Never>.pipe()
                let recorder = Recorder<Int, Never>(trial)
                let memo = MemoizedSequence(
                    head: { [token = trial.token()] in
                        token.touch()
                        input.sendNext(1)
                        return 7
                    }, tail: { .empty })
                signal.observe(recorder)
                signal.observeNext { if $0 == 2 { trial.expect(memo.head == 7, "the memo is wrong") } }
                trial.thread { trial.expect(memo.head == 7, "the memo is wrong") }
                trial.thread { input.sendNext(2) }
                trial.thread { input.sendNext(3) }
                trial.finally {
                    recorder.expectAll([[1], [2], [3]])
                    input.sendCompleted()
                }
            }
        }

        @Test("a memo and a gate that wait for each other do not deadlock")
        func crossing() { exhaust(sending) }
    }
}
#endif
