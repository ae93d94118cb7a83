// Unavailable declarations with the names that ReactiveSwift 7, ReactiveCocoa 4, RxSwift 6 and Combine use for features
// of this module. The compiler names our equivalent and offers a fix-it. Each is documented by its attribute.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase
//
// An unavailable declaration does no harm to a user who declares the same name: the compiler prefers the user's, also
// in an extension, and also if two modules are imported. If it finds no other, ours may replace a diagnostic that was
// correct. So these are not declared:
// - Enum cases such as `Event.failed`: they would be accepted silently in a pattern, and every switch would pay for
//   them. The static functions of these names let the compiler complain at the pattern, although not about its name.
//   Without them, it finds no overload for the call around a closure, and names a type that has nothing to do with it.
// - `Observable`: a user who forgets `import Observation` would be told that a class is not an attribute.
// - `Observer`, `Subject`, `Future` and `Empty`: many modules use these words for something else.
// - `retry(_:)`, `sample(_:)`, and `prefix(_:)` with a number: the compiler already asks for the missing label, and
//   would report every misspelled label as extraneous. It does not ask for the label of `take(_:)`, which
//   has many forms: it says that none matches.
// - `map(value:)`: it would appear in the diagnostics of every `map` closure that does not compile, even if its
//   parameter type cannot be a closure.
// - `Signal.Event`, `Signal.Error`: inside an extension of a signal they would shadow the types with those names.
// - A conformance of `Signal` to `AsyncSequence`, for `for await`: the operators of sequences would become overloads of
//   ours. The compiler says that the conformance is missing.
// - `print`: it has another meaning in every extension.

public import HotSignals

/// The body of declarations that cannot be called.
package func renamed() -> Never { fatalError("unavailable") }

// MARK: - Events and observers

extension Event {
    @available(*, unavailable, renamed: "next(_:)")
    public static func value(_ value: Value) -> Event { renamed() }
    @available(*, unavailable, renamed: "error(_:)")
    public static func failed(_ error: Failure) -> Event { renamed() }
}

extension Signal.Observer {
    @available(*, unavailable, renamed: "init(next:error:completed:interrupted:)")
    public convenience init(
        value: @escaping (Value) -> Void, failed: @escaping (Failure) -> Void, completed: @escaping () -> Void,
        interrupted: @escaping () -> Void
    ) { renamed() }
    @available(*, unavailable, renamed: "init(next:)")
    public convenience init(value: @escaping (Value) -> Void) { renamed() }
    @available(*, unavailable, renamed: "init(next:completed:)")
    public convenience init(value: @escaping (Value) -> Void, completed: @escaping () -> Void) { renamed() }
    @available(*, unavailable, renamed: "init(next:error:)")
    public convenience init(value: @escaping (Value) -> Void, failed: @escaping (Failure) -> Void) { renamed() }
    @available(*, unavailable, renamed: "init(next:error:completed:)")
    public convenience init(
        value: @escaping (Value) -> Void, failed: @escaping (Failure) -> Void, completed: @escaping () -> Void
    ) { renamed() }
    @_disfavoredOverload
    @available(*, unavailable, message: "has been replaced by 'init(next:error:completed:interrupted:)'")
    public convenience init(
        value: ((Value) -> Void)? = nil, failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
        interrupted: (() -> Void)? = nil
    ) { renamed() }

    @available(*, unavailable, renamed: "sendNext(_:)")
    public func send(value: Value) { renamed() }
    @available(*, unavailable, renamed: "sendError(_:)")
    public func send(error: Failure) { renamed() }
    @available(*, unavailable, renamed: "sendNext(_:)") @_disfavoredOverload
    public func send(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "send(_:)")
    public func send(completion: Event<Value, Failure>) { renamed() }
    @available(*, unavailable, renamed: "sendError(_:)")
    public func sendFailed(_ error: Failure) { renamed() }
    @available(*, unavailable, renamed: "sendNext(_:)")
    public func onNext(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "sendError(_:)")
    public func onError(_ error: Failure) { renamed() }
    @available(*, unavailable, renamed: "sendCompleted()")
    public func onCompleted() { renamed() }
    @available(*, unavailable, renamed: "send(_:)")
    public func on(_ event: Event<Value, Failure>) { renamed() }
    @available(*, unavailable, renamed: "sendNext(_:)")
    public func accept(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "sendNext(_:)")
    public func yield(_ value: Value) { renamed() }
    @available(*, unavailable, renamed: "sendCompleted()")
    public func finish() { renamed() }
}

