public import Foundation

/// Held while a process starts, so that another one that starts at the same time does not inherit its pipes.
private let starting = NSLock()

extension Process {
    /// Starts the process as `run()` does.
    public func start() throws {
        try starting.withLock { try run() }
    }

    /// Starts the process with pipes for its input and output.
    public func startWithPipes() throws -> (input: Pipe, output: Pipe) {
        try starting.withLock {
            let pipes = (input: Pipe(), output: Pipe())
            standardInput = pipes.input
            standardOutput = pipes.output
            try run()
            return pipes
        }
    }
}

/// Runs blocking code on a thread of its own, because tasks need those of the pool.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
