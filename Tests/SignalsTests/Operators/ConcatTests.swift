import ReactiveSignals
import TestSupport
import Testing

@Suite("concat")
struct ConcatTests {
    @Test("sends one more value after a completion or an interruption, but not after an error")
    func value() {
        expectModel {
            $0.concat(value: 9)
        } does: { values, ending in
            values.map(String.init) + (ending.map { $0.error == nil ? ["9", "completed"] : [$0.text] } ?? [])
        }
    }

    @Test("fails after a completion or an interruption, and forwards the source's own error")
    func error() {
        expectModel {
            $0.concat(error: .second)
        } does: { values, ending in
            values.map(String.init) + (ending.map { [$0.error == nil ? "error second" : $0.text] } ?? [])
        }
    }

    @Test("sends nil if that is the value")
    func optional() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let log = source.concat(value: nil).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["Optional(1)", "nil", "completed"])
    }

    @Test("can be chained, in order")
    func several() {
        let (source, input) = Source.pipe()
        let log = source.concat(value: 8).concat(value: 9).concat(error: .first).concat(value: 10).logged()
        input.sendCompleted()
        expect(log.all, is: ["8", "9", "error first"])
    }

    @Test("sends the value in the same call as the terminal event, including to late observers")
    func late() {
        let (source, input) = Source.pipe()
        let result = source.concat(value: 9)
        input.sendNext(1)
        let log = result.logged()
        input.sendCompleted()
        expect(log.all, is: ["9", "completed"])
        expect(result.logged().all, is: ["interrupted"])
    }

    @Test("drops events that its observer sends while it receives the value, as the source has completed")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.concat(value: 9).observe { event in
            log.append(event.text)
            input.sendNext(1)
            input.sendError(.first)
        }
        input.sendCompleted()
        expect(log.all, is: ["9", "completed"])
    }

    @Test("ends in the same call as the source")
    func terminals() {
        for (end, expected) in [
            (Event<Int, TestError>.completed, ["9", "completed"]), (.error(.first), ["error first"]),
            (.interrupted, ["9", "completed"]),
        ] {
            let (source, input) = Source.pipe()
            let log = source.concat(value: 9).logged()
            input.send(end)
            expect(log.all, is: expected)
        }
    }

    @Test("interrupts its observers if the source has already ended")
    func ended() {
        for ended in [Source.empty, terminated(.error(.first)), terminated(.interrupted)] {
            expect(ended.concat(error: .second).logged().all, is: ["interrupted"])
        }
    }

    @Test("releases its value when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.map { _ in Population().member() }.concat(value: member)
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.concat(value: 1).name, is: "[never] -concat(value:)")
        expect(Source.never.concat(error: .first).name, is: "[never] -concat(error:)")
    }
}
