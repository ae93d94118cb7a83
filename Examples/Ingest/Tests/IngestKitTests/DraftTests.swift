import IngestKit
import Testing

@Suite("A measurement of a client")
struct DraftTests {
    @Test("has the server's time if it names none")
    func time() {
        let draft = Draft(sensor: "boiler", value: 71.5)
        #expect(draft.checked(now: 7) == .success(Reading(sensor: "boiler", value: 71.5, at: 7)))
    }

    @Test("must be complete, finite and short")
    func problems() {
        func fields(_ draft: Draft) -> [String] {
            guard case .failure(let invalid) = draft.checked(now: 7) else { return [] }
            return invalid.problems.keys.sorted()
        }
        #expect(fields(Draft()) == ["sensor", "value"])
        #expect(fields(Draft(sensor: "", value: 1)) == ["sensor"])
        #expect(fields(Draft(sensor: String(repeating: "x", count: 100), value: 1)) == [])
        #expect(fields(Draft(sensor: String(repeating: "x", count: 101), value: 1)) == ["sensor"])
        for scalar in ["\0", "\n", "\u{7F}", "\u{85}", "\u{202E}"] {
            #expect(fields(Draft(sensor: "a\(scalar)b", value: 1)) == ["sensor"])
        }
        #expect(fields(Draft(sensor: "s", value: .infinity)) == ["value"])
        #expect(fields(Draft(sensor: "s", value: .nan, at: -1)) == ["at", "value"])
    }
}
