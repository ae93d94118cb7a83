import HotSignals
import ReactiveSignals
import TestSupport
import Testing

extension PropertyProtocol {
    /// Starts the producer. The log holds the current value, then the events of the property.
    func logged() -> Log<String> {
        let log = Log<String>()
        producer.start { log.append($0.text) }
        return log
    }
}

extension MutableProperty {
    /// Sets the property to some values, one after another.
    func set(_ values: Value...) { for value in values { self.value = value } }
}

/// A property that the test releases.
final class Owner<Value: Sendable>: Sendable {
    private let held: Locked<MutableProperty<Value>?>

    init(_ value: Value, contention: Contention = .wait) {
        held = Locked(MutableProperty(value, contention: contention))
    }

    /// The property, until it is released.
    var property: MutableProperty<Value> {
        // A test must not use the property after `release`.
        held.withLock { $0! }
    }

    func release() {
        let released = held.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }
}

#if DEBUG
/// The length of a chain that must be possible on the stack of a main thread.
let manyStages = 2_000
#else
/// The length of a chain that must be possible on the stack of a main thread.
let manyStages = Sanitizer.current == nil ? 10_000 : 500
#endif

/// Runs a body on a thread with a stack of 8 MiB, as a main thread has.
func onMainSizedStack(_ name: String, _ body: @escaping @Sendable () -> Void) {
    TestThread(name, stackSize: 8 << 20, body).join()
}
