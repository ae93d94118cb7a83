import ReactiveSignals
import TestSupport
import Testing

@Suite("count")
struct CountTests {
    @Test("sends the number of values on completion, including 0, and nothing for other terminal events")
    func counts() {
        expectModel {
            $0.count()
        } does: { values, ending in
            (ending == .completed ? ["\(values.count)"] : []) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("drops events that its observer sends while it receives the number")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.count().observe { event in
            log.append(event.text)
            input.sendNext(9)
        }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption") func terminals() { expectForwardsTerminals { $0.count() } }

    @Test("has the operator's name") func name() { expect(Source.never.count().name, is: "[never] -count") }
}
