import HotSignals
import ReactiveSignals
import Synchronization
import TestSupport
import Testing

private typealias Numbers = Signal<Int, TestError>

private let terminals: [Event<Int, TestError>] = [.completed, .error(.second), .interrupted]

/// A tap that calls a closure before each value is sent downstream.
private struct ValueTap: StreamTap {
    let action: @Sendable () -> Void

    func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
        if case .next = event { action() }
    }
}

@Suite("tapped(by:) of signals")
struct TappedTests {
    private let log = Log<String>()

    @Test("notifies of the beginning, each event before the observer receives it, and the end", arguments: terminals)
    func events(terminal: Event<Int, TestError>) {
        let (signal, input) = Numbers.pipe()
        let tapped = signal.named("numbers").tapped(by: RecordingTap(log))
        expect(log.all, is: ["begin signal numbers"])
        tapped.observe { [log] in log.append("received \($0.text)") }
        input.sendNext(1)
        input.send(terminal)
        input.sendNext(2)
        expect(
            Array(log.all.dropFirst()),
            is: ["next 1", "received 1", terminal.text, "received \(terminal.text)", "end"])
    }

    @Test("notifies of the end without an event when the result is neither retained nor observed")
    func release() {
        let (signal, input) = Numbers.pipe()
        var tapped: Numbers? = signal.tapped(by: RecordingTap(log))
        let observation = tapped?.observe { _ in }
        tapped = nil
        input.sendNext(1)
        observation?.dispose()
        expect(log.all, is: ["begin signal pipe", "next 1", "end"])
        input.sendNext(2)
        expect(log.all.count, is: 3)
    }

