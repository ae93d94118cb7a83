import TestSupport

/// Runs work that blocks on a thread of its own, because tasks of the library need the threads of the pool.
func onThread(_ name: String, _ body: @escaping @Sendable () -> Void) async {
    let hasEnded = OnceFlag()
    let thread = TestThread(name) {
        DispatchExecutor.shared.within(body)
        hasEnded.raise()
    }
    while !hasEnded.isRaised { try? await Task.sleep(for: .milliseconds(2)) }
    thread.join()
}
