import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer(pulling:maxConcurrent:drainWhen:_:giveBack:)", .watched)
struct PullingDrainedTests {
    private let executor = HandDrivenExecutor()
    private let log = Log<String>()
    private let given = Log<Int>()
    private let trigger = Trigger()
    private let jobs = (0..<9).map { _ in Manual() }

    private func start(_ faucet: Faucet<TestError>, maxConcurrent: Int = 3) -> any Disposable {
        executor.within {
            Numbers(pulling: faucet, maxConcurrent: maxConcurrent, drainWhen: trigger.producer) { [jobs] in
                jobs[$0].producer
            } giveBack: { [given] in
                given.append($0)
            }
            .start { [log] in log.append($0.text) }
        }
    }

    private var running: [Int] { jobs.indices.filter { jobs[$0].starts.value > jobs[$0].disposals.value } }

    @Test("requests nothing more, finishes what has begun, then completes", arguments: [false, true])
    func drains(byCompletion: Bool) {
        let faucet = Faucet<TestError>()
        _ = start(faucet)
        faucet.send(1, 2)
        executor.run()
        expect(running, is: [1, 2])
        if byCompletion { trigger.input?.sendCompleted() } else { trigger.input?.sendNext(0) }
        executor.run()
        expect(faucet.tap.cancellations.value, is: 1)
        expect(faucet.tap.asked.value, is: 3)
        faucet.send(3)
        executor.run()
        expect(running, is: [1, 2])
        jobs[1].input?.sendNext(10)
        jobs[1].input?.sendCompleted()
        expect(log.all, is: ["10"])
        jobs[2].input?.sendCompleted()
        expect(log.all, is: ["10", "completed"])
        expect(given.all, is: [])
        expect(trigger.disposals.value, is: 1)
    }

    @Test("completes immediately if nothing runs, also before it begins")
    func idle() {
        let faucet = Faucet<TestError>()
        _ = start(faucet)
        executor.run()
        trigger.input?.sendNext(0)
        expect(log.all, is: ["completed"])
        executor.run()

        let counter = Counter()
        executor.within {
            Numbers(pulling: faucet, maxConcurrent: 1, drainWhen: SignalProducer<Int, Never>(value: 0)) { _ in
                counter.increment()
                return Numbers.empty
            } giveBack: { _ in
                counter.increment()
            }
            .start { [log] in log.append($0.text) }
        }
        executor.run()
        expect(log.all, is: ["completed", "completed"])
        expect(counter.value, is: 0)
        expect(faucet.tap.iterations.value, is: 1)
    }

    @Test("drains while it waits for capacity")
    func full() {
        let faucet = Faucet<TestError>()
        _ = start(faucet, maxConcurrent: 1)
        faucet.send(1, 2)
        executor.run()
        trigger.input?.sendNext(0)
        executor.run()
        expect(running, is: [1])
        expect(faucet.tap.asked.value, is: 1)
        jobs[1].input?.sendCompleted()
        executor.run()
        expect(log.all, is: ["completed"])
        expect(running, is: [])
    }

    @Test("gives back an element that comes too late, once", arguments: [false, true])
    func late(hasCompleted: Bool) {
        let faucet = Faucet<TestError>(isHeedless: true)
        _ = start(faucet)
        faucet.send(1)
        executor.run()
        trigger.input?.sendNext(0)
        if hasCompleted { jobs[1].input?.sendCompleted() }
        faucet.send(2, 3)
        executor.run()
        expect(given.all, is: [2])
        if !hasCompleted { jobs[1].input?.sendCompleted() }
        expect(log.all, is: ["completed"])
        expect(running, is: [])
    }

    @Test("gives back an element that comes after a disposal or a failure", arguments: [false, true])
    func disposed(fails: Bool) {
        let faucet = Faucet<TestError>(isHeedless: true)
        let disposable = start(faucet)
        faucet.send(1)
        executor.run()
        if fails { jobs[1].input?.sendError(.second) } else { disposable.dispose() }
        faucet.send(2)
        executor.run()
        expect(given.all, is: [2])
        expect(log.all, is: [fails ? "error second" : "interrupted"])
        expect(running, is: [])
        expect(trigger.disposals.value, is: 1)
    }

    @Test("goes on if the trigger is interrupted, and ends as without a trigger")
    func ends() {
        let faucet = Faucet<TestError>()
        _ = start(faucet)
        trigger.input?.sendInterrupted()
        faucet.send(1)
        executor.run()
        expect(running, is: [1])
        faucet.end()
        executor.run()
        expect(log.all, is: [])
        jobs[1].input?.sendCompleted()
        expect(log.all, is: ["completed"])

        let failing = Faucet<TestError>()
        _ = start(failing)
        failing.send(2)
        failing.fail(.first)
        executor.run()
        expect(log.all, is: ["completed", "error first"])
        expect(running, is: [])
    }

    @Test("still fails while it drains")
    func failsWhileDraining() {
        let faucet = Faucet<TestError>()
        _ = start(faucet)
        faucet.send(1, 2)
        executor.run()
        trigger.input?.sendNext(0)
        executor.run()
        jobs[1].input?.sendError(.second)
        expect(log.all, is: ["error second"])
        expect(running, is: [])
    }

    @Test("takes a CancellationError for the end of a drained sequence")
    func throwsCancellation() {
        let faucet = Faucet<any Error>(isHeedless: true)
        let trigger = trigger
        executor.within {
            SignalProducer<Int, any Error>(pulling: faucet, maxConcurrent: 1, drainWhen: trigger.producer) { _ in
                SignalProducer<Int, any Error>.never
            } giveBack: { _ in
            }
            .start { [log] in log.append($0.text) }
        }
        executor.run()
        faucet.tap.send(.failure(CancellationError()))
        trigger.input?.sendNext(0)
        executor.run()
        expect(log.all, is: ["completed"])
    }

    @Test("has overloads for what cannot fail")
    func overloads() {
        executor.within {
            let never = SignalProducer<Int, Never>.never
            _ = Numbers(pulling: ReadyNumbers(1), maxConcurrent: 1, drainWhen: never) {
                Numbers(value: $0)
            } giveBack: { _ in
            }.start { [log] in log.append($0.text) }
            _ = SignalProducer<Int, Never>(pulling: ReadyNumbers(1), maxConcurrent: 1, drainWhen: never) {
                SignalProducer<Int, Never>(value: $0)
            } giveBack: { _ in
            }.start { [log] in log.append($0.text) }
            let faucet = Faucet<TestError>()
            _ = Numbers(pulling: faucet, maxConcurrent: 1, drainWhen: never) {
                SignalProducer<Int, Never>(value: $0)
            } giveBack: { _ in
            }.start { [log] in log.append($0.text) }
            faucet.send(1)
            faucet.end()
        }
        executor.run()
        expect(log.all.sorted(), is: ["1", "1", "1", "completed", "completed", "completed"])
    }

    @Test("traps unless the number is positive")
    func zero() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers(
                pulling: ReadyNumbers(1), maxConcurrent: 0, drainWhen: SignalProducer<Int, Never>.never,
                { Numbers(value: $0) }, giveBack: { _ in })
        }
        result.expectTrap("SignalProducer(pulling:maxConcurrent: 0): the number of producers must be positive")
    }
}
