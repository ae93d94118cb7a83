import ReactiveSignals
import TestSupport
import Testing

@Suite("skip(while:)")
struct SkipWhileTests {
    @Test("drops values while they pass, and sends everything from the first value that does not")
    func skips() {
        for limit in 1...4 {
            expectModel {
                $0.skip(while: { $0 < limit })
            } does: { values, ending in
                values.drop { $0 < limit }.map(String.init) + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("calls its closure once per value for any number of observers, and not after the first value that fails")
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

    @Test("calls its closure even without observers")
    func unobserved() {
        let (source, input) = Source.pipe()
        let result = source.skip(while: { $0 < 3 })
        input.sendNext(3)
        let log = result.logged()
        input.sendNext(1)
        expect(log.all, is: ["1"])
        withExtendedLifetime(input) {}
    }

    @Test("sends values that its observer sends while it receives the first value")
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

    @Test("forwards errors, completion and interruption, skipping or not")
    func terminals() {
        expectForwardsTerminals { $0.skip(while: { _ in true }) }
        expectForwardsTerminals { $0.skip(while: { _ in false }) }
    }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.skip(while: { _ in
                member.touch()
                return true
            })
        }
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.skip(while: { _ in true }).name, is: "[never] -skip(while:)") }
}
