import HotSignals

/// Returns when the library has nothing left to do by itself: no task of this test is ready or running, except those
/// that are in this function, and no thread of the library drains a gate.
///
/// Call it after the `join()` of a thread whose work the library may finish elsewhere, and before a test expects that
/// something has not happened. It does not wait for what the test itself holds back: a suspended task, or an action of
/// a `TestScheduler`.
///
/// The tasks are those on the executor of ``OffThePool``. Without that trait it waits for drains only.
package func settle() {
    let executor = LibraryTask.context?.executor as? DispatchExecutor
    var former: Int
    repeat {
        former = executor?.begun ?? 0
        executor?.waitUntilIdle()
        // A task that starts a drain has been waited for. A drain can start a task, which the next round waits for.
        waitUntilDrained()
    } while (executor?.begun ?? 0) != former
}

/// Returns when no thread of the library drains a gate.
package func waitUntilDrained() {
    if LibraryThread.pending.isEmpty { return }
    let isDrained = Latch("a drain has not ended")
    // Not on the executor of the test, whose tasks are counted.
    Task(executorPreference: DispatchExecutor()) {
        await LibraryThread.pending.waitUntilEmpty()
        isDrained.open()
    }
    isDrained.wait()
}