// MARK: - Observing

extension Signal {
    @available(*, unavailable, renamed: "observeNext(_:)") @discardableResult
    public func observeValues(_ action: @escaping (Value) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeError(_:)") @discardableResult
    public func observeFailed(_ action: @escaping (Failure) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observe(_:)") @discardableResult
    public func subscribe(_ action: @escaping (Event<Value, Failure>) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observe(_:)") @discardableResult
    public func subscribe(_ observer: Observer) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeNext(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onNext: @escaping (Value) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeError(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onError: @escaping (Failure) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeCompleted(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(onCompleted: @escaping () -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observe(_:)") @discardableResult @_disfavoredOverload
    public func subscribe(
        onNext: @escaping (Value) -> Void, onError: ((Failure) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeNext(_:)") @discardableResult
    public func bind(onNext: @escaping (Value) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observeNext(_:)") @discardableResult
    public func sink(receiveValue: @escaping (Value) -> Void) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "observe(_:)") @discardableResult
    public func sink(
        receiveCompletion: @escaping (Event<Value, Failure>) -> Void, receiveValue: @escaping (Value) -> Void
    ) -> (any Disposable)? { renamed() }
}

// MARK: - Operators that change the type; the others are beside `SignalProducerConvertible`

extension Signal {
    @available(*, unavailable, renamed: "skipNil()")
    public func ignoreNil<Wrapped>() -> Signal<Wrapped, Failure> where Value == Wrapped? { renamed() }
    @available(*, unavailable, renamed: "ignoreValues()")
    public func ignoreElements() -> Signal<Never, Failure> { renamed() }
    @available(*, unavailable, renamed: "ignoreValues()")
    public func ignoreOutput() -> Signal<Never, Failure> { renamed() }
    @available(*, unavailable, renamed: "collect()")
    public func toArray() -> Signal<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "collect(every:on:)")
    public func buffer(
        timeSpan: Duration, count: Int, scheduler: some DelayScheduler
    ) -> Signal<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "attemptMap(_:)")
    public func tryMap<NewValue>(_ transform: @escaping (Value) throws -> NewValue) -> Signal<NewValue, Failure> {
        renamed()
    }
    @available(*, unavailable, renamed: "promoteError(_:)")
    public func promoteErrors<NewFailure>(_: NewFailure.Type) -> Signal<Value, NewFailure> { renamed() }
    @available(*, unavailable, renamed: "promoteError(_:)")
    public func setFailureType<NewFailure>(to: NewFailure.Type) -> Signal<Value, NewFailure> { renamed() }
    @available(*, unavailable, renamed: "combineLatest(with:)")
    public func combineLatestWith<Other>(_ other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        renamed()
    }
    @available(*, unavailable, renamed: "zip(with:)")
    public func zipWith<Other>(_ other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> { renamed() }
    @available(*, unavailable, renamed: "sample(with:)")
    public func sampleWith<Tick>(_ sampler: Signal<Tick, Never>) -> Signal<(Value, Tick), Failure> { renamed() }
    @available(*, unavailable, renamed: "withLatest(from:)")
    public func withLatestFrom<Other>(_ other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> { renamed() }
    @available(*, unavailable, renamed: "collect(count:)")
    public func buffer(count: Int) -> Signal<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "collect(count:)")
    public func collect(_ count: Int) -> Signal<[Value], Failure> { renamed() }
    @available(*, unavailable, renamed: "combinePrevious()")
    public func pairwise() -> Signal<(Value, Value), Failure> { renamed() }
    @available(*, unavailable, renamed: "mapAsync(maxConcurrent:ordered:_:)")
    public func asyncMap<NewValue>(
        _ transform: @escaping @Sendable (Value) async throws -> NewValue
    ) -> Signal<NewValue, Failure> { renamed() }

    // A signal has no value before its first one. Its producer can send one at each start.
    @available(*, unavailable, message: "has been replaced by 'producer.prefix(value:)'")
    public func startWith(_ value: Value) -> Signal { renamed() }
    @available(*, unavailable, message: "has been replaced by 'producer.prefix(value:)'")
    public func prepend(_ value: Value) -> Signal { renamed() }
}

// MARK: - Types

// Not `PublishRelay` and the like: what they call a subject is a signal and its input here.
@available(*, unavailable, renamed: "Signal")
public typealias PublishSubject<Value: Sendable> = Signal<Value, any Error>
@available(*, unavailable, renamed: "Signal")
public typealias PassthroughSubject<Value: Sendable, Failure: Error> = Signal<Value, Failure>
@available(*, unavailable, renamed: "Never")
public typealias NoError = Never

extension Signal {
    // A message, because the fix-it of a rename would overwrite the generic arguments.
    @available(*, unavailable, message: "has been replaced by 'Signal.pipe()'")
    public convenience init() { renamed() }
}

// MARK: - Disposables

@available(*, unavailable, renamed: "AnyDisposable")
public typealias ActionDisposable = AnyDisposable
@available(*, unavailable, renamed: "SimpleDisposable")
public typealias BooleanDisposable = SimpleDisposable
// A type of its own, so that it can be in a set.
@available(*, unavailable, message: "has been replaced by 'any Disposable', and a set of them by a CompositeDisposable")
public struct AnyCancellable: Hashable, Sendable {
    @available(*, unavailable, renamed: "AnyDisposable.init(_:)")
    public init(_ cancel: @escaping () -> Void) { renamed() }
}
@available(*, unavailable, renamed: "Disposable")
public typealias Cancellable = Disposable
// A separate type: a `DisposeBag` is created without arguments, but a `ScopedDisposable` from the disposable that it
// scopes.
@available(*, unavailable, renamed: "ScopedDisposable")
public struct DisposeBag: Sendable {
    @available(*, unavailable, renamed: "ScopedDisposable.init(_:)")
    public init() { renamed() }
}

extension Disposable {
    @available(*, unavailable, renamed: "isDisposed")
    public var disposed: Bool { renamed() }
    @available(*, unavailable, renamed: "dispose()")
    public func cancel() { renamed() }
    @available(*, unavailable, renamed: "add(to:)")
    public func disposed(by bag: some Any) { renamed() }
    @available(*, unavailable, renamed: "add(to:)")
    public func store<Bag>(in bag: inout Bag) { renamed() }
}

extension CompositeDisposable {
    @available(*, unavailable, renamed: "add(_:)") @discardableResult
    public func addDisposable(_ disposable: (any Disposable)?) -> (any Disposable)? { renamed() }
    @available(*, unavailable, renamed: "add(_:)") @discardableResult
    public func insert(_ disposable: any Disposable) -> (any Disposable)? { renamed() }
}

extension AnyDisposable {
    @available(*, unavailable, renamed: "SimpleDisposable.init()")
    public convenience init() { renamed() }
}

extension SerialDisposable {
    @available(*, unavailable, renamed: "inner")
    public var innerDisposable: (any Disposable)? {
        get { renamed() }
        set { renamed() }
    }
}

// MARK: - Schedulers

@available(*, unavailable, renamed: "MainScheduler")
public typealias UIScheduler = MainScheduler
@available(*, unavailable, renamed: "QueueScheduler")
public typealias SerialDispatchQueueScheduler = QueueScheduler
@available(*, unavailable, renamed: "QueueScheduler")
public typealias ConcurrentDispatchQueueScheduler = QueueScheduler
@available(*, unavailable, renamed: "TrampolineScheduler")
public typealias CurrentThreadScheduler = TrampolineScheduler
@available(*, unavailable, renamed: "Scheduler")
public typealias SchedulerType = Scheduler
@available(*, unavailable, renamed: "Scheduler")
public typealias ImmediateSchedulerType = Scheduler
@available(*, unavailable, renamed: "DelayScheduler")
public typealias DateScheduler = DelayScheduler
@available(*, unavailable, renamed: "DelayScheduler")
public typealias DateSchedulerType = DelayScheduler

extension Scheduler where Self == QueueScheduler {
    // A message, because the fix-it of a rename would leave the leading dot.
    @available(*, unavailable, message: "has been replaced by 'QueueScheduler.main'")
    public static var main: QueueScheduler { renamed() }
}

extension MainScheduler {
    @available(*, unavailable, renamed: "init()")
    public static var instance: MainScheduler { renamed() }
}

extension DelayScheduler {
    @available(*, unavailable, renamed: "now")
    public var currentDate: Instant { renamed() }
}
