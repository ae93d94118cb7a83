import HotSignals
import ReactiveSignals

/// A custom property that uses only the public protocol.
final class Gauge<Value: Sendable>: PropertyProtocol, BindingSource {
    let signal: Signal<Value, Never>
    private let input: Signal<Value, Never>.Observer
    private let current: Locked<Value>

    init(_ value: Value) {
        current = Locked(value)
        (signal, input) = Signal.pipe()
    }

    var value: Value { current.withLock { $0 } }

    var producer: SignalProducer<Value, Never> { signal.producer.prefix(value: value) }

    func set(_ values: Value...) {
        for value in values {
            let former = current.withLock { current in
                defer { current = value }
                return current
            }
            withExtendedLifetime(former) {}
            input.sendNext(value)
        }
    }

    func end() { input.sendCompleted() }
}
