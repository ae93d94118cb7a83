#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

extension AllExplorations {
    /// Operators that deliver all their events on a scheduler, whatever other threads do.
    @Suite("Delivery on a scheduler")
    struct SchedulerDeliveryExplorations {
        typealias End = TimeExplorations.End

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
            case settle, debouncePerValue, delayPerValue, throttleReporting, bufferReporting

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
                case .settle: producer.settle(for: .seconds(60), atMost: .seconds(90), on: time)
                case .debouncePerValue: producer.debounce(on: time) { .seconds(60 * $0) }
                case .delayPerValue: producer.delay(on: time) { .seconds(60 * $0) }
                case .throttleReporting: producer.throttle(.seconds(60), on: time) { _ in }
                case .bufferReporting: producer.buffer(upTo: 1, whenFull: .dropOldest, on: time) { _ in }
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
                case .settle: signal.settle(for: .seconds(60), atMost: .seconds(90), on: time)
                case .debouncePerValue: signal.debounce(on: time) { .seconds(60 * $0) }
                case .delayPerValue: signal.delay(on: time) { .seconds(60 * $0) }
                case .throttleReporting: signal.throttle(.seconds(60), on: time) { _ in }
                case .bufferReporting: signal.buffer(upTo: 1, whenFull: .dropOldest, on: time) { _ in }
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
            arguments: [
                DeliveredOnScheduler.lazyMap, .delayByNothing, .debounce, .throttle, .collect, .settle,
                .debouncePerValue, .delayPerValue, .throttleReporting, .bufferReporting,
            ])
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
            case startedSignal, mapped, withInput, lifted, ofRounds
            case ofNestedRounds, ofLiftedRounds, ofConcatenatedRounds, ofRoundsWithInput
            case withTimeout, flattened, withSample, ofSignal, ofReplayed, ofMulticast, ofGroup, ofLimitedGroup
            case shared, replayed, sharedTwice, sharedWithTimeout

            typealias Receive = @Sendable (Event<Int, TestFailure>) -> Void
            typealias Numbers = SignalProducer<Int, TestFailure>

            /// A start, and what adds another observer.
            struct Begun {
                let start: any Disposable
                let observe: @Sendable (@escaping Receive) -> (any Disposable)?
            }

            /// Starts `producer`, and observes the result.
            func begin(_ producer: Numbers, _ time: HandScheduler, _ receive: @escaping Receive) -> Begun {
                let never = SignalProducer<Int, Never>.never
                return switch self {
                case .startedSignal: Self.observe(producer, receive)
                case .mapped: Self.observe(producer, receive) { $0.map { $0 } }
                case .withInput: Self.observe(producer, receive) { $0.take(until: Signal<Int, Never>.never) }
                case .lifted: Self.observe(producer.lift { $0.map { $0 } }, receive)
                case .ofRounds: Self.observe(producer.retry(upTo: 1), receive)
                case .ofNestedRounds: Self.observe(producer.retry(upTo: 1).retry(upTo: 1), receive)
                case .ofLiftedRounds:
                    Self.observe(
                        producer.lift { $0.map { $0 } }.retry(upTo: 1).lift { $0.map { $0 } }, receive)
                case .ofConcatenatedRounds: Self.observe(Numbers.empty.concat(producer).retry(upTo: 1), receive)
                case .ofRoundsWithInput: Self.observe(producer.take(until: never).retry(upTo: 1), receive)
                case .withTimeout:
                    Self.observe(producer.timeout(after: .seconds(1000), raising: TestFailure(), on: time), receive)
                case .flattened: Self.observe(producer.flatMap(.concat) { Numbers(value: $0) }, receive)
                case .withSample:
                    Self.observe(producer.withLatest(from: SignalProducer<Int, Never>(value: 0)).map(\.0), receive)
                case .ofSignal:
                    producer.startWithSignal { signal, interrupter in
                        let begun = Self.observe(Numbers(signal), receive)
                        return Begun(start: interrupter, observe: begun.observe)
                    }
                case .ofReplayed: Self.observe(producer.replayLazily(upTo: 0), receive)
                case .ofMulticast: Self.multicast(producer, receive)
                case .ofGroup: Self.group(producer.groupBy { _ in 0 }, receive)
                case .ofLimitedGroup:
                    Self.group(
                        producer.groupBy(
                            { _ in 0 }, bufferLimit: 9, idle: .seconds(1000), maxKeys: 2, whenFull: .dropNewest,
                            on: time),
                        receive)
                case .shared: Self.start(producer.share(while: .observed), receive)
                case .replayed: Self.start(producer.replayLazily(upTo: 0), receive)
                case .sharedTwice:
                    Self.start(
                        producer.share(while: .observed).lift { $0.map { $0 } }.share(while: .observed), receive)
                case .sharedWithTimeout:
                    Self.start(
                        producer.timeout(after: .seconds(1000), raising: TestFailure(), on: time)
                            .share(while: .observed),
                        receive)
                }
            }

