extension Signal {
    /// Zips this signal with another one, and buffers a limited number of values of the one that is ahead.
    ///
    /// Like ``zip(with:)``, but with a bound.
    ///
    /// ```marbles
    /// source                                                            --1--2--3----------------|
    /// other                                                             -----------a-----b-----c-|
    /// source.zip(with: other, bufferLimit: 2, whenFull: .dropOldest)    -----------(2,a)-(3,b)---|
    /// ```
    ///
    /// After a value has been dropped, the pairs no longer consist of values with the same position.
    ///
    /// - Parameters:
    ///   - other: The other signal.
    ///   - bufferLimit: The maximum number of values of one signal that wait for the other one. Traps unless positive.
    ///   - overflow: What happens when a signal sends one more value.
    ///   - error: Sent in case of `.fail`, which traps without it.
    @_alwaysEmitIntoClient
    public func zip<Other>(
        with other: Signal<Other, Failure>, bufferLimit: Int, whenFull overflow: Overflow,
        raising error: Failure? = nil
    ) -> Signal<(Value, Other), Failure> {
        overflow.require(for: "zip", (label: "bufferLimit", value: bufferLimit), hasError: error != nil)
        return Signal<Never, Failure>.zip(
            [queued(bufferLimit, overflow, error), other.queued(bufferLimit, overflow, error)])
    }

    /// This signal as an input with a bounded queue.
    @_alwaysEmitIntoClient
    func queued(_ limit: Int, _ overflow: Overflow, _ error: Failure?) -> CombinedInput<Failure> {
        combined({ QueueSlot($0) }) { BoundedZipInput(input: $0, limit: limit, overflow: overflow, error: error) }
    }
}

/// Receives one of the inputs of a bounded `zip`.
@frozen @usableFromInline
package struct BoundedZipInput<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let input: CombinedSink<QueueSlot<Value>, Failure>
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow
    @usableFromInline let error: Failure?

    @_alwaysEmitIntoClient
    package init(input: CombinedSink<QueueSlot<Value>, Failure>, limit: Int, overflow: Overflow, error: Failure?) {
        self.input = input
        self.limit = limit
        self.overflow = overflow
        self.error = error
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        input.combination.result.perform({ update(value) }, orLater: { DeferredWork { update(value) } })
    }

    /// Only for the owner of the result's gate.
    @_alwaysEmitIntoClient
    func update(_ value: Value) {
        let isOver = input.combination.result.terminated.isRaised
        guard input.slot.count == limit, !isOver else { return input.update(value) }
        input.combination.owner.writes()
        switch overflow.kind {
        case .dropNewest: break
        case .dropOldest:
            // Released after the new value has been stored.
            let oldest = input.slot.removeFirst()
            input.slot.append(value)
            withExtendedLifetime(oldest) {}
        case .fail:
            if let error { input.combination.end(.error(error)) }
        }
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) { input.end(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { input.hasEnded }
}
