/// A family of cases. The library and a model run each case.
package enum Family: String, CaseIterable, Sendable {
    case signals, producers

    /// Draws a case, runs it twice, and compares.
    package func verdict(of choices: Choices) -> Verdict {
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
    ///   - model: What must come of a case; nil if that is not fixed.
    ///   - run: What comes of it.
    ///   - agrees: Whether that is what must come of it.
    private func compare<Case: RandomCase & CustomStringConvertible, Outcome: CustomStringConvertible>(
        _ drawn: Case, model: (Case) -> Outcome?, run: (Case) -> Outcome,
        agrees: (Case, _ outcome: Outcome, _ expected: Outcome) -> Bool
    ) -> Verdict {
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

/// What came of comparing the library with the model.
package enum Verdict: Sendable {
    case agreement
    /// Nothing fixes what must come of the case.
    case ambiguity
    /// The smallest case that fails, what the model gives, and what the library gives.
    case disagreement(String)
}
