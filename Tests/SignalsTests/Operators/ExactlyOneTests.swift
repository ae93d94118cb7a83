import ReactiveSignals
import TestSupport
import Testing

@Suite("exactlyOne(orError:)")
struct ExactlyOneTests {
    @Test("sends the only value on completion, and fails at a second value or on completion without one")
    func model() {
        expectModel {
            $0.exactlyOne(orError: .second)
        } does: { values, ending in
            if values.count > 1 { return ["error second"] }
            guard ending == .completed else { return [ending?.text].compactMap(\.self) }
            return values.isEmpty ? ["error second"] : ["\(values[0])", "completed"]
        }
    }

    @Test("adopts the error's type when the source cannot fail")
    func promotes() {
        let (source, input) = Signal<Int, Never>.pipe()
        let result: Signal<Int, TestError> = source.exactlyOne(orError: .first)
        let log = result.logged()
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["error first"])
        let (single, singleInput) = Signal<Int, Never>.pipe()
        let other = single.exactlyOne(orError: TestError.first).logged()
        singleInput.sendNext(1)
        singleInput.sendCompleted()
        expect(other.all, is: ["1", "completed"])
    }

    @Test("treats nil as a value")
    func optional() {
        let (source, input) = Signal<Int?, TestError>.pipe()
        let log = source.exactlyOne(orError: .first).logged()
        input.sendNext(nil)
        input.sendCompleted()
        expect(log.all, is: ["nil", "completed"])
    }

    @Test("drops events that its observer sends while it receives the value or the error")
    func reentrant() {
        for count in 1...2 {
            let (source, input) = Source.pipe()
            let log = Log<String>()
            source.exactlyOne(orError: .first).observe { event in
                log.append(event.text)
                input.sendNext(9)
                input.sendError(.second)
            }
            for value in 1...count { input.sendNext(value) }
            input.sendCompleted()
            expect(log.all, is: count == 1 ? ["1", "completed"] : ["error first"])
        }
    }

    @Test("releases its value for every terminal event, and at the second value")
    func releases() {
        for ending in [Event<Population.Member, TestError>.completed, .error(.first), .interrupted, nil] {
            let population = Population()
            let (source, input) = Signal<Population.Member, TestError>.pipe()
            let result = source.exactlyOne(orError: .second)
            input.sendNext(population.member())
            expect(population.alive, is: 1)
            if let ending { input.send(ending) } else { input.sendNext(population.member()) }
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.exactlyOne(orError: .first).name, is: "[never] -exactlyOne(orError:)")
    }
}
