/// A family of cases, each of which is run by the library and by a model.
package enum Family: String, CaseIterable, Sendable {
    case signals, producers

    /// Draws a case, runs it with both, and compares the outcomes.
    package func comparison(of choices: Choices) -> Comparison {
        var choices = choices
        switch self {
        case .signals:
            return compare(
                .random(&choices), model: ModelRun.outcome, run: ChainRun.outcome,
                agrees: { $1.agrees(with: $2, hasReactions: !$0.reactions.isEmpty) })
        case .producers:
            return compare(
                .random(&choices), model: ProducerModelRun.outcome, run: ProducerRun.outcome,
                agrees: { $1.agrees(with: $2, in: $0) })
        }
    }

    /// - Parameters:
    ///   - model: The expected outcome of a case, or nil if it is not determined.
    ///   - run: The actual outcome.
    ///   - agrees: Whether the actual outcome matches the expected one.
    private func compare<Case: RandomCase & CustomStringConvertible, Outcome: CustomStringConvertible>(
        _ drawn: Case, model: (Case) -> Outcome?, run: (Case) -> Outcome,
        agrees: (Case, _ outcome: Outcome, _ expected: Outcome) -> Bool
    ) -> Comparison {
        guard let expected = model(drawn) else { return .ambiguity }
        if agrees(drawn, run(drawn), expected) { return .agreement }
        let smallest = drawn.shrunk { smaller in
            model(smaller).map { !agrees(smaller, run(smaller), $0) } ?? false
        }
        return .disagreement(
            """
            \(smallest)
            expected:  \(model(smallest)?.description ?? "anything")
            got:       \(run(smallest))
            """)
    }
}

/// The result of comparing the library with the model.
package enum Comparison: Sendable {
    case agreement
    /// The outcome of the case is not determined.
    case ambiguity
    /// The smallest failing case, with the outcomes of the model and of the library.
    case disagreement(String)
}
