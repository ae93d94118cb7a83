import ReactiveSignals

/// What came of a case.
struct Outcome: CustomStringConvertible {
    /// What the observer of the result got, and then those that were added on the way.
    var traces: [[ChainEvent]] = [[]]
    /// What `on` told.
    var notes: [ChainEvent] = []
    /// How many observers and operators were left in the end.
    var alive = 0

    /// Whether the library, which gave this, did what the model did.
    ///
    /// What is upstream is let go of when every observer has seen the end. So where an observer reacts to the end by sending, an
    /// `on` upstream may note more than the model, but nothing less.
    func agrees(with expected: Outcome, hasReactions: Bool) -> Bool {
        guard traces == expected.traces, alive == expected.alive else { return false }
        return hasReactions ? notes.include(expected.notes) : notes == expected.notes
    }

    var description: String {
        "\(traces.map { "\($0)" }.joined(separator: "; "))"
            + (notes.isEmpty ? "" : "; noted \(notes)") + (alive == 0 ? "" : "; \(alive) still alive")
    }
}

extension [ChainEvent] {
    /// Whether these are the others, in their order, and perhaps more.
    func include(_ others: [ChainEvent]) -> Bool {
        var missing = others[...]
        for event in self where event == missing.first { missing.removeFirst() }
        return missing.isEmpty
    }
}
