import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("flatMapError(_:)")
struct FlatMapErrorTests {
    @Test("keeps the values before the error, and starts the replacement in place of it")
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

    @Test("forwards completion and interruption without calling the closure")
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

    @Test("forwards the replacement's terminal event, once", arguments: terminals)
    func replacement(terminal: Event<Int, TestError>) {
        let calls = Counter()
        let producer = Numbers(error: .first).flatMapError { _ in
            calls.increment()
            return ending(with: terminal)
        }
        expect(producer.logged().all, is: [terminal.text])
        expect(calls.value, is: 1)
    }

    @Test("accepts a replacement with another error type, one that cannot fail, and a signal")
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

    @Test("disposes of the source before it starts the replacement")
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

    @Test("forwards every end of a signal and of what follows its error")
    func signals() {
        func ends(_ send: (Signal<Int, TestError>.Observer) -> Void, _ next: Numbers) -> [String] {
            let (signal, input) = Signal<Int, TestError>.pipe()
            let log = signal.flatMapError { _ in next }.logged()
            input.sendNext(1)
            send(input)
            return log.all
        }
        let interrupted = Numbers { observer, _ in observer.sendInterrupted() }
        expect(ends({ $0.sendError(.first) }, interrupted), is: ["1", "interrupted"])
        expect(ends({ $0.sendError(.first) }, Numbers(error: .second)), is: ["1", "error second"])
        expect(ends({ $0.sendError(.first) }, Numbers([2, 3])), is: ["1", "2", "3", "completed"])
        expect(ends({ $0.sendError(.first) }, .empty), is: ["1", "completed"])
        expect(ends({ $0.sendCompleted() }, interrupted), is: ["1", "completed"])
        expect(ends({ $0.sendInterrupted() }, .empty), is: ["1", "interrupted"])
    }

    @Test("interrupts on disposal, then ends the lifetime, whichever producer is running")
    func disposal() {
        expectInterrupts { $0.flatMapError { _ in Numbers.never } }
        expectInterrupts { source in Numbers(error: .first).flatMapError { _ in source } }
    }

    @Test("does not begin work that is disposed of before it starts")
    func notBegun() {
        expectDoesNotBegin { $0.flatMapError { _ in Numbers.never } }
        expectDoesNotBegin { source in Numbers(error: .first).flatMapError { _ in source } }
    }

    @Test("does not call the closure once it has been disposed of")
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
