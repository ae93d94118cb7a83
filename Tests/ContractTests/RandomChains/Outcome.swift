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
        guard hasReactions else { return notes == expected.notes }
        var missing = expected.notes[...]
        for note in notes where note == missing.first { missing.removeFirst() }
        return missing.isEmpty
    }

    var description: String {
        "\(traces.map { "\($0)" }.joined(separator: "; "))"
            + (notes.isEmpty ? "" : "; noted \(notes)") + (alive == 0 ? "" : "; \(alive) still alive")
    }
}
