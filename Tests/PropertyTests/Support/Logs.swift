import HotSignals
import ReactiveSignals
import TestSupport
import Testing

extension PropertyProtocol {
    /// Starts the producer: what the log holds is the present value, and then what the property told.
    func logged() -> Log<String> {
        let log = Log<String>()
        producer.start { log.append($0.text) }
        return log
    }
}

extension MutableProperty {
    /// Sets the property to some values, one after the other.
    func set(_ values: Value...) { for value in values { self.value = value } }
}

/// A property that is released when the test says so.
final class Owner<Value: Sendable>: Sendable {
    private let held: Locked<MutableProperty<Value>?>

    init(_ value: Value, contention: Contention = .wait) {
        held = Locked(MutableProperty(value, contention: contention))
    }

    /// The property, as long as there is one.
    var property: MutableProperty<Value> {
        // A test that asks after `release` is wrong.
        held.withLock { $0! }
    }

    func release() {
        let released = held.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }
}

#if DEBUG
/// How long a chain has to be possible on the stack of a main thread.
let manyStages = 2_000
#else
/// How long a chain has to be possible on the stack of a main thread.
let manyStages = 10_000
#endif

/// Runs a body on a thread with a stack of 8 MiB, as a main thread has.
func onMainSizedStack(_ name: String, _ body: @escaping @Sendable () -> Void) {
    TestThread(name, stackSize: 8 << 20, body).join(atMost: 600)
}
