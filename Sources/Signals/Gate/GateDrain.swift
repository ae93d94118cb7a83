#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Performs the operations in the inbox on another thread: one of the scheduler that delivers the events, if there
    /// is one.
    ///
    /// For operations that were pushed while the owner was in a ``PassiveSection``: the owner must not perform them,
    /// and the threads that pushed them have moved on.
    final func drainOnOtherThread() {
        guard let scheduler = drainScheduler else { return drainOnOwnQueue() }
        let drain = ScheduledDrain(of: self)
        // If this thread ran the action now, it would do the work of others inside `dispose()`.
        PassiveSection.run { _ = scheduler.schedule { drain.run() } }
    }

    /// Each drain has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    fileprivate final func drainOnOwnQueue() {
        #if Explore
        ExploredBackground.run { self.settle() }
        #else
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async { self.settle() }
        #endif
    }
}

/// What a scheduler runs to perform the operations in an inbox.
///
/// A scheduler that is shut down may release its actions without running them. Then they are performed all the same:
/// nobody else is responsible for them.
private final class ScheduledDrain: Sendable {
    private let gate: Gate
    private let hasRun = AtomicFlag()

    init(of gate: Gate) { self.gate = gate }

    deinit { if !hasRun.isRaised { gate.drainOnOwnQueue() } }

    func run() {
        _ = hasRun.raise()
        if PassiveSection.isCurrent { gate.drainOnOwnQueue() } else { gate.settle() }
    }
}
