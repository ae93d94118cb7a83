import ReactiveSignals
import TestSupport
import Testing

@Suite("allSatisfy")
struct AllSatisfyTests {
    @Test("sends false and completes with the first value that fails, else true when the source completes")
    func answers() {
        for limit in 1...4 {
            expectModel {
                $0.allSatisfy { $0 < limit }
            } does: { values, ending in
                if values.contains(where: { $0 >= limit }) { return ["false", "completed"] }
                return (ending == .completed ? ["true"] : []) + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("asks once a value, whatever the number of observers, and not again after the answer")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.allSatisfy { value in
            asked.append(value)
            return value < 3
        }
        let logs = (0..<3).map { _ in result.logged() }
        for value in [1, 2, 3, 1, 4] { input.sendNext(value) }
        expect(asked.all, is: [1, 2, 3])
        for log in logs { expect(log.all, is: ["false", "completed"]) }
    }

    @Test("answers once, whatever is sent from inside the delivery of the answer")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let asked = Counter()
        source.allSatisfy { _ in
            asked.increment()
            return false
        }.observe { event in
            log.append(event.text)
            input.sendNext(2)
            input.sendError(.first)
        }
        input.sendNext(1)
        expect(log.all, is: ["false", "completed"])
        expect(asked.value, is: 1)
    }

    @Test("forwards an error rather than answer false, and an interruption too")
    func terminals() { expectForwardsTerminals { $0.allSatisfy { _ in true } } }

    @Test("releases its closure at the end")
    func releases() {
        expectReleasesClosure { source, member in
            source.allSatisfy { _ in
                member.touch()
                return true
            }
        }
    }

    @Test("is called -allSatisfy:")
    func name() { expect(Source.never.allSatisfy { _ in true }.name, is: "[never] -allSatisfy:") }
}
