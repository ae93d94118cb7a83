/// What schedules actions for itself, and must learn if one of them will never run.
@usableFromInline
@_fixed_layout
package class SchedulingWork: @unchecked Sendable {
    // Sendable: it has no state.

    @inlinable
    package init() {}

    /// Called if a scheduler has released an action without running it, on the thread that released it, which may hold
    /// locks. Also called if the action was cancelled.
    @usableFromInline
    package func actionWasReleased(_ number: UInt) { preconditionFailure("SchedulingWork is abstract") }
}

/// What an action that was given to a scheduler retains, instead of the object that acts. Only the action refers to it.
///
/// A scheduler that is shut down may release its actions without running them. What waits for such an action would wait
/// for ever, and keep its observers. So this object tells it. Between two actions it retains nothing, and is used
/// again: an action costs no further allocation.
@usableFromInline
@_fixed_layout
package final class PendingAction: @unchecked Sendable {
    // Sendable: exchanged as atomic words.
    #if Explore
    // Not atomic, so that it adds no steps to an exploration. There, an action does not run twice.
    @exclusivity(unchecked) private var work: Unmanaged<AnyObject>?
    @exclusivity(unchecked) private var number: UInt = 0
    #else
    /// The object that acts, as the bits of an `Unmanaged` with one reference. 0 between two actions.
    @usableFromInline let work = AtomicWord(0)
    @usableFromInline let number = AtomicWord(0)
    #endif

    @usableFromInline
    package init() {}

    deinit {
        if let (work, number) = take(as: SchedulingWork.self) { work.actionWasReleased(number) }
    }

    #if Explore
    @usableFromInline
    package func begin(_ work: SchedulingWork, number: UInt = 0) {
        self.number = number
        self.work = .passRetained(work)
    }

    @usableFromInline
    package func take<Work: AnyObject>(as: Work.Type) -> (work: Work, number: UInt)? {
        work.take().map { (unsafeDowncast($0.takeRetainedValue(), to: Work.self), number) }
    }
    #else
    /// Call before the action is given to the scheduler.
    @inlinable
    package func begin(_ work: SchedulingWork, number: UInt = 0) {
        self.number.store(number)
        self.work.store(UInt(bitPattern: Unmanaged.passRetained(work).toOpaque()))
    }

    /// Call when the action runs. Returns `nil` if it has run before.
    @inlinable
    package func take<Work: AnyObject>(as: Work.Type) -> (work: Work, number: UInt)? {
        guard let object = UnsafeRawPointer(bitPattern: work.exchange(0)) else { return nil }
        return (Unmanaged<Work>.fromOpaque(object).takeRetainedValue(), number.loadRelaxed())
    }
    #endif
}

/// Calls a closure if it is released. For an action that is scheduled once per start.
@usableFromInline
package final class ReleasedAction: Sendable {
    private let action: @Sendable () -> Void

    @usableFromInline
    package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
}
