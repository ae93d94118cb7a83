import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreValues")
struct IgnoreValuesTests {
    @Test("drops every value, and forwards the terminal event")
    func drops() {
        expectModel {
            $0.ignoreValues()
        } does: { _, ending in
            [ending?.text].compactMap(\.self)
        }
    }

    @Test("has Never as its value type")
    func type() { #expect(Swift.type(of: Source.never.ignoreValues()) == Signal<Never, TestError>.self) }

    @Test("does not affect other observers of the source")
    func others() {
        let (source, input) = Source.pipe()
        let log = source.ignoreValues().logged()
        let other = source.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["completed"])
        expect(other.all, is: ["1", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.ignoreValues() } }

    @Test("has the operator's name")
    func name() { expect(Source.never.ignoreValues().name, is: "[never] -ignoreValues") }
}
