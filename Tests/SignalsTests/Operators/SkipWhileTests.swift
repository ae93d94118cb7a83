import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(while:)")
struct SkipWhileTests {
    @Test("drops values as long as they pass, and sends all from the first that does not")
    func skips() {
        for limit in 1...4 {
            expectModel {
                $0.skip(while: { $0 < limit })
            } does: { values, ending in
                values.drop { $0 < limit }.map(String.init) + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("asks once a value, whatever the number of observers, and never again after the first that fails")
    func asksOnce() {
        let (source, input) = Source.pipe()
        let asked = Log<Int>()
        let result = source.skip(while: { value in
            asked.append(value)
            return value < 3
        })
        let logs = (0..<3).map { _ in result.logged() }
        for value in [1, 2, 3, 1, 2] { input.sendNext(value) }
        expect(asked.all, is: [1, 2, 3])
        for log in logs { expect(log.all, is: ["3", "1", "2"]) }
        withExtendedLifetime(input) {}
    }

    @Test("asks with no observer too")
    func unobserved() {
        let (source, input) = Source.pipe()
        let result = source.skip(while: { $0 < 3 })
        input.sendNext(3)
        let log = result.logged()
        input.sendNext(1)
        expect(log.all, is: ["1"])
        withExtendedLifetime(input) {}
    }

    @Test("sends what is sent from inside the delivery of the first value")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.skip(while: { $0 < 3 }).observe { event in
            log.append(event.text)
            if event.value == 3 { input.sendNext(1) }
        }
        for value in [2, 3] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["3", "1", "completed"])
    }

    @Test("passes on every terminal event, skipping or not")
    func terminals() {
        expectForwardsTerminals { $0.skip(while: { _ in true }) }
        expectForwardsTerminals { $0.skip(while: { _ in false }) }
    }

    @Test("releases its closure at the end")
    func releases() {
        expectReleasesClosure { source, member in
            source.skip(while: { _ in
                member.touch()
                return true
            })
        }
    }

    @Test("is called -skip(while:)")
    func name() { expect(Source.never.skip(while: { _ in true }).name, is: "[never] -skip(while:)") }
}
