import ColdProducers
import HotSignals

extension SignalProducer {
    /// Makes a producer of each value, and starts them one after another.
    func concatMap<Result>(
        _ make: @escaping @Sendable (Value) -> SignalProducer<Result, Failure>
    ) -> SignalProducer<Result, Failure> {
        derive("concatMap:") { ConcatMapSink($0, make) }
    }
}

/// A `Flattening` queues the inner producers, starts and disposes of them.
final class ConcatMapSink<Value: Sendable, Result: Sendable, Failure: Error>:
    WorkingSink
{
    let flattening: Flattening<Result, Failure, Failure>
    let make: @Sendable (Value) -> SignalProducer<Result, Failure>

    init(
        _ core: Core<Result, Failure>,
        _ make: @escaping @Sendable (Value) -> SignalProducer<Result, Failure>
    ) {
        flattening = Flattening(
            core: core, strategy: .concat, raising: nil, promote: { $0 })
        self.make = make
    }

    func next(_ value: Value) { flattening.add(make(value)) }

    func end(_ termination: Termination<Failure>) {
        flattening.endOuter(termination)
    }

    var hasEnded: Bool { flattening.core.terminated.isRaised }

    var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }
}
