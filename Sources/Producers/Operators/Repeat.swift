extension SignalProducer {
    /// Starts this producer again each time it completes, `count` times in total.
    ///
    /// ```marbles
    /// source              --1--|
    /// source.repeat(3)    --1----1----1--|
    /// ```
    ///
    /// An error or an interruption ends the result. Synchronous rounds do not deepen the stack.
    ///
    /// - Parameters:
    ///   - count: The total number of starts. With 0, the result completes immediately and starts nothing. With 1, the
    ///     result is this producer. Traps if negative.
    @_alwaysEmitIntoClient
    public func `repeat`(_ count: Int) -> SignalProducer {
        require(count >= 0, "repeat(\(count)): the count must not be negative")
        if count == 0 { return deriveCompleted("repeat: #", argument: 0) }
        return repeating("repeat: #", argument: count) { round in round < count }
    }

    /// Starts this producer again each time it completes.
    ///
    /// Ends with an error or an interruption, by disposal, or when an operator downstream ends it. If an operator
    /// upstream turns an interruption into a completion, as `concat` does, the interruption does not end the result. If
    /// the source is then interrupted immediately on each start, as that of a terminated signal is, `start` never
    /// returns.
    @_alwaysEmitIntoClient
    public func repeatForever() -> SignalProducer { repeating("repeatForever") { _ in true } }

    /// Starts this producer again after each completion, as long as a condition holds.
    ///
    /// - Parameter condition: Called after each completion.
    @_alwaysEmitIntoClient
    public func `repeat`(while condition: @escaping @Sendable () -> Bool) -> SignalProducer {
        repeating("repeat(while:)") { _ in condition() }
    }

    /// - Parameter goesOn: Returns whether to start again. Receives the number of rounds that have completed.
    @_alwaysEmitIntoClient
    func repeating(
        _ name: StaticString, argument: Int = 0, _ goesOn: @escaping @Sendable (_ rounds: Int) -> Bool
    ) -> SignalProducer {
        SignalProducer(derivedName(name, argument), of: self) { _, sink in
            let rounds = SinkState(0)
            let goOn: @Sendable (Termination<Failure>) -> SerialStart<Value, Failure>.Step = { termination in
                rounds.value &+= 1
                return termination.isCompletion && goesOn(rounds.value) ? .again : .end(termination)
            }
            SerialStart.run(into: sink) { serial in
                serial.begin(self, next: { serial.sink.next($0) }, then: goOn)
            }
        }
    }
}
