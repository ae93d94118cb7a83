import HotSignals
import ProducerTestSupport
import ReactiveSignals
import Synchronization
import TestSupport
import Testing

@Suite("tapped(by:) of producers")
struct ProducerTappedTests {
    private let log = Log<String>()

    @Test("notifies of the beginning, the work, each event and the end of each start", arguments: terminals)
    func events(terminal: Event<Int, TestError>) {
        let producer = Numbers { [log] observer, lifetime in
            log.append("work")
            observer.sendNext(1)
            observer.send(terminal)
        }.named("request").tapped(by: RecordingTap(log))
        #expect(log.all.isEmpty)
        for _ in 1...2 {
            log.removeAll()
            producer.start { [log] in log.append("received \($0.text)") }
            expect(
                log.all,
                is: [
                    "begin start request", "run", "work", "next 1", "received 1", terminal.text,
                    "received \(terminal.text)", "end", "ran",
                ])
        }
    }

    @Test("notifies of each start separately, with a number of its own")
    func starts() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = Numbers(signal).tapped(by: RecordingTap(log))
        let first = producer.start()
        let second = producer.start()
        input.sendNext(1)
        first.dispose()
        input.sendNext(2)
        second.dispose()
        expect(log.all.filter { $0 == "end" }.count, is: 2)
        expect(
            log.all.filter { !$0.hasPrefix("begin") },
            is: ["run", "ran", "run", "ran", "next 1", "next 1", "interrupted", "end", "next 2", "interrupted", "end"])
        struct Numbering: StreamTap {
            let numbers: Log<UInt64>

