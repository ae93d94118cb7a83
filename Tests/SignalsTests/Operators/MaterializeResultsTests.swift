import ReactiveSignals
import TestSupport
import Testing

@Suite("materializeResults")
struct MaterializeResultsTests {
    @Test("sends values as successes and an error as a failure, then completes, and forwards an interruption")
    func sends() {
        expectModel {
            $0.materializeResults().map { result in
                switch result {
                case .success(let value): "success \(value)"
                case .failure(let error): "failure \(error)"
                }
            }
        } does: { values, ending in
            let end: [String] =
                switch ending {
                case .error(let error): ["failure \(error)", "completed"]
                case .some(let ending): [ending.text]
                case nil: []
                }
            return values.map { "success \($0)" } + end
        }
    }

    @Test("has no error type")
    func type() {
        #expect(
            Swift.type(of: Source.never.materializeResults()) == Signal<Result<Int, TestError>, Never>.self)
    }

    @Test("sends the failure once to each observer, and drops re-entrant events")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let result = source.materializeResults()
        result.observe { event in
            log.append(event.text)
            input.sendNext(9)
            input.sendError(.second)
        }
        let other = result.logged()
        input.sendError(.first)
        expect(log.count, is: 2)
        expect(log.all.first?.contains("first"), is: true)
        expect(log.all.last, is: "completed")
        expect(other.all, is: log.all)
        expect(result.logged().all, is: ["interrupted"])
    }

    @Test("interrupts its observers if the source has already ended")
    func ended() {
        for ended in [Source.empty, terminated(.error(.first))] {
            expect(ended.materializeResults().logged().all, is: ["interrupted"])
        }
    }

    @Test("has the operator's name")
    func name() { expect(Source.never.materializeResults().name, is: "[never] -materializeResults") }
}
