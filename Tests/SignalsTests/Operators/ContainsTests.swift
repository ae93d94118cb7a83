import ReactiveSignals
import TestSupport
import Testing

@Suite("contains(where:)")
struct ContainsTests {
    @Test("sends true and completes at the first value that passes, or sends false when the source completes")
    func answers() {
        for limit in 1...4 {
            expectModel {
                $0.contains { $0 >= limit }
            } does: { values, ending in
                if values.contains(where: { $0 >= limit }) { return ["true", "completed"] }
                return (ending == .completed ? ["false"] : []) + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("calls its closure once per value for any number of observers, and not after the answer")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.contains { value in
            asked.append(value)
            return value == 3
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [1, 2, 3, 1, 3] { input.sendNext(value) }
        expect(asked.all, is: [1, 2, 3])
        for log in logs { expect(log.all, is: ["true", "completed"]) }
    }

    @Test("sends one answer even when its observer sends re-entrantly")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let asked = Counter()
        source.contains { _ in
            asked.increment()
            return true
        }.observe { event in
            log.append(event.text)
            input.sendNext(2)
            input.sendError(.first)
        }
        input.sendNext(1)
        expect(log.all, is: ["true", "completed"])
        expect(asked.value, is: 1)
    }

    @Test("forwards errors and interruption instead of answering false")
    func terminals() { expectForwardsTerminals { $0.contains { _ in false } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.contains { _ in
                member.touch()
                return false
            }
        }
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.contains { _ in true }.name, is: "[never] -contains(where:)") }
}
