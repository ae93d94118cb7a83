import Dispatch
import HotSignals
package import Testing

/// Ends the process with a message if a test hangs: a time limit cannot end a thread that waits for a lock.
///
/// A test hangs if neither it nor any other watched test has started or finished for a long time. A test that only
/// waits for its turn does not hang: all tests start at once on a few threads.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    private static let limit = patience / .seconds(1)
    private static let lastProgress = Locked(DispatchTime.now())

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let name = test.displayName ?? test.name
        let bite = DispatchSource.makeTimerSource(queue: .global())
        bite.schedule(deadline: .now() + Self.limit, repeating: 10)
        bite.setEventHandler {
            if Self.lastProgress.withLock({ $0 }) + Self.limit < .now() { fatalError("the test \"\(name)\" hangs") }
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
