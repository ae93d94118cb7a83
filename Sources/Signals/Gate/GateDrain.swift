#if Explore
import InterleavingExplorer
#else
import Dispatch
#endif

extension Gate {
    /// Has the operations in the inbox performed by another thread: on the scheduler that has sent the oldest one, if
    /// any. A drain stops at an operation that belongs on another scheduler, and leaves it to another drain. After
    /// ``limit`` operations, it leaves the rest to the next action of its scheduler.
    ///
    /// For operations that the owner must not perform, pushed by threads that have moved on.
    ///
    /// - Parameter selection: What the owner has performed.
    /// - Returns: Whether the caller, a thread of the library, should go on itself.
    final func leaveInbox(to sender: AnyObject?, _ selection: Selection) -> Bool {
        guard let scheduler = sender as? any Scheduler else {
            if case .sent(by: nil) = selection { return true }
            onOwnQueue { self.settle(.sent(by: nil)) }
            return false
        }
        drain(on: scheduler, selection)
        return false
    }

    private final func drain(on scheduler: any Scheduler, _ selection: Selection) {
        // The scheduler may run the action at once. Inside `dispose()` that would do the work of others, and a sender
        // would not be released. Drains of two such schedulers could deepen the stack without end.
        guard case .sent = selection else { return PassiveSection.run { scheduleDrain(on: scheduler) } }
        if GateDrain.isScheduling.isSet {
            onOwnQueue { self.scheduleDrain(on: scheduler) }
        } else {
            GateDrain.isScheduling.set(true)
            scheduleDrain(on: scheduler)
            GateDrain.isScheduling.set(false)
        }
    }

    fileprivate final func scheduleDrain(on scheduler: any Scheduler) {
        let drain = ScheduledDrain(of: self, on: scheduler)
        _ = scheduler.schedule { drain.run() }
    }

    fileprivate final func onOwnQueue(_ work: @escaping @Sendable () -> Void) { LibraryThread.run(work) }
}

/// A thread of the library, for what belongs to no other thread.
@usableFromInline
package enum LibraryThread {
    /// Each call has its own queue, because such a queue always gets a thread. The global queues do not: long
    /// computations on them or on Swift's pool would delay events that no other thread delivers.
    @usableFromInline
    package static func run(_ work: @escaping @Sendable () -> Void) {
        #if Explore
        ExploredBackground.run(work)
        #else
        GateDrain.pending.enter()
        DispatchQueue(label: "ReactiveSignals.GateDrain", qos: .userInitiated).async {
            work()
            GateDrain.pending.leave()
        }
        #endif
    }
}

package enum GateDrain {
    /// The drains on queues of their own that have not ended, for tests that wait for them.
    package static let pending = TaskCounter()

    /// Whether the calling thread is in a call with which one drain schedules another.
    fileprivate static let isScheduling = ThreadFlag()
}

/// What a scheduler runs to perform what it has sent.
///
/// A scheduler that is shut down may release its actions without running them. Then a queue performs the operations,
/// because no other thread is responsible for them.
private final class ScheduledDrain: Sendable {
    private let gate: Gate
    private let scheduler: any Scheduler
    private let hasRun = AtomicFlag()

    init(of gate: Gate, on scheduler: any Scheduler) {
        self.gate = gate
        self.scheduler = scheduler
    }

    deinit {
        if hasRun.isRaised { return }
        let (gate, scheduler) = (gate, scheduler)
        gate.onOwnQueue { gate.settle(.sent(by: ObjectIdentifier(scheduler))) }
    }

    func run() {
        _ = hasRun.raise()
        let (gate, scheduler) = (gate, scheduler)
        // A scheduler that runs actions at once has to do that on another thread.
        if PassiveSection.isCurrent { return gate.onOwnQueue { gate.scheduleDrain(on: scheduler) } }
        gate.settle(.sent(by: ObjectIdentifier(scheduler)))
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
            operation._withUnsafeGuaranteedRef { operation in
                guard !operation.isPushedByOwner, let sender = operation.scheduler else { return true }
                return ObjectIdentifier(sender) == scheduler
            }
        }
    }

    /// Performs an operation, as its scheduler if there is one.
    @inline(never)
    static func performSent(_ operation: Unmanaged<GateOperation>) {
        operation._withUnsafeGuaranteedRef { operation in
            guard let scheduler = operation.scheduler as? any Scheduler else { return operation.perform() }
            DeliveryScheduler.run(on: scheduler) { operation.perform() }
        }
    }
}
