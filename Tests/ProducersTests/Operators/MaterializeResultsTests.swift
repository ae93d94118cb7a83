import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("materializeResults() of producers")
struct MaterializeResultsTests {
    @Test("sends values as successes and the error as a failure, then completes")
    func results() {
        let producer = Numbers(value: 1).concat(error: .second).materializeResults()
        #expect(type(of: producer) == SignalProducer<Result<Int, TestError>, Never>.self)
        let results = Log<Result<Int, TestError>>()
        let ends = Counter()
        for round in 1...2 {
            producer.start { event in
                if let result = event.value { results.append(result) }
                if event.isCompleted { ends.increment() }
            }
            expect(results.all, is: [.success(1), .failure(.second)])
            expect(ends.value, is: round)
            results.removeAll()
        }
    }

    @Test("forwards the end, and cancels the work with it")
    func terminals() {
        for terminal in ProducerTestSupport.terminals {
            let manual = Manual()
            let log = manual.producer.materializeResults().logged()
            manual.input?.send(terminal)
            #expect(log.all.last == (terminal.error == nil ? terminal.text : "completed"))
            #expect(log.count == (terminal.error == nil ? 1 : 2))
            expect(manual.disposals.value, is: 1)
        }
    }

    @Test("interrupts on disposal, then disposes of the source")
    func disposal() {
        let manual = Manual()
        let (log, disposable) = manual.producer.materializeResults().startLogged()
        disposable.dispose()
        manual.input?.sendNext(1)
        expect(log.all, is: ["interrupted"])
        expect(manual.disposals.value, is: 1)
        manual.release()
    }

    @Test("requests no more from an endless source than is needed")
    func endless() {
        let asked = Counter()
        expect(Numbers(CountedNumbers(asked)).materializeResults().take(first: 2).logged().count, is: 3)
        expect(asked.value, is: 2)
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.on(terminated: { member.touch() }).materializeResults() }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.materializeResults().name, is: "[never] -materializeResults") }
}
