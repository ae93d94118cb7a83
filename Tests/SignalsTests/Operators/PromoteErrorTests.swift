import ReactiveSignals
import TestSupport
import Testing

@Suite("promoteError")
struct PromoteErrorTests {
    private typealias Infallible = Signal<Int, Never>

    @Test("gives a signal that cannot fail the type of one that could, named or inferred")
    func promotes() {
        for ending in [Event<Int, Never>.completed, .interrupted] {
            let (source, input) = Infallible.pipe()
            let named = source.promoteError(TestError.self)
            #expect(type(of: named) == Source.self)
            let inferred: Source = source.promoteError()
            let logs = [named.logged(), inferred.logged()]
            for value in 1...2 { input.sendNext(value) }
            input.send(ending)
            for log in logs { expect(log.all, is: ["1", "2", ending.text]) }
            expect(named.logged().all, is: ["interrupted"])
        }
    }

    @Test("of a signal that has ended is interrupted already")
    func ended() { expect(Infallible.empty.promoteError(TestError.self).logged().all, is: ["interrupted"]) }

    @Test("is interrupted when the input of the source is released")
    func inputReleased() {
        let log = {
            let (source, input) = Infallible.pipe()
            let log = source.promoteError(TestError.self).logged()
            withExtendedLifetime(input) {}
            return log
        }()
        expect(log.all, is: ["interrupted"])
    }

    @Test("lets go of the source at the end, and when it is disposed of")
    func letsGo() {
        let population = Population()
        let (source, input) = Infallible.pipe()
        let disposable = source.holding(population.member()).promoteError(TestError.self).observe { _ in }
        let result = source.holding(population.member()).promoteError(TestError.self)
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 1)
        input.sendCompleted()
        expect(population.alive, is: 0)
        withExtendedLifetime(result) {}
    }

    @Test("to Never is the signal itself, which cannot fail")
    func never() {
        let source = Infallible.never
        #expect(source.promoteError(Never.self) === source)
        let inferred: Infallible = source.promoteError()
        #expect(inferred === source)
    }

    @Test("to the error that it has is the signal itself")
    func identity() {
        let source = Source.never
        #expect(source.promoteError(TestError.self) === source)
        let inferred: Source = source.promoteError()
        #expect(inferred === source)
        #expect(source.promoteError() === source)
    }

    @Test("lets a signal that cannot fail be combined with one that can")
    func combined() {
        let (source, input) = Infallible.pipe()
        let (other, otherInput) = Source.pipe()
        let log = other.merge(with: source.promoteError()).logged()
        input.sendNext(1)
        otherInput.sendError(.first)
        expect(log.all, is: ["1", "error first"])
        withExtendedLifetime(input) {}
    }

    @Test("is called -promoteError")
    func name() { expect(Infallible.never.promoteError(TestError.self).name, is: "[never] -promoteError") }
}
