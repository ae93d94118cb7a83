/// A line of code for another library, and its equivalent here.
struct OldName {
    let code: String
    /// The replacement names that the compiler must report.
    let names: [String]
    /// The same code with our names.
    let now: String
    /// Whether the compiler's fix-its produce this code. If the arguments differ, the compiler can only name the
    /// replacement.
    let isFixed: Bool

    init(_ code: String, _ names: String..., fixed now: String) {
        (self.code, self.names, self.now, isFixed) = (code, names, now, true)
    }

    init(_ code: String, _ names: String..., byHand now: String) {
        (self.code, self.names, self.now, isFixed) = (code, names, now, false)
    }

    /// The declarations that the lines use.
    static let setup = """
        import ReactiveServer
        import ReactiveSignals
        import ReactiveSignalsTesting

        struct Failed: Error {}
        let signal = Signal<Int, Failed>.never
        let safe = Signal<Int, Never>.never
        let optionals = Signal<Int?, Failed>.never
        let signals = Signal<Signal<Int, Failed>, Failed>.never
        let producer = SignalProducer<Int, Failed>.never
        let safeProducer = SignalProducer<Int, Never>.never
        let optionalProducer = SignalProducer<Int?, Failed>.never
        let producers = SignalProducer<SignalProducer<Int, Failed>, Failed>.never
        let trigger = Signal<Void, Never>.never
        let property = MutableProperty(0)
        let action = Action<Int, Int, Failed> { SignalProducer(value: $0) }
        let disposable: any Disposable = SimpleDisposable()
        let bag = CompositeDisposable()
        let serial = SerialDisposable()
        let scheduler = TestScheduler()
        let input = Signal<Int, Failed>.pipe().input
        @Sendable func validate(_ number: Int) -> Result<Void, Failed> { .success(()) }
        @Sendable func half(_ number: Int) -> Result<Int, Failed> { .success(number / 2) }
        @Sendable func load(_ number: Int) throws {}
        @Sendable func compute() -> Int { 1 }
        @Sendable func read() throws -> Int { 1 }
        @Sendable func run(_ number: Int) -> SignalProducer<Int, Failed> { producer }
        """

