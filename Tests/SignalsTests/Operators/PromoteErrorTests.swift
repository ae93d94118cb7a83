import ReactiveSignals
import TestSupport
import Testing

@Suite("promoteError")
struct PromoteErrorTests {
    private typealias Infallible = Signal<Int, Never>

    @Test("adds an error type to a signal that cannot fail, explicitly or by inference")
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

    @Test("interrupts its observers if the source has already ended")
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

    @Test("releases the source when it ends and when it is disposed of")
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

    @Test("returns the signal itself for Never")
    func never() {
        let source = Infallible.never
        #expect(source.promoteError(Never.self) === source)
        let inferred: Infallible = source.promoteError()
        #expect(inferred === source)
    }

    @Test("returns the signal itself for its own error type")
    func identity() {
        let source = Source.never
        #expect(source.promoteError(TestError.self) === source)
        let inferred: Source = source.promoteError()
        #expect(inferred === source)
        #expect(source.promoteError() === source)
    }

    @Test("lets a signal that cannot fail be merged with one that can")
    func combined() {
        let (source, input) = Infallible.pipe()
        let (other, otherInput) = Source.pipe()
        let log = other.merge(with: source.promoteError()).logged()
        input.sendNext(1)
        otherInput.sendError(.first)
        expect(log.all, is: ["1", "error first"])
        withExtendedLifetime(input) {}
    }

    @Test("has the operator's name")
    func name() { expect(Infallible.never.promoteError(TestError.self).name, is: "[never] -promoteError") }
}
