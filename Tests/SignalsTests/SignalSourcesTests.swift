import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal: sources")
struct SignalSourcesTests {
    @Test("a pipe's signal sends what its input is sent")
    func pipe() {
        let (signal, input) = Source.pipe()
        let log = signal.logged()
        input.sendNext(1)
        input.sendError(.first)
        expect(log.all, is: ["1", "error first"])
    }

    @Test("a pipe disposes of its disposable when it ends, after notifying every observer")
    func disposable() {
        let log = Log<String>()
        let (signal, input) = Source.pipe(disposable: AnyDisposable { log.append("disposed") })
        signal.observe { log.append($0.text) }
        input.sendNext(1)
        expect(log.all, is: ["1"])
        input.sendCompleted()
        expect(log.all, is: ["1", "completed", "disposed"])
    }

    @Test("a pipe disposes of its disposable when it is released")
    func disposableReleased() {
        let disposable = SimpleDisposable()
        do {
            let pipe = Source.pipe(disposable: disposable)
            #expect(!disposable.isDisposed)
            withExtendedLifetime(pipe) {}
        }
        #expect(disposable.isDisposed)
    }

    @Test("a pipe's input does not keep its signal alive")
    func inputDoesNotRetain() {
        let disposable = SimpleDisposable()
        var output: Source?
        let input: Source.Observer
        (output, input) = Source.pipe(disposable: disposable)
        #expect(!disposable.isDisposed)
        _ = output
        output = nil
        #expect(disposable.isDisposed)
        input.sendNext(1)
        input.sendCompleted()
    }

    @Test("Signal.never sends nothing and is not interrupted")
    func never() {
        let signal = Source.never
        let log = Log<String>()
        let disposable = signal.observe { log.append($0.text) }
        expect(disposable?.isDisposed, is: false)
        #expect(log.all.isEmpty)
        expect(signal.name, is: "never")
        disposable?.dispose()
        #expect(log.all.isEmpty)
    }

    @Test("Signal.never releases an observer that is disposed of")
    func neverReleases() {
        let population = Population()
        let disposable = Source.never.observe { [member = population.member()] _ in member.touch() }
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("Signal.empty interrupts every observer")
    func empty() {
        let signal = Source.empty
        for _ in 0..<2 {
            let log = Log<String>()
            #expect(signal.observe { log.append($0.text) } == nil)
            expect(log.all, is: ["interrupted"])
        }
        expect(signal.name, is: "empty")
    }
}