    static let all: [OldName] = [
        // Events and observers
        .init("_ = Event<Int, Never>.value(1)", "next(_:)", fixed: "_ = Event<Int, Never>.next(1)"),
        .init("_ = Event<Int, Failed>.failed(Failed())", "error(_:)", fixed: "_ = Event<Int, Failed>.error(Failed())"),
        .init("input.send(.failed(Failed()))", "error(_:)", fixed: "input.send(.error(Failed()))"),
        .init("input.send(.value(1))", "next(_:)", fixed: "input.send(.next(1))"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in }, failed: { _ in }, completed: {}, interrupted: {})",
            "init(next:error:completed:interrupted:)",
            fixed: "_ = Signal<Int, Failed>.Observer(next: { _ in }, error: { _ in }, completed: {}, interrupted: {})"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in })", "init(next:)",
            fixed: "_ = Signal<Int, Failed>.Observer(next: { _ in })"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in }, completed: {})", "init(next:completed:)",
            fixed: "_ = Signal<Int, Failed>.Observer(next: { _ in }, completed: {})"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in }, failed: { _ in })", "init(next:error:)",
            fixed: "_ = Signal<Int, Failed>.Observer(next: { _ in }, error: { _ in })"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in }, failed: { _ in }, completed: {})",
            "init(next:error:completed:)",
            fixed: "_ = Signal<Int, Failed>.Observer(next: { _ in }, error: { _ in }, completed: {})"),
        .init(
            "_ = Signal<Int, Failed>.Observer(value: { _ in }, interrupted: {})",
            "init(next:error:completed:interrupted:)",
            byHand: "_ = Signal<Int, Failed>.Observer(next: { _ in }, interrupted: {})"),
        .init("input.send(value: 1)", "sendNext(_:)", fixed: "input.sendNext(1)"),
        .init("input.send(error: Failed())", "sendError(_:)", fixed: "input.sendError(Failed())"),
        .init("input.send(1)", "sendNext(_:)", fixed: "input.sendNext(1)"),
        .init("input.send(completion: .completed)", "send(_:)", fixed: "input.send(.completed)"),
        .init("input.sendFailed(Failed())", "sendError(_:)", fixed: "input.sendError(Failed())"),
        .init("input.onNext(1)", "sendNext(_:)", fixed: "input.sendNext(1)"),
        .init("input.onError(Failed())", "sendError(_:)", fixed: "input.sendError(Failed())"),
        .init("input.onCompleted()", "sendCompleted()", fixed: "input.sendCompleted()"),
        .init("input.on(.next(1))", "send(_:)", fixed: "input.send(.next(1))"),
        .init("input.accept(1)", "sendNext(_:)", fixed: "input.sendNext(1)"),

        // Observing
        .init("safe.observeValues { _ in }", "observeNext(_:)", fixed: "safe.observeNext { _ in }"),
        .init("safe.observeValues({ _ in })", "observeNext(_:)", fixed: "safe.observeNext({ _ in })"),
        .init("signal.observeFailed { _ in }", "observeError(_:)", fixed: "signal.observeError { _ in }"),
        .init(
            "signal.subscribe { event in print(event) }", "observe(_:)",
            fixed: "signal.observe { event in print(event) }"),
        .init("signal.subscribe(input)", "observe(_:)", fixed: "signal.observe(input)"),
        .init("safe.subscribe(onNext: { print($0) })", "observeNext(_:)", fixed: "safe.observeNext({ print($0) })"),
        .init(
            "signal.subscribe(onError: { print($0) })", "observeError(_:)", fixed: "signal.observeError({ print($0) })"),
        .init("signal.subscribe(onCompleted: {})", "observeCompleted(_:)", fixed: "signal.observeCompleted({})"),
        .init(
            "signal.subscribe(onNext: { print($0) }, onCompleted: {})", "observe(_:)",
            byHand: "signal.observe(Signal.Observer(next: { print($0) }, completed: {}))"),
        .init("safe.bind(onNext: { print($0) })", "observeNext(_:)", fixed: "safe.observeNext({ print($0) })"),
        .init("safe.sink { print($0) }", "observeNext(_:)", fixed: "safe.observeNext { print($0) }"),
        .init("safe.sink(receiveValue: { print($0) })", "observeNext(_:)", fixed: "safe.observeNext({ print($0) })"),
        .init(
            "signal.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })", "observe(_:)",
            byHand: "signal.observe { print($0) }"),

        // Operators of signals that change the type
        .init("_ = optionals.ignoreNil()", "skipNil()", fixed: "_ = optionals.skipNil()"),
        .init("_ = signal.ignoreElements()", "ignoreValues()", fixed: "_ = signal.ignoreValues()"),
        .init("_ = signal.ignoreOutput()", "ignoreValues()", fixed: "_ = signal.ignoreValues()"),
        .init(
            "_ = signal.buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler)", "collect(every:on:)",
            byHand: "_ = signal.collect(every: .seconds(1), on: scheduler)"),
        .init("_ = signal.toArray()", "collect()", fixed: "_ = signal.collect()"),
        .init(
            "_ = signal.tryMap { value throws(Failed) in value + 1 }", "attemptMap(_:)",
            fixed: "_ = signal.attemptMap { value throws(Failed) in value + 1 }"),
        .init("_ = safe.promoteErrors(Failed.self)", "promoteError(_:)", fixed: "_ = safe.promoteError(Failed.self)"),
        .init(
            "_ = safe.setFailureType(to: Failed.self)", "promoteError(_:)", fixed: "_ = safe.promoteError(Failed.self)"),
        .init(
            "_ = signal.combineLatestWith(signal)", "combineLatest(with:)",
            fixed: "_ = signal.combineLatest(with: signal)"),
        .init("_ = signal.zipWith(signal)", "zip(with:)", fixed: "_ = signal.zip(with: signal)"),
        .init("_ = signal.sampleWith(trigger)", "sample(with:)", fixed: "_ = signal.sample(with: trigger)"),
        .init("_ = signal.withLatestFrom(safe)", "withLatest(from:)", fixed: "_ = signal.withLatest(from: safe)"),

        // Types
        .init("let subject: PublishSubject<Int>", "Signal", byHand: "let subject: Signal<Int, any Error>"),
        .init("let subject: PassthroughSubject<Int, Never>", "Signal", fixed: "let subject: Signal<Int, Never>"),
        .init(
            "let subject = PassthroughSubject<Int, Never>()", "Signal", "Signal.pipe()",
            byHand: "let subject = Signal<Int, Never>.pipe()"),
        .init("let signal: Signal<Int, NoError>", "Never", fixed: "let signal: Signal<Int, Never>"),

        // Disposables
        .init("_ = ActionDisposable { print(1) }", "AnyDisposable", fixed: "_ = AnyDisposable { print(1) }"),
        .init("_ = BooleanDisposable()", "SimpleDisposable", fixed: "_ = SimpleDisposable()"),
        .init(
            "let bag = DisposeBag(); disposable.disposed(by: bag)", "ScopedDisposable", "ScopedDisposable.init(_:)",
            "add(to:)", byHand: "let bag = ScopedDisposable(CompositeDisposable()); disposable.add(to: bag)"),
        .init("let all: [AnyCancellable] = []", "any Disposable", byHand: "let all: [any Disposable] = []"),
        .init("var all: Set<AnyCancellable> = []; all = []", "any Disposable", byHand: "_ = CompositeDisposable()"),
        .init(
            "_ = AnyCancellable { print(1) }", "any Disposable", "AnyDisposable.init(_:)",
            fixed: "_ = AnyDisposable { print(1) }"),
        .init("let one: any Cancellable", "Disposable", fixed: "let one: any Disposable"),
        .init("_ = disposable.disposed", "isDisposed", fixed: "_ = disposable.isDisposed"),
        .init("disposable.cancel()", "dispose()", fixed: "disposable.dispose()"),
        .init("disposable.disposed(by: bag)", "add(to:)", fixed: "disposable.add(to: bag)"),
        .init(
            "var set: [any Disposable] = []; disposable.store(in: &set)", "add(to:)", byHand: "disposable.add(to: bag)"),
        .init("bag.addDisposable(disposable)", "add(_:)", fixed: "bag.add(disposable)"),
        .init("bag.insert(disposable)", "add(_:)", fixed: "bag.add(disposable)"),
        .init("serial.innerDisposable = disposable", "inner", fixed: "serial.inner = disposable"),

        // Schedulers
        .init("_ = MainScheduler.instance", "init()", fixed: "_ = MainScheduler.init()"),
        .init(
            "_ = signal.observe(on: .main)", "QueueScheduler.main",
            byHand: "_ = signal.observe(on: QueueScheduler.main)"),
        .init("_ = UIScheduler()", "MainScheduler", fixed: "_ = MainScheduler()"),
        .init(
            "_ = SerialDispatchQueueScheduler(qos: .default)", "QueueScheduler",
            fixed: "_ = QueueScheduler(qos: .default)"),
        .init(
            "_ = ConcurrentDispatchQueueScheduler(qos: .default)", "QueueScheduler",
            fixed: "_ = QueueScheduler(qos: .default)"),
        .init("_ = CurrentThreadScheduler()", "TrampolineScheduler", fixed: "_ = TrampolineScheduler()"),
        .init("let some: any SchedulerType", "Scheduler", fixed: "let some: any Scheduler"),
        .init("let some: any ImmediateSchedulerType", "Scheduler", fixed: "let some: any Scheduler"),
        .init("let some: any DateScheduler", "DelayScheduler", fixed: "let some: any DelayScheduler"),
        .init("let some: any DateSchedulerType", "DelayScheduler", fixed: "let some: any DelayScheduler"),
        .init("_ = scheduler.currentDate", "now", fixed: "_ = scheduler.now"),

        // Types of producers
        .init("let some: AnyPublisher<Int, Never>", "SignalProducer", fixed: "let some: SignalProducer<Int, Never>"),
        .init(
            "_ = Fail<Int, Failed>(error: Failed())", "SignalProducer",
            fixed: "_ = SignalProducer<Int, Failed>(error: Failed())"),
        .init("let some: Single<Int>", "SignalProducer", byHand: "let some: SignalProducer<Int, any Error>"),
        .init("let some: Maybe<Int>", "SignalProducer", byHand: "let some: SignalProducer<Int, any Error>"),
        .init("let some: Completable", "SignalProducer", byHand: "let some: SignalProducer<Never, any Error>"),
        .init("let some: Infallible<Int>", "SignalProducer", byHand: "let some: SignalProducer<Int, Never>"),
        .init(
            "_ = ReplaySubject<Int>.create(bufferSize: 1)", "SignalProducer", "buffer(capacity:)",
            byHand: "_ = SignalProducer<Int, any Error>.buffer(capacity: 1)"),
        .init(
            "let some: any Publisher<Int, Never>", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible<Int, Never>"),
        .init(
            "let some: any SignalType", "SignalProducerConvertible", fixed: "let some: any SignalProducerConvertible"),
        .init(
            "let some: any SignalProtocol", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible"),
        .init(
            "let some: any SignalProducerType", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible"),
        .init(
            "let some: any SignalProducerProtocol", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible"),
        .init(
            "let some: any ObservableType", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible"),
        .init(
            "let some: any ObservableConvertibleType", "SignalProducerConvertible",
            fixed: "let some: any SignalProducerConvertible"),

        // Making producers
        .init("_ = Just(1)", "SignalProducer.init(value:)", fixed: "_ = SignalProducer(value: 1)"),
        .init(
            "_ = Deferred { producer }", "SignalProducer.deferred(_:)",
            fixed: "_ = SignalProducer.deferred { producer }"),
        .init(
            "_ = SignalProducer<Int, Never>.just(1)", "SignalProducer.init(value:)",
            fixed: "_ = SignalProducer(value: 1)"),
        .init(
            "let one: SignalProducer<Int, Never> = .just(1)", "SignalProducer.init(value:)",
            fixed: "let one: SignalProducer<Int, Never> = SignalProducer(value: 1)"),
        .init(
            "_ = SignalProducer<Int, Never>.from([1, 2])", "SignalProducer.init(_:)",
            fixed: "_ = SignalProducer([1, 2])"),
        .init(
            "_ = SignalProducer<Int, Never>.of(1, 2)", "SignalProducer.init(values:_:_:)",
            fixed: "_ = SignalProducer(values: 1, 2)"),
        .init(
            "let one: SignalProducer<Int, Failed> = .error(Failed())", "SignalProducer.init(error:)",
            fixed: "let one: SignalProducer<Int, Failed> = SignalProducer(error: Failed())"),
        .init(
            "_ = SignalProducer<Int, Never>.create { observer in observer.sendNext(1); return disposable }",
            "SignalProducer.init(_:)",
            byHand:
                "_ = SignalProducer<Int, Never> { observer, lifetime in observer.sendNext(1); lifetime += disposable }"),
        .init(
            "_ = SignalProducer<Int, Never>.using({ SimpleDisposable() }, observableFactory: { _ in safeProducer })",
            "using(resource:producer:)",
            fixed:
                "_ = SignalProducer<Int, Never>.using(resource: { SimpleDisposable() }, producer: { _ in safeProducer })"
        ),
        .init(
            "_ = SignalProducer.amb([producer, producer])", "race(_:)",
            fixed: "_ = SignalProducer.race([producer, producer])"),
        .init(
            "_ = SignalProducer.interval(.seconds(1), scheduler: scheduler) as SignalProducer<TestScheduler.Instant, Never>",
            "timer(interval:on:)",
            fixed:
                "_ = SignalProducer.timer(interval: .seconds(1), on: scheduler) as SignalProducer<TestScheduler.Instant, Never>"
        ),
        .init(
            "_ = SignalProducer.timer(every: .seconds(1), on: scheduler)", "timer(interval:on:)",
            fixed: "_ = SignalProducer.timer(interval: .seconds(1), on: scheduler)"),
        .init(
            "_ = SignalProducer.timer(.seconds(1), scheduler: scheduler) as SignalProducer<TestScheduler.Instant, Never>",
            "timer(after:on:)",
            fixed:
                "_ = SignalProducer.timer(after: .seconds(1), on: scheduler) as SignalProducer<TestScheduler.Instant, Never>"
        ),

        // Starting
        .init(
            "safeProducer.startWithValues { _ in }", "startWithNext(_:)", fixed: "safeProducer.startWithNext { _ in }"),
        .init("producer.startWithFailed { _ in }", "startWithError(_:)", fixed: "producer.startWithError { _ in }"),
        .init(
            "producer.subscribe { event in print(event) }", "start(_:)",
            fixed: "producer.start { event in print(event) }"),
        .init("producer.subscribe(input)", "start(_:)", fixed: "producer.start(input)"),
        .init(
            "safeProducer.subscribe(onNext: { print($0) })", "startWithNext(_:)",
            fixed: "safeProducer.startWithNext({ print($0) })"),
        .init(
            "producer.subscribe(onError: { print($0) })", "startWithError(_:)",
            fixed: "producer.startWithError({ print($0) })"),
        .init(
            "producer.subscribe(onCompleted: {})", "startWithCompleted(_:)", fixed: "producer.startWithCompleted({})"),
        .init(
            "producer.subscribe(onNext: { print($0) }, onCompleted: {})", "start(_:)",
            byHand: "producer.start(Signal.Observer(next: { print($0) }, completed: {}))"),
        .init(
            "safeProducer.bind(onNext: { print($0) })", "startWithNext(_:)",
            fixed: "safeProducer.startWithNext({ print($0) })"),
        .init(
            "safeProducer.sink { print($0) }", "startWithNext(_:)", fixed: "safeProducer.startWithNext { print($0) }"),
        .init(
            "producer.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })", "start(_:)",
            byHand: "producer.start { print($0) }"),

        // Operators of signals, producers and properties alike
        .init("_ = signal.asObservable()", "producer", fixed: "_ = signal.producer"),
        .init("_ = producer.eraseToAnyPublisher()", "producer", fixed: "_ = producer.producer"),
        .init("_ = signal.distinctUntilChanged()", "skipRepeats()", fixed: "_ = signal.skipRepeats()"),
        .init("_ = property.distinctUntilChanged()", "skipRepeats()", fixed: "_ = property.skipRepeats()"),
        .init(
            "_ = signal.distinctUntilChanged().dropFirst(2).map { $0 + 1 }", "skipRepeats()", "skip(first:)",
            fixed: "_ = signal.skipRepeats().skip(first: 2).map { $0 + 1 }"),
        .init(
            "_ = producer.distinctUntilChanged { $0 == $1 }", "skipRepeats(_:)",
            fixed: "_ = producer.skipRepeats { $0 == $1 }"),
        .init("_ = signal.removeDuplicates()", "skipRepeats()", fixed: "_ = signal.skipRepeats()"),
        .init("_ = signal.removeDuplicates(by: ==)", "skipRepeats(_:)", fixed: "_ = signal.skipRepeats(==)"),
        .init("_ = signal.takeLast(1)", "take(last:)", fixed: "_ = signal.take(last: 1)"),
        .init("_ = signal.takeWhile({ $0 < 1 })", "take(while:)", fixed: "_ = signal.take(while: { $0 < 1 })"),
        .init("_ = producer.prefix(while: { $0 < 1 })", "take(while:)", fixed: "_ = producer.take(while: { $0 < 1 })"),
        .init("_ = signal.takeUntil(trigger)", "take(until:)", fixed: "_ = signal.take(until: trigger)"),
        .init(
            "_ = producer.prefix(untilOutputFrom: trigger)", "take(until:)", fixed: "_ = producer.take(until: trigger)"),
        .init(
            "_ = signal.takeUntilReplacement(signal)", "take(untilReplacement:)",
            fixed: "_ = signal.take(untilReplacement: signal)"),
        .init("_ = signal.dropFirst(1)", "skip(first:)", fixed: "_ = signal.skip(first: 1)"),
        .init("_ = signal.skipWhile({ $0 < 1 })", "skip(while:)", fixed: "_ = signal.skip(while: { $0 < 1 })"),
        .init("_ = signal.drop(while: { $0 < 1 })", "skip(while:)", fixed: "_ = signal.skip(while: { $0 < 1 })"),
        .init("_ = signal.skipUntil(trigger)", "skip(until:)", fixed: "_ = signal.skip(until: trigger)"),
        .init("_ = signal.drop(untilOutputFrom: trigger)", "skip(until:)", fixed: "_ = signal.skip(until: trigger)"),
        .init("_ = signal.observeOn(scheduler)", "observe(on:)", fixed: "_ = signal.observe(on: scheduler)"),
        .init("_ = signal.receive(on: scheduler)", "observe(on:)", fixed: "_ = signal.observe(on: scheduler)"),
        .init(
            "_ = signal.delay(.seconds(1), scheduler: scheduler)", "delay(_:on:)",
            fixed: "_ = signal.delay(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.delay(for: .seconds(1), scheduler: scheduler)", "delay(_:on:)",
            fixed: "_ = signal.delay(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.debounce(.seconds(1), scheduler: scheduler)", "debounce(_:on:)",
            fixed: "_ = signal.debounce(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.debounce(for: .seconds(1), scheduler: scheduler)", "debounce(_:on:)",
            fixed: "_ = signal.debounce(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.throttle(.seconds(1), scheduler: scheduler)", "throttle(_:on:)",
            fixed: "_ = signal.throttle(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.throttle(.seconds(1), latest: true, scheduler: scheduler)", "throttle(_:on:)",
            byHand: "_ = signal.throttle(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.throttle(for: .seconds(1), scheduler: scheduler, latest: true)", "throttle(_:on:)",
            byHand: "_ = signal.throttle(.seconds(1), on: scheduler)"),
        .init(
            "_ = signal.timeout(.seconds(1), scheduler: scheduler)", "timeout(after:raising:on:)",
            byHand: "_ = signal.timeout(after: .seconds(1), raising: Failed(), on: scheduler)"),
        .init("_ = signal.sampleOn(trigger)", "sample(on:)", fixed: "_ = signal.sample(on: trigger)"),
        .init("_ = signal.on(value: { _ in })", "on(next:)", fixed: "_ = signal.on(next: { _ in })"),
        .init("_ = signal.on(failed: { _ in })", "on(error:)", fixed: "_ = signal.on(error: { _ in })"),
        .init("_ = signal.do(onNext: { _ in })", "on(next:)", fixed: "_ = signal.on(next: { _ in })"),
        .init("_ = signal.do(onError: { _ in })", "on(error:)", fixed: "_ = signal.on(error: { _ in })"),
        .init("_ = signal.do(onCompleted: {})", "on(completed:)", fixed: "_ = signal.on(completed: {})"),
        .init("_ = signal.handleEvents(receiveOutput: { _ in })", "on(next:)", fixed: "_ = signal.on(next: { _ in })"),
        .init("_ = signal.debug()", "logEvents()", fixed: "_ = signal.logEvents()"),
        .init(
            "_ = signal.debug(\"numbers\")", "logEvents(identifier:)",
            fixed: "_ = signal.logEvents(identifier: \"numbers\")"),
        .init(
            "_ = producer.replaceError(with: 0)", "flatMapError(_:)",
            byHand: "_ = producer.flatMapError { _ in SignalProducer<Int, Never>(value: 0) }"),
        .init(
            "_ = producer.catchAndReturn(0)", "flatMapError(_:)",
            byHand: "_ = producer.flatMapError { _ in SignalProducer<Int, Never>(value: 0) }"),
        .init("_ = optionals.replaceNil(with: 0)", "map(_:)", byHand: "_ = optionals.map { $0 ?? 0 }"),
        .init(
            "final class Model { var count = 0 }; let model = Model(); safe.assign(to: \\.count, on: model)", "<~",
            byHand: "property <~ safe"),
        .init("safe.bind(to: property)", "<~", byHand: "property <~ safe"),
        .init("safe.drive(property)", "<~", byHand: "property <~ safe"),

        // Operators of producers
        .init("_ = producer.startWith(0)", "prefix(value:)", fixed: "_ = producer.prefix(value: 0)"),
        .init("_ = producer.prepend(0)", "prefix(value:)", fixed: "_ = producer.prefix(value: 0)"),
        .init("_ = producer.prepend(producer)", "prefix(_:)", fixed: "_ = producer.prefix(producer)"),
        .init("_ = producer.append(0)", "concat(value:)", fixed: "_ = producer.concat(value: 0)"),
        .init("_ = producer.append(producer)", "concat(_:)", fixed: "_ = producer.concat(producer)"),
        .init("_ = producer.startOn(scheduler)", "start(on:)", fixed: "_ = producer.start(on: scheduler)"),
        .init("_ = producer.subscribe(on: scheduler)", "start(on:)", fixed: "_ = producer.start(on: scheduler)"),
        .init("_ = producer.times(2)", "repeat(_:)", fixed: "_ = producer.repeat(2)"),
        .init(
            "_ = producer.share(replay: 1, scope: .forever)", "share(replay:while:)",
            fixed: "_ = producer.share(replay: 1, while: .forever)"),
        .init(
            "_ = producer.share(replay: 1, scope: .whileConnected)", "share(replay:while:)", "observed",
            fixed: "_ = producer.share(replay: 1, while: .observed)"),
        .init("_ = producer.publish()", "multicast()", fixed: "_ = producer.multicast()"),
        .init("_ = producer.replay(1)", "multicast(replay:)", fixed: "_ = producer.multicast(replay: 1)"),
        .init(
            "_ = producer.publish().refCount()", "multicast()", "autoconnect()",
            fixed: "_ = producer.multicast().autoconnect()"),
        .init("_ = optionalProducer.ignoreNil()", "skipNil()", fixed: "_ = optionalProducer.skipNil()"),
        .init("_ = producer.ignoreElements()", "ignoreValues()", fixed: "_ = producer.ignoreValues()"),
        .init("_ = producer.ignoreOutput()", "ignoreValues()", fixed: "_ = producer.ignoreValues()"),
        .init(
            "_ = producer.buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler)", "collect(every:on:)",
            byHand: "_ = producer.collect(every: .seconds(1), on: scheduler)"),
        .init("_ = producer.toArray()", "collect()", fixed: "_ = producer.collect()"),
        .init(
            "_ = producer.tryMap { value throws(Failed) in value + 1 }", "attemptMap(_:)",
            fixed: "_ = producer.attemptMap { value throws(Failed) in value + 1 }"),
        .init(
            "_ = safeProducer.promoteErrors(Failed.self)", "promoteError(_:)",
            fixed: "_ = safeProducer.promoteError(Failed.self)"),
        .init(
            "_ = safeProducer.setFailureType(to: Failed.self)", "promoteError(_:)",
            fixed: "_ = safeProducer.promoteError(Failed.self)"),
        .init(
            "_ = producer.combineLatestWith(producer)", "combineLatest(with:)",
            fixed: "_ = producer.combineLatest(with: producer)"),
        .init("_ = producer.zipWith(producer)", "zip(with:)", fixed: "_ = producer.zip(with: producer)"),
        .init("_ = producer.sampleWith(trigger)", "sample(with:)", fixed: "_ = producer.sample(with: trigger)"),
        .init("_ = producer.withLatestFrom(safe)", "withLatest(from:)", fixed: "_ = producer.withLatest(from: safe)"),

        // Flattening
        .init(
            "_ = producer.flatMapLatest { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.latest) { _ in producer }"),
        .init(
            "_ = producer.flatMapFirst { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.throttle) { _ in producer }"),
        .init(
            "_ = producer.concatMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.concat) { _ in producer }"),
        .init(
            "_ = producer.catch { _ in producer }", "flatMapError(_:)",
            fixed: "_ = producer.flatMapError { _ in producer }"),
        .init("_ = producers.switchToLatest()", "flatten(_:)", byHand: "_ = producers.flatten(.latest)"),
        .init("_ = producers.switchLatest()", "flatten(_:)", byHand: "_ = producers.flatten(.latest)"),
        .init(
            "_ = producers.merge(maxConcurrent: 2)", "flatten(_:)",
            byHand: "_ = producers.flatten(.concurrent(limit: 2))"),
        .init(
            "_ = signal.flatMapLatest { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.latest) { _ in producer }"),
        .init(
            "_ = signal.flatMapFirst { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.throttle) { _ in producer }"),
        .init(
            "_ = signal.concatMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.concat) { _ in producer }"),
        .init(
            "_ = signal.catch { _ in producer }", "flatMapError(_:)", fixed: "_ = signal.flatMapError { _ in producer }"
        ),
        .init("_ = signals.switchToLatest()", "flatten(_:)", byHand: "_ = signals.flatten(.latest)"),
        .init("_ = signals.switchLatest()", "flatten(_:)", byHand: "_ = signals.flatten(.latest)"),
        .init(
            "_ = signals.merge(maxConcurrent: 2)", "flatten(_:)", byHand: "_ = signals.flatten(.concurrent(limit: 2))"),
        .init("_ = producers.flatten(.Merge)", "merge", fixed: "_ = producers.flatten(.merge)"),
        .init("_ = producers.flatten(.Concat)", "concat", fixed: "_ = producers.flatten(.concat)"),
        .init("_ = producers.flatten(.Latest)", "latest", fixed: "_ = producers.flatten(.latest)"),

        // Properties
        .init("_ = AnyProperty(property)", "Property", fixed: "_ = Property(property)"),
        .init(
            "_ = property.observe(on: scheduler)", "producer.observe(on:)",
            byHand: "_ = property.producer.observe(on: scheduler)"),
        .init(
            "property.observe { print($0) }", "producer.startWithNext(_:)",
            byHand: "property.producer.startWithNext { print($0) }"),
        .init(
            "property.startWithNext { print($0) }", "producer.startWithNext(_:)",
            byHand: "property.producer.startWithNext { print($0) }"),
        .init(
            "property.observeNext { print($0) }", "signal.observeNext(_:)",
            byHand: "property.signal.observeNext { print($0) }"),
        .init(
            "property.sink { print($0) }", "producer.startWithNext(_:)",
            byHand: "property.producer.startWithNext { print($0) }"),
        .init(
            "property.subscribe(onNext: { print($0) })", "producer.startWithNext(_:)",
            byHand: "property.producer.startWithNext { print($0) }"),
        .init(
            "_ = AnyProperty(initialValue: 0, producer: safeProducer)", "Property", "init(initial:then:)",
            fixed: "_ = Property(initial: 0, then: safeProducer)"),
        .init(
            "_ = Property(initialValue: 0, signal: safe)", "init(initial:then:)",
            fixed: "_ = Property(initial: 0, then: safe)"),
        .init("let some: PropertyOf<Int>", "Property", fixed: "let some: Property<Int>"),
        .init("let some: Driver<Int>", "Property", fixed: "let some: Property<Int>"),
        .init("let some: any PropertyType", "PropertyProtocol", fixed: "let some: any PropertyProtocol"),
        .init("_ = BehaviorSubject(value: 0)", "MutableProperty", "init(_:)", fixed: "_ = MutableProperty(0)"),
        .init("_ = BehaviorRelay<Int>(value: 0)", "MutableProperty", "init(_:)", fixed: "_ = MutableProperty<Int>(0)"),
        .init("_ = CurrentValueSubject<Int, Never>(0)", "MutableProperty", byHand: "_ = MutableProperty<Int>(0)"),
        .init("@Published var count = 0", "MutableProperty", fixed: "@MutableProperty var count = 0"),
        .init("_ = ConstantProperty(1)", "Property.init(value:)", fixed: "_ = Property(value: 1)"),
        .init("property.accept(1)", "value", fixed: "property.value = 1"),
        .init("property.onNext(1)", "value", fixed: "property.value = 1"),
        .init("property.send(1)", "value", fixed: "property.value = 1"),

        // Actions
        .init("_ = Action(execute: run)", "init(_:)", fixed: "_ = Action(run)"),
        .init(
            "_ = Action(enabledIf: property.map { $0 > 0 }, execute: run)", "init(enabledIf:_:)",
            fixed: "_ = Action(enabledIf: property.map { $0 > 0 }, run)"),
        .init(
            "_ = ActionError<Failed>.producerFailed(Failed())", "producerError(_:)",
            fixed: "_ = ActionError<Failed>.producerError(Failed())"),
        .init("_ = action.executing", "isExecuting", fixed: "_ = action.isExecuting"),
        .init("_ = action.enabled", "isEnabled", fixed: "_ = action.isEnabled"),

        // The test kit
        .init("_ = TestScheduler(startDate: 0)", "init()", byHand: "_ = TestScheduler()"),
        .init("scheduler.rewind(by: .seconds(1))", "TestScheduler()", byHand: "_ = TestScheduler()"),
        .init("scheduler.rewind(to: scheduler.now)", "TestScheduler()", byHand: "_ = TestScheduler()"),
        .init("_ = HistoricalScheduler()", "TestScheduler", fixed: "_ = TestScheduler()"),
        .init("let some: TestableObserver<Int, Never>", "TestObserver", fixed: "let some: TestObserver<Int, Never>"),
        .init("scheduler.advanceByInterval(.seconds(1))", "advance(by:)", fixed: "scheduler.advance(by: .seconds(1))"),
        .init("scheduler.advanceToDate(scheduler.now)", "advance(to:)", fixed: "scheduler.advance(to: scheduler.now)"),
        .init("scheduler.advanceTo(scheduler.now)", "advance(to:)", fixed: "scheduler.advance(to: scheduler.now)"),
        .init("scheduler.start()", "run()", fixed: "scheduler.run()"),

        // Names from various libraries
        .init("input.yield(1)", "sendNext(_:)", fixed: "input.sendNext(1)"),
        .init("input.finish()", "sendCompleted()", fixed: "input.sendCompleted()"),
        .init("_ = signal.buffer(count: 3)", "collect(count:)", fixed: "_ = signal.collect(count: 3)"),
        .init("_ = producer.buffer(count: 3)", "collect(count:)", fixed: "_ = producer.collect(count: 3)"),
        .init("_ = signal.pairwise()", "combinePrevious()", fixed: "_ = signal.combinePrevious()"),
        .init("_ = producer.pairwise()", "combinePrevious()", fixed: "_ = producer.combinePrevious()"),
        .init(
            "_ = signal.asyncMap { $0 }", "mapAsync(maxConcurrent:ordered:_:)",
            byHand: "_ = signal.mapAsync(maxConcurrent: 1) { $0 }"),
        .init(
            "_ = producer.asyncMap { $0 }", "mapAsync(maxConcurrent:ordered:_:)",
            byHand: "_ = producer.mapAsync(maxConcurrent: 1) { $0 }"),
        .init(
            "let values: AsyncValues<Int, Never> = safe.values", "values(buffering:)",
            byHand: "let values: AsyncValues<Int, Never> = safe.values(buffering: .newest(1))"),
        .init(
            "let values: AsyncValues<Int, Never> = safeProducer.values", "values(buffering:)",
            byHand: "let values: AsyncValues<Int, Never> = safeProducer.values(buffering: .newest(1))"),
        .init("_ = signal.startWith(1)", "producer.prefix(value:)", byHand: "_ = signal.producer.prefix(value: 1)"),
        .init("_ = signal.prepend(1)", "producer.prefix(value:)", byHand: "_ = signal.producer.prefix(value: 1)"),
        .init("_ = AnyDisposable()", "SimpleDisposable.init()", fixed: "_ = SimpleDisposable()"),
        .init("_ = safe.values(buffering: .latest(3))", "newest(_:)", fixed: "_ = safe.values(buffering: .newest(3))"),
        .init(
            "_ = safe.values(buffering: .bufferingNewest(3))", "newest(_:)",
            fixed: "_ = safe.values(buffering: .newest(3))"),
        .init(
            "_ = safe.values(buffering: .bufferingOldest(3))", "oldest(_:)",
            fixed: "_ = safe.values(buffering: .oldest(3))"),
        .init(
            "_ = signal.on(failed: { _ in }, value: { _ in })", "on(next:error:)",
            byHand: "_ = signal.on(next: { _ in }, error: { _ in })"),
        .init(
            "_ = producer.on(starting: {}, value: { _ in })", "on(next:error:)",
            byHand: "_ = producer.on(starting: {}, next: { _ in })"),
        .init(
            "_ = producer.on(failed: { _ in }, completed: {})", "on(next:error:)",
            byHand: "_ = producer.on(error: { _ in }, completed: {})"),
        .init("_ = signal.tap { print($0) }", "on(next:)", byHand: "_ = signal.on(next: { print($0) })"),
        .init(
            "_ = signal.catchErrorJustReturn(1)", "flatMapError(_:)",
            byHand: "_ = signal.flatMapError { _ in .init(value: 1) }"),
        .init("_ = signal.take(3)", "take(first:)", fixed: "_ = signal.take(first: 3)"),
        .init("_ = signal.skip(3)", "skip(first:)", fixed: "_ = signal.skip(first: 3)"),
        .init("_ = signal.collect(3)", "collect(count:)", fixed: "_ = signal.collect(count: 3)"),
        .init("_ = producer.collect(3)", "collect(count:)", fixed: "_ = producer.collect(count: 3)"),
        .init(
            "_ = producer.take(until: { $0 > 1 })", "take(throughWhile:)",
            fixed: "_ = producer.take(throughWhile: { $0 > 1 })"),
        .init("safe.assign(to: property)", "<~", byHand: "property <~ safe"),
        .init("var target = property; safe.assign(to: &target)", "<~", byHand: "property <~ safe"),
        .init("_ = producer.retry(2)", "retry(upTo:)", fixed: "_ = producer.retry(upTo: 2)"),
        .init("_ = producer.retryWhen { $0 }", "retry(when:)", fixed: "_ = producer.retry { $0 }"),
        .init(
            "_ = SignalProducer(compute)", "SignalProducer.attempt(_:)",
            fixed: "_ = SignalProducer.attempt(compute)"),
        .init("_ = SignalProducer(read)", "SignalProducer.attempt(_:)", fixed: "_ = SignalProducer.attempt(read)"),
        .init(
            "_ = SignalProducer<Int, Failed> { 5 }", "SignalProducer.attempt(_:)",
            byHand: "_ = SignalProducer<Int, Failed>.attempt { 5 }"),
        .init(
            "_ = SignalProducer<Int, Failed> { () -> Result<Int, Failed> in half(1) }", "SignalProducer.attempt(_:)",
            byHand: "_ = SignalProducer<Int, Failed>.attempt { () -> Result<Int, Failed> in half(1) }"),
        .init(
            "_ = signal.mergeMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.merge) { _ in producer }"),
        .init(
            "_ = signal.switchMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.latest) { _ in producer }"),
        .init(
            "_ = signal.flatMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = signal.flatMap(.merge) { _ in producer }"),
        .init(
            "_ = producer.mergeMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.merge) { _ in producer }"),
        .init(
            "_ = producer.switchMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.latest) { _ in producer }"),
        .init(
            "_ = producer.flatMap { _ in producer }", "flatMap(_:_:)",
            byHand: "_ = producer.flatMap(.merge) { _ in producer }"),
    ]

    /// Mistakes with our own names, and the messages that the compiler must report for them, as if there were no
    /// other names.
    static let mistakes: [(code: String, message: String)] = [
        ("_ = signal.skip(frist: 1)", "extraneous argument label 'frist:' in call"),
        ("_ = signal.take(frist: 1)", "extraneous argument label 'frist:' in call"),
        ("_ = signal.map { $0.none }", "value of type 'Int' has no member 'none'"),
        ("_ = producer.flatMap(.latest) { x in print(x); return x.none }", "value of type 'Int' has no member 'none'"),
        ("_ = signal.flatMap(.latst) { _ in producer }", "type 'FlattenStrategy' has no member 'latst'"),
        (
            "_ = SignalProducer<Int, Failed> { observer, lifetime in observer.none() }",
            "value of type 'Signal<Int, Failed>.Observer' has no member 'none'"
        ),
        (
            "_ = SignalProducer<Int, Failed> { observer in observer.sendNext(1) }",
            "contextual closure type '@Sendable (Signal<Int, Failed>.Observer, Lifetime) -> Void' expects 2 arguments, "
                + "but 1 was used in closure body"
        ),
        ("_ = signal.take(while: { $0.none })", "value of type 'Int' has no member 'none'"),
        (
            "_ = producer.on(next: { print($0) }, completd: {})",
            "incorrect argument label in call (have 'next:completd:', expected 'next:completed:')"
        ),
        (
            "_ = signal.merge(with: 3)",
            "cannot convert value of type 'Int' to expected argument type 'Signal<Int, Failed>'"
        ),
        ("_ = safe.values(buffering: .nwest(3))", "type 'BufferingPolicy' has no member 'nwest'"),
        ("_ = signal.collect(cuont: 1)", "extraneous argument label 'cuont:' in call"),
        ("_ = producer.prefix(vlaue: 0)", "incorrect argument label in call (have 'vlaue:', expected 'value:')"),
        ("_ = signal.prefix(value: 0)", "value of type 'Signal<Int, Failed>' has no member 'prefix'"),
        ("_ = signal.sample(onn: trigger)", "no exact matches in call to instance method 'sample'"),
        ("_ = signal.on(nxt: { _ in })", "extraneous argument label 'nxt:' in call"),
        (
            "_ = signal.delay(.seconds(1), onn: scheduler)",
            "incorrect argument label in call (have '_:onn:', expected '_:on:')"
        ),
        ("input.send(.nxt(1))", "type 'Event<Int, Failed>' has no member 'nxt'"),
        ("if case .failed = Event<Int, Failed>.completed {}", "member 'failed' expects argument of type 'Failed'"),
        ("@Observable final class Model {}", "unknown attribute 'Observable'"),
    ]
}
