package import PeerSupport
import ReactiveServer
import ReactiveSignals
import Synchronization

// Producers.
extension ReactiveSignalsPeer {
    package static func sequence(_ functions: Functions) -> Run {
        { count in
            SignalProducer(Values.first(count))
                .map(functions.transform).filter(functions.isKept).reduce(0, functions.combine)
                .startWithNext(functions.observe)
        }
    }

    package static func sequenceMaps(_ functions: Functions) -> Run {
        { count in
            SignalProducer(Values.first(count))
                .map(functions.transform).map(functions.transform).map(functions.transform)
                .map(functions.transform).map(functions.transform).map(functions.transform)
                .startWithNext(functions.observe)
        }
    }

    package static func visibleSequence() -> Run {
        let sum = Sum()
        return { count in visibleSequence(Values.first(count), sum) }
    }

    @inline(never)
    private static func visibleSequence(_ values: ArraySlice<Int>, _ sum: Sum) {
        SignalProducer(values)
            .map { $0 &+ 1 }.filter { $0 >= 0 }.reduce(0) { $0 &+ $1 }
            .startWithNext { sum.add($0) }
    }

    package static func value(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count { SignalProducer(value: value).startWithNext(functions.observe) }
        }
    }

    package static func valueMap(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count {
                SignalProducer(value: value).map(functions.transform).startWithNext(functions.observe)
            }
        }
    }

    /// What a start handler is used through.
    package enum Use: Sendable {
        case directly, withName, withAsynchronousRelease, withTap
    }

    /// Values that a start handler sends.
    package static func valuesOfHandler(_ use: Use, _ functions: Functions) -> Run {
        { count in
            let producer = SignalProducer<Int, Never> { observer, _ in
                for value in 0..<count { observer.sendNext(value) }
                observer.sendCompleted()
            }
            switch use {
            case .directly: producer.startWithNext(functions.observe)
            case .withName: producer.named("a name").startWithNext(functions.observe)
            case .withAsynchronousRelease:
                SignalProducer<Int, Never>.using(resource: { 1 }, release: { (_: Int) async in }) { _ in producer }
                    .startWithNext(functions.observe)
            case .withTap: producer.tapped(by: Counter()).startWithNext(functions.observe)
            }
        }
    }

    /// Counts values, as a tap for metrics does.
    private struct Counter: StreamTap {
        final class Count: Sendable {
            let values = Atomic(0)
        }

        func begin(_ stream: TappedStream) -> Count { Count() }

        func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Count) {
            if case .next = event { state.values.add(1, ordering: .relaxed) }
        }
    }

    package static func handler(_ functions: Functions) -> Run {
        { count in
            for _ in 0..<count {
                SignalProducer<Int, Never> { observer, _ in
                    observer.sendNext(1)
                    observer.sendCompleted()
                }
                .startWithNext(functions.observe)
            }
        }
    }

    private static func flatMap(_ strategy: FlattenStrategy, _ functions: Functions) -> Run {
        { count in
            SignalProducer(Values.first(count))
                .flatMap(strategy) { SignalProducer(value: functions.transform($0)) }
                .startWithNext(functions.observe)
        }
    }

    package static func merge(_ functions: Functions) -> Run { flatMap(.merge, functions) }
    package static func concat(_ functions: Functions) -> Run { flatMap(.concat, functions) }
    package static func latest(_ functions: Functions) -> Run { flatMap(.latest, functions) }

    package static func zipOfProducers(_ functions: Functions) -> Run {
        { count in
            SignalProducer.zip(SignalProducer(Values.first(count)), SignalProducer(Values.first(count)))
                .startWithNext(functions.observePair)
        }
    }

    package static func combineLatestOfProducers(_ functions: Functions) -> Run {
        { count in
            SignalProducer.combineLatest(SignalProducer(Values.first(count)), SignalProducer(Values.first(count)))
                .startWithNext(functions.observePair)
        }
    }

    package static func replay(_ functions: Functions) -> Run {
        let (producer, input) = SignalProducer<Int, Never>.buffer()
        for value in 0..<1_000 { input.sendNext(value) }
        return { count in
            for _ in 0..<count { producer.startWithNext(functions.observe).dispose() }
            withExtendedLifetime(input) {}
        }
    }

    package static func repeated(_ functions: Functions) -> Run {
        { count in
            SignalProducer(value: 1).map(functions.transform).repeat(count).startWithNext(functions.observe)
        }
    }

    package static func rateLimiter() -> Run {
        { count in
            let limiter = RateLimiter(count + 1, per: .seconds(1), on: QueueScheduler(name: "benchmark"))
            let sum = Sum()
            for _ in 0..<count { sum.add(limiter.tryAcquire() ? 1 : 0) }
            precondition(sum.total.pointee == count)
        }
    }

    /// - Parameter areNew: Whether each call has a new key, so that the limiter adds it and forgets another one.
    package static func keyedRateLimiter(areNew: Bool = false) -> Run {
        { count in
            let limiter = RateLimiter.Keyed<Int>(
                1, per: areNew ? .nanoseconds(1) : .seconds(3600), burst: count, maxKeys: 1_000,
                on: QueueScheduler(name: "benchmark"))
            let sum = Sum()
            for index in 0..<count { sum.add(limiter.tryAcquire(for: areNew ? index : index % 1_000) ? 1 : 0) }
            precondition(sum.total.pointee == count)
        }
    }

    package static func retried(_ functions: Functions) -> Run {
        { count in
            SignalProducer<Int, Failed>(value: 1)
                .attemptMap { value throws(Failed) in
                    functions.observe(value)
                    throw Failed()
                }
                .retry(upTo: count).start()
        }
    }

    package static func concatenated(_ functions: Functions) -> Run {
        { count in
            SignalProducer.concat(Values.first(count).lazy.map { SignalProducer<Int, Never>(value: $0) })
                .startWithNext(functions.observe)
        }
    }

    package static func mergeWork(_ functions: Functions) -> Run {
        { count in
            SignalProducer(Values.first(count))
                .flatMap(.merge) { SignalProducer(value: $0).map(functions.transform) }
                .startWithNext(functions.observe)
        }
    }

    package static func flatMapStart(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count {
                SignalProducer([value])
                    .flatMap(.merge) { SignalProducer(value: functions.transform($0)) }
                    .startWithNext(functions.observe)
            }
        }
    }

    package static func takeUntilStart(_ functions: Functions) -> Run {
        { count in
            for value in 0..<count {
                SignalProducer([value]).take(until: SignalProducer<Never, Never>.never).startWithNext(functions.observe)
            }
        }
    }

    private struct Failed: Error {}
}
