import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("start")
struct SignalProducerStartTests {
    private let shapes: [Numbers] = [
        Numbers(value: 1), Numbers([1]), Numbers(value: 1).map { $0 },
        Numbers { observer, _ in
            observer.sendNext(1)
            observer.sendCompleted()
        },
    ]

    private func ends(_ terminal: Event<Int, TestError>) -> [Numbers] {
        let ended: Numbers =
            switch terminal {
            case .error(let error): Numbers(error: error)
            case .interrupted: Numbers(Signal.empty)
            default: .empty
            }
        return [ended, ended.map { $0 }, ending(with: terminal)]
    }

    @Test("calls its closure with every event, and its disposable is disposed of after the end")
    func closure() {
        for producer in shapes {
            let start = producer.startLogged()
            expect(start.log.all, is: ["1", "completed"])
            #expect(start.disposable.isDisposed)
            start.disposable.dispose()
            expect(start.log.count, is: 2)
        }
        for terminal in terminals {
            for producer in ends(terminal) {
                let start = producer.startLogged()
                expect(start.log.all, is: [terminal.text])
                #expect(start.disposable.isDisposed)
            }
        }
    }

    @Test("does the work for its side effects without an observer")
    func effects() {
        let log = Log<Int>()
        Numbers([1, 2]).on(next: { log.append($0) }).start()
        expect(log.all, is: [1, 2])
    }

    @Test("continues when its disposable is released")
    func notKept() {
        let manual = Manual()
        let log = manual.producer.logged()
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("sends every event to an observer")
    func observer() {
        for producer in shapes {
            let log = Log<String>()
            producer.start(Signal<Int, TestError>.Observer { log.append($0.text) })
            expect(log.all, is: ["1", "completed"])
        }
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = signal.logged()
        Numbers(value: 1).start(input)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("startWithNext calls its closure with values only")
    func next() {
        let log = Log<Int>()
        SignalProducer([1, 2]).startWithNext { log.append($0) }
        SignalProducer<Int, Never>.empty.startWithNext { log.append($0) }
        SignalProducer<Int, Never>.never.startWithNext { log.append($0) }.dispose()
        expect(log.all, is: [1, 2])
    }

    @Test("startWithError, -Completed and -Interrupted call their closures for their own event only")
    func kinds() {
        for terminal in terminals {
            for producer in ends(terminal) {
                let log = Log<String>()
                producer.startWithError { log.append("error \($0)") }
                producer.startWithCompleted { log.append("completed") }
                producer.startWithInterrupted { log.append("interrupted") }
                expect(log.all, is: [terminal.text])
            }
        }
        let log = Log<String>()
        Numbers.never.startWithInterrupted { log.append("disposed of") }.dispose()
        Numbers.never.startWithCompleted { log.append("completed") }.dispose()
        expect(log.all, is: ["disposed of"])
    }

    @Test("startWithResult calls its closure with values and the error")
    func result() {
        let log = Log<Result<Int, TestError>>()
        Numbers([1, 2]).startWithResult { log.append($0) }
        Numbers(error: .second).startWithResult { log.append($0) }
        Numbers.never.startWithResult { log.append($0) }.dispose()
        expect(log.all, is: [.success(1), .success(2), .failure(.second)])
        let direct = Log<Result<Int, TestError>>()
        Numbers(value: 1).startWithResult { direct.append($0) }
        Numbers { observer, _ in
            observer.sendNext(2)
            observer.sendError(.second)
            observer.sendNext(3)
        }.startWithResult { direct.append($0) }
        Numbers { observer, lifetime in
            lifetime.observeEnded { observer.sendError(.second) }
            observer.sendNext(4)
        }.startWithResult { direct.append($0) }.dispose()
        expect(direct.all, is: [.success(1), .success(2), .failure(.second), .success(4)])
    }

    @Test("interrupts once when several threads dispose of it")
    func threads() {
        for _ in 0..<200 {
            let manual = Manual()
            let start = manual.producer.startLogged()
            onThreads(2, "disposal") { _ in start.disposable.dispose() }
            expect(start.log.all, is: ["interrupted"])
            expect(manual.disposals.value, is: 1)
            manual.release()
        }
    }

    @Test("interrupts after a callback that another thread is running")
    func duringDelivery() {
        let manual = Manual()
        let (entered, mayLeave) = (Latch("not entered"), Latch("not left"))
        let log = Log<String>()
        let disposable = manual.producer.start { event in
            log.append("begin \(event.text)")
            if event.value == 1 {
                entered.open()
                mayLeave.wait()
            }
            log.append("end \(event.text)")
        }
        let input = manual.input
        let thread = TestThread("sender") {
            input?.sendNext(1)
            input?.sendNext(2)
        }
        entered.wait()
        disposable.dispose()
        expect(log.all, is: ["begin 1"])
        #expect(disposable.isDisposed)
        mayLeave.open()
        thread.join()
        expect(log.all, is: ["begin 1", "end 1", "begin interrupted", "end interrupted"])
        expect(manual.disposals.value, is: 1)
        manual.release()
    }

    @Test("releases the observer's closure at the end, for any work, even while the disposable is held")
    func releases() {
        for producer in shapes + shapes.map({ $0.take(first: 1) }) {
            let population = Population()
            let disposable = {
                let member = population.member()
                return producer.start { _ in member.touch() }
            }()
            expect(population.alive, is: 0)
            withExtendedLifetime(disposable) {}
        }
    }
}
