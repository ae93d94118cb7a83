import HotSignals

/// Tells an ``OperatorContract`` when the closures of an operator are called and released. The closures must retain it.
///
/// ```swift
/// OperatorContract(ofSignals: "every") { source, witness in
///     source.every(2) { witness.see($0) }
/// }
/// ```
public final class ContractWitness: Sendable {
    private let census: ContractCensus
    private let count = ContractCount()
    private let onDeath: (@Sendable () -> Void)?
    private let onCall: (@Sendable () -> Void)?

    fileprivate init(of census: ContractCensus, onDeath: (@Sendable () -> Void)?, onCall: (@Sendable () -> Void)?) {
        self.census = census
        self.onDeath = onDeath
        self.onCall = onCall
        census.add(1)
    }

    deinit {
        census.add(-1)
        onDeath?()
    }

    /// How often closures that hold this have been called.
    package var calls: Int { count.value }

    /// Records a call, and returns the value.
    @discardableResult
    public func see<Value>(_ value: Value) -> Value {
        count.increment()
        onCall?()
        return value
    }
}

/// Counts the witnesses that are alive.
package final class ContractCensus: Sendable {
    private let count = Monitor(0)

    package init() {}

    package var alive: Int { count.read { $0 } }

    package func witness(
        onDeath: (@Sendable () -> Void)? = nil, onCall: (@Sendable () -> Void)? = nil
    ) -> ContractWitness { ContractWitness(of: self, onDeath: onDeath, onCall: onCall) }

    /// Waits until nobody is left, for what another thread lets go of a moment later.
    package func waitUntilEmpty(atMost patience: Duration = .seconds(60)) {
        _ = count.wait(atMost: patience) { $0 == 0 }
    }

    fileprivate func add(_ difference: Int) { count.withLock { $0 += difference } }
}

/// A number that several threads count up.
package final class ContractCount: Sendable {
    private let count = Monitor(0)

    package init() {}

    package var value: Int { count.read { $0 } }

    /// Waits until there are as many, or more.
    package func wait(for number: Int, atMost patience: Duration) { _ = count.wait(atMost: patience) { $0 >= number } }

    /// Counts one more, and returns the number.
    @discardableResult
    package func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
