import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("concat(value:) and concat(error:) of producers")
struct ConcatTests {
    @Test("sends the value before the completion, or the error in place of it")
    func concats() {
        expect(Numbers([1, 2]).concat(value: 3).logged().all, is: ["1", "2", "3", "completed"])
        expect(Numbers([1, 2]).concat(error: .second).logged().all, is: ["1", "2", "error second"])
        expect(Numbers.empty.concat(value: 3).logged().all, is: ["3", "completed"])
        expect(Numbers.empty.concat(error: .second).logged().all, is: ["error second"])
    }

    @Test("behaves like concat with a producer of the value or the error", arguments: terminals)
    func terminal(_ terminal: Event<Int, TestError>) {
        let source = ending(with: terminal)
        let value = source.concat(value: 3).logged().all
        #expect(value == (terminal.error == nil ? ["3", "completed"] : ["error first"]))
        expect(value, is: source.concat(Numbers(value: 3)).logged().all)
        let error = source.concat(error: .second).logged().all
        expect(error, is: [terminal.error == nil ? "error second" : "error first"])
        expect(error, is: source.concat(Numbers(error: .second)).logged().all)
        let (log, disposable) = Numbers.never.concat(error: .second).startLogged()
        #expect(log.all.isEmpty)
        disposable.dispose()
    }

    @Test("interrupts on disposal, and appends nothing", arguments: [true, false])
    func disposed(fromInside: Bool) {
        let log = Log<String>()
        for producer in [Numbers.never.prefix(value: 1).concat(value: 3), Numbers([1, 2]).concat(error: .second)] {
            guard fromInside || producer.name.hasSuffix("(value:)") else { continue }
            let own = SerialDisposable()
            let source = producer.on(next: { log.append("\($0)") })
            source.startDisposably { event, disposable in
                own.inner = disposable
                if event.isTerminating { log.append(event.text) } else if fromInside { disposable.dispose() }
            }
            own.dispose()
            expect(log.all, is: ["1", "interrupted"])
            log.removeAll()
        }
    }

    @Test("does not complete when it is disposed of during the delivery of the value")
    func inside() {
        let log = Log<String>()
        let manual = Manual()
        manual.producer.concat(value: 3).startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 3 { disposable.dispose() }
        }
        manual.input?.sendCompleted()
        expect(log.all, is: ["3", "interrupted"])
        expect(manual.disposals.value, is: 1)
    }

    @Test("follows its source, separately for each start")
    func follows() { expectFollows(flushed: ["3"], completesIfInterrupted: true) { $0.concat(value: 3) } }

    @Test("interrupts on disposal with an error to append, then disposes of the source")
    func disposal() {
        expectInterrupts { $0.concat(error: .second) }
        expectDoesNotBegin { $0.concat(error: .second) }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.concat(value: 3).name, is: "[never] -concat(value:)")
        expect(Numbers.never.concat(error: .first).name, is: "[never] -concat(error:)")
    }
}
