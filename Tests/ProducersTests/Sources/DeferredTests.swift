import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("deferred(_:)")
struct DeferredTests {
    @Test("creates a producer once per start, when the start begins")
    func perStart() {
        let made = Counter()
        let producer = Numbers.deferred { Numbers(value: made.increment()) }
        expect(made.value, is: 0)
        expect(producer.logged().all, is: ["1", "completed"])
        expect(producer.map { $0 }.logged().all, is: ["2", "completed"])
    }

    @Test("accepts a signal")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = Numbers.deferred { signal }.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("forwards every terminal event", arguments: terminals)
    func terminal(event: Event<Int, TestError>) {
        expect(Numbers.deferred { ending(with: event) }.logged().all, is: [event.text])
    }

    @Test("creates no producer for a start that is already disposed of")
    func notBegun() {
        let made = Counter()
        let producer = Numbers.deferred {
            made.increment()
            return Numbers.never
        }
        let log = producer.startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(producer.prefix(value: 0).take(first: 1).logged().all, is: ["0", "completed"])
        expect(made.value, is: 0)
    }

    @Test("does not begin the work of a start that its closure disposes of")
    func disposedInside() {
        let disposables = Log<any Disposable>()
        let starts = Counter()
        let producer = Numbers.deferred {
            disposables.all[0].dispose()
            return Numbers { _, _ in starts.increment() }
        }
        let log = producer.startWithSignal { signal, disposable in
            disposables.append(disposable)
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(starts.value, is: 0)
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func disposal() { expectInterrupts { source in Numbers.deferred { source } } }

    @Test("stops an endless synchronous source") func stops() { expectStops { source in .deferred { source } } }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            Numbers.deferred {
                member.touch()
                return source
            }
        }
    }
}
