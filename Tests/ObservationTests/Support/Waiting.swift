import Foundation
import TestSupport

/// Whether a condition becomes true. Does not block the thread, which tasks of the library may need.
func eventually(
    atMost seconds: Double = 600, isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    var looks = 0
    while !condition() {
        if Date() > deadline { return false }
        looks += 1
        if looks < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
    return true
}

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
