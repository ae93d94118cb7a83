import HotSignals

/// Tells an ``OperatorContract`` when the closures of an operator are called and released. The closures must retain it.
///
/// ```swift
/// OperatorContract(ofSignals: "every") { source, probe in
///     source.every(2) { probe.see($0) }
/// }
/// ```
public final class ContractProbe: Sendable {
    private let probes: ContractProbeCounter
    private let count = ContractCount()
    private let onDeath: (@Sendable () -> Void)?
    private let onCall: (@Sendable () -> Void)?

    fileprivate init(of probes: ContractProbeCounter, onDeath: (@Sendable () -> Void)?, onCall: (@Sendable () -> Void)?)
    {
        self.probes = probes
        self.onDeath = onDeath
        self.onCall = onCall
        probes.add(1)
    }

    deinit {
        probes.add(-1)
        onDeath?()
    }

    /// How often closures that retain this probe have been called.
    package var calls: Int { count.value }

    /// Records a call, and returns the value.
    @discardableResult
    public func see<Value>(_ value: Value) -> Value {
        count.increment()
        onCall?()
        return value
    }
}

/// Counts the probes that are alive.
package final class ContractProbeCounter: Sendable {
    private let count = Monitor(0)

    package init() {}

    package var alive: Int { count.read { $0 } }

    package func probe(
        onDeath: (@Sendable () -> Void)? = nil, onCall: (@Sendable () -> Void)? = nil
    ) -> ContractProbe { ContractProbe(of: self, onDeath: onDeath, onCall: onCall) }

    /// Waits until no probe is alive, because another thread may release one a moment later.
    package func waitUntilEmpty(atMost patience: Duration = .seconds(60)) {
        _ = count.wait(atMost: patience) { $0 == 0 }
    }

    fileprivate func add(_ difference: Int) { count.withLock { $0 += difference } }
}

/// A counter that several threads increment.
package final class ContractCount: Sendable {
    private let count = Monitor(0)

    package init() {}

    package var value: Int { count.read { $0 } }

    /// Waits until the count is at least `number`.
    package func wait(for number: Int, atMost patience: Duration) { _ = count.wait(atMost: patience) { $0 >= number } }

    /// Increments the count, and returns it.
    @discardableResult
    package func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// The former name of ``ContractProbe``.
@_documentation(visibility: internal)
@available(*, deprecated, renamed: "ContractProbe")
public typealias ContractWitness = ContractProbe
