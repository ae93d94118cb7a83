import HotSignals
import MemoizedSequences
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("producer(on:) of a memoized sequence")
struct MemoizedProducerTests {
    @Test("evaluates and sends each element in a separate scheduler action")
    func actions() {
        let (scheduler, computed) = (TestScheduler(), Counter())
        let sequence = [1, 2, 3].memoized.map { value in
            computed.increment()
            return value * 10
        }
        let log = Log<String>()
        sequence.producer(on: scheduler).start { event in
            log.append(event.text)
            scheduler.schedule { log.append("between") }
        }
        expect(log.all, is: [])
        expect(computed.value, is: 0)
        scheduler.run()
        expect(log.all.filter { $0 != "between" }, is: ["10", "20", "30", "completed"])
        expect(log.all[1], is: "between")
        sequence.producer(on: scheduler).start()
        scheduler.run()
        expect(computed.value, is: 3, "the sequence remembers")
    }

    @Test("evaluates no further element after disposal")
    func disposal() {
        let (scheduler, computed) = (TestScheduler(), Counter())
        let sequence = (1...).memoized.map { value in
            computed.increment()
            return value
        }
        let log = sequence.producer(on: scheduler).take(first: 2).logged()
        scheduler.run()
        expect(log.all, is: ["1", "2", "completed"])
        expect(computed.value, is: 2)
        let start = sequence.producer(on: scheduler).startLogged()
        start.disposable.dispose()
        scheduler.run()
        expect(start.log.all, is: ["interrupted"])
        expect(computed.value, is: 2)
    }

    @Test("runs a long sequence on a small stack, without a scheduler's queue", .notUnderSanitizers)
    func long() {
        let log = (1...100_000).memoized.producer(on: ImmediateScheduler()).reduce(0, +).logged()
        expect(log.all, is: ["5000050000", "completed"])
    }
}
