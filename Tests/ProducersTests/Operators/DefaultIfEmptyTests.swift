import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("defaultIfEmpty(_:) of producers")
struct DefaultIfEmptyTests {
    @Test("sends the default before a completion without a value, separately for each start")
    func defaults() {
        let producer = Numbers.empty.defaultIfEmpty(9)
        for _ in 0..<2 { expect(producer.logged().all, is: ["9", "completed"]) }
        expect(Numbers([1, 2]).defaultIfEmpty(9).logged().all, is: ["1", "2", "completed"])
        for terminal in [Event<Int, TestError>.error(.first), .interrupted] {
            expect(ending(with: terminal).defaultIfEmpty(9).logged().all, is: [terminal.text])
        }
    }

    @Test("sends no completion when the start is disposed of during the delivery of the default")
    func inside() {
        let log = Log<String>()
        Numbers.empty.defaultIfEmpty(9).startDisposably { event, disposable in
            log.append(event.text)
            disposable.dispose()
        }
        expect(log.all, is: ["9", "interrupted"])
    }

    @Test("follows its source, separately for each start") func follows() { expectFollows { $0.defaultIfEmpty(9) } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in source.map { _ in member }.defaultIfEmpty(member) }
    }

    @Test("has the operator's name")
    func name() { expect(Numbers.never.defaultIfEmpty(9).name, is: "[never] -defaultIfEmpty:") }
}
