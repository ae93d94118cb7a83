import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("TestObserver", .watched)
struct TestObserverTests {
    private typealias Recorder = TestObserver<Int, TestError>

    @Test("records a signal's events with their times")
    func signal() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, TestError>.pipe()
        scheduler.advance(by: .seconds(2))
        let recorder = signal.record(on: scheduler)
        expect(recorder.beginning.offset, is: .seconds(2))
        input.sendNext(1)
        scheduler.advance(by: .seconds(3))
        input.sendNext(2)
        expect(recorder.values, is: [1, 2])
        #expect(recorder.terminal == nil)
        #expect(!recorder.hasTerminated)
        #expect(!recorder.isDisposed)
        input.sendError(.second)
        expect(
            recorder.events,
            is: [
                TimedEvent(.next(1), at: .init(offset: .seconds(2))),
                TimedEvent(.next(2), at: .init(offset: .seconds(5))),
                TimedEvent(.error(.second), at: .init(offset: .seconds(5))),
            ])
        expect(recorder.events.first?.description, is: "NEXT 1 at 2.0 seconds")
        expect(recorder.terminal, is: .error(.second))
        #expect(recorder.hasTerminated)
        #expect(!recorder.hasCompleted)
        #expect(recorder.isDisposed)
    }

    @Test("prints as marbles that parse back to the recorded events")
    func printing() throws {
        let scheduler = TestScheduler()
        for text in ["", "|", "--1-[12]|", "-(12|)", "-1-X", "--!", "([-1]2)-3|"] {
            let recorder = scheduler.signal(text, of: Int.self, error: TestError.first).record(on: scheduler)
            scheduler.run()
            expect("\(recorder)", is: text)
            try recorder.expect(Marbles("\(recorder)", error: .first))
        }
    }

    @Test("prints values that are not equatable, times between frames, long silences, and the present")
    func printingTimes() {
        struct Point: Sendable, CustomStringConvertible {
            let description = "a point"
        }
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Point, Never>.pipe()
        let recorder = signal.record(on: scheduler)
        expect(recorder.description, is: "")
        scheduler.advance(by: .milliseconds(2500))
        expect(recorder.description, is: "--")
        input.sendNext(Point())
        scheduler.advance(by: .milliseconds(600))
        expect(recorder.description, is: "--[[a point] at 2.5 seconds]")
        expect(recorder.marbles(frame: .milliseconds(500)), is: "-----[a point]")
        scheduler.advance(by: .milliseconds(900))
        expect(recorder.description, is: "--[[a point] at 2.5 seconds]-")
        scheduler.advance(by: .seconds(1_000_000))
        expect(recorder.description, is: "--[[a point] at 2.5 seconds]-...-")
        input.sendCompleted()
        expect(recorder.description, is: "--[[a point] at 2.5 seconds]-...-[| at 1000004.0 seconds]")
        scheduler.advance(by: .seconds(5))
        #expect(recorder.description.hasSuffix("[| at 1000004.0 seconds]"))
    }

    @Test("records producers and properties, including synchronous ones")
    func producers() {
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, Never>([1, 2, 3]).record(on: scheduler)
        expect(producer.values, is: [1, 2, 3])
        #expect(producer.hasCompleted)
        let property = MutableProperty(1)
        let recorder = property.record(on: scheduler)
        property.value = 2
        expect(recorder.values, is: [1, 2])
        expect(Property(value: 7).record(on: scheduler).events.map(\.event), is: [.next(7), .completed])
    }

    @Test("can observe several signals and producers")
    func observer() {
        let scheduler = TestScheduler()
        let recorder = Recorder(on: scheduler)
        SignalProducer<Int, TestError>(value: 1).start(recorder.observer)
        Signal<Int, TestError>.empty.observe(recorder.observer)
        expect(recorder.events.map(\.event), is: [.next(1), .completed, .interrupted])
        // The first end is the terminal event.
        expect(recorder.terminal, is: .completed)
    }

    @Test("removes the events, but not the end")
    func forgets() {
        let population = Population()
        let scheduler = TestScheduler()
        let recorder = TestObserver<Population.Member, Never>(on: scheduler)
        recorder.observer.sendNext(population.member())
        recorder.observer.sendCompleted()
        expect(population.alive, is: 1)
        recorder.removeAll()
        #expect(recorder.events.isEmpty)
        expect(population.alive, is: 0)
        #expect(recorder.hasCompleted)
    }

    @Test("stops recording when it is disposed of or released")
    func stops() {
        let population = Population()
        let scheduler = TestScheduler()
        let interruptions = Counter()
        let endless = SignalProducer<Population.Member, Never> { input, lifetime in
            input.sendNext(population.member())
            lifetime.observeEnded { [input] in
                withExtendedLifetime(input) {}
                interruptions.increment()
            }
        }
        do {
            let recorder = endless.record(on: scheduler)
            expect(population.alive, is: 1)
            #expect(!recorder.isDisposed)
        }
        expect(population.alive, is: 0)
        expect(interruptions.value, is: 1)

        let recorder = endless.record(on: scheduler)
        recorder.dispose()
        recorder.dispose()
        #expect(recorder.isDisposed)
        expect(interruptions.value, is: 2)
        expect(recorder.events.map(\.event.text).last, is: "interrupted")

        let (signal, input) = Signal<Int, Never>.pipe()
        let silent = signal.record(on: scheduler)
        silent.dispose()
        input.sendNext(1)
        #expect(silent.events.isEmpty)
        #expect(silent.isDisposed)
        #expect(!silent.hasTerminated)
    }

    @Test("is not retained by a signal that has not ended")
    func notHeld() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        weak var weakly: TestObserver<Int, Never>?
        do {
            let recorder = signal.record(on: scheduler)
            weakly = recorder
            input.sendNext(1)
        }
        #expect(weakly == nil)
    }

    @Test("waits for the end")
    func terminated() async throws {
        let scheduler = TestScheduler()
        let recorder = scheduler.producer("--1|", of: Int.self).record(on: scheduler)
        try await scheduler.run {
            async let terminal = recorder.terminated()
            async let again = recorder.terminated()
            await scheduler.advance(by: .seconds(2))
            #expect(!recorder.hasTerminated)
            await scheduler.advance(by: .seconds(1))
            #expect(recorder.hasTerminated)
            let terminals = try await [terminal, again]
            expect(terminals, is: [.completed, .completed])
        }
        #expect(try await recorder.terminated() == .completed)
    }

    @Test("throws when the waiting task is cancelled, but not if the stream has ended")
    func cancelled() async {
        let scheduler = TestScheduler()
        let log = Log<String>()
        await scheduler.run {
            let recorder = TestObserver<Int, Never>(on: scheduler)
            let waiter = Task(executorPreference: scheduler) {
                do {
                    _ = try await recorder.terminated()
                } catch {
                    log.append("\(type(of: error))")
                }
                do {
                    _ = try await recorder.terminated()
                } catch {
                    log.append("again")
                }
                recorder.observer.sendCompleted()
                let event = try? await recorder.terminated()
                log.append(event?.text ?? "nothing")
            }
            await scheduler.advance()
            waiter.cancel()
            await waiter.value
        }
        expect(log.all, is: ["CancellationError", "again", "completed"])
    }

    @Test("resumes a waiting task once when the end races with cancellation")
    func race() async {
        let outcomes = Counter()
        let scheduler = TestScheduler()
        for _ in 0..<raceRounds {
            let recorder = TestObserver<Int, Never>(on: scheduler)
            let observer = recorder.observer
            let start = Latch("start of the race")
            let waiter = Task {
                _ = try? await recorder.terminated()
                outcomes.increment()
            }
            let ending = TestThread("ending") {
                start.wait()
                observer.sendCompleted()
            }
            let cancelling = TestThread("cancelling") {
                start.wait()
                waiter.cancel()
            }
            start.open()
            ending.join()
            cancelling.join()
            await waiter.value
            #expect(recorder.hasCompleted)
        }
        expect(outcomes.value, is: raceRounds)
    }

    @Test("records the events of several threads")
    func threads() {
        let scheduler = TestScheduler()
        let (signal, input) = Signal<Int, Never>.pipe()
        let recorder = signal.record(on: scheduler)
        onThreads(4, "sending") { index in
            for number in 0..<100 {
                input.sendNext(index * 1_000 + number)
                _ = recorder.values.count
            }
        }
        #expect(recorder.values.sorted() == (0..<4).flatMap { index in (0..<100).map { index * 1_000 + $0 } })
    }
}
