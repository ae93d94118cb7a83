import ReactiveSignals
import TestSupport
import Testing

@Suite("combinePrevious")
struct CombinePreviousTests {
    @Test("sends each value with the previous one, starting with the initial value")
    func withInitial() {
        let (source, input) = Source.pipe()
        let log = source.combinePrevious(0).logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["(0, 1)", "(1, 2)", "(2, 3)", "completed"])
    }

    @Test("without an initial value, sends nothing until the second value")
    func withoutInitial() {
        let (source, input) = Source.pipe()
        let log = source.combinePrevious().logged()
        input.sendNext(1)
        #expect(log.all.isEmpty)
        for value in 2...3 { input.sendNext(value) }
        input.sendError(.first)
        expect(log.all, is: ["(1, 2)", "(2, 3)", "error first"])
    }

    @Test("without an initial value, sends only the terminal event after one value")
    func oneValue() {
        let (source, input) = Source.pipe()
        let log = source.combinePrevious().logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("treats nil as a value")
    func nilIsAValue() {
        let (source, input) = Signal<Int?, Never>.pipe()
        let log = source.combinePrevious().logged()
        for value in [nil, nil, 1] { input.sendNext(value) }
        expect(log.all, is: ["(nil, nil)", "(nil, Optional(1))"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.combinePrevious() }
        expectForwardsTerminals { $0.combinePrevious(0) }
    }
}
