import ColdProducers
import HotSignals

extension Signal {
    /// Sends every `n`-th value: the `n`-th, the `2n`-th and so on.
    func everyNth(_ n: Int) -> Signal {
        require(n > 0, "everyNth(\(n)): the number must be positive")
        return derive("everyNth: #", argument: n) {
            EveryNthSink(n: n, downstream: $0)
        }
    }
}

extension SignalProducer {
    /// Like `everyNth` of signals, separately for each start.
    func everyNth(_ n: Int) -> SignalProducer {
        require(n > 0, "everyNth(\(n)): the number must be positive")
        return derive("everyNth: #", argument: n) {
            EveryNthSink(n: n, downstream: $0)
        }
    }
}

/// Counts the values since the last one that it has sent. The end is
/// forwarded, as in most operators.
struct EveryNthSink<Downstream: Sink>: OperatorSink {
    let n: Int
    let downstream: Downstream
    let count = SinkState(0)

    func next(_ value: Downstream.Value) {
        count.value = (count.value + 1) % n
        if count.value == 0 { downstream.next(value) }
    }
}
