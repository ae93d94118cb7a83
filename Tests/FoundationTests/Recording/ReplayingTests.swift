import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("replaying", .watched, .offThePool)
struct ReplayingTests {
    private let example = handmade(
        #"{"stream":0,"name":"a"}"#, #"{"time":0,"stream":0,"next":1}"#, #"{"time":1000,"stream":0,"next":2}"#,
        #"{"stream":1,"name":"b"}"#, #"{"time":1500,"stream":1,"next":"x"}"#, #"{"time":4000,"stream":0,"next":3}"#,
        #"{"time":4000,"stream":0,"next":4}"#, #"{"time":5000,"stream":0,"completed":true}"#,
        #"{"time":6000,"stream":1,"next":"y"}"#, #"{"time":9000,"end":"stopped"}"#)

    private func timed(
        _ file: URL, stream: RecordedStream = .first, speed: Double = 1, on clock: TestScheduler
    ) -> (log: Log<String>, disposable: any Disposable) {
        let log = Log<String>()
        let start = clock.now
        let replay = SignalProducer.replaying(
            contentsOf: file, as: Int.self, stream: stream, speed: speed, on: clock)
        let disposable = replay.start { log.append("\(start.duration(to: clock.now).nanoseconds) \($0.text)") }
        return (log, disposable)
    }

    @Test("sends events at their times on a scheduler")
    func times() {
        let clock = TestScheduler()
        clock.advance(by: .seconds(7))
        let (log, _) = timed(example.url, on: clock)
        expect(log.all, is: [])
        clock.advance()
        expect(log.all, is: ["0 1"])
        clock.advance(by: .nanoseconds(999))
        expect(log.count, is: 1)
        clock.run()
        expect(log.all, is: ["0 1", "1000 2", "4000 3", "4000 4", "5000 completed"])
        expect(example.descriptors, is: 0)
    }

    @Test(
        "divides the times by the speed",
        arguments: [(2, [0, 500, 2_000, 2_000, 2_500]), (0.5, [0, 2_000, 8_000, 8_000, 10_000])] as [(Double, [Int])])
    func speed(factor: Double, times: [Int]) {
        let clock = TestScheduler()
        let (log, _) = timed(example.url, speed: factor, on: clock)
        clock.run()
        expect(log.all, is: zip(times, ["1", "2", "3", "4", "completed"]).map { "\($0) \($1)" })
    }

    @Test(
        "at the lowest speeds, never sends what was recorded later",
        arguments: [1e-30, 1e-300, .leastNonzeroMagnitude])
    func lowestSpeed(factor: Double) {
        let clock = TestScheduler()
        let (log, disposable) = timed(example.url, speed: factor, on: clock)
        clock.advance(by: .seconds(1_000_000_000))
        expect(log.all, is: ["0 1"])
        disposable.dispose()
        expect(example.descriptors, is: 0)
    }

    @Test("replays each start separately")
    func starts() {
        let clock = TestScheduler()
        let (first, _) = timed(example.url, on: clock)
        clock.advance(by: .nanoseconds(2_000))
        let (second, _) = timed(example.url, on: clock)
        clock.run()
        expect(first.all, is: second.all)
        expect(first.count, is: 5)
    }

    @Test("is interrupted when the recording ends before the stream")
    func open() {
        let clock = TestScheduler()
        let log = Log<String>()
        SignalProducer.replaying(contentsOf: example.url, as: String.self, stream: .named("b"), on: clock)
            .start { log.append($0.text) }
        clock.advance(by: .nanoseconds(8_999))
        expect(log.all, is: ["x", "y"])
        clock.run()
        expect(log.all, is: ["x", "y", "interrupted"])
        expect(
            SignalProducer<String, RecordingError>.replayed(example.url, stream: .number(1)),
            is: ["x", "y", "interrupted"])
    }

    @Test("sends nothing after its disposal, and closes the file")
    func disposal() {
        let clock = TestScheduler()
        let (log, disposable) = timed(example.url, on: clock)
        clock.advance(by: .nanoseconds(2_000))
        expect(example.descriptors, is: 1)
        disposable.dispose()
        expect(log.all, is: ["0 1", "1000 2", "2000 interrupted"])
        expect(example.descriptors, is: 0)
        let end = clock.now
        clock.run()
        // Nothing was scheduled any more.
        #expect(clock.now == end)
        expect(log.count, is: 3)
        // Before it has begun, it opens nothing.
        let (early, other) = timed(URL(filePath: "/nowhere"), on: clock)
        other.dispose()
        clock.run()
        expect(early.all, is: ["0 interrupted"])
    }

    @Test("stops when it is disposed of by its observer, and when no more is needed")
    func inside() {
        let clock = TestScheduler()
        let log = Log<String>()
        let serial = SerialDisposable()
        serial.inner = SignalProducer.replaying(contentsOf: example.url, as: Int.self, on: clock)
            .start { event in
                log.append(event.text)
                if event.value == 3 { serial.dispose() }
            }
        clock.run()
        expect(log.all, is: ["1", "2", "3", "interrupted"])
        expect(example.descriptors, is: 0)
        let first = SignalProducer.replaying(contentsOf: example.url, as: Int.self).take(first: 2).materialize()
        expect(first.blockingCollect()?.count, is: 3)
        expect(example.descriptors, is: 0)
    }

    @Test("reads no further than needed")
    func lazily() throws {
        let many = TemporaryFile(
            "\(firstLine)\n{\"stream\":0,\"name\":\"a\"}\n"
                + (0..<20_000).map { "{\"time\":\($0),\"stream\":0,\"next\":\($0)}\n" }.joined())
        let clock = TestScheduler()
        let (log, disposable) = timed(many.url, on: clock)
        clock.advance(by: .nanoseconds(10))
        expect(log.count, is: 11)
        let position = try position(in: many)
        #expect(position > 0 && position <= 65_536, "\(position)")
        clock.advance(by: .nanoseconds(10_000))
        expect(log.count, is: 10_011)
        disposable.dispose()
    }

    /// Where the process reads the file, which is open once.
    private func position(in file: TemporaryFile) throws -> Int {
        let folder = "/proc/self/fd"
        let descriptor = try FileManager.default.contentsOfDirectory(atPath: folder).first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == file.url.path()
        }
        let text = try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor ?? "")", encoding: .utf8)
        return Int(text.split(separator: "\n")[0].split(separator: "\t")[1]) ?? -1
    }

    @Test("takes constant stack for any number of events", arguments: [0, 1])
    func stack(step: Int) {
        let count = Sanitizer.current == nil ? 20_000 : 5_000
        let many = TemporaryFile(
            "\(firstLine)\n{\"stream\":0,\"name\":\"a\"}\n"
                + (0..<count).map { "{\"time\":\($0 * step),\"stream\":0,\"next\":\($0)}\n" }.joined()
                + "{\"time\":\(count * step),\"end\":\"stopped\"}\n")
        let values = Counter()
        TestThread("replays on a small stack", stackSize: 256 << 10) {
            let clock = TestScheduler()
            SignalProducer.replaying(contentsOf: many.url, as: Int.self, on: clock).startWithResult { _ in
                values.increment()
            }
            clock.run()
            // Every delay is over at once.
            SignalProducer.replaying(contentsOf: many.url, as: Int.self, on: HastyScheduler()).startWithResult { _ in
                values.increment()
            }
            SignalProducer.replaying(contentsOf: many.url, as: Int.self).startWithResult { _ in values.increment() }
        }.join()
        expect(values.value, is: 3 * count)
    }

    @Test("replays in real time")
    func realTime() async {
        let recording = await SignalProducer.replaying(
            contentsOf: example.url, as: Int.self, on: QueueScheduler(name: "replay")
        ).recorded().recording.ended()
        expect(recording.texts, is: ["1", "2", "3", "4", "completed"])
    }

    @Test("is interrupted when the scheduler drops its action", arguments: [false, true])
    func dropped(hasBegun: Bool) async {
        let scheduler = ClosingScheduler(isOpen: hasBegun)
        let slow = handmade(
            #"{"stream":0,"name":"a"}"#, #"{"time":0,"stream":0,"next":1}"#,
            #"{"time":9000000000000000,"stream":0,"next":2}"#)
        let (recording, disposable) = SignalProducer.replaying(contentsOf: slow.url, as: Int.self, on: scheduler)
            .recorded()
        if hasBegun {
            scheduler.runNext()
            expect(recording.texts, is: ["1"])
            scheduler.shutDown()
        }
        expect(await recording.ended().texts, is: hasBegun ? ["1", "interrupted"] : ["interrupted"])
        #expect(await eventually { slow.descriptors == 0 })
        withExtendedLifetime(disposable) {}
    }

    @Test(
        "fails with the line of a file that is not a recording, and sends what is in front of it",
        arguments: [
            (#"{"time":0,"stream":0,"next":1"#, "line 4 is not one of a recording"),
            ("", "line 4 is not one of a recording"), ("[]", "line 4 is not one of a recording"),
            ("{}", "line 4 is not one of a recording"),
            (#"{"time":0,"stream":0}"#, "line 4 is not one of a recording"),
            (#"{"time":-1,"stream":0,"next":1}"#, "line 4 is not one of a recording"),
            (#"{"time":0.5,"stream":0,"next":1}"#, "line 4 is not one of a recording"),
            (#"{"time":9223372036854775808,"stream":0,"next":1}"#, "line 4 is not one of a recording"),
            (#"{"time":00,"stream":0,"next":1}"#, "line 4 is not one of a recording"),
            (#"{"time":0,"stream":0,"next":1}x"#, "line 4 is not one of a recording"),
            (#"{"time":0,"stream":0,"next":1}}"#, "line 4 is not one of a recording"),
            (#"{"time":0,"next":1}"#, "line 4 is not one of a recording"),
            (#"{"stream":1}"#, "line 4 is not one of a recording"),
            (#"{"name":"a"}"#, "line 4 is not one of a recording"),
            (firstLine, "line 4 is not one of a recording"),
            (#"{"time":0,"stream":0,"next":"x"}"#, "line 4 has another type: next: Expected to decode"),
            (#"{"time":0,"stream":0,"next":null}"#, "line 4 has another type: next: "),
            (#"{"time":0,"stream":0,"error":{}}"#, "line 4 has another type: "),
            (#"{"time":0,"stream":0,"lost":"why"}"#, "line 4 lacks what could not be encoded: why"),
        ] as [(String, String)])
    func malformed(line: String, message: String) {
        let file = handmade(#"{"stream":0,"name":"a"}"#, #"{"time":0,"stream":0,"next":1}"#, line)
        let events = replayedNumbers(file.url)
        expect(events.count, is: 2)
        expect(events.first, is: "1")
        #expect(events[1].hasPrefix("error \(message)"), "\(events)")
        let clock = TestScheduler()
        let (log, _) = timed(file.url, on: clock)
        clock.run()
        expect(log.all, is: events.map { "0 \($0)" })
        expect(file.descriptors, is: 0)
    }

    @Test(
        "does not replay a file with another first line",
        arguments: [
            ("", "the file is not a recording"), ("\n", "the file is not a recording"),
            (firstLine, "the file is not a recording"), ("GET / HTTP/1.1\n\n", "the file is not a recording"),
            ("\0\u{1}\n", "the file is not a recording"),
            (#"{"stream":0,"name":"a"}"# + "\n", "the file is not a recording"),
            (#"{"format":"other","version":1}"# + "\n", "the file is not a recording"),
            (
                #"{"format":"ReactiveSignals recording","version":2}"# + "\n",
                "the recording has version 2 of the format, which is not supported"
            ),
        ])
    func otherFiles(text: String, message: String) {
        let file = TemporaryFile(text)
        expect(replayedNumbers(file.url), is: ["error \(message)"])
        let clock = TestScheduler()
        let (log, _) = timed(file.url, on: clock)
        clock.run()
        expect(log.all, is: ["0 error \(message)"])
        expect(file.descriptors, is: 0)
    }

    @Test("fails if the file cannot be read")
    func unreadable() {
        expect(replayedNumbers(URL(filePath: "/nowhere/x")), is: ["error open: No such file or directory"])
        expect(replayedNumbers(FileManager.default.temporaryDirectory), is: ["error read: Is a directory"])
    }

    @Test("replays what is whole of a file that was cut off anywhere, and then fails")
    func cutOff() throws {
        let whole = try Data(contentsOf: example.url)
        let ends = whole.indices.filter { whole[$0] == 0x0A }
        for length in 0..<whole.count {
            let file = TemporaryFile(whole.prefix(length))
            let lines = ends.count { $0 < length }
            // The lines of the events of the first stream, and of its end.
            let values = [3, 4, 7, 8].count { $0 <= lines }
            let expected: String =
                if lines == 0 {
                    "error the file is not a recording"
                } else if lines >= 9 {
                    "completed"
                } else {
                    "error the recording is cut off after line \(lines)"
                }
            expect(replayedNumbers(file.url), is: (1...4).prefix(values).map { "\($0)" } + [expected], "\(length)")
        }
    }

    @Test("accepts lines that a person has written")
    func byHand() {
        let file = TemporaryFile(
            """
            \(firstLine)\r
            { "name": "a", "stream": 3 }
            {"next": 1, "stream": 3, "time": 5, "comment": "the first one"}
            {"time": 5, "stream": 3, "interrupted": true}\n
            """)
        expect(replayedNumbers(file.url, stream: .number(3)), is: ["1", "interrupted"])
        expect(replayedNumbers(file.url, stream: .named("a")), is: ["1", "interrupted"])
    }

    @Test("replays an error that was recorded")
    func errors() {
        let file = handmade(
            #"{"stream":0,"name":"a"}"#, #"{"time":0,"stream":0,"next":1}"#,
            #"{"time":7,"stream":0,"error":{"second":{}}}"#)
        let clock = TestScheduler()
        let logs = (Log<Event<Int, ReplayError<TestError>>>(), Log<Event<Int, ReplayError<TestError>>>())
        SignalProducer.replaying(contentsOf: file.url, as: Int.self, failingWith: TestError.self, on: clock)
            .start { logs.0.append($0) }
        SignalProducer.replaying(contentsOf: file.url, as: Int.self, failingWith: TestError.self)
            .start { logs.1.append($0) }
        clock.run()
        expect(logs.0.all, is: [.next(1), .error(.recorded(.second))])
        expect(logs.1.all, is: logs.0.all)
        let error = ReplayError<TestError>.recording(.noSuchStream)
        expect("\(error) \(ReplayError.recorded(TestError.first))", is: "the recording has no such stream first")
    }

    @Test("traps at another speed", arguments: [0, -1, 1])
    func speeds(speed: Int) async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [speed] in
            // 1 stands for infinity, which cannot be captured.
            _ = SignalProducer.replaying(
                contentsOf: URL(filePath: "/"), as: Int.self, speed: speed == 1 ? .infinity : Double(speed),
                on: TestScheduler())
        }
        let text = speed == 1 ? "inf" : "\(Double(speed))"
        result.expectTrap("replaying(speed: \(text)): the speed must be positive and finite")
    }

    @Test("has a name")
    func names() throws {
        let file = URL(filePath: "/")
        expect(SignalProducer.replaying(contentsOf: file, as: Int.self).name, is: "replaying")
        expect(SignalProducer.replaying(contentsOf: file, as: Int.self, on: TestScheduler()).name, is: "replaying")
    }
}

/// A scheduler for which every delay is over at once: it runs each action in the call that schedules it.
private final class HastyScheduler: DelayScheduler {
    var now: ContinuousClock.Instant { .now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        return nil
    }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(action) }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { schedule(action) }
}
