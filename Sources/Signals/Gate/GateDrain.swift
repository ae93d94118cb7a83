#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Performs the operations in the inbox on another thread: on the scheduler that has sent the oldest one, if any. A
    /// drain stops at an operation that belongs on another scheduler, and leaves it to another drain.
    ///
    /// For operations that were pushed while the owner was in a ``PassiveSection``: the owner must not perform them,
    /// and the threads that pushed them have moved on.
    final func drainOnOtherThread(_ sender: AnyObject?) {
        guard let scheduler = sender as? any Scheduler else { return drainOnOwnQueue(.sent(by: nil)) }
        let drain = ScheduledDrain(of: self, on: scheduler)
        // If this thread ran the action now, it would do the work of others inside `dispose()`.
        PassiveSection.run { _ = scheduler.schedule { drain.run() } }
    }

    /// Each drain has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    fileprivate final func drainOnOwnQueue(_ selection: Selection) {
        #if Explore
        ExploredBackground.run { self.settle(selection) }
        #else
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async { self.settle(selection) }
        #endif
    }
}

/// What a scheduler runs to perform what it has sent.
///
/// A scheduler that is shut down may release its actions without running them. Then everything is performed on a queue:
/// nobody else is responsible for it.
private final class ScheduledDrain: Sendable {
    private let gate: Gate
    // Not a reference: the scheduler may retain this object for as long as it lives.
    private let scheduler: ObjectIdentifier
    private let hasRun = AtomicFlag()

    init(of gate: Gate, on scheduler: any Scheduler) {
        self.gate = gate
        self.scheduler = ObjectIdentifier(scheduler)
    }

    deinit { if !hasRun.isRaised { gate.drainOnOwnQueue(.all) } }

    func run() {
        _ = hasRun.raise()
        if PassiveSection.isCurrent { gate.drainOnOwnQueue(.all) } else { gate.settle(.sent(by: scheduler)) }
    }
}

extension Gate.Selection {
    @inline(__always)
    func contains(_ operation: Unmanaged<GateOperation>) -> Bool {
        switch self {
        case .all: true
        case .own(let pushed):
            operation.toOpaque() == pushed?.toOpaque() || operation._withUnsafeGuaranteedRef { $0.isPushedByOwner }
        case .sent(let scheduler):
            operation._withUnsafeGuaranteedRef { $0.scheduler }.map { ObjectIdentifier($0) == scheduler } ?? true
        }
    }

    /// Performs an operation, as its scheduler if there is one.
    @inline(never)
    static func performSent(_ operation: GateOperation) {
        guard let scheduler = operation.scheduler as? any Scheduler else { return operation.perform() }
        CurrentScheduler.deliver(on: scheduler) { operation.perform() }
    }
}
