#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Operators that take a scheduler")
    struct TimeExplorations {
        enum Operator: CaseIterable, Sendable {
            case delay, debounce, debounceKept, settle, throttle, throttleKept, throttleFirst, timeout, timeoutBetween
            case takeFor
            case heartbeat, collect, collectKept, collectUpTo, windowEvery, pace, bufferUpTo, lazyMap, observeOn
            case skipFor, slidingWindowFor, onIdle, rateLimit, delayStart, timeInterval, throttleWhile

            func apply(
                _ producer: SignalProducer<Int, TestFailure>, _ time: HandScheduler
            ) -> SignalProducer<[Int], TestFailure> {
                switch self {
                case .delay: producer.delay(.seconds(1), on: time).map { [$0] }
                case .debounce: producer.debounce(.seconds(1), on: time).map { [$0] }
                case .debounceKept:
                    producer.debounce(.seconds(1), on: time, discardWhenCompleted: false).map { [$0] }
                case .settle: producer.settle(for: .seconds(1), atMost: .seconds(1), on: time).map { [$0] }
                case .throttle: producer.throttle(.seconds(1), on: time).map { [$0] }
                case .throttleKept:
                    producer.throttle(.seconds(1), on: time, discardWhenCompleted: false).map { [$0] }
                case .throttleFirst: producer.throttle(.seconds(1), on: time, latest: false).map { [$0] }
                case .timeoutBetween:
                    producer.timeout(between: .seconds(1), raising: TestFailure(), on: time).map { [$0] }
                case .takeFor: producer.take(for: .seconds(1), on: time).map { [$0] }
                case .heartbeat: producer.heartbeat(every: .seconds(1), on: time) { 0 }.map { [$0] }
                case .pace: producer.pace(every: .seconds(1), on: time, buffer: 1, whenFull: .dropOldest).map { [$0] }
                case .bufferUpTo: producer.buffer(upTo: 1, whenFull: .dropNewest, on: time).map { [$0] }
                case .collectUpTo: producer.collect(every: .seconds(1), upTo: 2, on: time)
                case .windowEvery:
                    producer.window(every: .seconds(1), on: time, bufferLimit: 1, whenFull: .dropNewest)
                        .flatMap(.concat) { $0.collect() }
                case .timeout:
                    producer.timeout(after: .seconds(1), raising: TestFailure(), on: time).map { [$0] }
                case .collect: producer.collect(every: .seconds(1), on: time, skipEmpty: true)
                case .collectKept:
                    producer.collect(every: .seconds(1), on: time, skipEmpty: true, discardWhenCompleted: false)
                case .lazyMap: producer.lazyMap(on: time) { [$0] }
                case .observeOn: producer.observe(on: time).map { [$0] }
                case .skipFor: producer.skip(for: .seconds(1), on: time).map { [$0] }
                case .slidingWindowFor: producer.slidingWindow(for: .seconds(2), on: time)
                case .delayStart: producer.delayStart(.seconds(1), on: time).map { [$0] }
                case .timeInterval:
                    producer.timeInterval(on: time).map { [Int($0.interval.components.seconds), $0.value] }
                case .throttleWhile: producer.throttle(while: Property(value: false), on: time).map { [$0] }
                case .onIdle: producer.onIdle(.seconds(1), on: time) { _ in }.map { [$0] }
                case .rateLimit:
                    producer.rateLimit(1, per: .seconds(1), buffer: 1, whenFull: .dropOldest, on: time).map { [$0] }
                }
            }
        }

        enum End: CaseIterable, Sendable {
            case completes, fails, isReleased, isDisposed

            /// Ends the source, unless its start is disposed of instead.
            func happen(to source: Source<TestFailure>) {
                switch self {
                case .completes: source.complete()
                case .fails: source.fail(TestFailure())
                case .isReleased: source.release()
                case .isDisposed: break
                }
            }
        }

        @Test("lose nothing while the scheduler runs, and end once", arguments: Operator.allCases, End.allCases)
        func operators(_ kind: Operator, end: End) {
            // A disposal may come between the values that wait for the completion and the completion.
            if kind == .windowEvery, end == .isDisposed { return }
            expectLinearizable("\(kind) that \(end)") { trial in
                let source = Source<TestFailure>(trial)
                let time = HandScheduler(trial)
                let recorder = Recorder<[Int], TestFailure>(trial)
                let start = kind.apply(source.producer, time).start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { if end == .isDisposed { source.complete() } else { source.send(2) } }],
                        [{ time.advance(by: 1) }, { time.advance(by: 1) }],
                        [
                            {
                                if end == .isDisposed { recorder.cancel(start) } else { end.happen(to: source) }
                            }
                        ],
                    ],
                    outcome: {
                        time.advance(by: 9)
                        return recorder.outcome
                    }
                ) {
                    // Work that the clock has begun only now.
                    source.complete()
                    time.advance(by: 9)
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    time.expectEmpty()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("a thread that is suspended after it has read the clock does not make a timer fire early")
        func oldReading() {
            exhaust(
                quick: 2_000,
                Scenario("heartbeat: a value beside two seconds of the scheduler") { trial in
                    let source = Source<TestFailure>(trial)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = source.producer.heartbeat(every: .seconds(1), on: time) { 0 }.start(recorder)
                    trial.thread { source.send(1) }
                    trial.thread { for _ in 0..<2 { time.advance(by: 1) } }
                    trial.finally {
                        let beats = recorder.values.count { $0 == 0 }
                        trial.expect(beats <= 2, "\(beats) heartbeats in two seconds: \(recorder.values)")
                        source.complete()
                        withExtendedLifetime(start) {}
                    }
                })
        }

        @Test("lose nothing while two threads send and the scheduler runs", arguments: Operator.allCases)
        func senders(_ kind: Operator) {
            expectLinearizable("\(kind) with two senders") { trial in
                let source = Source<TestFailure>(trial, contention: .enqueue)
                let time = HandScheduler(trial)
                let recorder = Recorder<[Int], TestFailure>(trial)
                let start = kind.apply(source.producer, time).start(recorder)
                return System(
                    threads: [
                        [{ source.send(1) }, { source.complete() }], [{ source.send(11) }],
                        [{ time.advance(by: 1) }, { time.advance(by: 1) }],
                    ],
                    outcome: {
                        time.advance(by: 9)
                        return recorder.outcome
                    }
                ) {
                    // Work that the clock has begun only now.
                    source.complete()
                    time.advance(by: 9)
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    time.expectEmpty()
                    withExtendedLifetime(start) {}
                }
            }
        }

        @Test("throttle(while:) sends what it has held back when the property changes or the source ends")
        func throttleWhile() {
            exhaust(
                Scenario("throttle(while:): two values, a change of the property, and the scheduler") { trial in
                    let source = Source<TestFailure>(trial)
                    let time = HandScheduler(trial)
                    let isThrottled = MutableProperty(true)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = source.producer.throttle(while: isThrottled, on: time).start(recorder)
                    trial.thread { for value in [1, 2] { source.send(value) } }
                    trial.thread { isThrottled.value = false }
                    trial.thread { for _ in 0..<2 { time.advance() } }
                    trial.finally {
                        time.advance()
                        recorder.expectOrder([[1, 2]])
                        trial.expect(recorder.values.last == 2, "the last value is lost: \(recorder.values)")
                        source.complete()
                        time.advance()
                        recorder.expectOneEnd()
                        source.expectCleanups()
                        time.expectEmpty()
                        withExtendedLifetime((start, isThrottled)) {}
                    }
                }, preemptions: 1)
        }

        @Test("debounced and throttled properties end with the last value", arguments: [false, true], [false, true])
        func properties(isDebounced: Bool, isReleased: Bool) {
            let name = isDebounced ? "debounced" : "throttled"
            exhaust(
                Scenario("\(name): a setter, the scheduler, \(isReleased ? "a release" : "another setter")") { trial in
                    let time = HandScheduler(trial)
                    let root = Held(MutableProperty(0))
                    let slow = root.value.map {
                        isDebounced ? $0.debounced(.seconds(1), on: time) : $0.throttled(.seconds(1), on: time)
                    }
                    let recorder = Recorder<Int, Never>(trial)
                    slow?.signal.observe(recorder)
                    trial.thread { for value in [1, 2] { root.value?.value = value } }
                    trial.thread { for _ in 0..<2 { time.advance(by: 1) } }
                    trial.thread { if isReleased { root.value = nil } else { root.value?.value = 3 } }
                    trial.finally {
                        let last = root.value?.value
                        root.value = nil
                        for _ in 0..<3 { time.advance(by: 1) }
                        recorder.expectOrder([[1, 2], [3]])
                        recorder.expectOneEnd()
                        trial.expect(slow?.value == recorder.values.last ?? 0, "it has another value")
                        if let last { trial.expect(slow?.value == last, "\(recorder.values), not \(last)") }
                        time.expectEmpty()
                    }
                }, preemptions: 1)
        }

        enum Timer: CaseIterable, Sendable {
            case timer, once, interval, takeUntilTimer

            func make(_ time: HandScheduler, _ source: Source<Never>) -> SignalProducer<Int, Never> {
                let seconds: @Sendable (HandScheduler.Instant) -> Int = { Int($0.offset.components.seconds) }
                return switch self {
                case .timer:
                    SignalProducer<HandScheduler.Instant, Never>.timer(interval: .seconds(1), on: time).map(seconds)
                case .once:
                    SignalProducer<HandScheduler.Instant, Never>.timer(after: .seconds(1), on: time).map(seconds)
                case .interval: SignalProducer<Int, Never>.interval([7, 8], .seconds(1), on: time)
                case .takeUntilTimer:
                    source.producer.take(
                        until: SignalProducer<HandScheduler.Instant, Never>.timer(after: .seconds(1), on: time).map(
                            seconds))
                }
            }
        }

        @Test("timers end once when they are disposed of while they fire", arguments: Timer.allCases)
        func timers(_ timer: Timer) {
            // A disposal may occur between the value of a timer and its completion.
            let also: Set<String> = timer == .once ? ["[1] INTERRUPTED"] : []
            expectLinearizable("\(timer), disposed of", preemptions: 2, also: also) { trial in
                let source = Source<Never>(trial)
                let time = HandScheduler(trial)
                let recorder = Recorder<Int, Never>(trial)
                let start = timer.make(time, source).start(recorder)
                return System(
                    threads: [
                        [{ time.advance(by: 1) }, { time.advance(by: 1) }, { time.advance(by: 1) }],
                        [{ source.send(100) }, { source.send(101) }], [{ recorder.cancel(start) }],
                    ],
                    outcome: { recorder.outcome }
                ) {
                    recorder.expectOneEnd()
                    source.expectCleanups()
                    time.expectEmpty()
                }
            }
        }
    }
}
#endif
