import ReactiveSignals
import TestSupport
import Testing

@Suite("ignoreErrors")
struct IgnoreErrorsTests {
    @Test(
        "turns an error into a completion or an interruption, and forwards every other event", arguments: [true, false])
    func model(completes: Bool) {
        expectModel {
            $0.ignoreErrors(complete: completes)
        } does: { values, ending in
            let end: String? =
                switch ending {
                case .error: completes ? "completed" : "interrupted"
                default: ending?.text
                }
            return values.map(String.init) + [end].compactMap(\.self)
        }
    }

    @Test("completes by default, and has no error type")
    func defaults() {
        let (source, input) = Source.pipe()
        let result: Signal<Int, Never> = source.ignoreErrors()
        let log = result.logged()
        input.sendNext(1)
        input.sendError(.first)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("releases the source when it fails")
    func releases() {
        let population = Population()
        let (source, input) = Source.pipe()
        let result = source.holding(population.member()).ignoreErrors()
        let log = result.logged()
        input.sendError(.first)
        expect(population.alive, is: 0)
        expect(log.all, is: ["completed"])
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.ignoreErrors().name, is: "[never] -ignoreErrors") }
}
