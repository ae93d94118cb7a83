import ReactiveSignals
import TestSupport
import Testing

@Suite("concat(value:) and concat(error:) of producers")
struct ConcatTests {
    @Test("sends the value before the completion, the error in its place")
    func concats() {
        #expect(Numbers([1, 2]).concat(value: 3).logged().all == ["1", "2", "3", "completed"])
        #expect(Numbers([1, 2]).concat(error: .second).logged().all == ["1", "2", "error second"])
        #expect(Numbers.empty.concat(value: 3).logged().all == ["3", "completed"])
        #expect(Numbers.empty.concat(error: .second).logged().all == ["error second"])
    }

    @Test("adds nothing to an error or an interruption")
    func terminals() {
        for terminal in [Event<Int, TestError>.error(.first), .interrupted] {
            #expect(ending(with: terminal).concat(error: .second).logged().all == [terminal.text])
        }
        #expect(Numbers.never.concat(error: .second).startLogged().log.all.isEmpty)
    }

    @Test("disposal from inside the delivery of the value leaves no completion")
    func inside() {
        let log = Log<String>()
        let manual = Manual()
        manual.producer.concat(value: 3).startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 3 { disposable.dispose() }
        }
        manual.input?.sendCompleted()
        #expect(log.all == ["3", "interrupted"])
        #expect(manual.disposals.value == 1)
    }

    @Test("follows its source, each start on its own")
    func follows() { expectFollows(flushed: ["3"]) { $0.concat(value: 3) } }

    @Test("with an error is interrupted by disposal, and then the source is disposed of")
    func disposal() {
        expectInterrupts { $0.concat(error: .second) }
        expectDoesNotBegin { $0.concat(error: .second) }
    }

    @Test("is called by its form")
    func name() {
        #expect(Numbers.never.concat(value: 3).name == "[never] -concat(value:)")
        #expect(Numbers.never.concat(error: .first).name == "[never] -concat(error:)")
    }
}
