package import HotSignals

/// Releases actions without running them: all, or those that it keeps when it shuts down.
package final class ClosingScheduler: DelayScheduler {
    private let clock = ContinuousClock()
    private let actions: Locked<[@Sendable () -> Void]?>
    private let returnsDisposable: Bool

    package init(isOpen: Bool, returnsDisposable: Bool = false) {
        actions = Locked(isOpen ? [] : nil)
        self.returnsDisposable = returnsDisposable
    }

    /// The number of actions that it keeps.
    package var count: Int { actions.withLock { $0?.count ?? 0 } }

    package var now: ContinuousClock.Instant { clock.now }

    package func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        actions.withLock { $0?.append(action) }
        return returnsDisposable ? SimpleDisposable() : nil
    }

    package func schedule(
        after _: Duration, leeway _: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (
        any Disposable
    )? { schedule(action) }

    package func schedule(
        after _: Duration, interval _: Duration, leeway _: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(action) }

    /// Runs one action.
    package func runNext() {
        let next = actions.withLock { $0?.isEmpty == false ? $0?.removeFirst() : nil }
        next?()
    }

    /// Releases one action without running it.
    package func releaseNext() {
        let next = actions.withLock { $0?.isEmpty == false ? $0?.removeFirst() : nil }
        withExtendedLifetime(next) {}
    }

    package func shutDown() {
        let released = actions.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }
}
