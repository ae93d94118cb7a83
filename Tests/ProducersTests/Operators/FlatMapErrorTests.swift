import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("flatMapError(_:)")
struct FlatMapErrorTests {
    @Test("starts another producer in place of the error; the values before it stay")
    func events() {
        let log = Log<String>()
        let producer = Numbers([1, 2]).concat(Numbers(error: .second)).flatMapError { error in
            log.append("\(error)")
            return Numbers([3])
        }
        expect(producer.logged().all, is: ["1", "2", "3", "completed"])
        expect(log.all, is: ["second"])
        expect(producer.logged().all, is: ["1", "2", "3", "completed"])
        expect(log.all, is: ["second", "second"])
    }

    @Test("passes completion and interruption on without asking")
    func others() {
        let calls = Counter()
        for terminal in [Event<Int, TestError>.completed, .interrupted] {
            let producer = ending(with: terminal).flatMapError { _ in
                calls.increment()
                return Numbers.never
            }
            expect(producer.logged().all, is: [terminal.text])
        }
        expect(Numbers([1]).flatMapError { _ in Numbers.never }.logged().all, is: ["1", "completed"])
        expect(calls.value, is: 0)
    }

    @Test("passes on what the replacement ends with, once", arguments: terminals)
    func replacement(terminal: Event<Int, TestError>) {
        let calls = Counter()
        let producer = Numbers(error: .first).flatMapError { _ in
            calls.increment()
            return ending(with: terminal)
        }
        expect(producer.logged().all, is: [terminal.text])
        expect(calls.value, is: 1)
    }

    @Test("the replacement may fail in another way, or not at all, and be a signal")
    func failures() {
        let safe: SignalProducer<Int, Never> = Numbers(error: .first).flatMapError { _ in SignalProducer(value: 1) }
        expect(safe.logged().all, is: ["1", "completed"])
        let other: SignalProducer<Int, EventError> = Numbers(error: .first)
            .flatMapError { _ in SignalProducer(error: EventError()) }
        expect(other.logged().all, is: ["error EventError()"])
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Numbers(error: .first).flatMapError { _ in signal }.logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    private struct EventError: Error {}

    @Test("ends the first before the replacement begins")
    func order() {
        let (first, second) = (Manual(), Manual())
        let log = first.producer.flatMapError { _ in
            expect(first.disposals.value, is: 0)
            return second.producer
        }.logged()
        first.input?.sendError(.first)
        #expect((first.disposals.value, second.starts.value) == (1, 1))
        second.input?.sendNext(1)
        second.input?.sendInterrupted()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("interrupts on disposal, then ends the lifetime, whichever is at work")
    func disposal() {
        expectInterrupts { $0.flatMapError { _ in Numbers.never } }
        expectInterrupts { source in Numbers(error: .first).flatMapError { _ in source } }
    }

    @Test("does not begin what is disposed of before")
    func notBegun() {
        expectDoesNotBegin { $0.flatMapError { _ in Numbers.never } }
        expectDoesNotBegin { source in Numbers(error: .first).flatMapError { _ in source } }
    }

    @Test("does not ask for a replacement once it has been disposed of")
    func disposedAtTheError() {
        let calls = Counter()
        let disposables = Log<any Disposable>()
        let producer = Numbers(error: .first).on(error: { _ in disposables.all[0].dispose() }).flatMapError { _ in
            calls.increment()
            return Numbers.never
        }
        let log = producer.startWithSignal { signal, disposable in
            disposables.append(disposable)
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(calls.value, is: 0)
    }

    @Test("stops an endless synchronous source")
    func stops() {
        expectStops { $0.flatMapError { _ in Numbers.never } }
        expectStops { source in Numbers(error: .first).flatMapError { _ in source } }
    }

    @Test("holds nothing once it has ended")
    func releases() {
        expectReleases { source, member in
            source.flatMapError { _ in
                member.touch()
                return Numbers.empty
            }
        }
    }
}
