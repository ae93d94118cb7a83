import Dispatch
import HotSignals
package import Testing

/// Ends the process with a message if a test hangs: a time limit cannot end a thread that waits in a lock.
///
/// A test hangs if neither it nor any other that is watched has begun or ended for a long time. One that only waits for its turn, as all
/// tests begin at once on a few threads, does not.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    /// How long is long.
    private static let patience = 600.0
    private static let lastProgress = Locked(DispatchTime.now())

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let name = test.displayName ?? test.name
        let bite = DispatchSource.makeTimerSource(queue: .global())
        bite.schedule(deadline: .now() + Self.patience, repeating: 10)
        bite.setEventHandler {
            if Self.lastProgress.withLock({ $0 }) + Self.patience < .now() { fatalError("the test \"\(name)\" hangs") }
        }
        bite.resume()
        Self.lastProgress.withLock { $0 = .now() }
        defer {
            bite.cancel()
            Self.lastProgress.withLock { $0 = .now() }
        }
        try await function()
    }
}

extension Trait where Self == Watchdog {
    package static var watched: Watchdog { Watchdog() }
}