    @Test("notifies of the end after the event in which the tap ends the signal")
    func endsInside() {
        struct EndingTap: StreamTap {
            let log: Log<String>
            let action: @Sendable () -> Void

            func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
                log.append("event \(event.text)")
                action()
                log.append("end of the event")
            }

            func end(_ state: Void) { log.append("end") }
        }
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        let (signal, input) = Numbers.pipe()
        // The end of the source cuts the trigger off on the thread that delivers the trigger's event.
        let tap = EndingTap(log: log) { input.sendCompleted() }
        signal.producer.skip(until: trigger.tapped(by: tap).producer).start { [log] in
            log.append("received \($0.text)")
        }
        triggerInput.sendNext(1)
        triggerInput.sendNext(2)
        expect(log.all, is: ["event 1", "received completed", "end of the event", "end"])
    }

    @Test("notifies of the interruption of a signal that has already ended")
    func late() {
        let tapped = Numbers.empty.tapped(by: RecordingTap(log))
        tapped.observe { [log] in log.append("received \($0.text)") }
        expect(log.all, is: ["begin signal \(Numbers.empty.name)", "interrupted", "end", "received interrupted"])
    }

    @Test("describes the stream: its number, its name at that moment, and the place of the call")
    func description() {
        struct Describing: StreamTap {
            let streams: Log<TappedStream>

            func begin(_ stream: TappedStream) { streams.append(stream) }
        }

        let streams = Log<TappedStream>()
        let (signal, _) = Numbers.pipe()
        let first = signal.map { $0 }.tapped(by: Describing(streams: streams))
        let line = UInt(#line - 1)
        let second = first.tapped(by: Describing(streams: streams))
        #expect(streams.all[0].id != streams.all[1].id)
        expect(streams.all.map(\.kind), is: [.signal, .signal])
        expect(streams.all[0].line, is: line)
        expect(streams.all[0].fileID, is: #fileID)
        expect(streams.all[0].name, is: "[pipe] -map:")
        signal.named("orders")
        expect(streams.all[0].name, is: "[orders] -map:")
        expect(second.name, is: "[orders] -map:")
        second.named("counted")
        expect(second.name, is: "counted")
    }

    @Test("notifies several taps in the order of the chain")
    func several() {
        let (signal, input) = Numbers.pipe()
        signal.tapped(by: RecordingTap(log, "a ")).filter { $0 > 1 }.tapped(by: RecordingTap(log, "b "))
            .observe { _ in }
        log.removeAll()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["a next 1", "a next 2", "b next 2", "a completed", "b completed", "b end", "a end"])
    }

    @Test("a tap may send into the signal that it taps: the event follows the current one, and passes the tap")
    func sending() {
        let (signal, input) = Numbers.pipe()
        let isFirst = Atomic(true)
        let tap = ValueTap { [log] in
            log.append("tap")
            if isFirst.exchange(false, ordering: .relaxed) { input.sendNext(2) }
        }
        signal.tapped(by: tap).observe { [log] in log.append("received \($0.text)") }
        input.sendNext(1)
        expect(log.all, is: ["tap", "received 1", "tap", "received 2"])
        input.sendInterrupted()
    }

    @Test("a tap that blocks holds up the senders of its stream, and a second tap is notified of their waiting")
    func blocking() {
        let (signal, input) = Numbers.pipe()
        let (other, otherInput) = Numbers.pipe()
        let (isInside, mayLeave) = (Latch("the tap is called"), Latch("the tap may return"))
        let tap = ValueTap {
            isInside.open()
            mayLeave.wait()
        }
        signal.tapped(by: tap).tapped(by: RecordingTap(log)).observe { _ in }
        other.tapped(by: RecordingTap(log, "other ")).observe { _ in }
        log.removeAll()
        let first = TestThread("a sender") { input.sendNext(1) }
        isInside.wait()
        let second = TestThread("a sender that waits") { input.sendNext(2) }
        #expect(becomesTrue { log.count == 1 })
        otherInput.sendNext(3)
        expect(log.all, is: ["began to wait: thread", "other next 3"])
        mayLeave.open()
        first.join()
        second.join()
        // The waiting thread goes on at any time after the first event.
        expect(
            log.all.filter { $0.contains("wait") }, is: ["began to wait: thread", "stopped waiting: thread"])
        expect(log.all.filter { $0.hasPrefix("next") }, is: ["next 1", "next 2"])
        input.sendCompleted()
        otherInput.sendCompleted()
    }

    @Test("notifies of senders that a full consumer suspends, also when their task is cancelled")
    func senders() {
        let pipe = BoundedPipe<Int>(capacity: 1)
        let tapped = pipe.signal.tapped(by: RecordingTap(log))
        let consumer = BoundedConsumer(tapped.values(buffering: .suspending(1)), pipe.executor)
        log.removeAll()
        expect(pipe.fill(with: 1), is: 2)
        let cancelled = pipe.send(2)
        expect(log.all, is: ["next 1", "next 1", "began to wait: sender"])
        cancelled.cancel()
        pipe.executor.run()
        expect(cancelled.result, is: false)
        let sending = pipe.send(3)
        consumer.take(2)
        expect(sending.result, is: true)
        expect(
            Array(log.all.dropFirst(3)),
            is: ["stopped waiting: sender", "began to wait: sender", "stopped waiting: sender", "next 3"])
        pipe.input.sendCompleted()
        consumer.take(2)
    }

    @Test("does not notify of what waits because a tap sends while it is notified of waiting")
    func waitingToSend() {
        let (signal, input) = Numbers.pipe()
        let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
        struct Sending: StreamTap {
            let log: Log<String>
            let input: Numbers.Observer

            func waiting(_ waiting: StreamWaiting, in state: Void) {
                log.append("\(waiting)")
                if case .began = waiting { input.sendNext(3) }
            }
        }
        signal.tapped(by: Sending(log: log, input: input)).observe { event in
            guard event.value == 1 else { return }
            isInside.open()
            mayLeave.wait()
        }
        let first = TestThread("a sender") { input.sendNext(1) }
        isInside.wait()
        let second = TestThread("a sender that waits") { input.sendNext(2) }
        #expect(becomesTrue { log.count == 1 })
        second.waitUntilAsleep()
        expect(log.all, is: ["\(StreamWaiting.began(.thread))"])
        mayLeave.open()
        first.join()
        second.join()
        #expect(log.all.count <= 2)
        input.sendCompleted()
    }

    @Test("notifies of the end after those that wait have stopped waiting")
    func endWhileWaiting() {
        let (signal, input) = Numbers.pipe()
        let (isInside, mayLeave) = (Latch("the observer is called"), Latch("the observer may return"))
        var tapped: Numbers? = signal.tapped(by: RecordingTap(log))
        signal.observe { event in
            guard event.value == 1 else { return }
            isInside.open()
            mayLeave.wait()
        }
        let first = TestThread("a sender") { input.sendNext(1) }
        isInside.wait()
        let second = TestThread("a sender that waits") { input.sendNext(2) }
        #expect(becomesTrue { log.all.contains("began to wait: thread") })
        withExtendedLifetime(tapped) {}
        tapped = nil
        mayLeave.open()
        first.join()
        second.join()
        expect(log.all.last, is: "end")
        expect(log.all.filter { $0.contains("wait") }, is: ["began to wait: thread", "stopped waiting: thread"])
        input.sendCompleted()
    }

    @Test("does not notify of what begins to wait after the end")
    func unwatched() {
        let (signal, input) = Numbers.pipe()
        signal.take(first: 1).tapped(by: RecordingTap(log)).observe { _ in }
        let isBlocked = Latch("the observer may return")
        let isInside = Latch("the observer is called")
        signal.observe { event in
            guard case .next(2) = event else { return }
            isInside.open()
            isBlocked.wait()
        }
        input.sendNext(1)
        log.removeAll()
        let first = TestThread("a sender") { input.sendNext(2) }
        isInside.wait()
        let second = TestThread("a sender that waits") { input.sendNext(3) }
        second.waitUntilAsleep()
        isBlocked.open()
        first.join()
        second.join()
        expect(log.all, is: [])
        input.sendCompleted()
    }

    @Test("releases the tap at the end")
    func memory() {
        final class Retained: Sendable {}

        let (signal, input) = Numbers.pipe()
        weak var released: Retained?
        let tapped: Numbers
        do {
            let retained = Retained()
            released = retained
            tapped = signal.tapped(by: ValueTap { withExtendedLifetime(retained) {} })
        }
        tapped.observe { _ in }
        #expect(released != nil)
        input.sendCompleted()
        withExtendedLifetime(tapped) { #expect(released == nil) }
    }
}
