import ReactiveSignals
import TestSupport
import Testing

@Suite("filter")
struct FilterTests {
    @Test("sends the values that pass, in order")
    func filters() {
        let (source, input) = Source.pipe()
        let log = source.filter { $0.isMultiple(of: 2) }.logged()
        for value in 1...6 { input.sendNext(value) }
        input.sendError(.first)
        expect(log.all, is: ["2", "4", "6", "error first"])
    }

    @Test("sends only the terminal event if no value passes")
    func nonePasses() {
        let (source, input) = Source.pipe()
        let log = source.filter { _ in false }.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("calls its closure once per value for any number of observers")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.filter { _ in calls.increment() > 0 }
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(7)
        expect(calls.value, is: 1)
        for log in logs { expect(log.all, is: ["7"]) }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.filter { _ in true } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.filter { _ in
                member.touch()
                return true
            }
        }
    }
}
