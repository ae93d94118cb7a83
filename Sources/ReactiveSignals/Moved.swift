// Unavailable declarations with the names that this module exported before ReactiveDiagnostics, ReactiveServer and
// MemoizedSequences were imported by themselves. The compiler names the module. With both imports, it prefers what is available.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import ColdProducers
public import HotSignals
public import ReactiveProperties

// MARK: - ReactiveServer

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public final class RateLimiter {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init(_ count: Int, per period: Duration, burst: Int? = nil, on scheduler: some DelayScheduler) { renamed() }

    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public final class Keyed<Key: Hashable> {
        @available(*, unavailable, message: "it is in another module: import ReactiveServer")
        public init(
            _ count: Int, per period: Duration, burst: Int? = nil, maxKeys: Int, on scheduler: some DelayScheduler
        ) { renamed() }
    }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public final class CircuitBreaker<Failure: Error, Instant> {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init<S: DelayScheduler>(
        failures: Int, reset: RetryPolicy<Failure>, on scheduler: S, isFailure: (Failure) -> Bool = { _ in true }
    ) where S.Instant == Instant { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init<S: DelayScheduler>(
        failing share: Double, ofLast count: Int, reset: RetryPolicy<Failure>, on scheduler: S,
        isFailure: (Failure) -> Bool = { _ in true }
    ) where S.Instant == Instant { renamed() }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public enum CircuitBreakerError<Failure: Error, Instant: Sendable>: Error {
    case open(until: Instant)
    case failed(Failure)
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error> {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init(_ work: (Key) -> SignalProducer<Value, Failure>) { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init(
        timeToLive: Duration, maxEntries: Int, on scheduler: some DelayScheduler, keepsErrors: Bool = false,
        _ work: (Key) -> SignalProducer<Value, Failure>
    ) { renamed() }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public final class DuplexSession<Inbound: Sendable, Outbound: Sendable, Failure: Error> {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init<ScopeFailure>(
        in scope: SignalScope<ScopeFailure>, reading source: SignalProducer<Inbound, Failure>,
        write: @Sendable (Outbound) async throws(Failure) -> Void,
        endWriting: @Sendable () async throws(Failure) -> Void, close: @Sendable () async -> Void
    ) { renamed() }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public struct SignalChannel<Value: Sendable, Failure: Error> {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public init() { renamed() }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
public enum ProcessExit: Sendable {}

extension Signal {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func throttle(while isThrottled: some PropertyProtocol<Bool>, on scheduler: some Scheduler) -> Signal {
        renamed()
    }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func flatMap<Key: Hashable, Inner: SignalProducerConvertible>(
        perKey key: (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: (Value) -> Inner
    ) -> Signal<Inner.Value, Failure> { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func groupBy<Key: Hashable & Sendable>(
        _ key: (Value) -> Key, bufferLimit: Int, idle: Duration, maxKeys: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil, on scheduler: some DelayScheduler
    ) -> Signal<Group<Key, Value, Failure>, Failure> { renamed() }
}

extension SignalProducer {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func throttle(while isThrottled: some PropertyProtocol<Bool>, on scheduler: some Scheduler) -> SignalProducer
    {
        renamed()
    }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func flatMap<Key: Hashable, Inner: SignalProducerConvertible>(
        perKey key: (Value) -> Key, _ strategy: FlattenStrategy, idle: Duration, maxKeys: Int,
        whenFull overflow: Overflow, raising error: Failure? = nil, on scheduler: some DelayScheduler,
        _ transform: (Value) -> Inner
    ) -> SignalProducer<Inner.Value, Failure> { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func groupBy<Key: Hashable & Sendable>(
        _ key: (Value) -> Key, bufferLimit: Int, idle: Duration, maxKeys: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil, on scheduler: some DelayScheduler
    ) -> SignalProducer<Group<Key, Value, Failure>, Failure> { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func cached(
        for duration: Duration, on scheduler: some DelayScheduler, keepsErrors: Bool = false
    ) -> SignalProducer { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func cached(until trigger: some SignalProducerConvertible, keepsErrors: Bool = false) -> SignalProducer {
        renamed()
    }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func circuitBreaker<Instant>(
        _ breaker: CircuitBreaker<Failure, Instant>
    ) -> SignalProducer<Value, CircuitBreakerError<Failure, Instant>> { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public func start(limitedBy limiter: RateLimiter) -> SignalProducer { renamed() }
}

extension SignalProducer where Value == Int32, Failure == Never {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public static func unixSignal(_ signals: Int32...) -> SignalProducer { renamed() }
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public static func unixSignal(_ signals: some Sequence<Int32>) -> SignalProducer { renamed() }
}

@available(*, unavailable, message: "it is in another module: import ReactiveServer")
extension SignalProducer where Value == ProcessExit, Failure == SystemError {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public static func processExit(pid: Int32) -> SignalProducer { renamed() }
}

extension MutableProperty {
    @available(*, unavailable, message: "it is in another module: import ReactiveServer")
    public var channelTerminal: Signal<Value, Never>.Observer { renamed() }
}

// MARK: - ReactiveDiagnostics

@available(*, unavailable, message: "it is in another module: import ReactiveDiagnostics")
public enum StreamGraph {
    @available(*, unavailable, message: "it is in another module: import ReactiveDiagnostics")
    public struct Snapshot {
        public var warnings: [String] { renamed() }
    }
    @available(*, unavailable, message: "it is in another module: import ReactiveDiagnostics")
    public struct Node {}
    public static var isRecording: Bool { renamed() }
    public static func start() { renamed() }
    public static func stop() { renamed() }
    public static func snapshot(after former: Snapshot? = nil) -> Snapshot { renamed() }
    public static func observe(_ id: UInt64, _ action: (Event<any Sendable, any Error>) -> Void) -> (any Disposable)? {
        renamed()
    }
}

// MARK: - MemoizedSequences

@available(*, unavailable, message: "it is in another module: import MemoizedSequences")
public struct MemoizedSequence<Element: Sendable> {
    @available(*, unavailable, message: "it is in another module: import MemoizedSequences")
    public init(head: @Sendable () -> Element, tail: @Sendable () -> MemoizedSequence) { renamed() }
}

extension Sequence where Self: Sendable, Element: Sendable {
    @available(*, unavailable, message: "it is in another module: import MemoizedSequences")
    public var memoized: AnySequence<Element> { renamed() }
}
