extension SignalProducer {
    /// Starts this producer again each time that it has completed, `count` times in all.
    ///
    ///     source       --1--|
    ///     repeat(3)    --1----1----1--|
    ///
    /// An error or an interruption ends the result. Iterative: any number of synchronous rounds takes the stack of one.
    ///
    /// - Parameters:
    ///   - count: With 0 the result completes at once and starts nothing; with 1 it is this producer. Traps if
    ///     negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func `repeat`(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> SignalProducer {
        require(count >= 0, "repeat(\(count)): the count must not be negative", file: file, line: line)
        if count == 0 { return deriveCompleted("repeat: #", argument: 0) }
        return repeating("repeat: #", argument: count) { round in round < count }
    }

    /// Starts this producer again each time that it has completed.
    ///
    /// Ends with an error or an interruption, by disposal, or by an operator downstream.
    @inlinable
    public func repeatForever() -> SignalProducer { repeating("repeatForever") { _ in true } }

    /// Starts this producer again after a completion for as long as a condition holds.
    ///
    /// - Parameter condition: Asked after each completion.
    @inlinable
    public func `repeat`(while condition: @escaping @Sendable () -> Bool) -> SignalProducer {
        repeating("repeat(while:)") { _ in condition() }
    }

    /// - Parameter goesOn: Gets the number of rounds that have completed.
    @inlinable
    func repeating(
        _ name: StaticString, argument: Int = 0, _ goesOn: @escaping @Sendable (_ rounds: Int) -> Bool
    ) -> SignalProducer {
        SignalProducer(derivedName(name, argument), contention: contention) { _, sink in
            Succession.run(into: sink, round(1, goesOn))
        }
    }

    @inlinable
    func round(_ number: Int, _ goesOn: @escaping @Sendable (Int) -> Bool) -> Succession<Value, Failure>.Step {
        step { termination in
            guard termination.isCompletion, goesOn(number) else { return .end(termination) }
            return round(number &+ 1, goesOn)
        }
    }
}
