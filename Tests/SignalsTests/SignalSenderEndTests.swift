import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("cancelling a suspended send", .watched)
struct SignalSenderCancellationTests {
    @Test("takes the value back, and lets the others go on in order")
    func takesBack() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        pipe.fill(with: 0)
        let sendings = (1...4).map { pipe.send($0) }
        sendings[0].cancel()
        sendings[2].cancel()
        pipe.executor.run()
        expect(sendings.map(\.result), is: [false, nil, false, nil])
        consumer.take(4)
        expect(sendings.map(\.result), is: [false, true, false, true])
        expect(consumer.values, is: [0, 0, 2, 4])
    }

    @Test("comes too late when the sender has the turn: the value is delivered")
    func tooLate() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        pipe.fill(with: 0)
        let first = pipe.send(1)
        let second = pipe.send(2)
        consumer.request()
        // The consumer takes a value, which gives the first sender the turn. That has not gone on yet.
        pipe.executor.runOne()
        first.cancel()
        second.cancel()
        pipe.executor.run()
        expect([first.result, second.result], is: [true, false])
        consumer.take(2)
        expect(consumer.values, is: [0, 0, 1])
    }

    @Test("before the call sends nothing")
    func before() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let log = pipe.signal.logged()
        let sending = pipe.start(1)
        sending.cancel()
        pipe.executor.run()
        #expect(sending.result == false)
        expect(log.all, is: [])
        expect(pipe.signal.core.senders?.count, is: 0)
    }

    @Test("leaves nothing behind, however often it happens")
    func leavesNothing() {
        let population = Population()
        let pipe = BoundedPipe<Population.Member>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        pipe.fill(with: population.member())
        for _ in 0..<10_000 {
            let sending = pipe.send(population.member())
            sending.cancel()
            pipe.executor.run()
            #expect(sending.result == false)
        }
        expect(population.alive, is: 1)
        expect(pipe.signal.core.senders?.count, is: 0)
        #expect(!pipe.input.trySend(population.member()))
        consumer.take()
        #expect(pipe.input.trySend(population.member()), "the line is empty, so there is room")
    }
}

@Suite("the end of a signal with back-pressure", .watched)
struct SignalSenderEndTests {
    @Test("returns false to suspended senders, after the buffered values go on", arguments: [0, 1, 2])
    func ends(kind: Int) {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let consumer = pipe.consumer(.suspending(1))
        let log = pipe.signal.logged()
        pipe.fill(with: 0)
        let sendings = [pipe.send(1), pipe.send(2)]
        switch kind {
        case 0: pipe.input.sendCompleted()
        case 1: pipe.input.sendError(.first)
        default: pipe.input.sendInterrupted()
        }
        pipe.executor.run()
        expect(sendings.map(\.result), is: [false, false])
        #expect(pipe.send(3).result == false)
        #expect(!pipe.input.trySend(4))
        consumer.take(3)
        expect(consumer.values, is: [0, 0])
        expect(consumer.failures, is: kind == 1 ? 1 : 0)
        expect(log.all, is: ["0", "0", ["completed", "error first", "interrupted"][kind]])
    }

    @Test("comes when the input is released, and its senders keep that")
    func releasedInput() {
        let executor = HandDrivenExecutor()
        let results = Log<Bool>()
        var (signal, input): (Source, Source.Sender?) = Source.pipe(capacity: 1)
        let log = signal.logged()
        let consumer = BoundedConsumer(signal.values(buffering: .suspending(1)), executor)
        for _ in 0..<2 { _ = input?.trySend(0) }
        Task(executorPreference: executor) { [input] in results.append(await input?.send(1) ?? false) }
        executor.run()
        input = nil
        expect(results.all, is: [])
        consumer.take(3)
        expect(results.all, is: [true])
        consumer.take()
        expect(consumer.values, is: [0, 0, 1])
        #expect(consumer.isOver)
        expect(log.all, is: ["0", "0", "1", "interrupted"])
    }

    @Test("comes when the signal is neither retained nor observed any more")
    func forgotten() {
        let executor = HandDrivenExecutor()
        let results = Log<Bool>()
        var (signal, input): (Source?, Source.Sender) = Source.pipe(capacity: 1)
        // The signal is there, and so is its consumer.
        let consumer = signal.map { BoundedConsumer($0.values(buffering: .suspending(1)), executor) }
        for _ in 0..<2 { _ = input.trySend(0) }
        for value in 1...2 {
            Task(executorPreference: executor) { [input] in results.append(await input.send(value)) }
        }
        executor.run()
        signal = nil
        consumer?.release()
        executor.run()
        // The consumer that has gone gave the turn to the first, and then the signal has ended.
        expect(results.all, is: [false, false])
        #expect(!input.trySend(3))
    }

    @Test("resumes nothing under a lock")
    func resumption() {
        let isArmed = DoneFlag()
        let calls = Counter()
        let inputs = Log<Source.Sender>()
        // Called when a task is resumed: it would wait forever if a lock were held.
        let executor = HandDrivenExecutor {
            guard isArmed.isRaised else { return }
            calls.increment()
            for input in inputs.all { _ = input.trySend(9) }
        }
        let pipe = BoundedPipe<Int>(capacity: 1, executor)
        inputs.append(pipe.input)
        let consumer = pipe.consumer(.suspending(1))
        pipe.fill(with: 0)
        let sendings = (1...3).map { pipe.send($0) }
        isArmed.raise()
        consumer.take()
        sendings[1].cancel()
        pipe.input.sendCompleted()
        executor.run()
        expect(sendings.map(\.result), is: [true, false, false])
        #expect(calls.value >= 3)
        inputs.removeAll()
    }
}
