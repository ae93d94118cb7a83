import ReactiveSignals
import TestSupport
import Testing

@Suite("mapReplace")
struct MapReplaceTests {
    @Test("sends the constant in place of each value")
    func replaces() {
        expectModel {
            $0.mapReplace("x")
        } does: { values, ending in
            values.map { _ in "x" } + [ending?.text].compactMap(\.self)
        }
    }

    @Test("can replace values with nil")
    func replacesWithNil() {
        let (source, input) = Source.pipe()
        let log = source.mapReplace(String?.none).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["nil", "completed"])
    }

    @Test("does not capture trailing closures, which go to map")
    func trailingClosures() {
        let (source, input) = Source.pipe()
        let mapped = source.map { "x \($0)" }
        #expect(type(of: mapped) == Signal<String, TestError>.self)
        let log = mapped.logged()
        input.sendNext(1)
        expect(log.all, is: ["x 1"])
        withExtendedLifetime(input) {}
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.mapReplace(0) } }

    @Test("releases the constant when the source ends")
    func releases() { expectReleasesClosure { source, member in source.mapReplace(member) } }

    @Test("has the operator's name")
    func name() { expect(Source.never.mapReplace(1).name, is: "[never] -mapReplace:") }
}
