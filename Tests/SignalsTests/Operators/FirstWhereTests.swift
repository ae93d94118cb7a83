import ReactiveSignals
import TestSupport
import Testing

@Suite("first(where:)")
struct FirstWhereTests {
    @Test("sends the first value that passes and completes, or ends with the source")
    func model() {
        for limit in 1...4 {
            expectModel {
                $0.first { $0 >= limit }
            } does: { values, ending in
                if let first = values.first(where: { $0 >= limit }) { return ["\(first)", "completed"] }
                return [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("calls its closure once per value for any number of observers, and not after the match")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.first { value in
            asked.append(value)
            return value > 1
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [1, 2, 3] { input.sendNext(value) }
        expect(asked.all, is: [1, 2])
        for log in logs { expect(log.all, is: ["2", "completed"]) }
    }

    @Test("sends one value even when its observer sends re-entrantly")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.first { _ in true }.observe { event in
            log.append(event.text)
            input.sendNext(2)
            input.sendError(.first)
        }
        input.sendNext(1)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.first { _ in true } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.first { _ in
                member.touch()
                return false
            }
        }
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.first { _ in true }.name, is: "[never] -first(where:)") }
}
