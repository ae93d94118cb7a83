// The counterpart of the same file in HotSignals, which lists what is left out.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import ColdProducers
public import HotSignals

// MARK: - Types

@available(*, unavailable, renamed: "SignalProducer")
public typealias AnyPublisher<Value: Sendable, Failure: Error> = SignalProducer<Value, Failure>
@available(*, unavailable, renamed: "SignalProducer")
public typealias Fail<Value: Sendable, Failure: Error> = SignalProducer<Value, Failure>
// In RxSwift, types that can fail with any error have no error type. Here the caller has to state one.
@available(*, unavailable, renamed: "SignalProducer")
public typealias Single<Value: Sendable> = SignalProducer<Value, any Error>
@available(*, unavailable, renamed: "SignalProducer")
public typealias Maybe<Value: Sendable> = SignalProducer<Value, any Error>
@available(*, unavailable, renamed: "SignalProducer")
public typealias Completable = SignalProducer<Never, any Error>
@available(*, unavailable, renamed: "SignalProducer")
public typealias Infallible<Value: Sendable> = SignalProducer<Value, Never>
@available(*, unavailable, renamed: "SignalProducer")
public typealias ReplaySubject<Value: Sendable> = SignalProducer<Value, any Error>
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias Publisher = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias SignalType = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias SignalProtocol = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias SignalProducerType = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias SignalProducerProtocol = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias ObservableType = SignalProducerConvertible
@available(*, unavailable, renamed: "SignalProducerConvertible")
public typealias ObservableConvertibleType = SignalProducerConvertible

// MARK: - Making producers

// Types in Combine, but functions here: they are called in code, and only for a function can the compiler insert the
// label.
@available(*, unavailable, renamed: "SignalProducer.init(value:)")
public func Just<Value: Sendable>(_ value: Value) -> SignalProducer<Value, Never> { renamed() }
@available(*, unavailable, renamed: "SignalProducer.deferred(_:)")
public func Deferred<Made: SignalProducerConvertible>(
    _ make: @escaping () -> Made
) -> SignalProducer<Made.Value, Made.Failure> { renamed() }

extension SignalProducer {
    @available(*, unavailable, renamed: "SignalProducer.attempt(_:)")
    public init(_ action: @escaping () throws -> Value) { renamed() }
    @available(*, unavailable, renamed: "SignalProducer.attempt(_:)")
    public init(_ action: @escaping () -> Result<Value, Failure>) { renamed() }
}

// Without these, the compiler takes a function whose type it must infer for a value, and asks for the label `value:`.
extension SignalProducer where Failure == Never {
    @available(*, unavailable, renamed: "SignalProducer.attempt(_:)") @_disfavoredOverload
    public init(_ action: @escaping () -> Value) { renamed() }
}

extension SignalProducer where Failure == any Error {
    @available(*, unavailable, renamed: "SignalProducer.attempt(_:)") @_disfavoredOverload
    public init(_ action: @escaping () throws -> Value) { renamed() }
}

// The new names include the type: only then does the fix-it for `.just(1)` compile.
extension SignalProducer {
    @available(*, unavailable, renamed: "SignalProducer.init(value:)")
    public static func just(_ value: Value) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "SignalProducer.init(_:)")
    public static func from(_ values: some Sequence<Value>) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "SignalProducer.init(values:_:_:)")
    public static func of(_ first: Value, _ second: Value, _ others: Value...) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "SignalProducer.init(error:)")
    public static func error(_ error: Failure) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "SignalProducer.init(_:)")
    public static func create(_ start: @escaping (Signal<Value, Failure>.Observer) -> any Disposable) -> SignalProducer
    {
        renamed()
    }
    @available(*, unavailable, renamed: "using(resource:producer:)")
    public static func using<Resource>(
        _ resource: @escaping () throws -> Resource, observableFactory: @escaping (Resource) throws -> SignalProducer
    ) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "race(_:)")
    public static func amb(_ producers: [SignalProducer]) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "buffer(capacity:)")
    public static func create(
        bufferSize: Int
    ) -> (producer: SignalProducer, input: Signal<Value, Failure>.Observer) { renamed() }
    @available(*, unavailable, renamed: "timer(interval:on:)")
    public static func interval<S: DelayScheduler>(_ interval: Duration, scheduler: S) -> SignalProducer
    where Value == S.Instant { renamed() }
    @available(*, unavailable, renamed: "timer(interval:on:)")
    public static func timer<S: DelayScheduler>(every interval: Duration, on scheduler: S) -> SignalProducer
    where Value == S.Instant, Failure == Never { renamed() }
    @available(*, unavailable, renamed: "timer(after:on:)")
    public static func timer<S: DelayScheduler>(_ delay: Duration, scheduler: S) -> SignalProducer
    where Value == S.Instant { renamed() }
}

