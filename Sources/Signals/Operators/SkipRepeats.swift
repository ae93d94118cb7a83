extension Signal {
    /// Drops each value that repeats the one received just before it.
    ///
    /// ```marbles
    /// source                             --1--1--2--2--1--|
    /// source.skipRepeats { $0 == $1 }    --1-----2-----1--|
    /// ```
    ///
    /// The first value is always sent. Each value is compared with the last one *received*, whether or not that one was
    /// sent.
    ///
    /// - Parameter isRepeat: Receives the previous value and the new one. Called once per value, except for the first.
    @_alwaysEmitIntoClient
    public func skipRepeats(_ isRepeat: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        derive("skipRepeats:") { SkipRepeatsSink(isRepeat: isRepeat, downstream: $0) }
    }
}

extension Signal where Value: Equatable {
    /// Drops each value that equals the previous one.
    ///
    /// Like ``Signal/skipRepeats(_:)`` with `==`.
    @_alwaysEmitIntoClient
    public func skipRepeats() -> Signal {
        derive("skipRepeats") { SkipRepeatsSink(isRepeat: { $0 == $1 }, downstream: $0) }
    }
}

@frozen @usableFromInline
package struct SkipRepeatsSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let last = SinkState<Downstream.Value?>(nil)
    @usableFromInline let isRepeat: @Sendable (Downstream.Value, Downstream.Value) -> Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(
        isRepeat: @escaping @Sendable (Downstream.Value, Downstream.Value) -> Bool, downstream: Downstream
    ) {
        self.isRepeat = isRepeat
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Downstream.Value) {
        if let former = last.value, isRepeat(former, value) {
            last.value = value
        } else {
            last.value = value
            downstream.next(value)
        }
    }
}
