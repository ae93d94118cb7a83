extension Signal {
    /// Sends values until a lifetime ends, then completes.
    ///
    /// Like ``take(until:)``, with the end of a lifetime as the trigger.
    ///
    /// ```marbles
    /// source                           --1--2--3--4--|
    /// source.take(during: lifetime)    --1--2-|
    /// ```
    ///
    /// Here the lifetime ends after 7 seconds.
    ///
    /// If the lifetime has already ended, the result has completed and does not observe the source. The thread that
    /// ends the lifetime never waits: if another thread is delivering an event of the source, that thread delivers the
    /// completion.
    ///
    /// - Parameter lifetime: Not retained.
    @_alwaysEmitIntoClient
    public func take(during lifetime: Lifetime) -> Signal {
        if lifetime.hasEnded { return deriveCompleted("take(during:)", argument: 0) }
        return derive("take(during:)") { downstream, ownLifetime in
            let core = downstream.core
            ownLifetime += lifetime.observeEnded { core.handOverEnd(.completed) }
            return ForwardingSink(downstream: downstream)
        }
    }
}

/// Forwards every event, in a stream that something else may also terminate.
@frozen @usableFromInline
package struct ForwardingSink<Downstream: Sink>: OperatorSink {
    @usableFromInline package let downstream: Downstream

    @inlinable
    package init(downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) { downstream.next(value) }
}
