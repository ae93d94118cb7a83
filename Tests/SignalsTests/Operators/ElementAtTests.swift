import ReactiveSignals
import TestSupport
import Testing

@Suite("element(at:)")
struct ElementAtTests {
    @Test("sends the value at the index and completes, or ends with an earlier end of the source")
    func model() {
        for index in 0...4 {
            expectModel {
                $0.element(at: index)
            } does: { values, ending in
                if values.indices.contains(index) { return ["\(values[index])", "completed"] }
                return [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("sends one value even when its observer sends re-entrantly")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.element(at: 1).observe { event in
            log.append(event.text)
            input.sendNext(3)
        }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["2", "completed"])
    }

    @Test("sends no value if the index is never reached")
    func never() {
        let (source, input) = Source.pipe()
        let log = source.element(at: .max).logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.element(at: 0) } }

    @Test("has the operator's name")
    func name() { expect(Source.never.element(at: 2).name, is: "[never] -element(at: 2)") }

    @Test("traps when the index is negative")
    func negative() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Signal<Int, Never>.never.element(at: -1)
        }
        result.expectTrap("element(at: -1)")
    }
}
