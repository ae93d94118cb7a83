import LiveBoardKit
import Testing

@Suite("The board's rules")
struct ModelTests {
    let draft = Draft(
        title: " The site is down ", description: "Since noon.\nAll of it.", severity: "high", reporter: "Ann")

    @Test("trims white space around texts")
    func trims() throws {
        #expect(try draft.validated().title == "The site is down")
    }

    @Test("reports the problems of all fields together")
    func allProblems() {
        let empty = Draft(title: "  ", description: nil, severity: nil, reporter: nil)
        #expect(
            throws: BoardError.invalid([
                "title": "This field must not be empty.", "reporter": "This field must not be empty.",
                "severity": "Choose one of low, medium, high, critical.",
            ])
        ) { try empty.validated() }
    }

    @Test("counts the length in scalars, and allows exactly the limit", arguments: [(120, true), (121, false)])
    func limits(length: Int, isValid: Bool) {
        // A character of many scalars must not count as one.
        let title = "e" + String(repeating: "\u{301}", count: length - 1)
        #expect(title.count == 1)
        let result = Result { try Draft(title: title, severity: "low", reporter: "Ann").validated() }
        #expect(((try? result.get()) != nil) == isValid)
    }

    @Test(
        "refuses invisible characters and those that change the direction of text",
        arguments: ["\u{0}", "\u{7}", "\u{1B}", "\u{7F}", "\u{202E}", "\u{2066}", "\n"])
    func controls(character: String) {
        #expect(throws: BoardError.invalid(["title": "Control characters are not allowed."])) {
            try Draft(title: "a\(character)b", severity: "low", reporter: "Ann").validated()
        }
    }

    @Test("allows lines in the description only")
    func lines() throws {
        #expect(try draft.validated().description == "Since noon.\nAll of it.")
    }

    @Test("computes the state, the counters and the chart from the events")
    func folds() throws {
        var state = BoardState()
        state.apply(try state.posting(draft, at: 10))
        state.apply(try state.posting(draft, at: 20))
        state.apply(try state.acknowledging(Change(id: 1, by: "Bob"), at: 30))
        state.apply(try state.resolving(Change(id: 1, by: "Cleo"), at: 40))
        #expect(state.sequence == 4)
        #expect(state.counts == state.recounted)
        #expect(state.counts.open == 1 && state.counts.acknowledged == 0 && state.counts.resolved == 1)
        #expect(
            state.history == [
                BoardState.Point(at: 10, unresolved: 1), BoardState.Point(at: 20, unresolved: 2),
                BoardState.Point(at: 40, unresolved: 1),
            ])
        #expect(state.incident(1)?.version == 3)
        #expect(state.incident(1)?.acknowledged?.by == "Bob")
        #expect(state.incident(1)?.resolved?.by == "Cleo")
    }

    @Test("finds conflicts: changes that were already made, and outdated versions")
    func conflicts() throws {
        var state = BoardState()
        state.apply(try state.posting(draft, at: 10))
        #expect(throws: BoardError.notFound(2)) { try state.acknowledging(Change(id: 2, by: "Bob"), at: 20) }
        #expect(throws: BoardError.notFound(0)) { try state.resolving(Change(id: 0, by: "Bob"), at: 20) }
        state.apply(try state.acknowledging(Change(id: 1, by: "Bob", version: 1), at: 20))
        let incident = try #require(state.incident(1))
        #expect(throws: BoardError.conflict("Bob has already acknowledged this incident.", incident)) {
            try state.acknowledging(Change(id: 1, by: "Cleo"), at: 30)
        }
        let outdated = "This incident has changed in the meantime: it has version 2, not 1."
        #expect(throws: BoardError.conflict(outdated, incident)) {
            try state.resolving(Change(id: 1, by: "Cleo", version: 1), at: 30)
        }
        #expect(throws: BoardError.invalid(["by": "This field must not be empty."])) {
            try state.resolving(Change(id: 1, by: " "), at: 30)
        }
    }

    @Test("keeps the latest points of the chart, at most twice the limit")
    func chartIsBounded() throws {
        var state = BoardState()
        for time in 1...(3 * BoardState.historyLimit) { state.apply(try state.posting(draft, at: time)) }
        #expect(state.history.count <= 2 * BoardState.historyLimit)
        #expect(state.history.last == BoardState.Point(at: 1_500, unresolved: 1_500))
        #expect(Snapshot(state).history.count == BoardState.historyLimit)
    }

    @Test("has all unresolved incidents in a snapshot, and the latest resolved ones")
    func snapshot() throws {
        var state = BoardState()
        for id in 1...150 {
            state.apply(try state.posting(draft, at: id))
            if id > 10 { state.apply(try state.resolving(Change(id: id, by: "Bob"), at: 1_000 + id)) }
        }
        let snapshot = Snapshot(state)
        #expect(snapshot.incidents.map(\.id) == Array(1...10) + Array(51...150))
        #expect(snapshot.counts.resolved == 140)
    }
}

extension BoardState {
    /// The counters, computed from the incidents.
    var recounted: Counts {
        incidents.reduce(into: Counts()) { counts, incident in counts[incident.status] += 1 }
    }
}
