import Dispatch
package import Testing

/// Ends the process with a message if a test hangs: a time limit cannot end a thread that waits in a lock.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let name = test.displayName ?? test.name
        let bite = DispatchSource.makeTimerSource(queue: .global())
        bite.schedule(deadline: .now() + 240)
        bite.setEventHandler { fatalError("the test \"\(name)\" hangs") }
        bite.resume()
        defer { bite.cancel() }
        try await function()
    }
}

extension Trait where Self == Watchdog {
    package static var watched: Watchdog { Watchdog() }
}