// MARK: - Starting

extension SignalProducer {
    @available(*, unavailable, renamed: "startWithNext(_:)") @discardableResult
    public func startWithValues(_ action: @escaping (Value) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithError(_:)") @discardableResult
    public func startWithFailed(_ action: @escaping (Failure) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "start(_:)") @discardableResult
    public func subscribe(_ action: @escaping (Event<Value, Failure>) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "start(_:)") @discardableResult
    public func subscribe(_ observer: Signal<Value, Failure>.Observer) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithNext(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onNext: @escaping (Value) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithError(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onError: @escaping (Failure) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithCompleted(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onCompleted: @escaping () -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "start(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(
        onNext: @escaping (Value) -> Void, onError: ((Failure) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithNext(_:)") @discardableResult
    public func bind(onNext: @escaping (Value) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "startWithNext(_:)") @discardableResult
    public func sink(receiveValue: @escaping (Value) -> Void) -> any Disposable { renamed() }
    @available(*, unavailable, renamed: "start(_:)") @discardableResult
    public func sink(
        receiveCompletion: @escaping (Event<Value, Failure>) -> Void, receiveValue: @escaping (Value) -> Void
    ) -> any Disposable { renamed() }
}

// MARK: - Operators of signals, producers and properties alike

extension SignalProducerConvertible {
    @available(*, unavailable, renamed: "getter:producer(self:)")
    public func asObservable() -> SignalProducer<Value, Failure> { renamed() }
    @available(*, unavailable, renamed: "getter:producer(self:)")
    public func eraseToAnyPublisher() -> SignalProducer<Value, Failure> { renamed() }

    @available(*, unavailable, renamed: "skipRepeats()")
    public func distinctUntilChanged() -> Self { renamed() }
    @available(*, unavailable, renamed: "skipRepeats(_:)")
    public func distinctUntilChanged(_ isRepeat: @escaping (Value, Value) -> Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "skipRepeats()")
    public func removeDuplicates() -> Self { renamed() }
    @available(*, unavailable, renamed: "skipRepeats(_:)")
    public func removeDuplicates(by isRepeat: @escaping (Value, Value) -> Bool) -> Self { renamed() }

    @available(*, unavailable, renamed: "take(last:)")
    public func takeLast(_ count: Int) -> Self { renamed() }
    @available(*, unavailable, renamed: "take(while:)")
    public func takeWhile(_ shouldContinue: @escaping (Value) -> Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "take(until:)")
    public func takeUntil(_ trigger: some SignalProducerConvertible) -> Self { renamed() }
    @available(*, unavailable, renamed: "take(untilReplacement:)")
    public func takeUntilReplacement(_ other: some SignalProducerConvertible<Value, Failure>) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(first:)")
    public func dropFirst(_ count: Int) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(while:)")
    public func skipWhile(_ shouldSkip: @escaping (Value) -> Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(while:)")
    public func drop(while shouldSkip: @escaping (Value) -> Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(until:)")
    public func skipUntil(_ trigger: some SignalProducerConvertible) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(until:)")
    public func drop(untilOutputFrom trigger: some SignalProducerConvertible) -> Self { renamed() }

    @available(*, unavailable, renamed: "observe(on:)")
    public func observeOn(_ scheduler: some Scheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "observe(on:)")
    public func receive(on scheduler: some Scheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay(_ interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay(for interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce(_ interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce(for interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "throttle(_:on:)")
    public func throttle(_ interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "throttle(_:on:)")
    public func throttle(_ interval: Duration, latest: Bool, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "throttle(_:on:)")
    public func throttle(for interval: Duration, scheduler: some DelayScheduler, latest: Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "timeout(after:raising:on:)")
    public func timeout(_ interval: Duration, scheduler: some DelayScheduler) -> Self { renamed() }
    @available(*, unavailable, renamed: "sample(on:)")
    public func sampleOn(_ sampler: some SignalProducerConvertible) -> Self { renamed() }

    @available(*, unavailable, renamed: "on(next:)")
    public func on(value: @escaping (Value) -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(error:)")
    public func on(failed: @escaping (Failure) -> Void) -> Self { renamed() }
    @available(*, unavailable, message: "has been replaced by 'on(next:error:)'") @_disfavoredOverload
    public func on(
        starting: (() -> Void)? = nil, started: (() -> Void)? = nil, event: ((Event<Value, Failure>) -> Void)? = nil,
        failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil, interrupted: (() -> Void)? = nil,
        terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil, value: @escaping (Value) -> Void
    ) -> Self { renamed() }
    @available(*, unavailable, message: "has been replaced by 'on(next:error:)'") @_disfavoredOverload
    public func on(
        starting: (() -> Void)? = nil, started: (() -> Void)? = nil, event: ((Event<Value, Failure>) -> Void)? = nil,
        failed: @escaping (Failure) -> Void, completed: (() -> Void)? = nil, interrupted: (() -> Void)? = nil,
        terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil
    ) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(next:)")
    public func tap(_ action: @escaping (Value) -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(next:)")
    public func `do`(onNext: @escaping (Value) -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(error:)")
    public func `do`(onError: @escaping (Failure) -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(completed:)")
    public func `do`(onCompleted: @escaping () -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "on(next:)")
    public func handleEvents(receiveOutput: @escaping (Value) -> Void) -> Self { renamed() }
    @available(*, unavailable, renamed: "logEvents()")
    public func debug() -> Self { renamed() }
    @available(*, unavailable, renamed: "logEvents(identifier:)")
    public func debug(_ identifier: String) -> Self { renamed() }

    @available(*, unavailable, renamed: "flatMapError(_:)")
    public func replaceError(with value: Value) -> Self { renamed() }
    @available(*, unavailable, renamed: "flatMapError(_:)")
    public func catchAndReturn(_ value: Value) -> Self { renamed() }
    @available(*, unavailable, renamed: "flatMapError(_:)")
    public func catchErrorJustReturn(_ value: Value) -> Self { renamed() }
    @available(*, unavailable, renamed: "take(first:)")
    public func take(_ count: Int) -> Self { renamed() }
    @available(*, unavailable, renamed: "skip(first:)")
    public func skip(_ count: Int) -> Self { renamed() }
    @available(*, unavailable, renamed: "take(throughWhile:)")
    public func take(until shouldContinue: @escaping (Value) -> Bool) -> Self { renamed() }
    @available(*, unavailable, renamed: "map(_:)")
    public func replaceNil<Wrapped>(with value: Wrapped) -> Self where Value == Wrapped? { renamed() }

    // The compiler cannot offer an operator as a fix-it.
    @available(*, unavailable, renamed: "<~")
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Value>, on root: Root) { renamed() }
    @available(*, unavailable, renamed: "<~")
    public func assign(to target: some Any) { renamed() }
    @available(*, unavailable, renamed: "<~") @_disfavoredOverload
    public func assign<Target>(to target: inout Target) { renamed() }
    @available(*, unavailable, renamed: "<~")
    public func bind(to target: some Any) { renamed() }
    @available(*, unavailable, renamed: "<~")
    public func drive(_ target: some Any) { renamed() }
}

// MARK: - Operators of producers

extension SignalProducer {
    @available(*, unavailable, renamed: "prefix(value:)")
    public func startWith(_ value: Value) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "prefix(value:)")
    public func prepend(_ value: Value) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "prefix(_:)")
    public func prepend(_ first: some SignalProducerConvertible<Value, Failure>) -> SignalProducer { renamed() }
    // Not on signals, which have no `prefix` of any kind. The compiler should report exactly that.
    @available(*, unavailable, renamed: "take(while:)")
    public func prefix(while shouldContinue: @escaping (Value) -> Bool) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "take(until:)")
    public func prefix(untilOutputFrom trigger: some SignalProducerConvertible) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "concat(value:)")
    public func append(_ value: Value) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "concat(_:)")
    public func append(_ next: some SignalProducerConvertible<Value, Failure>) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "start(on:)")
    public func startOn(_ scheduler: some Scheduler) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "start(on:)")
    public func subscribe(on scheduler: some Scheduler) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "repeat(_:)")
    public func times(_ count: Int) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "share(replay:while:)")
    public func share(replay: Int, scope: SharingPeriod) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "multicast()")
    public func publish() -> Connection<Value, Failure> { renamed() }
    @available(*, unavailable, renamed: "multicast(replay:)")
    public func replay(_ capacity: Int) -> Connection<Value, Failure> { renamed() }

    @available(*, unavailable, renamed: "skipNil()")
    public func ignoreNil<Wrapped>() -> SignalProducer<Wrapped, Failure> where Value == Wrapped? { renamed() }
    @available(*, unavailable, renamed: "collect(count:)")
    public func buffer(count: Int) -> SignalProducer<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "collect(count:)")
    public func collect(_ count: Int) -> SignalProducer<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "combinePrevious()")
    public func pairwise() -> SignalProducer<(Value, Value), Failure> { renamed() }
    @available(*, unavailable, renamed: "mapAsync(maxConcurrent:ordered:_:)")
    public func asyncMap<NewValue>(
        _ transform: @escaping @Sendable (Value) async throws -> NewValue
    ) -> SignalProducer<NewValue, Failure> { renamed() }
    @available(*, unavailable, renamed: "retry(upTo:)")
    public func retry(_ count: Int) -> SignalProducer { renamed() }
    @available(*, unavailable, renamed: "retry(when:)")
    public func retryWhen(_ handler: @escaping (SignalProducer<Failure, Never>) -> some Any) -> SignalProducer {
        renamed()
    }
    @available(*, unavailable, renamed: "ignoreValues()")
    public func ignoreElements() -> SignalProducer<Never, Failure> { renamed() }
    @available(*, unavailable, renamed: "ignoreValues()")
    public func ignoreOutput() -> SignalProducer<Never, Failure> { renamed() }
    @available(*, unavailable, renamed: "collect()")
    public func toArray() -> SignalProducer<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "collect(every:on:)")
    public func buffer(
        timeSpan: Duration, count: Int, scheduler: some DelayScheduler
    ) -> SignalProducer<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "attemptMap(_:)")
    public func tryMap<NewValue>(
        _ transform: @escaping (Value) throws -> NewValue
    ) -> SignalProducer<NewValue, Failure> { renamed() }
    @available(*, unavailable, renamed: "promoteError(_:)")
    public func promoteErrors<NewFailure>(_: NewFailure.Type) -> SignalProducer<Value, NewFailure> { renamed() }
    @available(*, unavailable, renamed: "promoteError(_:)")
    public func setFailureType<NewFailure>(to: NewFailure.Type) -> SignalProducer<Value, NewFailure> { renamed() }
    @available(*, unavailable, renamed: "combineLatest(with:)")
    public func combineLatestWith<Other>(
        _ other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> { renamed() }
    @available(*, unavailable, renamed: "zip(with:)")
    public func zipWith<Other>(
        _ other: some SignalProducerConvertible<Other, Failure>
    ) -> SignalProducer<(Value, Other), Failure> { renamed() }
    @available(*, unavailable, renamed: "sample(with:)")
    public func sampleWith<Tick>(
        _ sampler: some SignalProducerConvertible<Tick, Never>
    ) -> SignalProducer<(Value, Tick), Failure> { renamed() }
    @available(*, unavailable, renamed: "withLatest(from:)")
    public func withLatestFrom<Other>(
        _ other: some SignalProducerConvertible<Other, Never>
    ) -> SignalProducer<(Value, Other), Failure> { renamed() }
}

extension Connection {
    @available(*, unavailable, renamed: "autoconnect()")
    public func refCount() -> SignalProducer<Value, Failure> { renamed() }
}

extension SharingPeriod {
    @available(*, unavailable, renamed: "observed")
    public static var whileConnected: SharingPeriod { renamed() }
}

// MARK: - Flattening

// The strategy is an argument here, which the compiler cannot insert.
extension SignalProducer {
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func flatMapLatest<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func flatMapFirst<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func concatMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func mergeMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func switchMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, message: "has been replaced by 'flatMap(_:_:)', with a strategy first")
    public func flatMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMapError(_:)")
    public func `catch`<Next: SignalProducerConvertible<Value, NewFailure>, NewFailure>(
        _ handler: @escaping (Failure) -> Next
    ) -> SignalProducer<Value, NewFailure> { renamed() }
}

