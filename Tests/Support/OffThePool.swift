import HotSignals
package import Testing

/// Runs a test, and the library's tasks that it starts, on threads outside Swift's pool. Synchronous tests of other
/// suites can occupy the threads of the pool for minutes. Each test has its own executor, whose tasks ``settle()``
/// waits for.
package struct OffThePool: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let executor = DispatchExecutor()
        try await LibraryTask.$context.withValue(TaskContext(executor: executor)) {
            try await withTaskExecutorPreference(executor) { try await function() }
        }
    }
}

extension Trait where Self == OffThePool {
    package static var offThePool: OffThePool { OffThePool() }
}
