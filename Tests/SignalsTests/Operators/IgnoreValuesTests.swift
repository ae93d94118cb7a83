import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreValues")
struct IgnoreValuesTests {
    @Test("drops every value, and passes the terminal event on")
    func drops() {
        expectModel {
            $0.ignoreValues()
        } does: { _, ending in
            [ending?.text].compactMap(\.self)
        }
    }

    @Test("says in its type that it sends no value")
    func type() { #expect(Swift.type(of: Source.never.ignoreValues()) == Signal<Never, TestError>.self) }

    @Test("leaves other observers of the source their values")
    func others() {
        let (source, input) = Source.pipe()
        let log = source.ignoreValues().logged()
        let other = source.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["completed"])
        expect(other.all, is: ["1", "completed"])
    }

    @Test("passes on every terminal event") func terminals() { expectForwardsTerminals { $0.ignoreValues() } }

    @Test("is called -ignoreValues")
    func name() { expect(Source.never.ignoreValues().name, is: "[never] -ignoreValues") }
}
