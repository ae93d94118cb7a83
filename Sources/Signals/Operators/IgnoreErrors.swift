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
        derive("ignoreErrors") { IgnoreErrorsSink<Failure, _>(completes: complete, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct IgnoreErrorsSink<Failure: Error, Downstream: Sink>: OperatorSink where Downstream.Failure == Never {
    /// Whether an error completes the stream, rather than interrupts it.
    @usableFromInline let completes: Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(completes: Bool, downstream: Downstream) {
        self.completes = completes
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) { downstream.next(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        switch termination {
        case .error: downstream.end(completes ? .completed : .interrupted)
        case .completed: downstream.end(.completed)
        case .interrupted: downstream.end(.interrupted)
        }
    }
}
