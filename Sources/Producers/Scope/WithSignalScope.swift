/// Runs `body`, and returns after everything that it started in the scope has ended.
///
/// ```swift
/// try await withSignalScope { scope in
///     requests.startWithNext(in: scope) { handle($0) }
///     heartbeat.start(in: scope)
///     scope += listener
///     try await serve()
/// }  // here neither is at work any more, and the listener is disposed of
/// ```
///
/// - **When the body returns**, the remaining work is disposed of, in the reverse order of starting. To wait for it
///   instead, end the body with `try await scope.waitForAll()`.
/// - **When work in the scope fails**, all other work is disposed of, and work started later is interrupted. The body
///   continues until it returns, as in a task group. ``SignalScope/waitForAll()`` throws the error in the body, and
///   this function throws it at the end.
/// - **When the body throws**, everything is disposed of, and this function throws the error of the body.
/// - **When the task is cancelled**, everything is disposed of, and the body can detect the cancellation as usual.
///   Cancellation alone is not an error.
///
/// In every case this function returns only after all work has ended. Each observer has received its terminal event,
/// everything attached to the lifetimes has been disposed of, and async code that the work runs has returned, even if
/// it ignores cancellation. An example of such code is the async `release` of `using(resource:release:producer:)`.
///
/// Shared work, as with `replayLazily(upTo:)`, `share` or `multicast`, belongs to no scope, even if it begins in one:
/// only the starts in the scope end. Work that observers start without naming the scope does not belong to it either.
///
/// Scopes nest: an inner scope ends before the body of the outer one continues. After the body has returned, the scope
/// interrupts work that is started in it.
///
/// - Parameters:
///   - failure: The error type. The forms without this parameter throw any error, or nothing if nothing in the scope
///     can fail: then no `try` is needed. With another type the body has to declare it, as in
///     `{ (scope) throws(MyError) in … }`.
///   - isolation: The isolation of the caller, in which the body runs.
///   - body: Receives the scope.
/// - Returns: What the body returns.
/// - Throws: The error of the body, otherwise the first error of the work in the scope.
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

/// Runs a body in which nothing can fail, and returns after everything that it started in the scope has ended. See
/// ``withSignalScope(throwing:isolation:_:)``.
///
/// ```swift
/// await withSignalScope { scope in
///     readings.startWithNext(in: scope) { store($0) }
/// }
/// ```
public func withSignalScope<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (SignalScope<Never>) async -> Result
) async -> Result {
    await withSignalScope(throwing: Never.self, isolation: isolation, body)
}

/// Runs `body`, and returns after everything that it started in the scope has ended. See
/// ``withSignalScope(throwing:isolation:_:)``.
@_disfavoredOverload  // Prefers the overload without `try` if nothing can fail.
public func withSignalScope<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (SignalScope<any Error>) async throws -> Result
) async throws -> Result {
    try await withSignalScope(throwing: (any Error).self, isolation: isolation, body)
}
