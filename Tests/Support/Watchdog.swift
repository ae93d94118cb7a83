import Dispatch
package import Testing

/// Ends the process with a message if a test hangs: a time limit cannot end a thread that waits for a lock.
///
/// A test hangs if neither it nor any other watched test has started or finished for a long time. A test that only
/// waits for its turn does not hang: all tests start at once on a few threads.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let name = test.displayName ?? test.name
        let bite = DispatchSource.makeTimerSource(queue: .global())
        let deadline = Deadline()
        bite.schedule(deadline: .now() + patience / .seconds(1), repeating: 10)
        bite.setEventHandler { if deadline.hasPassed { fatalError("the test \"\(name)\" hangs") } }
        bite.resume()
        Deadline.noteProgress()
        defer {
            bite.cancel()
            Deadline.noteProgress()
        }
        try await function()
    }
}

extension Trait where Self == Watchdog {
    package static var watched: Watchdog { Watchdog() }
}
