#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    @Suite("Operators that take a scheduler")
    struct TimeExplorations {
        enum Operator: CaseIterable, Sendable {
            case delay, debounce, debounceKept, throttle, throttleKept, throttleFirst, timeout, timeoutBetween, takeFor
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

        /// How an operator with a scheduler is placed in a chain.
        enum Form: CaseIterable, Sendable {
            case plain, lifted, beforeLifted, beforeUnknown, beforeLiftedAndUnknown, liftedBeforeInput, twice, retried

            func apply(
                _ operation: DeliveredOnScheduler, to source: SignalProducer<Int, TestFailure>, on time: HandScheduler
            ) -> SignalProducer<Int, TestFailure> {
                let trigger = SignalProducer<Int, Never>.never
                return switch self {
                case .plain: operation.apply(source, time)
                case .lifted: source.lift { operation.apply($0, time) }
                case .beforeLifted: operation.apply(source, time).take(until: trigger)
                case .beforeUnknown: operation.apply(source, time).lift { $0.map { $0 } }
                case .beforeLiftedAndUnknown:
                    operation.apply(source, time).take(until: trigger).lift { $0.map { $0 } }
                case .retried: operation.apply(source, time).retry(upTo: 1)
                case .liftedBeforeInput:
                    source.lift { operation.apply($0, time).take(until: Signal<Int, Never>.never) }
                case .twice: operation.apply(operation.apply(source, time), time)
                }
            }
        }

        /// The operators that deliver all their events on a scheduler.
        enum DeliveredOnScheduler: CaseIterable, Sendable {
            case observeOn, lazyMap, delay, delayByNothing, debounce, throttle, throttleWhile, collect

            func apply(
                _ producer: SignalProducer<Int, TestFailure>, _ time: HandScheduler
            ) -> SignalProducer<Int, TestFailure> {
                switch self {
                case .observeOn: producer.observe(on: time)
                case .lazyMap: producer.lazyMap(on: time) { $0 }
                case .delay: producer.delay(.seconds(60), on: time)
                case .delayByNothing: producer.delay(.zero, on: time)
                case .debounce: producer.debounce(.seconds(60), on: time)
                case .throttle: producer.throttle(.seconds(60), on: time)
                case .throttleWhile: producer.throttle(while: Property(value: false), on: time)
                case .collect: producer.collect(every: .seconds(60), on: time).map(\.count)
                }
            }

            func apply(_ signal: Signal<Int, TestFailure>, _ time: HandScheduler) -> Signal<Int, TestFailure> {
                switch self {
                case .observeOn: signal.observe(on: time)
                case .lazyMap: signal.lazyMap(on: time) { $0 }
                case .delay: signal.delay(.seconds(60), on: time)
                case .delayByNothing: signal.delay(.zero, on: time)
                case .debounce: signal.debounce(.seconds(60), on: time)
                case .throttle: signal.throttle(.seconds(60), on: time)
                case .throttleWhile: signal.throttle(while: Property(value: false), on: time)
                case .collect: signal.collect(every: .seconds(60), on: time).map(\.count)
                }
            }
        }

        @Test(
            "deliver every event on the scheduler, also the interruption by a disposal while the source ends",
            arguments: [DeliveredOnScheduler.observeOn, .delay, .throttleWhile], Form.allCases)
        func onScheduler(_ operation: DeliveredOnScheduler, form: Form) { expectOnScheduler(operation, form) }

        @Test(
            "they do so if senders do not wait, and however the source ends",
            arguments: [Contention.wait, .enqueue], [End.fails, .isReleased, .completes])
        func endsOnScheduler(contention: Contention, end: End) {
            for form in [Form.plain, .beforeLifted, .beforeUnknown] {
                expectOnScheduler(.observeOn, form, contention, end)
            }
        }

        @Test(
            "all other operators with a scheduler deliver every event on it",
            arguments: [DeliveredOnScheduler.lazyMap, .delayByNothing, .debounce, .throttle, .collect])
        func othersOnScheduler(_ operation: DeliveredOnScheduler) {
            for form in [Form.plain, .lifted, .beforeLifted] { expectOnScheduler(operation, form) }
        }

        @Test("they do so while another input sends on a thread of its own", arguments: [false, true])
        func inputOnScheduler(isSourceEnding: Bool) {
            exhaust(
                quick: 2_000,
                Scenario("observeOn, withLatest: a disposal beside another input, \(isSourceEnding)") { trial in
                    let source = Source<TestFailure>(trial)
                    let other = Source<Never>(trial)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = source.producer.observe(on: time).withLatest(from: other.producer).map(\.0)
                        .start { event in
                            trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                            recorder.receive(event)
                        }
                    if isSourceEnding { source.complete() }
                    trial.thread { recorder.cancel(start) }
                    trial.thread { for value in [1, 2] { other.send(value) } }
                    trial.thread { for _ in 0..<2 { time.advance() } }
                    trial.finally {
                        for _ in 0..<3 { time.advance() }
                        recorder.expectOneEnd()
                        source.complete()
                        time.advance()
                        source.expectCleanups()
                    }
                })
        }

        @Test("they do so while observers come and go", arguments: DeliveredOnScheduler.allCases, [false, true])
        func observersOnScheduler(_ operation: DeliveredOnScheduler, isDerived: Bool) {
            for contention in [Contention.wait, .enqueue] {
                exhaust(
                    quick: 2_000,
                    Scenario("\(operation), \(contention): observers come and go, derived: \(isDerived)") { trial in
                        let time = HandScheduler(trial)
                        let (source, input) = Signal<Int, TestFailure>.pipe(contention: contention)
                        let delivered = operation.apply(source, time)
                        let result = isDerived ? delivered.map { $0 } : delivered
                        let recorder = Recorder<Int, TestFailure>(trial)
                        let expectOnScheduler = { @Sendable (event: Event<Int, TestFailure>) in
                            trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                        }
                        result.observe { event in
                            expectOnScheduler(event)
                            recorder.receive(event)
                        }
                        for value in [1, 2] { input.sendNext(value) }
                        input.sendCompleted()
                        trial.thread {
                            let visitor = result.observe { event in
                                // One that comes after the end is told at once.
                                if event != .interrupted { expectOnScheduler(event) }
                            }
                            visitor?.dispose()
                        }
                        trial.thread { for _ in 0..<2 { time.advance(by: 60) } }
                        trial.finally {
                            for _ in 0..<3 { time.advance(by: 60) }
                            if operation == .observeOn { recorder.expectAll([[1, 2]]) }
                            recorder.expectOneEnd()
                        }
                    })
            }
        }

        /// What observers come to and leave, if a start with a scheduler sends its events.
        enum Hub: CaseIterable, Sendable {
            case startedSignal, mapped, withInput, lifted, ofRounds, shared, replayed

            typealias Receive = @Sendable (Event<Int, TestFailure>) -> Void

            /// A start, and what adds another observer.
            struct Begun {
                let start: any Disposable
                let observe: @Sendable (@escaping Receive) -> (any Disposable)?
            }

            /// Starts `producer`, and observes the result.
            func begin(_ producer: SignalProducer<Int, TestFailure>, _ receive: @escaping Receive) -> Begun {
                switch self {
                case .startedSignal: Self.observe(producer, receive) { $0 }
                case .mapped: Self.observe(producer, receive) { $0.map { $0 } }
                case .withInput: Self.observe(producer, receive) { $0.take(until: Signal<Int, Never>.never) }
                case .lifted: Self.observe(producer.lift { $0.map { $0 } }, receive) { $0 }
                case .ofRounds: Self.observe(producer.retry(upTo: 1), receive) { $0 }
                case .shared: Self.start(producer.share(while: .observed), receive)
                case .replayed: Self.start(producer.replayLazily(upTo: 0), receive)
                }
            }

            private static func observe(
                _ producer: SignalProducer<Int, TestFailure>, _ receive: @escaping Receive,
                _ operation: (Signal<Int, TestFailure>) -> Signal<Int, TestFailure>
            ) -> Begun {
                producer.startWithSignal { signal, interrupter in
                    let result = operation(signal)
                    result.observe(receive)
                    return Begun(start: interrupter) { result.observe($0) }
                }
            }

            private static func start(
                _ producer: SignalProducer<Int, TestFailure>, _ receive: @escaping Receive
            ) -> Begun {
                Begun(start: producer.start(receive)) { producer.start($0) }
            }

            /// Whether each observer has a start of its own, which its own thread may interrupt.
            var hasStarts: Bool { self == .shared || self == .replayed }
        }

        @Test(
            "they do so while observers come to a signal that a start feeds, and go",
            arguments: [Hub.startedSignal, .mapped, .withInput, .lifted, .ofRounds], [Contention.wait, .enqueue])
        func observersOfStart(hub: Hub, contention: Contention) { expectOnScheduler(hub, contention) }

        @Test("they do so while starts join shared work, and leave", arguments: [Hub.shared, .replayed])
        func sharingStarts(hub: Hub) {
            for contention in [Contention.wait, .enqueue] { expectOnScheduler(hub, contention) }
        }

        private func expectOnScheduler(_ hub: Hub, _ contention: Contention) {
            for isDisposed in hub.hasStarts ? [false] : [false, true] {
                exhaust(
                    quick: 2_000,
                    Scenario("\(hub), \(contention): observers come and go, disposed of: \(isDisposed)") { trial in
                        let source = Source<TestFailure>(trial, contention: contention)
                        let time = HandScheduler(trial)
                        let recorder = Recorder<Int, TestFailure>(trial)
                        let started = hub.begin(source.producer.observe(on: time)) { event in
                            trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                            recorder.receive(event)
                        }
                        for value in [1, 2] { source.send(value) }
                        if !isDisposed { source.complete() }
                        trial.thread {
                            let visitor = started.observe { event in
                                // One that comes after the end is told at once, and so is the end of its own start.
                                guard case .next = event else { return }
                                trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                            }
                            visitor?.dispose()
                        }
                        trial.thread { for _ in 0..<2 { time.advance() } }
                        if isDisposed { trial.thread { started.start.dispose() } }
                        trial.finally {
                            for _ in 0..<3 { time.advance() }
                            if !isDisposed { recorder.expectAll([[1, 2]]) }
                            recorder.expectOneEnd()
                        }
                    })
            }
        }

        @Test("an event that the scheduler has begun to send arrives even if the scheduler is shut down")
        func observersWithClosedScheduler() {
            exhaust(
                quick: 2_000,
                Scenario("observeOn, enqueue: observers come and go, the scheduler is shut down") { trial in
                    let time = HandScheduler(trial)
                    let (source, input) = Signal<Int, TestFailure>.pipe(contention: .enqueue)
                    let result = source.observe(on: time)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    result.observe(recorder)
                    for value in [1, 2] { input.sendNext(value) }
                    input.sendCompleted()
                    trial.thread { result.observe { _ in }?.dispose() }
                    trial.thread {
                        time.advance()
                        time.shutDown()
                    }
                    trial.finally {
                        recorder.expectAll([[1, 2]])
                        recorder.expectOneEnd()
                    }
                })
        }

        @Test("nothing is delivered inside the calls of observers that come and go, if the scheduler runs work at once")
        func observersWithImmediateScheduler() {
            exhaust(
                quick: 2_000,
                Scenario("observeOn, enqueue: observers come and go, ImmediateScheduler") { trial in
                    let (source, input) = Signal<Int, TestFailure>.pipe(contention: .enqueue)
                    let result = source.observe(on: ImmediateScheduler())
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let visitor = Visitor()
                    result.observe { event in
                        trial.expect(!visitor.isCurrent, "\(event) is delivered by a thread that adds an observer")
                        recorder.receive(event)
                    }
                    trial.thread {
                        visitor.thread = ThreadIdentity.current
                        result.observe { _ in }?.dispose()
                    }
                    trial.thread {
                        [1, 2].forEach(input.sendNext)
                        input.sendCompleted()
                    }
                    trial.finally {
                        recorder.expectAll([[1, 2]])
                        recorder.expectOneEnd()
                    }
                })
        }

        private final class Visitor: @unchecked Sendable {
            var thread: UInt?
            var isCurrent: Bool { thread == ThreadIdentity.current }
        }

        private func expectOnScheduler(
            _ operation: DeliveredOnScheduler, _ form: Form, _ contention: Contention = .wait, _ end: End = .completes
        ) {
            let name = "\(operation), \(form), \(contention): a disposal, a source that \(end), and the scheduler"
            exhaust(
                Scenario(name) { trial in
                    let source = Source<TestFailure>(trial, contention: contention)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let start = form.apply(operation, to: source.producer, on: time).start { event in
                        trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                        recorder.receive(event)
                    }
                    source.send(1)
                    trial.thread { recorder.cancel(start) }
                    trial.thread { end.happen(to: source) }
                    trial.thread { for _ in 0..<2 { time.advance() } }
                    trial.finally {
                        for _ in 0..<3 { time.advance() }
                        recorder.expectOneEnd()
                        source.expectCleanups()
                    }
                })
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
