import ReactiveSignals
import TestSupport
import Testing

@Suite("take(throughWhile:)")
struct TakeThroughWhileTests {
    @Test("sends values through the first that fails, then completes and releases the source")
    func takes() {
        for limit in 1...4 {
            expectModel {
                $0.take(throughWhile: { $0 < limit })
            } does: { values, ending in
                var sent: [String] = []
                for value in values {
                    sent.append("\(value)")
                    if value >= limit { return sent + ["completed"] }
                }
                return sent + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("calls its closure once per value for any number of observers, and not after the last value")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.take(throughWhile: { value in
            asked.append(value)
            return value < 2
        })
        let logs = (0..<3).map { _ in result.logged() }
        for value in 1...4 { input.sendNext(value) }
        expect(asked.all, is: [1, 2])
        for log in logs { expect(log.all, is: ["1", "2", "completed"]) }
    }

    @Test("drops values that its observer sends while it receives the last one")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let asked = Log<Int>()
        source.take(throughWhile: { value in
            asked.append(value)
            return value < 2
        }).observe { event in
            log.append(event.text)
            if let value = event.value { input.sendNext(value + 1) }
        }
        input.sendNext(1)
        expect(log.all, is: ["1", "2", "completed"])
        expect(asked.all, is: [1, 2])
    }

    @Test("completes even if its observer sends an error while it receives the last value")
    func errorInside() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.take(throughWhile: { _ in false }).observe { event in
            log.append(event.text)
            input.sendError(.first)
        }
        input.sendNext(1)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.take(throughWhile: { _ in true }) } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.take(throughWhile: { _ in
                member.touch()
                return true
            })
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.take(throughWhile: { _ in true }).name, is: "[never] -take(throughWhile:)")
    }
}