            func begin(_ stream: TappedStream) { numbers.append(stream.id) }
        }
        let numbers = Log<UInt64>()
        let numbered = Numbers(value: 1).tapped(by: Numbering(numbers: numbers))
        for _ in 1...3 { numbered.start() }
        expect(Set(numbers.all).count, is: 3)
    }

    @Test("notifies of the end without an event when an operator needs no more")
    func cutOff() {
        Numbers([1, 2, 3]).tapped(by: RecordingTap(log)).take(first: 1).start()
        expect(Array(log.all.dropFirst()), is: ["run", "next 1", "end", "ran"])
    }

    @Test("notifies of the end after the resources of the work have been released")
    func release() {
        let (trigger, input) = Signal<Int, Never>.pipe()
        let producer = Numbers { [log] observer, lifetime in
            lifetime.observeEnded { withExtendedLifetime(observer) { log.append("work released") } }
        }
        .on(disposed: { [log] in log.append("disposed above") })
        .tapped(by: RecordingTap(log))
        .on(disposed: { [log] in log.append("disposed below") })
        producer.take(until: trigger).start()
        log.removeAll()
        input.sendNext(1)
        expect(log.all, is: ["disposed below", "disposed above", "work released", "end"])
    }

    @Test("values that a start handler sends inside a delivery come after it, and pass the tap")
    func nestedSends() {
        let (source, input) = Signal<Int, TestError>.pipe()
        let producer = Numbers { observer, lifetime in
            lifetime += source.observe(observer)
            observer.sendNext(0)
        }
        producer.tapped(by: RecordingTap(log)).start { [log] event in
            log.append("received \(event.text)")
            if case .next(1) = event {
                input.sendNext(2)
                input.sendCompleted()
            }
        }
        input.sendNext(1)
        expect(
            log.all,
            is: [
                "begin start producer", "run", "next 0", "received 0", "ran", "next 1", "received 1", "next 2",
                "received 2", "completed", "received completed", "end",
            ])
    }

    /// Where a value is when another thread ends the chain.
    enum Place: CaseIterable {
        case aboveTap, inTap, inTapOfHandler
    }

    @Test("the end waits for an event in flight, and no event comes after it", arguments: Place.allCases)
    func cutOffInFlight(place: Place) {
        let isInside = place != .aboveTap
        let (trigger, triggerInput) = Signal<Int, Never>.pipe()
        let (isSending, mayGoOn) = (Latch("the value is being sent"), Latch("the value may go on"))
        let blocking: @Sendable (Int) -> Void = { _ in
            isSending.open()
            mayGoOn.wait()
        }
        struct Blocking: StreamTap {
            let tap: RecordingTap
            let action: (@Sendable (Int) -> Void)?

            func begin(_ stream: TappedStream) -> TappedStream { tap.begin(stream) }

            func event<Value, Failure>(_ event: Event<Value, Failure>, in stream: TappedStream) {
                tap.event(event, in: stream)
                if case .next = event { action?(1) }
            }

            func end(_ stream: TappedStream) { tap.end(stream) }
        }
        let (source, input) = Signal<Int, TestError>.pipe()
        let above: @Sendable (Int) -> Void = { value in
            if !isInside { blocking(value) }
        }
        let tap = Blocking(tap: RecordingTap(log), action: isInside ? blocking : nil)
        let handler = Numbers { observer, lifetime in lifetime += source.observe(observer) }
        let work = place == .inTapOfHandler ? handler : Numbers(source).on(next: above)
        work.tapped(by: tap).take(until: trigger).start { [log] in
            log.append("received \($0.text)")
        }
        log.removeAll()
        let sender = TestThread("a sender") { input.sendNext(7) }
        isSending.wait()
        triggerInput.sendNext(1)
        expect(log.all, is: isInside ? ["next 7", "received completed"] : ["received completed", "end"])
        mayGoOn.open()
        sender.join()
        expect(log.all, is: isInside ? ["next 7", "received completed", "end"] : ["received completed", "end"])
        input.sendCompleted()
        expect(log.all.count, is: isInside ? 3 : 2)
    }

    @Test("is not notified of a start that is over before it begins")
    func tooLate() {
        Numbers([1, 2]).tapped(by: RecordingTap(log)).startWithSignal { _, interrupter in interrupter.dispose() }
        expect(log.all, is: [])
    }

    @Test("the result is the same stream: its name, and how an async source waits for it")
    func transparency() async {
        let made = Atomic(0)
        let source = SignalProducer<Int, Never>(
            AsyncStream { made.add(1, ordering: .relaxed).newValue })
        let tapped = source.named("readings").tapped(by: RecordingTap(log))
        expect(tapped.name, is: "readings")
        expect(tapped.map { $0 }.name, is: "[readings] -map:")
        var values = tapped.values(buffering: .suspending(2)).makeAsyncIterator()
        for expected in 1...20 {
            #expect(await values.next() == expected)
            #expect(made.load(ordering: .relaxed) <= expected + 4)
        }
    }

    @Test("a tap that does not begin the work, or begins it twice, changes nothing", arguments: [0, 2])
    func wrongRuns(count: Int) {
        struct Wrong: StreamTap {
            let count: Int

            func run(_ work: () -> Void, in state: Void) {
                for _ in 0..<count { work() }
            }
        }

        let begun = Atomic(0)
        let result = Numbers { observer, _ in
            begun.add(1, ordering: .relaxed)
            observer.sendNext(1)
            observer.sendCompleted()
        }.tapped(by: Wrong(count: count)).logged()
        expect(result.all, is: ["1", "completed"])
        expect(begun.load(ordering: .relaxed), is: 1)
    }

    @Test("task-local values that a tap sets are those of the work, its tasks and its inner streams, and of no other")
    func context() async {
        enum Request {
            @TaskLocal static var number = 0
        }

        struct Tracing: StreamTap {
            func begin(_ stream: TappedStream) -> Int { Request.number + 1 }

            func run(_ work: () -> Void, in number: Int) { Request.$number.withValue(number, operation: work) }
        }

        let seen = Log<String>()
        let leaf = SignalProducer<Int, Never> { observer, _ in
            seen.append("leaf \(Request.number)")
            observer.sendNext(1)
            observer.sendCompleted()
        }
        let inner = leaf.tapped(by: Tracing())
        let asynchronous = SignalProducer<Int, Never>.async {
            seen.append("task \(Request.number)")
            return 2
        }
        let request = SignalProducer<Int, Never>([1]).flatMap(.concat) { _ in inner.concat(asynchronous) }
            .tapped(by: Tracing())
        _ = await Request.$number.withValue(10) { await request.collectAll() }
        expect(seen.all, is: ["leaf 12", "task 11"])
        expect(Request.number, is: 0)
    }

    @Test("nothing is lost or confused when many threads start and dispose", arguments: [true, false])
    func threads(isHandler: Bool) {
        /// How often a start has begun, terminated and ended.
        final class Counts: Sendable {
            let state = Locked([1, 0, 0])
        }

        struct Counting: StreamTap {
            let counts: Log<[Int]>

            func begin(_ stream: TappedStream) -> Counts { Counts() }

            func event<Value, Failure>(_ event: Event<Value, Failure>, in box: Counts) {
                box.state.withLock { $0[1] += event.isTerminating ? 1 : 0 }
            }

            func end(_ box: Counts) {
                counts.append(
                    box.state.withLock {
                        $0[2] += 1
                        return $0
                    })
            }
        }

        let counts = Log<[Int]>()
        let rounds = raceRounds
        let (signal, input) = Signal<Int, TestError>.pipe()
        let source =
            isHandler ? Numbers { observer, lifetime in lifetime += signal.observe(observer) } : Numbers(signal)
        let producer = source.tapped(by: Counting(counts: counts))
        onThreads(4, "starting and disposing") { index in
            for round in 0..<rounds {
                let start = producer.start()
                if index == 0 { input.sendNext(round) }
                start.dispose()
            }
        }
        input.sendCompleted()
        // A disposal may leave its interruption to a thread that is sending.
        expect(counts.all.count, is: 4 * rounds)
        #expect(counts.all.allSatisfy { $0 == [1, 1, 1] })
    }
}
