import ReactiveSignals

/// The outcome of a case.
struct Outcome: CustomStringConvertible {
    /// The events that the result's observer received, followed by those of the added observers.
    var traces: [[ChainEvent]] = [[]]
    /// The events that `on` reported.
    var notes: [ChainEvent] = []
    /// The number of observers and operators left at the end.
    var alive = 0

    /// Whether this outcome of the library matches the model's.
    ///
    /// Upstream is released once every observer has received the end. If an observer sends in reaction to the end, an
    /// `on` upstream may therefore note more than the model, but nothing less.
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
    /// Whether these contain the others, in their order.
    func include(_ others: [ChainEvent]) -> Bool {
        var missing = others[...]
        for event in self where event == missing.first { missing.removeFirst() }
        return missing.isEmpty
    }
}
