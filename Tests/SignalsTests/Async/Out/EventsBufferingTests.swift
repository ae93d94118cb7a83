import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("events(buffering:) of signals", .watched)
struct EventsBufferingTests {
    @Test(
        "returns the values, then the terminal event, then nil",
        arguments: [Event<Int, TestError>.completed, .error(.second), .interrupted])
    func events(terminal: Event<Int, TestError>) async {
        let (signal, input) = Source.pipe()
        var events = signal.events(buffering: .unbounded).makeAsyncIterator()
        input.sendNext(1)
        input.send(terminal)
        input.sendNext(2)
        #expect(await events.next() == .next(1))
        #expect(await events.next() == terminal)
        #expect(await events.next() == nil)
        #expect(await events.next() == nil)
    }

    @Test("can be iterated without try even if the signal can fail")
    func loop() {
        let (signal, input) = Source.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        Task(executorPreference: executor) {
            for await event in signal.events(buffering: .unbounded) { log.append(event.text) }
            log.append("over")
        }
        executor.run()
        input.sendNext(1)
        executor.run()
        input.sendError(.first)
        executor.run()
        expect(log.all, is: ["1", "error first", "over"])
    }

    @Test("delivers the terminal event even if the buffer is full", arguments: [BufferingPolicy.newest(1), .oldest(1)])
    func terminal(policy: BufferingPolicy) async {
        let (signal, input) = Source.pipe()
        let sequence = signal.events(buffering: policy)
        var events = sequence.makeAsyncIterator()
        for number in 1...3 { input.sendNext(number) }
        input.sendError(.first)
        #expect(await events.next() == .next(policy == .newest(1) ? 3 : 1))
        #expect(await events.next() == .error(.first))
        #expect(await events.next() == nil)
        expect(sequence.droppedCount, is: 2)
    }

    @Test("returns one interruption if the signal has terminated")
    func ended() async {
        var events = Source.empty.events(buffering: .unbounded).makeAsyncIterator()
        #expect(await events.next() == .interrupted)
        #expect(await events.next() == nil)
    }

    @Test("ends without a terminal event when the task is cancelled")
    func cancellation() {
        let (signal, input) = Source.pipe()
        let executor = HandDrivenExecutor()
        let log = Log<String>()
        let task = Task(executorPreference: executor) {
            for await event in signal.events(buffering: .unbounded) { log.append(event.text) }
            log.append("over")
        }
        executor.run()
        task.cancel()
        #expect(!signal.core.isObserved)
        input.sendNext(1)
        executor.run()
        expect(log.all, is: ["over"])
    }
}