            private static func observe(
                _ producer: Numbers, _ receive: @escaping Receive,
                _ operation: (Signal<Int, TestFailure>) -> Signal<Int, TestFailure> = { $0 }
            ) -> Begun {
                producer.startWithSignal { signal, interrupter in
                    let result = operation(signal)
                    result.observe(receive)
                    return Begun(start: interrupter) { result.observe($0) }
                }
            }

            private static func start(_ producer: Numbers, _ receive: @escaping Receive) -> Begun {
                Begun(start: producer.start(receive)) { producer.start($0) }
            }

            private static func multicast(_ producer: Numbers, _ receive: @escaping Receive) -> Begun {
                let connection = producer.multicast()
                let begun = observe(connection.producer, receive)
                return Begun(start: connection.connect(), observe: begun.observe)
            }

            /// Observes the first group when it begins, on the scheduler.
            private static func group(
                _ groups: SignalProducer<Group<Int, Int, TestFailure>, TestFailure>,
                _ receive: @escaping Receive
            ) -> Begun {
                let group = Held<Numbers>(nil)
                let start = groups.start { event in
                    guard case .next(let new) = event else { return }
                    new.producer.start(receive)
                    group.value = new.producer
                }
                return Begun(start: start) { group.value?.start($0) }
            }

            /// Whether each observer has a start of its own, which its own thread may interrupt.
            var hasStarts: Bool {
                switch self {
                case .shared, .replayed, .sharedTwice, .sharedWithTimeout, .ofGroup, .ofLimitedGroup: true
                default: false
                }
            }

