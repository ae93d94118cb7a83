package import HotSignals

/// Counts the work that a start has begun upstream of an operator: starts and tasks. Runs what is scheduled here when
/// all of it has ended.
@usableFromInline
package final class WorkInProgress: Scheduler {
    private let counter: TaskCounter
    /// How often the source itself is counted: twice while it begins.
    private let ownCounts = AtomicWord(1)
    /// In force around the operator.
    private let outer: TaskContext?
    private let context: TaskContext

    @usableFromInline
    package init() {
        outer = LibraryTask.captured
        counter = TaskCounter(within: outer?.counter)
        context = TaskContext(executor: outer?.executor, counter: counter)
    }

    /// Runs `body`, which begins the work.
    @usableFromInline
    package func counting(_ body: () -> Void) {
        counter.enter()
        ownCounts.store(2)
        LibraryTask.with(context, body)
        ownCounts.store(1)
        counter.leave()
    }

    /// Runs `body`, which is no part of the work.
    @usableFromInline
    package func leaving(_ body: () -> Void) { LibraryTask.with(outer, body) }

    /// Runs `action` when no work is left: now, or on the thread on which the last of it ends.
    @usableFromInline @discardableResult
    package func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let scheduled = ScheduledAction(action)
        // If the start that calls this is all that is left, the action runs before the call of that start returns.
        // Other work can end under the task-locals of anybody, or in a task that has been cancelled.
        let context = counter.count > Int(ownCounts.load()) ? CapturedContext() : nil
        counter.whenEmpty { [outer] in
            if let context {
                context.run { LibraryTask.with(outer) { scheduled.run() } }
            } else {
                LibraryTask.with(outer) { scheduled.run() }
            }
        }
        return scheduled
    }

    /// Runs `action`, which sends the end of the source, when no work is left. A thread that disposes of something else
    /// does not send it.
    @usableFromInline
    package func scheduleEnd(_ action: @escaping @Sendable () -> Void) {
        schedule { if PassiveSection.isCurrent { LibraryThread.run(action) } else { action() } }
    }
}

/// Forwards values as they come, and the terminal event when no work is left.
@frozen @usableFromInline
struct WorkSink<Value: Sendable, Failure: Error>: WorkingSink {
    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let work: WorkInProgress

    @_alwaysEmitIntoClient
    init(_ core: Core<Value, Failure>, _ work: WorkInProgress) {
        self.core = core
        self.work = work
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) { work.leaving { core.sendNext(value) } }

    // The start that sends this is itself counted, until the event has been delivered.
    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        if case .interrupted = termination {
            work.schedule { core.sendEnd(.interrupted) }
        } else {
            work.scheduleEnd { core.sendEnd(termination) }
        }
    }

    @_alwaysEmitIntoClient @inline(__always)
    var hasEnded: Bool { core.terminated.isRaised }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { {} }
}
