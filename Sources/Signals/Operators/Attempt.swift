extension Signal {
    /// Runs an action with each value, and fails with the first error that it throws.
    ///
    /// Like ``on(event:next:error:completed:interrupted:terminated:disposed:)``, for an action that can fail.
    ///
    ///     source                                    --1--2--(-3)--4--|
    ///     attempt { () throws(E) in check($0) }     --1--2--X
    ///
    /// A value is sent after the action has returned. The error ends the signal and lets go of the source. A closure literal
    /// states its error, `{ value throws(MyError) in ... }`, as the compiler takes it for `any Error` otherwise; a named
    /// function need not.
    ///
    /// - Parameter action: Called once a value, whatever the number of observers.
    @inlinable
    public func attempt(_ action: @escaping @Sendable (Value) throws(Failure) -> Void) -> Signal {
        derive("attempt:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value)
                    return value
                }, downstream: $0)
        }
    }

    /// Like ``attempt(_:)``, for an action that returns a result.
    ///
    /// - Parameter action: Called once a value, whatever the number of observers.
    @inlinable
    public func attemptResult(_ action: @escaping @Sendable (Value) -> Result<Void, Failure>) -> Signal {
        derive("attemptResult:") {
            AttemptMapSink(
                transform: { (value) throws(Failure) in
                    try action(value).get()
                    return value
                }, downstream: $0)
        }
    }
}
