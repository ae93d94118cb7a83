extension Signal {
    /// Ends without an error when the source fails. The result cannot fail.
    ///
    /// ```marbles
    /// source                                  --1--2--X
    /// source.ignoreErrors()                   --1--2--|
    /// source.ignoreErrors(complete: false)    --1--2--!
    /// ```
    ///
    /// The error is lost. To see it, use ``on(event:next:error:completed:interrupted:terminated:disposed:)`` or
    /// ``logError(fileName:functionName:lineNumber:logger:)`` before this operator. To send it as a value, use
    /// ``materializeResults()``. Values, completion and interruption are forwarded.
    ///
    /// - Parameter complete: Whether an error completes the result. If `false`, it interrupts the result, so that what
    ///   follows a completion, such as the value of ``reduce(_:_:)``, does not happen.
    @_alwaysEmitIntoClient
    public func ignoreErrors(complete: Bool = true) -> Signal<Value, Never> {
        mapEnd("ignoreErrors") { $0.withoutError(completes: complete) }
    }
}
