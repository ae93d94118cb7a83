#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// The senders of a signal with a limited pipe, and the consumers that suspend them.
    @Suite("Back-pressure")
    struct BackpressureExplorations {
        private typealias Numbers = Signal<Int, TestFailure>

        /// A signal, what its senders were told, and what its consumer has got.
        private final class Channel: @unchecked Sendable {
            // One thread runs at a time.
            let signal: Numbers
            private(set) var input: Numbers.Sender?
            let iterator: Held<AsyncValues<Int, TestFailure>.Iterator>
            private(set) var sent: [Int] = []
            private(set) var refused: [Int] = []
            private(set) var received: [Int] = []
            private(set) var hasEnded = false
            private let trial: Trial

            init(_ trial: Trial, share: Int = 1) {
                self.trial = trial
                let (signal, input) = Numbers.pipe(capacity: 1)
                self.signal = signal
                self.input = input
                iterator = Held(signal.values(buffering: .suspending(share)).makeAsyncIterator())
            }

            /// A task that sends values, one after another.
            @discardableResult
            func sender(_ values: [Int], thenCompletes: Bool = false) -> RunningTask {
                let token = trial.token()
                return trial.task { [self, input] in
                    for value in values {
                        if await input?.send(value) == true { sent.append(value) } else { refused.append(value) }
                    }
                    if thenCompletes { input?.sendCompleted() }
                    token.touch()
                }
            }

            /// A task that takes `count` values, or all, and then releases the iterator.
            @discardableResult
            func consumer(_ count: Int = .max) -> RunningTask {
                trial.task { [self] in
                    // The task alone holds it from now on.
                    guard var values = iterator.value else { return }
                    iterator.value = nil
                    while received.count < count, let value = try? await values.next() { received.append(value) }
                    hasEnded = received.count < count
                }
            }

            func trySend(_ value: Int) {
                if input?.trySend(value) == true { sent.append(value) } else { refused.append(value) }
            }

            func complete() { input?.sendCompleted() }

            func releaseInput() { input = nil }

            /// Expects that what was received is what was sent, without gaps, and in the order of each sender.
            func expectExact(isComplete: Bool = true) {
                trial.expect(Set(received).count == received.count, "twice: \(received)")
                trial.expect(Set(sent).isDisjoint(with: refused), "sent \(sent), refused \(refused)")
                trial.expect(Set(received).isSubset(of: sent), "received \(received) of \(sent), refused \(refused)")
                if isComplete { trial.expect(Set(received) == Set(sent), "received \(received) of \(sent)") }
                for sender in 0...3 {
                    let own = received.filter { $0 / 10 == sender }
                    trial.expect(own == own.sorted(), "out of order: \(received)")
                }
            }
        }

        private static func senders(_ count: Int) -> Scenario {
            Scenario("two senders of \(count) values, and a consumer with room for one") { trial in
                let channel = Channel(trial)
                let first = (1...count).map { $0 }
                let second = (1...count).map { 10 + $0 }
                channel.sender(first)
                channel.sender(second)
                channel.consumer(2 * count)
                trial.finally {
                    trial.expect(channel.refused.isEmpty, "refused: \(channel.refused)")
                    channel.expectExact()
                    channel.releaseInput()
                }
            }
        }

        @Test("loses nothing, delivers nothing twice, and leaves no sender behind")
        func exact() { exhaust(Self.senders(2)) }

        @Test("does so with weak memory too")
        func weakMemory() { exhaust(Self.senders(2), preemptions: 1, staleReads: 2) }

        private static func cancellation() -> Scenario {
            Scenario("a consumer takes a value while one of two suspended senders is cancelled") { trial in
                let channel = Channel(trial)
                for value in 31...32 { channel.trySend(value) }
                let first = channel.sender([1])
                channel.sender([11], thenCompletes: true)
                channel.consumer()
                trial.thread { first.cancel() }
                trial.finally {
                    trial.expect(channel.hasEnded, "the consumer waits")
                    trial.expect(channel.sent.contains(11), "the other one was refused")
                    // The second one completes, perhaps while the first is still suspended.
                    channel.expectExact()
                    channel.releaseInput()
                }
            }
        }

        @Test("a cancellation takes the value back or delivers it, and never both")
        func cancelled() { exhaust(Self.cancellation(), preemptions: 1) }

        @Test("a cancellation is decided once with weak memory too")
        func weakCancellation() { exhaust(Self.cancellation(), preemptions: 1, staleReads: 1) }

        @Test("the end of the signal returns suspended senders, which then have not sent")
        func termination() {
            exhaust(
                Scenario("a signal ends beside two senders and a consumer") { trial in
                    let channel = Channel(trial)
                    for value in 31...32 { channel.trySend(value) }
                    channel.sender([1])
                    channel.sender([11])
                    channel.consumer()
                    trial.thread { channel.complete() }
                    trial.finally {
                        trial.expect(channel.hasEnded, "the consumer waits")
                        channel.expectExact()
                        channel.releaseInput()
                    }
                }, preemptions: 1)
        }

        @Test("a consumer that goes lets the senders go on", arguments: [false, true])
        func departure(isCancelled: Bool) {
            exhaust(
                Scenario("the only consumer \(isCancelled ? "is cancelled" : "goes") beside a sender") { trial in
                    let channel = Channel(trial)
                    for value in 31...32 { channel.trySend(value) }
                    channel.sender([1, 2, 3])
                    if isCancelled {
                        let task = channel.consumer()
                        trial.thread { task.cancel() }
                    } else {
                        channel.consumer(1)
                    }
                    trial.finally {
                        trial.expect(channel.refused.isEmpty, "refused: \(channel.refused)")
                        channel.expectExact(isComplete: false)
                        channel.releaseInput()
                    }
                }, preemptions: 1)
        }

        @Test("the slower of two consumers decides, until it goes")
        func twoConsumers() {
            exhaust(
                Scenario("a consumer that takes all, and one that goes, beside a sender") { trial in
                    let channel = Channel(trial)
                    let other = Held(channel.signal.values(buffering: .suspending(1)).makeAsyncIterator())
                    channel.sender([1, 2, 3, 4])
                    channel.consumer(4)
                    trial.thread { other.value = nil }
                    trial.finally {
                        channel.expectExact()
                        channel.releaseInput()
                    }
                }, preemptions: 1)
        }

        @Test("a thread that tries is never let in beyond the limit")
        func trying() {
            exhaust(
                Scenario("two threads try to send, and nobody takes anything") { trial in
                    let channel = Channel(trial, share: 2)
                    for number in 0...1 {
                        trial.thread {
                            for value in 1...3 { channel.trySend(10 * number + value) }
                        }
                    }
                    trial.finally {
                        trial.expect(channel.sent.count == 3, "\(channel.sent) for 3 places")
                        channel.releaseInput()
                        channel.iterator.value = nil
                    }
                })
        }

        @Test("a signal that is neither retained nor observed returns its senders")
        func forgotten() {
            exhaust(
                Scenario("the last consumer goes beside a suspended sender, and nothing retains the signal") { trial in
                    let (signal, input) = Numbers.pipe(capacity: 1)
                    let iterator = Held(signal.values(buffering: .suspending(1)).makeAsyncIterator())
                    for value in 1...2 { _ = input.trySend(value) }
                    trial.task {
                        for value in 3...5 { await input.send(value) }
                    }
                    trial.thread { iterator.value = nil }
                    trial.finally { trial.expect(!input.trySend(6), "the signal has not ended") }
                }, preemptions: 1)
        }

        private func source(staysSuspended: Bool) -> Scenario {
            Scenario("a suspended source, a scheduler\(staysSuspended ? "" : " that goes on"), a disposal") { trial in
                let time = HandScheduler(trial)
                let start = RecordedStart<Int, TestFailure>(trial)
                let token = trial.token()
                let source = SignalProducer(Elements(elements: [1, 2, 3])).on(disposed: { token.touch() })
                start.start(source.buffer(upTo: 1, whenFull: .suspend, on: time))
                trial.thread {
                    for _ in 0..<(staysSuspended ? 1 : 4) { time.advance(by: 1) }
                }
                trial.thread { start.dispose() }
                trial.finally {
                    time.advance(by: 9)
                    start.expectStart(of: [1, 2, 3])
                }
            }
        }

        @Test("a source that a buffer suspends goes on, or is cancelled", arguments: [false, true])
        func suspendedSource(staysSuspended: Bool) {
            exhaust(source(staysSuspended: staysSuspended), preemptions: 1)
        }

        @Test(
            "a consumer of a producer gets all that its source sends, unless it is cancelled", arguments: [false, true])
        func producer(isCancelled: Bool) {
            exhaust(
                Scenario("a consumer that suspends an async sequence\(isCancelled ? ", and is cancelled" : "")") {
                    trial in
                    let token = trial.token()
                    let source = SignalProducer(Elements(elements: [1, 2, 3, 4])).on(disposed: { token.touch() })
                    let log = Log<Int>()
                    let task = trial.task {
                        var values = source.values(buffering: .suspending(1)).makeAsyncIterator()
                        while let value = try? await values.next() { log.note(value) }
                    }
                    if isCancelled { trial.thread { task.cancel() } }
                    trial.finally {
                        trial.expect([1, 2, 3, 4].starts(with: log.entries), "received \(log.entries)")
                        if !isCancelled { trial.expect(log.entries.count == 4, "received \(log.entries)") }
                    }
                }, preemptions: 1)
        }

        @Test("transformations make a sender wait, and let it go on", arguments: [false, true])
        func mapAsync(isDisposed: Bool) {
            exhaust(
                Scenario("a sender of 4 values to mapAsync\(isDisposed ? ", and a disposal" : "")") { trial in
                    let (signal, input) = Numbers.pipe(capacity: 1)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let observation = signal.mapAsync(maxConcurrent: 1) { value async throws(TestFailure) in value }
                        .observe(recorder)
                    trial.task {
                        for value in 1...4 { await input.send(value) }
                        input.sendCompleted()
                    }
                    if isDisposed { trial.thread { observation?.dispose() } }
                    trial.finally {
                        trial.expect([1, 2, 3, 4].starts(with: recorder.values), "got \(recorder.values)")
                        if !isDisposed {
                            recorder.expectOneEnd()
                            trial.expect(recorder.values.count == 4, "got \(recorder.values)")
                        }
                    }
                }, preemptions: 1)
        }

        @Test("a consumer that is told what it missed can account for every value", arguments: [false, true])
        func lag(keepsNewest: Bool) {
            exhaust(
                Scenario("a sender of 4 values, and a consumer that reports gaps, newest: \(keepsNewest)") { trial in
                    let (signal, input) = Numbers.pipe()
                    let values = signal.values(buffering: keepsNewest ? .newest(1) : .oldest(1), lag: .report)
                    let iterator = Held(values.makeAsyncIterator())
                    let log = Log<ValueOrLag<Int>>()
                    trial.task {
                        guard var values = iterator.value else { return }
                        iterator.value = nil
                        while let element = try? await values.next() { log.note(element) }
                    }
                    trial.thread {
                        for value in 1...4 { input.sendNext(value) }
                        input.sendCompleted()
                    }
                    trial.finally {
                        var accounted = 0
                        for element in log.entries {
                            switch element {
                            case .value(let value):
                                accounted += 1
                                trial.expect(value == accounted, "out of place: \(log.entries)")
                            case .lagged(let count): accounted += count
                            }
                        }
                        trial.expect(accounted == 4, "\(log.entries)")
                    }
                })
        }
    }
}
#endif