extension SignalProducer where Value: SignalProducerConvertible {
    @available(*, unavailable, renamed: "flatten(_:)")
    public func switchToLatest() -> SignalProducer<Value.Value, Value.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatten(_:)")
    public func switchLatest() -> SignalProducer<Value.Value, Value.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatten(_:)")
    public func merge(maxConcurrent: Int) -> SignalProducer<Value.Value, Value.Failure> { renamed() }
}

extension Signal {
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func flatMapLatest<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func flatMapFirst<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func concatMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func mergeMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMap(_:_:)")
    public func switchMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, message: "has been replaced by 'flatMap(_:_:)', with a strategy first")
    public func flatMap<Inner: SignalProducerConvertible>(
        _ transform: @escaping (Value) -> Inner
    ) -> Signal<Inner.Value, Inner.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatMapError(_:)")
    public func `catch`<Next: SignalProducerConvertible<Value, NewFailure>, NewFailure>(
        _ handler: @escaping (Failure) -> Next
    ) -> Signal<Value, NewFailure> { renamed() }
}

extension Signal where Value: SignalProducerConvertible {
    @available(*, unavailable, renamed: "flatten(_:)")
    public func switchToLatest() -> Signal<Value.Value, Value.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatten(_:)")
    public func switchLatest() -> Signal<Value.Value, Value.Failure> { renamed() }
    @available(*, unavailable, renamed: "flatten(_:)")
    public func merge(maxConcurrent: Int) -> Signal<Value.Value, Value.Failure> { renamed() }
}

extension FlattenStrategy {
    @available(*, unavailable, renamed: "merge")
    public static var Merge: FlattenStrategy { renamed() }
    @available(*, unavailable, renamed: "concat")
    public static var Concat: FlattenStrategy { renamed() }
    @available(*, unavailable, renamed: "latest")
    public static var Latest: FlattenStrategy { renamed() }
}