            /// Whether the thread that disposes of it sends `interrupted` itself, because the last gate has no
            /// scheduler.
            var interruptsAtOnce: Bool {
                switch self {
                case .withTimeout, .flattened, .ofSignal, .ofReplayed, .ofMulticast: true
                default: false
                }
            }
        }

        @Test(
            "they do so while observers come to a signal that a start feeds, and go",
            arguments: Hub.allCases.filter { !$0.hasStarts }, [Contention.wait, .enqueue])
        func observersOfStart(hub: Hub, contention: Contention) { expectOnScheduler(hub, contention) }

        @Test(
            "they do so while starts join shared work or a group, and leave",
            arguments: Hub.allCases.filter(\.hasStarts))
        func sharingStarts(hub: Hub) {
            for contention in [Contention.wait, .enqueue] { expectOnScheduler(hub, contention) }
        }

        private func expectOnScheduler(_ hub: Hub, _ contention: Contention) {
            let forms = [(disposes: false, ends: true)]
            let also = [(disposes: true, ends: false), (disposes: true, ends: true)]
            for form in hub.hasStarts ? forms : forms + also {
                exhaust(
                    quick: 2_000,
                    Scenario(
                        "\(hub), \(contention): observers come and go, disposes \(form.disposes), ends \(form.ends)"
                    ) { trial in
                        let source = Source<TestFailure>(trial, contention: contention)
                        let time = HandScheduler(trial)
                        let recorder = Recorder<Int, TestFailure>(trial)
                        let started = hub.begin(source.producer.observe(on: time), time) { event in
                            let isExpected = time.isCurrent || hub.interruptsAtOnce && event == .interrupted
                            trial.expect(isExpected, "\(event) is not delivered on the scheduler")
                            recorder.receive(event)
                        }
                        for value in [1, 2] { source.send(value) }
                        // The group has begun then.
                        if hub == .ofGroup || hub == .ofLimitedGroup {
                            time.advance()
                            source.send(3)
                        }
                        if form.ends { source.complete() }
                        trial.thread {
                            let visitor = started.observe { event in
                                // One that comes after the end is told at once, and so is the end of its own start.
                                guard case .next = event else { return }
                                trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                            }
                            visitor?.dispose()
                        }
                        trial.thread { for _ in 0..<2 { time.advance() } }
                        if form.disposes { trial.thread { started.start.dispose() } }
                        trial.finally {
                            for _ in 0..<3 { time.advance() }
                            if !form.disposes {
                                recorder.expectAll([hub == .ofGroup || hub == .ofLimitedGroup ? [1, 2, 3] : [1, 2]])
                            }
                            recorder.expectOneEnd()
                            withExtendedLifetime(started) {}
                        }
                    })
            }
        }

        @Test("they do so if starts have joined before the work begins")
        func startsBeforeWork() {
            exhaust(
                quick: 2_000,
                Scenario("multicast: starts join and leave while the work begins") { trial in
                    let source = Source<TestFailure>(trial, contention: .enqueue)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let connection = source.producer.observe(on: time).multicast()
                    let start = connection.producer.start { event in
                        trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                        recorder.receive(event)
                    }
                    for _ in 0..<2 { trial.thread { connection.producer.start { _ in }.dispose() } }
                    trial.thread {
                        connection.connect()
                        for value in [1, 2] { source.send(value) }
                        for _ in 0..<2 { time.advance() }
                    }
                    trial.finally {
                        source.complete()
                        for _ in 0..<3 { time.advance() }
                        recorder.expectAll([[1, 2]])
                        recorder.expectOneEnd()
                        withExtendedLifetime(start) {}
                    }
                })
        }

        @Test("they do so if observers come to two signals, one of which feeds the other")
        func twoSignals() {
            exhaust(
                quick: 20_000,
                Scenario("a signal of a signal: observers come to both, and go") { trial in
                    let source = Source<TestFailure>(trial, contention: .enqueue)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let first = source.producer.observe(on: time).startWithSignal { signal, _ in
                        signal.observe { _ in }
                        return signal
                    }
                    let second = SignalProducer(first).startWithSignal { signal, _ in
                        signal.observe { event in
                            trial.expect(time.isCurrent, "\(event) is not delivered on the scheduler")
                            recorder.receive(event)
                        }
                        return signal
                    }
                    source.send(1)
                    let isDriven = Held(true)
                    for signal in [first, second] { trial.thread { signal.observe { _ in }?.dispose() } }
                    trial.thread {
                        time.advance()
                        isDriven.value = false
                    }
                    // Drives it a second time: with fewer preemptions than if the same thread did.
                    trial.thread { if isDriven.value == false { time.advance() } }
                    trial.finally {
                        source.complete()
                        for _ in 0..<3 { time.advance() }
                        recorder.expectAll([[1]])
                        recorder.expectOneEnd()
                    }
                })
        }

        @Test("what follows on another thread does not wait for a scheduler that is not driven any more")
        func restingScheduler() {
            exhaust(
                quick: 2_000,
                Scenario("concat: the scheduler of the first part rests") { trial in
                    let source = Source<TestFailure>(trial, contention: .enqueue)
                    let second = Source<TestFailure>(trial, contention: .enqueue)
                    let time = HandScheduler(trial)
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let hasFirst = Held(false)
                    let signal = source.producer.observe(on: time).concat(second.producer).startWithSignal {
                        signal, _ in
                        signal.observe(recorder)
                        return signal
                    }
                    source.send(1)
                    source.complete()
                    trial.thread { for _ in 0..<2 { signal.observe { _ in }?.dispose() } }
                    trial.thread {
                        for _ in 0..<2 { time.advance() }
                        hasFirst.value = recorder.values == [1]
                        second.send(2)
                    }
                    trial.finally {
                        // Otherwise the first value still waits for the scheduler, and what follows waits behind it.
                        if hasFirst.value == false { time.advance() }
                        recorder.expectAll([[1, 2]])
                        second.complete()
                        time.advance()
                        recorder.expectOneEnd()
                    }
                })
        }

        @Test("a scheduler does not deliver what another one has sent, unless it sends itself")
        func twoSchedulers() {
            exhaust(
                quick: 2_000,
                Scenario("concat of two schedulers: observers come and go") { trial in
                    let (source, second) = (
                        Source<TestFailure>(trial, contention: .enqueue),
                        Source<TestFailure>(trial, contention: .enqueue)
                    )
                    let (time, other) = (HandScheduler(trial), HandScheduler(trial))
                    let recorder = Recorder<Int, TestFailure>(trial)
                    let signal = source.producer.observe(on: time).concat(second.producer.observe(on: other))
                        .startWithSignal { signal, _ in
                            signal.observe { event in
                                // The second one delivers what waits before its own events.
                                let isExpected = other.isCurrent || event == .next(1) && time.isCurrent
                                trial.expect(isExpected, "\(event) is not delivered on its scheduler")
                                recorder.receive(event)
                            }
                            return signal
                        }
                    source.send(1)
                    source.complete()
                    trial.thread { signal.observe { _ in }?.dispose() }
                    trial.thread {
                        for _ in 0..<2 { time.advance() }
                        second.send(2)
                        for _ in 0..<2 { other.advance() }
                    }
                    trial.finally {
                        for _ in 0..<2 { time.advance() }
                        second.send(3)
                        for _ in 0..<2 { other.advance() }
                        second.complete()
                        for _ in 0..<2 { other.advance() }
                        recorder.expectAll([[1, 2, 3]])
                        recorder.expectOneEnd()
                    }
                })
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

        @Test(
            "nothing is delivered inside the calls of observers that come and go, if the scheduler runs work at once",
            arguments: [false, true], [false, true])
        func observersWithImmediateScheduler(isTrampoline: Bool, isStart: Bool) {
            let name = isTrampoline ? "TrampolineScheduler" : "ImmediateScheduler"
            exhaust(
                quick: 2_000,
                Scenario("observeOn, enqueue: observers come and go, \(name), of a start: \(isStart)") { trial in
                    let (source, input) = Signal<Int, TestFailure>.pipe(contention: .enqueue)
                    let result =
                        isTrampoline
                        ? Self.deliver(source, on: TrampolineScheduler(), isStart)
                        : Self.deliver(source, on: ImmediateScheduler(), isStart)
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
                    for value in [1, 2] { trial.thread { input.sendNext(value) } }
                    trial.finally {
                        input.sendCompleted()
                        recorder.expectAll([[1], [2]])
                        recorder.expectOneEnd()
                    }
                })
        }

        private static func deliver(
            _ source: Signal<Int, TestFailure>, on scheduler: some Scheduler, _ isStart: Bool
        ) -> Signal<Int, TestFailure> {
            guard isStart else { return source.observe(on: scheduler) }
            return SignalProducer(source).observe(on: scheduler).startWithSignal { signal, _ in
                signal.observe { _ in }
                return signal
            }
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
    }
}
#endif
