import TestSupport

/// Runs work that blocks on a thread of its own, because tasks of the library need the threads of the pool.
func onThread(_ name: String, _ body: @escaping @Sendable () -> Void) async {
    await TestSupport.onThread(name) { DispatchExecutor.shared.within(body) }
}
