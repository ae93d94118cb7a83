extension Signal {
    /// Sends one more value when the source has completed or been interrupted, and then completes.
    ///
    /// ```marbles
    /// source                     --1--2--|
    /// source.concat(value: 9)    --1--2--9|
    /// ```
    ///
    /// - Parameter value: Not sent if the source fails.
    @_alwaysEmitIntoClient
    public func concat(value: Value) -> Signal {
        derive("concat(value:)") { ConcatSink(ending: .value(value), downstream: $0) }
    }

    /// Fails when the source has completed or been interrupted.
    ///
    /// ```marbles
    /// source                       --1--2--|
    /// source.concat(error: X())    --1--2--X
    /// ```
    ///
    /// - Parameter error: Sent in place of the completion or interruption. If the source fails, its own error is sent.
    @_alwaysEmitIntoClient
    public func concat(error: Failure) -> Signal {
        derive("concat(error:)") { ConcatSink(ending: .error(error), downstream: $0) }
    }
}

@frozen @usableFromInline
package struct ConcatSink<Downstream: Sink>: OperatorSink {
    /// What to send when the source ends.
    @frozen @usableFromInline
    package enum Ending: Sendable {
        case value(Downstream.Value)
        case error(Downstream.Failure)
    }

    @usableFromInline let ending: Ending
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(ending: Ending, downstream: Downstream) {
        self.ending = ending
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) { downstream.next(value) }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        if case .error = termination { return downstream.end(termination) }
        switch ending {
        case .value(let value):
            // A disposal also arrives as an interruption. Then no value is sent.
            if !downstream.hasEnded { downstream.next(value) }
            downstream.end(.completed)
        case .error(let error): downstream.end(.error(error))
        }
    }
}
