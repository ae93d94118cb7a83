import ReactiveSignals
import Synchronization
import TestSupport
import Testing

@Suite("tapped(by:) of actions")
struct ActionTappedTests {
    private let log = Log<String>()

    @Test("notifies of each execution, its events and its end, and returns the action")
    func executions() {
        let action = Action<Int, Int, TestError> { SignalProducer([$0, $0 + 1]) }
        #expect(action.tapped(by: RecordingTap(log), name: "save") === action)
        action.apply(1).start { [log] in log.append("received \($0.text)") }
        expect(
            log.all,
            is: [
                "begin execution save", "run", "next 1", "received 1", "next 2", "received 2", "completed",
                "received completed", "end", "ran",
            ])
    }

    @Test("notifies of the errors: that of the work, and that of a refused start")
    func errors() {
        let action = Action<Int, Int, TestError> { $0 == 0 ? .never : SignalProducer(error: .first) }
        action.tapped(by: RecordingTap(log))
        action.apply(1).start()
        expect(
            Array(log.all.dropFirst()),
            is: ["run", "error \(ActionError.producerError(TestError.first))", "end", "ran"])
        let running = action.apply(0).start()
        log.removeAll()
        action.apply(1).start()
        expect(
            Array(log.all.dropFirst()), is: ["run", "error \(ActionError<TestError>.disabled)", "end", "ran"])
        log.removeAll()
        running.dispose()
        expect(log.all, is: ["interrupted", "end"])
    }

    @Test("notifies of executions that wait in the queue until they begin or are disposed of")
    func waiting() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: .max)) {
            $0 == 0 ? SignalProducer(signal) : .init(value: $0)
        }
        action.tapped(by: RecordingTap(log))
        action.apply(0).start()
        log.removeAll()
        let disposed = action.apply(1).start()
        action.apply(2).start()
        expect(
            log.all.filter { $0.contains("wait") }, is: ["began to wait: execution", "began to wait: execution"])
        log.removeAll()
        disposed.dispose()
        expect(log.all, is: ["stopped waiting: execution", "interrupted", "end"])
        log.removeAll()
        input.sendCompleted()
        expect(log.all, is: ["completed", "end", "stopped waiting: execution", "next 2", "completed", "end"])
    }

    @Test("an execution that waits begins with the task-locals that the tap has set for it")
    func context() {
        enum Request {
            @TaskLocal static var number = 0
        }

        struct Tracing: StreamTap {
            func begin(_ stream: TappedStream) -> Int { Request.number + 1 }

            func run(_ work: () -> Void, in number: Int) { Request.$number.withValue(number, operation: work) }
        }

        let (signal, input) = Signal<Int, Never>.pipe()
        let seen = Log<Int>()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: .max)) {
            seen.append(Request.number)
            return $0 == 0 ? SignalProducer(signal) : .empty
        }
        action.tapped(by: Tracing())
        Request.$number.withValue(10) { action.apply(0).start() }
        Request.$number.withValue(20) { action.apply(1).start() }
        Request.$number.withValue(30) { input.sendCompleted() }
        expect(seen.all, is: [11, 21])
    }

    @Test("notifies of execute(_:), and several taps in the order in which they were added")
    func execute() async throws {
        let action = Action<Int, Int, TestError> { SignalProducer(value: $0) }
        action.tapped(by: RecordingTap(log, "a ")).tapped(by: RecordingTap(log, "b "))
        #expect(try await action.execute(3) == 3)
        expect(log.all.filter { $0.contains("run") }, is: ["a run", "b run"])
        expect(
            log.all.filter { $0.contains("next") || $0.contains("end") },
            is: ["b next 3", "a next 3", "b end", "a end"])
    }

    @Test("each execution that has begun to wait stops waiting once, whatever other threads do")
    func threads() {
        struct Counting: StreamTap {
            let sums: Log<[StreamWaiting]>

            func begin(_ stream: TappedStream) -> Log<StreamWaiting> { Log() }

            func waiting(_ waiting: StreamWaiting, in log: Log<StreamWaiting>) { log.append(waiting) }

            func end(_ log: Log<StreamWaiting>) { sums.append(log.all) }
        }

        let rounds = raceRounds
        let sums = Log<[StreamWaiting]>()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: .max)) { SignalProducer(value: $0) }
        action.tapped(by: Counting(sums: sums))
        onThreads(3, "starting and disposing") { index in
            for round in 0..<rounds {
                let start = action.apply(round).start()
                if index == 0 { start.dispose() }
            }
        }
        expect(sums.all.count, is: 3 * rounds)
        #expect(sums.all.allSatisfy { $0.isEmpty || $0 == [.began(.execution), .ended(.execution)] })
    }
}
