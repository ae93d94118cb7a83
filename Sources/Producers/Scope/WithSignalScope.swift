/// Runs `body`, and returns when everything that it has started in the scope has ended.
///
///     try await withSignalScope { scope in
///         requests.startWithNext(in: scope) { handle($0) }
///         heartbeat.start(in: scope)
///         scope += listener
///         try await serve()
///     }  // here neither is at work any more, and the listener is disposed of
///
/// - **When the body returns**, what still goes on is disposed of, the last one started first. To wait for it instead, end the
///   body with `try await scope.waitForAll()`.
/// - **When something fails** that was started in the scope, everything else is disposed of, and what is started from then on
///   is interrupted. The body goes on until it returns, as that of a task group does; ``SignalScope/waitForAll()`` in it throws
///   the error, and so does this function.
/// - **When the body throws**, everything is disposed of, and its error is the one that is thrown.
/// - **When the task is cancelled**, everything is disposed of, and the body is told as any task is. That by itself is no
///   error.
///
/// In every case this function returns only when all of it has really ended: each observer has seen its terminal event, what
/// the work had attached to its lifetime has been disposed of, and the async code that the work runs, such as a
/// `using(resource:release:producer:)` with an async release, has returned, though it be heedless of cancellation.
///
/// Work that is shared, as by `replayLazily(upTo:)`, `share` or `multicast`, belongs to no scope, though it begin in one: of that only the
/// starts end. Neither does what observers start without naming the scope.
///
/// Scopes nest: an inner one ends before the body of the outer one goes on. A scope that has left the body interrupts what is
/// started in it.
///
/// - Parameters:
///   - failure: How it may fail. In the forms without this, in any way, or not at all if nothing in the scope can fail: then no
///     `try` is needed. With another type the body has to say so, as in `{ (scope) throws(MyError) in … }`.
///   - isolation: That of the caller, in which the body runs.
///   - body: Gets the scope.
/// - Returns: What the body returns.
/// - Throws: The body's error, otherwise the first of what was started.
public func withSignalScope<Result, Failure: Error>(
    throwing failure: Failure.Type, isolation: isolated (any Actor)? = #isolation,
    _ body: (SignalScope<Failure>) async throws(Failure) -> Result
) async throws(Failure) -> Result {
    let scope = SignalScope<Failure>()
    let outcome: Swift.Result<Result, Failure> = await withTaskCancellationHandler {
        do throws(Failure) {
            return .success(try await body(scope))
        } catch {
            return .failure(error)
        }
    } onCancel: {
        scope.cancelAll()
    }
    let error = await scope.end()
    if let error, case .success = outcome { throw error }
    return try outcome.get()
}

/// Runs `body`, and returns when everything that it has started in the scope has ended: the form for a body in which nothing
/// can fail, neither its own code nor what it starts. See ``withSignalScope(throwing:isolation:_:)``.
///
///     await withSignalScope { scope in
///         readings.startWithNext(in: scope) { store($0) }
///     }
public func withSignalScope<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (SignalScope<Never>) async -> Result
) async -> Result {
    await withSignalScope(throwing: Never.self, isolation: isolation, body)
}

/// Runs `body`, and returns when everything that it has started in the scope has ended: see
/// ``withSignalScope(throwing:isolation:_:)``.
@_disfavoredOverload  // Without `try`, where nothing can fail.
public func withSignalScope<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (SignalScope<any Error>) async throws -> Result
) async throws -> Result {
    try await withSignalScope(throwing: (any Error).self, isolation: isolation, body)
}
