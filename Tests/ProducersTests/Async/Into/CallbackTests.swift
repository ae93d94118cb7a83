import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// A callback API that the test drives.
private final class CallbackAPI: Sendable {
    typealias Handler = @Sendable (Result<Int, TestError>) -> Void

    private let handler = Locked<Handler?>(nil)
    let calls = Counter()
    let cancellations = Counter()

    func call(_ completion: @escaping Handler) {
        calls.increment()
        handler.withLock { $0 = completion }
    }

    func complete(_ result: Result<Int, TestError>) { handler.withLock { $0 }?(result) }

    func release() {
        let former = handler.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }

    var producer: Numbers { Numbers(callback: { self.call($0) }) }

    var cancellable: Numbers {
        Numbers(cancellableCallback: { completion in
            self.call(completion)
            return { _ = self.cancellations.increment() }
        })
    }

    func producer(isCancellable: Bool) -> Numbers { isCancellable ? cancellable : producer }
}

@Suite("SignalProducer(callback:) and (cancellableCallback:)", .watched)
struct CallbackTests {
    private let api = CallbackAPI()

    @Test("sends a success and completes, or fails, and ignores every call after the first", arguments: [false, true])
    func results(isCancellable: Bool) {
        for (result, expected) in [
            (Result<Int, TestError>.success(4), ["4", "completed"]), (.failure(.first), ["error first"]),
        ] {
            let start = api.producer(isCancellable: isCancellable).startLogged()
            expect(start.log.all, is: [])
            api.complete(result)
            expect(start.log.all, is: expected)
            api.complete(.success(5))
            api.complete(.failure(.second))
            start.disposable.dispose()
            expect(start.log.all, is: expected)
        }
        expect(api.calls.value, is: 2, "once per start")
        expect(api.cancellations.value, is: 0, "nothing is left to be cancelled")
    }

    @Test("ignores a re-entrant call during the delivery of the value", arguments: [false, true])
    func nested(isCancellable: Bool) {
        let log = Log<String>()
        api.producer(isCancellable: isCancellable).start { [api] event in
            log.append(event.text)
            if event.value == 1 { api.complete(.success(2)) }
        }
        api.complete(.success(1))
        expect(log.all, is: ["1", "completed"])
    }

    @Test("accepts a result that arrives synchronously", arguments: [false, true])
    func synchronous(isCancellable: Bool) {
        let cancellations = Counter()
        let producer =
            isCancellable
            ? Numbers(cancellableCallback: { completion in
                completion(.success(1))
                return { _ = cancellations.increment() }
            })
            : Numbers(callback: { completion in completion(.success(1)) })
        expect(producer.logged().all, is: ["1", "completed"])
        expect(cancellations.value, is: 0)
    }

    @Test("is interrupted when the handler is released without having been called", arguments: [false, true])
    func released(isCancellable: Bool) {
        let start = api.producer(isCancellable: isCancellable).startLogged()
        api.release()
        expect(start.log.all, is: ["interrupted"])
        expect(api.cancellations.value, is: 0)
        expect(Numbers(callback: { _ in }).logged().all, is: ["interrupted"])
    }

    @Test("is interrupted immediately on disposal, and ignores the handler", arguments: [false, true])
    func disposal(isCancellable: Bool) {
        let start = api.producer(isCancellable: isCancellable).startLogged()
        start.disposable.dispose()
        start.disposable.dispose()
        expect(start.log.all, is: ["interrupted"])
        api.complete(.success(1))
        api.release()
        expect(start.log.all, is: ["interrupted"])
        #expect(api.cancellations.value == (isCancellable ? 1 : 0))
    }

    @Test("cancels the operation when it is disposed of before the function returns")
    func disposalInside() {
        let (cancellations, own) = (Counter(), SerialDisposable())
        let producer = Numbers(cancellableCallback: { _ in
            own.dispose()
            expect(cancellations.value, is: 0)
            return { _ = cancellations.increment() }
        })
        let log = producer.startWithSignal { signal, interrupter in
            own.inner = interrupter
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(cancellations.value, is: 1)
    }

    @Test("does not call the function when it is disposed of before it starts", arguments: [false, true])
    func notBegun(isCancellable: Bool) {
        let log = api.producer(isCancellable: isCancellable).startWithSignal { signal, interrupter in
            defer { interrupter.dispose() }
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        expect(api.calls.value, is: 0)
    }

    @Test("releases the observer at the end, even while the handler is held", arguments: [false, true])
    func release(isCancellable: Bool) {
        for isDisposed in [false, true] {
            let observers = Population()
            let disposable = {
                let member = observers.member()
                return api.producer(isCancellable: isCancellable).start { _ in member.touch() }
            }()
            expect(observers.alive, is: 1)
            if isDisposed { disposable.dispose() } else { api.complete(.success(1)) }
            expect(observers.alive, is: 0)
        }
    }

    @Test("ends once, and cancels only if the handler has not been called, when calls and disposal race")
    func race() {
        for round in 0..<raceRounds {
            let (api, record) = (CallbackAPI(), StrictLog<Int, TestError>())
            let disposable = api.cancellable.start { record.record($0) }
            onThreads(3, "two calls and a disposal") { index in
                switch index {
                case 0: api.complete(.success(1))
                case 1: api.complete(round % 2 == 0 ? .success(2) : .failure(.first))
                default: disposable.dispose()
                }
            }
            api.release()
            expect(record.mistakes, is: [])
            #expect(record.values.count <= 1)
            #expect(record.terminal != nil)
            if record.terminal != "interrupted" { expect(api.cancellations.value, is: 0) }
            if api.cancellations.value == 1 { expect(record.values, is: []) }
            #expect(api.cancellations.value <= 1)
        }
    }
}
