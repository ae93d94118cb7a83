import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("attempt(_:) of an operation")
struct AttemptOperationTests {
    @Test("calls the function once per start, and sends its result or error")
    func perStart() {
        let calls = Counter()
        let producer = Numbers.attempt { () throws(TestError) in
            let call = calls.increment()
            if call == 2 { throw .second }
            return call
        }
        expect(calls.value, is: 0)
        expect(producer.logged().all, is: ["1", "completed"])
        expect(producer.logged().all, is: ["error second"])
        expect(producer.map { $0 }.logged().all, is: ["3", "completed"])
    }

    private static func fileSize(_ path: String) throws(TestError) -> Int {
        if path.isEmpty { throw .first }
        return path.count
    }

    @Test("infers the function's error type, or that it cannot fail")
    func inference() {
        let size = SignalProducer.attempt { () throws(TestError) in try Self.fileSize("abc") }
        let failing = SignalProducer.attempt { () throws(TestError) in try Self.fileSize("") }
        expect(size.logged().all, is: ["3", "completed"])
        expect(failing.logged().all, is: ["error first"])
        let safe: SignalProducer<Int, Never> = .attempt { 1 }
        expect(safe.logged().all, is: ["1", "completed"])
        let untyped = SignalProducer<Int, any Error>.attempt { throw TestError.second }
        expect(untyped.logged().all, is: ["error second"])
    }

    @Test("accepts a function that returns a result")
    func result() {
        let calls = Counter()
        let producer = Numbers.attempt { calls.increment() == 1 ? .success(1) : .failure(.first) }
        expect(producer.logged().all, is: ["1", "completed"])
        expect(producer.logged().all, is: ["error first"])
    }

    @Test("does not call the function for a start that is already disposed of")
    func notBegun() {
        let calls = Counter()
        let producer = Numbers.attempt { () throws(TestError) in calls.increment() }
        let log = producer.startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(producer.prefix(value: 0).take(first: 1).logged().all, is: ["0", "completed"])
        expect(calls.value, is: 0)
    }

    @Test("is interrupted by a disposal during the call, whatever the result", arguments: [false, true])
    func disposedInside(fails: Bool) {
        let disposables = Log<any Disposable>()
        let producer = Numbers.attempt { () throws(TestError) in
            disposables.all[0].dispose()
            if fails { throw .first }
            return 1
        }
        let log = producer.startWithSignal { signal, disposable in
            disposables.append(disposable)
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
    }

    @Test("calls the function on the thread of the start")
    func thread() {
        let log = Log<UInt>()
        SignalProducer<Void, Never>.attempt { log.append(ThreadIdentity.current) }.start()
        expect(log.all, is: [ThreadIdentity.current])
    }
}
