import ReactiveSignals
import TestSupport
import Testing

@Suite("count")
struct CountTests {
    @Test("sends the number of values on completion, also 0, and none if the source ends otherwise")
    func counts() {
        expectModel {
            $0.count()
        } does: { values, ending in
            (ending == .completed ? ["\(values.count)"] : []) + [ending?.text].compactMap(\.self)
        }
    }

    @Test("drops what is sent from inside the delivery of the number")
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

    @Test("forwards every terminal event") func terminals() { expectForwardsTerminals { $0.count() } }

    @Test("prints its name") func name() { expect(Source.never.count().name, is: "[never] -count") }
}
