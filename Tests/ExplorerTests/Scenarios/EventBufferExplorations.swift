#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// The buffer between a stream and the task that consumes it.
    @Suite("The event buffer")
    struct EventBufferExplorations {
        private typealias Values = AsyncValues<Int, TestFailure>

        /// The values that a task has received from an iterator.
        private final class Consumer: @unchecked Sendable {
            var values: [Int] = []
            var failures = 0
            var hasEnded = false

            func consume(_ iterator: Held<Values.Iterator>) async {
                // From now on, only the task holds the iterator.
                guard var values = iterator.value else { return }
                iterator.value = nil
                do {
                    while let value = try await values.next() { self.values.append(value) }
                } catch {
                    failures += 1
                }
                hasEnded = true
            }
        }

        private func consuming(_ policy: BufferingPolicy, fails: Bool = false, count: Int = 3) -> Scenario {
            Scenario("\(policy): a sender of \(count) values and a consumer") { trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let values = signal.values(buffering: policy)
                let iterator = Held(values.makeAsyncIterator())
                let consumer = Consumer()
                let token = trial.token()
                trial.task {
                    await consumer.consume(iterator)
                    token.touch()
                }
                trial.thread {
                    for value in 1...count { input.sendNext(value) }
                    if fails { input.sendError(TestFailure()) } else { input.sendCompleted() }
                }
                trial.finally {
                    trial.expect(consumer.values == consumer.values.sorted(), "out of order: \(consumer.values)")
                    trial.expect(
                        Set(consumer.values).count + values.droppedCount == count,
                        "got \(consumer.values), dropped \(values.droppedCount) of \(count)")
                    trial.expect(consumer.failures == (fails ? 1 : 0), "failed \(consumer.failures) times")
                    switch policy {
                    case .unbounded, .suspending:
                        trial.expect(consumer.values.count == count, "got \(consumer.values)")
                    case .newest: trial.expect(consumer.values.last == count, "the last is \(consumer.values)")
                    case .oldest: trial.expect(consumer.values.first == 1, "the first is \(consumer.values)")
                    }
                }
            }
        }

        static let policies: [BufferingPolicy] = [.unbounded, .newest(1), .oldest(1), .newest(2)]

        @Test("drops only values beyond its limit, and counts them", arguments: policies)
        func policy(policy: BufferingPolicy) { exhaust(consuming(policy, fails: true)) }

        @Test("publishes the sender's writes, also with weak memory", arguments: policies)
        func weakMemory(policy: BufferingPolicy) { exhaust(consuming(policy, count: 2), staleReads: 2) }

        private func cancelling(_ policy: BufferingPolicy, count: Int) -> Scenario {
            Scenario("\(policy): \(count) values, an end and a cancellation of the consumer") { trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let balance = Balance()
                balance.begin()
                let values = signal.on(disposed: { [token = trial.token()] in
                    token.touch()
                    balance.end()
                }).values(buffering: policy)
                let iterator = Held(values.makeAsyncIterator())
                let consumer = Consumer()
                let task = trial.task { await consumer.consume(iterator) }
                trial.thread {
                    for value in 1...count { input.sendNext(value) }
                    input.sendError(TestFailure())
                }
                trial.thread { task.cancel() }
                trial.finally {
                    trial.expect(consumer.values == consumer.values.sorted(), "out of order: \(consumer.values)")
                    trial.expect(Set(consumer.values).count == consumer.values.count, "twice: \(consumer.values)")
                    trial.expect(consumer.failures <= 1, "failed \(consumer.failures) times")
                    if consumer.failures == 1, policy == .unbounded {
                        trial.expect(consumer.values.count == count, "the end came after \(consumer.values)")
                    }
                    balance.expectEven(trial, 1...1)
                }
            }
        }

        @Test("a cancelled consumer returns, and the observation is disposed of", arguments: policies)
        func cancellation(policy: BufferingPolicy) { exhaust(cancelling(policy, count: 2), preemptions: 1) }

        @Test("misses no cancellation with weak memory")
        func weakCancellation() { exhaust(cancelling(.unbounded, count: 1), preemptions: 1, staleReads: 2) }

        @Test("holds nothing when the iterator is released while a thread sends", arguments: policies)
        func release(policy: BufferingPolicy) {
            exhaust(
                Scenario("\(policy): the iterator is released beside a sender") { trial in
                    let (signal, input) = Signal<Trial.Token, Never>.pipe()
                    let iterator = Held(signal.values(buffering: policy).makeAsyncIterator())
                    trial.thread {
                        for _ in 0..<3 { input.sendNext(trial.token()) }
                    }
                    trial.thread { iterator.value = nil }
                    trial.thread { input.sendCompleted() }
                }, preemptions: 1)
        }

        @Test("an event sequence has one terminal event, that of the stream")
        func events() {
            exhaust(
                Scenario("two senders, of which one ends, and a consumer of events") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let iterator = Held(signal.events(buffering: .unbounded).makeAsyncIterator())
                    let log = Log<Event<Int, TestFailure>>()
                    trial.task {
                        guard var events = iterator.value else { return }
                        iterator.value = nil
                        while let event = await events.next() { log.note(event) }
                    }
                    trial.thread {
                        input.sendNext(1)
                        input.sendCompleted()
                    }
                    trial.thread {
                        input.sendNext(11)
                        input.sendError(TestFailure())
                    }
                    trial.finally {
                        let ends = log.entries.filter(\.isTerminating)
                        trial.expect(ends.count == 1, "\(ends.count) ends")
                        trial.expect(log.entries.last?.isTerminating == true, "something comes after the end")
                        if case .completed? = ends.first {
                            trial.expect(log.entries.first?.value != nil, "completed without a value")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("on cancellation the events of a start end without a terminal event")
        func cancelledEvents() {
            exhaust(
                Scenario("a start that sends a value, and a cancellation of the consumer") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let balance = Balance()
                    let producer = SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                        balance.begin()
                        lifetime.observeEnded {
                            token.touch()
                            balance.end()
                        }
                        lifetime += signal.observe(observer)
                    }
                    let log = Log<Event<Int, TestFailure>>()
                    let task = trial.task {
                        var events = producer.events(buffering: .unbounded).makeAsyncIterator()
                        while let event = await events.next() { log.note(event) }
                    }
                    trial.thread { input.sendNext(1) }
                    trial.thread { task.cancel() }
                    trial.finally {
                        trial.expect([.next(1)].starts(with: log.entries), "got \(log.entries)")
                        balance.expectEven(trial, 0...1)
                        input.sendCompleted()
                    }
                }, preemptions: 1)
        }

        private func waiting(cancels: Bool) -> Scenario {
            Scenario("the first value of a signal\(cancels ? ", and a cancellation" : "")") { trial in
                let (signal, input) = Signal<Int, TestFailure>.pipe()
                let balance = Balance()
                let watched = signal.on(disposed: { [token = trial.token()] in
                    token.touch()
                    balance.end()
                })
                balance.begin()
                let log = Log<Int?>()
                let task = trial.task {
                    do { log.note(try await watched.first()) } catch { log.note(-1) }
                }
                trial.thread {
                    [1, 2].forEach(input.sendNext)
                    input.sendCompleted()
                }
                if cancels { trial.thread { task.cancel() } } else { trial.thread { input.sendError(TestFailure()) } }
                trial.finally {
                    trial.expect([[1], [2], [nil], [-1]].contains(log.entries), "it has returned \(log.entries)")
                    if cancels { trial.expect(log.entries != [-1], "it has failed") }
                    balance.expectEven(trial, 1...1)
                }
            }
        }

        @Test("a wait for one value returns while the stream ends", arguments: [false, true])
        func first(cancels: Bool) { exhaust(waiting(cancels: cancels), preemptions: 1) }

        @Test("a wait for one value returns with weak memory")
        func weakFirst() { exhaust(waiting(cancels: true), preemptions: 1, staleReads: 2) }

        @Test("a task that has waited for a start finds it cleaned up", arguments: [false, true])
        func start(cancels: Bool) {
            exhaust(
                Scenario("the first value of a start\(cancels ? ", and a cancellation" : "")") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let balance = Balance()
                    let producer = SignalProducer<Int, TestFailure> { [token = trial.token()] observer, lifetime in
                        balance.begin()
                        lifetime.observeEnded {
                            token.touch()
                            balance.end()
                        }
                        lifetime += signal.observe(observer)
                    }
                    let task = trial.task {
                        let value = try? await producer.first()
                        balance.expectEven(trial, 0...1)
                        trial.expect([1, nil].contains(value), "it is \(String(describing: value))")
                    }
                    trial.thread {
                        input.sendNext(1)
                        input.sendError(TestFailure())
                    }
                    if cancels { trial.thread { task.cancel() } }
                    trial.finally { balance.expectEven(trial, cancels ? 0...1 : 1...1) }
                }, preemptions: 1)
        }

        @Test("a thread that has blocked on a start gets its value and finds it cleaned up")
        func blocking() {
            exhaust(
                Scenario("a thread waits for a start") { trial in
                    let (signal, input) = Signal<Int, TestFailure>.pipe()
                    let balance = Balance()
                    let producer = SignalProducer<Int, TestFailure> { observer, lifetime in
                        balance.begin()
                        lifetime.observeEnded { balance.end() }
                        lifetime += signal.observe(observer)
                    }
                    trial.thread {
                        let value = (try? producer.blockingFirst()) ?? nil
                        balance.expectEven(trial, 1...1)
                        trial.expect([1, 11, nil].contains(value), "it is \(String(describing: value))")
                    }
                    trial.thread {
                        input.sendNext(1)
                        input.sendCompleted()
                    }
                    trial.thread { input.sendNext(11) }
                }, preemptions: 1)
        }
    }
}
#endif
