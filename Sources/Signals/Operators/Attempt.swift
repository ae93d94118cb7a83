extension Signal {
    /// Runs an action with each value, and fails with the first error that it throws.
    ///
    /// Like ``on(event:next:error:completed:interrupted:terminated:disposed:)``, for an action that can fail.
    ///
    /// ```marbles
    /// source                   --1--2--3--4--|
    /// source.attempt(check)    --1--2--X
    /// ```
    ///
    /// Here `check` throws for 3.
    ///
    /// A value is sent after the action has returned. The error ends the signal and releases the source. A closure
    /// literal must state its error type, `{ value throws(MyError) in ... }`; otherwise the compiler infers
    /// `any Error`. A named function need not.
    ///
    /// - Parameter action: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func attempt(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> Signal {
        derive("attempt:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value)
                    return value
                }, downstream: $0)
        }
    }

    /// Runs an action with each value, and fails with the first failure that it returns.
    ///
    /// - Parameter action: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func attempt(_ action: @escaping @Sendable (Value) -> Result<Void, Failure>) -> Signal {
        attempt { (value) throws(Failure) in try action(value).get() }
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Its successes are ignored.
    @_documentation(visibility: internal)  // Without this overload, the closure would be treated as returning nothing.
    @_alwaysEmitIntoClient
    public func attempt<Success>(_ action: @escaping @Sendable (Value) -> Result<Success, Failure>) -> Signal {
        attempt { (value) throws(Failure) in _ = try action(value).get() }
    }
}

extension Signal where Failure == Never {
    /// Runs an action with each value, and fails with the first error that it throws. Overload for a signal that cannot
    /// fail itself.
    ///
    /// ```swift
    /// numbers.attempt { try check($0) }  // fails with any Error
    /// ```
    ///
    /// - Parameter action: Called once per value, whatever the number of observers.
    @_disfavoredOverload  // An action that does not throw keeps the error type.
    @_alwaysEmitIntoClient
    public func attempt<NewFailure>(
        _ action: @escaping @Sendable (Value) throws(NewFailure) -> Void
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Overload for a signal that
    /// cannot fail itself.
    ///
    /// - Parameter action: Called once per value, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func attempt<NewFailure>(
        _ action: @escaping @Sendable (Value) -> Result<Void, NewFailure>
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }

    /// Runs an action with each value, and fails with the first failure that it returns. Its successes are ignored.
    @_documentation(visibility: internal)  // Without this overload, the closure would be treated as returning nothing.
    @_alwaysEmitIntoClient
    public func attempt<Success, NewFailure>(
        _ action: @escaping @Sendable (Value) -> Result<Success, NewFailure>
    ) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).attempt(action)
    }
}
