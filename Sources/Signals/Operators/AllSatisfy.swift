extension Signal {
    /// Sends whether all values pass a test.
    ///
    /// The counterpart of ``contains(where:)``.
    ///
    /// ```marbles
    /// source                               --2--4--5--6--|
    /// source.allSatisfy { $0 % 2 == 0 }    --------f|
    /// ```
    ///
    /// Sends `false`, completes and releases the source at the first value that fails the test. Sends `true` when the
    /// source completes before that.
    ///
    /// - Parameter isSatisfied: Called once per value until it returns `false`, whatever the number of observers.
    @_alwaysEmitIntoClient
    public func allSatisfy(_ isSatisfied: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        derive("allSatisfy:") { SearchSink(isFound: { !isSatisfied($0) }, found: false, downstream: $0) }
    }
}

/// Searches for a value that passes a test, and sends one of two answers.
@frozen @usableFromInline
package struct SearchSink<Value: Sendable, Downstream: Sink>: OperatorSink where Downstream.Value == Bool {
    @usableFromInline let isFound: @Sendable (Value) -> Bool
    /// Sent if such a value is found. Otherwise its negation is sent on completion.
    @usableFromInline let found: Bool
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(isFound: @escaping @Sendable (Value) -> Bool, found: Bool, downstream: Downstream) {
        self.isFound = isFound
        self.found = found
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) {
        guard isFound(value) else { return }
        downstream.next(found)
        downstream.end(.completed)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Downstream.Failure>) {
        if case .completed = termination { downstream.next(!found) }
        downstream.end(termination)
    }
}
