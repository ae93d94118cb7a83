extension Signal {
    /// Divides the values between two signals: those that pass a test, and the others.
    ///
    /// Like two calls of ``filter(_:)``, but tests each value once.
    ///
    /// ```marbles
    /// source                               --1----2--3----4--|
    /// even.merge(with: odd.map { -$0 })    --<-1>-2--<-3>-4--|
    /// ```
    ///
    /// where `even` and `odd` are the results of `source.partition { $0 % 2 == 0 }`.
    ///
    /// Both signals share one observation of this signal, and end with it. A signal that is not observed drops its
    /// values. Buffers nothing.
    ///
    /// - Parameter isMatch: Called once per value, whatever the number of observers.
    /// - Returns: The values for which `isMatch` returns `true`, and the others.
    @_alwaysEmitIntoClient
    public func partition(
        _ isMatch: @escaping @Sendable (Value) -> Bool
    ) -> (matches: Signal, others: Signal) {
        let values: Signal<(Bool, Value), Failure> = derive("partition:") {
            MapSink(transform: { (isMatch($0), $0) }, downstream: $0)
        }
        return (
            values.derive("matches") { PartitionSink(takesMatches: true, downstream: $0) },
            values.derive("others") { PartitionSink(takesMatches: false, downstream: $0) }
        )
    }
}

/// Receives each value with the result of the test, and forwards the values of one of the two streams.
@frozen @usableFromInline
package struct PartitionSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let takesMatches: Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(takesMatches: Bool, downstream: Downstream) {
        self.takesMatches = takesMatches
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ tested: (Bool, Downstream.Value)) {
        if tested.0 == takesMatches { downstream.next(tested.1) }
    }
}
