import ReactiveSignals
import TestSupport
import Testing

@Suite("promoteValue")
struct PromoteValueTests {
    @Test("adds a value type to a signal that sends no values, explicitly or by inference")
    func promotes() {
        for ending in [Event<Never, TestError>.completed, .error(.second), .interrupted] {
            let (source, input) = Signal<Never, TestError>.pipe()
            let named = source.promoteValue(Int.self)
            #expect(type(of: named) == Source.self)
            let inferred: Signal<String, TestError> = source.promoteValue()
            let logs = [named.logged(), inferred.logged()]
            input.send(ending)
            for log in logs { expect(log.all, is: [ending.text]) }
        }
    }

    @Test("can follow ignoreValues")
    func afterIgnoreValues() {
        expectModel {
            $0.ignoreValues().promoteValue(Int.self)
        } does: { _, ending in
            [ending?.text].compactMap(\.self)
        }
    }

    @Test("lets the end of one signal be merged with the values of another")
    func merged() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Source.pipe()
        let log = other.merge(with: source.ignoreValues().promoteValue()).logged()
        input.sendNext(1)
        otherInput.sendNext(2)
        input.sendError(.first)
        expect(log.all, is: ["2", "error first"])
        withExtendedLifetime(otherInput) {}
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.ignoreValues().promoteValue(Int.self) } }

    @Test("has the operator's name")
    func name() {
        #expect(Signal<Never, TestError>.never.promoteValue(Int.self).name == "[never] -promoteValue")
    }
}
