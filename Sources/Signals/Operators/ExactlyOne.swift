extension Signal {
    /// Sends the only value when the source completes, and fails if there is none or more than one.
    ///
    /// ```marbles
    /// source                             --1-----|
    /// source.exactlyOne(orError: X())    --------1|
    /// ```
    ///
    /// ```marbles
    /// source                             --1--2--3--|
    /// source.exactlyOne(orError: X())    -----X
    /// ```
    ///
    /// Fails at the second value, without waiting for the completion, and releases the source. If the source completes
    /// without a value, fails then. An error or an interruption of the source is forwarded, and no value is sent.
    /// Buffers one value.
    ///
    /// - Parameter error: Sent if the number of values is not one.
    /// - SeeAlso: `single()` of ReactiveAsync, which waits for the value in async code.
    @_alwaysEmitIntoClient
    public func exactlyOne(orError error: Failure) -> Signal {
        derive("exactlyOne(orError:)") { ExactlyOneSink(error: error, downstream: $0) }
    }
}

extension Signal where Failure == Never {
    /// Sends the only value when the source, which cannot fail itself, completes, and fails if there is none or more
    /// than one.
    ///
    /// - Parameter error: Sent if the number of values is not one.
    @_alwaysEmitIntoClient
    public func exactlyOne<NewFailure: Error>(orError error: NewFailure) -> Signal<Value, NewFailure> {
        promoteError(NewFailure.self).exactlyOne(orError: error)
    }
}

@frozen @usableFromInline
package struct ExactlyOneSink<Downstream: Sink>: OperatorSink {
    @frozen @usableFromInline
    enum State {
        case none
        case one(Downstream.Value)
        /// The downstream has been ended.
        case several
    }

    @usableFromInline let state: SinkState<State>
    @usableFromInline let error: Downstream.Failure
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(error: Downstream.Failure, downstream: Downstream) {
        state = SinkState(.none)
        self.error = error
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        switch state.value {
        case .none: state.value = .one(value)
        case .one:
            state.value = .several
            downstream.end(.error(error))
        case .several: break
        }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        let final = state.value
        state.value = .several
        guard case .completed = termination else { return downstream.end(termination) }
        switch final {
        case .none: downstream.end(.error(error))
        case .one(let value):
            downstream.next(value)
            downstream.end(.completed)
        case .several: break
        }
    }
}
