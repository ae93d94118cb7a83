import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("recordEvents to a file", .watched, .offThePool)
struct EventRecorderTests {
    typealias Numbers = Signal<Int, TestError>

    let file: NewFile
    let clock = TestScheduler()
    let recorder: EventRecorder

    init() throws {
        file = try NewFile()
        recorder = EventRecorder(on: clock)
    }

    @Test("writes a line for each event, with its time since the beginning")
    func lines() async throws {
        let (numbers, input) = Numbers.pipe()
        let log = numbers.named("numbers").recordEvents(to: recorder).logged()
        await clock.advance(by: .seconds(5))
        try recorder.start(writingTo: file.url, upTo: .events(10))
        input.sendNext(1)
        await clock.advance(by: .nanoseconds(250))
        input.sendNext(2)
        await clock.advance(by: .seconds(3_600))
        input.sendError(.second)
        await clock.advance(by: .nanoseconds(1))
        let summary = try #require(await recorder.finish())
        expect(log.all, is: ["1", "2", "error second"])
        let lines = try file.lines
        expect(
            Array(lines.dropFirst()),
            is: [
                #"{"stream":0,"name":"numbers"}"#, #"{"time":0,"stream":0,"next":1}"#,
                #"{"time":250,"stream":0,"next":2}"#, #"{"time":3600000000250,"stream":0,"error":{"second":{}}}"#,
                #"{"time":3600000000251,"end":"stopped"}"#, "",
            ])
        #expect(lines[0].hasPrefix(#"{"format":"ReactiveSignals recording","version":1,"began":"20"#), "\(lines[0])")
        #expect(lines[0].hasSuffix(#"Z","unit":"ns"}"#), "\(lines[0])")
        expect(summary.ending, is: .stopped)
        expect(summary.events, is: 3)
        expect(summary.bytes, is: file.size)
        expect(file.descriptors, is: 0)
    }

    @Test("records only while it is on")
    func switched() async throws {
        let (numbers, input) = Numbers.pipe()
        let log = numbers.recordEvents(to: recorder).logged()
        input.sendNext(1)
        #expect(!recorder.isRecording && recorder.summary == nil)
        #expect(await recorder.finish() == nil)
        try recorder.start(writingTo: file.url, upTo: .events(10))
        #expect(recorder.isRecording && recorder.summary?.ending == .some(nil))
        input.sendNext(2)
        expect(recorder.summary?.events, is: 1)
        recorder.stop()
        #expect(!recorder.isRecording)
        input.sendNext(3)
        recorder.stop()
        expect(await recorder.finish()?.events, is: 1)
        expect(replayedNumbers(file.url), is: ["2", "interrupted"])
        let other = file.sibling("other")
        try recorder.start(writingTo: other, upTo: .events(10))
        input.sendNext(4)
        input.sendCompleted()
        expect(await recorder.finish()?.events, is: 2)
        expect(replayedNumbers(other), is: ["4", "completed"])
        expect(log.all, is: ["1", "2", "3", "4", "completed"])
    }

    @Test("begins another recording, which ends the one in progress")
    func restarted() async throws {
        let (numbers, input) = Numbers.pipe()
        let log = numbers.recordEvents(to: recorder).logged()
        try recorder.start(writingTo: file.url, upTo: .events(10))
        input.sendNext(1)
        let other = file.sibling("other")
        try recorder.start(writingTo: other, upTo: .events(10))
        input.sendNext(2)
        #expect(recorder.isRecording)
        expect(await recorder.finish()?.events, is: 1)
        #expect(await eventually { file.descriptors == 0 })
        expect(replayedNumbers(file.url), is: ["1", "interrupted"])
        expect(replayedNumbers(other), is: ["2", "interrupted"])
        expect(log.count, is: 2)
    }

    @Test("ends when it has a number of events")
    func fullOfEvents() async throws {
        let (numbers, input) = Numbers.pipe()
        let log = numbers.recordEvents(to: recorder).logged()
        try recorder.start(writingTo: file.url, upTo: .events(2))
        for number in 1...4 { input.sendNext(number) }
        #expect(!recorder.isRecording)
        let summary = try #require(await recorder.finish())
        expect(summary.ending, is: .full)
        expect(summary.events, is: 2)
        expect(try file.lines.suffix(2), is: [#"{"time":0,"end":"full"}"#, ""])
        expect(replayedNumbers(file.url), is: ["1", "2", "interrupted"])
        expect(log.count, is: 4)
    }

    @Test("ends before the file has more than a number of bytes", arguments: [1_024, 1_025, 1_100, 5_000])
    func fullOfBytes(limit: Int) async throws {
        let (numbers, input) = Numbers.pipe()
        let log = numbers.recordEvents(to: recorder).logged()
        try recorder.start(writingTo: file.url, upTo: .bytes(limit))
        for number in 1...1_000 { input.sendNext(number) }
        let summary = try #require(await recorder.finish())
        expect(summary.ending, is: .full)
        expect(summary.bytes, is: file.size)
        #expect(file.size <= limit && file.size > limit - 128)
        expect(replayedNumbers(file.url).count, is: summary.events + 1)
        expect(log.count, is: 1_000)
    }

    @Test("ends when more waits for the disk than may wait")
    func tooSlow() async throws {
        let (texts, input) = Signal<String, Never>.pipe()
        let log = texts.recordEvents(to: recorder).logged()
        try recorder.start(writingTo: file.url, upTo: .events(10))
        input.sendNext("a")
        input.sendNext(String(repeating: "x", count: 17 << 20))
        input.sendNext("b")
        let summary = try #require(await recorder.finish())
        expect(summary.ending, is: .tooSlow)
        expect(summary.events, is: 1)
        expect(try file.lines.suffix(2), is: [#"{"time":0,"end":"tooSlow"}"#, ""])
        expect(log.count, is: 3)
    }

    @Test("ends when the file cannot be written")
    func fails() async {
        await #expect(processExitsWith: .success) {
            let file = try NewFile()
            // The system refuses to write more, as it does when the disk is full.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let recorder = EventRecorder()
            let (numbers, input) = Signal<Int, Never>.pipe()
            let observation = numbers.recordEvents(to: recorder).observeNext { _ in }
            try recorder.start(writingTo: file.url, upTo: .events(1_000_000))
            while recorder.isRecording { input.sendNext(1) }
            let summary = await recorder.finish()
            precondition(summary?.ending == .failed(SystemError(code: EFBIG, operation: "write")), "\(summary as Any)")
            precondition(file.descriptors == 0)
            let values = SignalProducer<Int, RecordingError>.replayed(file.url)
            precondition(values.count > 10 && values.last?.hasPrefix("error the recording is cut off after") == true)
            observation?.dispose()
        }
    }

    @Test("does not overwrite a file, and needs a folder")
    func occupied() throws {
        let occupied = TemporaryFile("precious")
        #expect(throws: SystemError(code: EEXIST, operation: "open")) {
            try recorder.start(writingTo: occupied.url, upTo: .events(1))
        }
        expect(try String(contentsOf: occupied.url, encoding: .utf8), is: "precious")
        #expect(throws: SystemError(code: ENOENT, operation: "open")) {
            try recorder.start(writingTo: file.sibling("none/events"), upTo: .events(1))
        }
        #expect(!recorder.isRecording)
    }

    @Test("makes a file that only its owner can read")
    func permissions() async throws {
        try recorder.start(writingTo: file.url, upTo: .events(1))
        await recorder.finish()
        let mode = try FileManager.default.attributesOfItem(atPath: file.url.path())[.posixPermissions] as? Int
        expect(mode, is: 0o600)
    }

    @Test("records each start of a producer as a stream of its own")
    func starts() async throws {
        let load = SignalProducer([10, 20]).named("load").recordEvents(to: recorder)
        expect(load.name, is: "load")
        try recorder.start(writingTo: file.url, upTo: .events(100))
        load.start()
        let endless = SignalProducer<Int, Never>.never.prefix(value: 30).recordEvents(to: recorder).start()
        load.start()
        endless.dispose()
        await recorder.finish()
        expect(replayedNumbers(file.url), is: ["10", "20", "completed"])
        expect(replayedNumbers(file.url, stream: .number(1)), is: ["30", "interrupted"])
        expect(replayedNumbers(file.url, stream: .number(2)), is: ["10", "20", "completed"])
        expect(replayedNumbers(file.url, stream: .named("load", start: 1)), is: ["10", "20", "completed"])
        expect(replayedNumbers(file.url, stream: .named("load", start: 2)), is: [Self.noStream])
        expect(replayedNumbers(file.url, stream: .number(3)), is: [Self.noStream])
    }

    private static let noStream = "error the recording has no such stream"

    @Test("records streams of different types in one file")
    func types() async throws {
        let (numbers, input) = Numbers.pipe()
        let (texts, textInput) = Signal<String, Never>.pipe()
        let logs = (
            numbers.named("numbers").recordEvents(to: recorder).logged(),
            texts.named("texts").recordEvents(to: recorder).logged()
        )
        try recorder.start(writingTo: file.url, upTo: .events(100))
        textInput.sendNext("a")
        input.sendNext(1)
        textInput.sendNext("b")
        input.sendError(.first)
        await recorder.finish()
        let replayed = SignalProducer.replaying(
            contentsOf: file.url, as: Int.self, failingWith: TestError.self, stream: .named("numbers"))
        expect(
            await replayed.materialize().collectAll() ?? [], is: [.next(1), .error(.recorded(.first))])
        expect(
            SignalProducer<String, RecordingError>.replayed(file.url, stream: .named("texts")),
            is: ["a", "b", "interrupted"])
        expect(logs.0.count + logs.1.count, is: 4)
    }

    @Test("lets two recorders record one stream")
    func two() async throws {
        let other = EventRecorder()
        let (numbers, input) = Numbers.pipe()
        let log = numbers.recordEvents(to: recorder).recordEvents(to: other).logged()
        try recorder.start(writingTo: file.url, upTo: .events(1))
        try other.start(writingTo: file.sibling("other"), upTo: .events(2))
        for number in 1...3 { input.sendNext(number) }
        await recorder.finish()
        await other.finish()
        expect(replayedNumbers(file.url), is: ["1", "interrupted"])
        expect(replayedNumbers(file.sibling("other")), is: ["1", "2", "interrupted"])
        expect(log.all, is: ["1", "2", "3"])
    }

    @Test("says in a line what could not be encoded")
    func notEncodable() async throws {
        struct Secret: Codable {
            func encode(to encoder: any Encoder) throws {
                let context = EncodingError.Context(codingPath: [], debugDescription: "a \"secret\"")
                throw EncodingError.invalidValue(self, context)
            }
        }
        let (secrets, input) = Signal<Secret, Never>.pipe()
        let log = secrets.recordEvents(to: recorder).logged()
        try recorder.start(writingTo: file.url, upTo: .events(10))
        input.sendNext(Secret())
        expect(await recorder.finish()?.events, is: 1)
        expect(try file.lines[2], is: #"{"time":0,"stream":0,"lost":"a \"secret\""}"#)
        expect(
            SignalProducer<Secret, RecordingError>.replaying(contentsOf: file.url, as: Secret.self).logged().all,
            is: [#"error line 3 lacks what could not be encoded: a "secret""#])
        expect(log.count, is: 1)
    }

    @Test("delivers in order what an observer and an encoder send")
    func reentrant() async throws {
        struct Loud: Codable {
            let number: Int
            @TaskLocal static var input: Signal<Loud, Never>.Observer?

            init(_ number: Int) { self.number = number }
            init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(number)
                if number == 1 { Self.input?.sendNext(Loud(3)) }
            }
        }
        let (values, input) = Signal<Loud, Never>.pipe()
        let seen = Log<Int>()
        values.recordEvents(to: recorder).observeNext { value in
            seen.append(value.number)
            if value.number == 1 { input.sendNext(Loud(2)) }
        }
        try recorder.start(writingTo: file.url, upTo: .events(10))
        Loud.$input.withValue(input) { input.sendNext(Loud(1)) }
        await recorder.finish()
        expect(seen.all, is: [1, 3, 2])
        expect(replayedNumbers(file.url), is: ["1", "3", "2", "interrupted"])
        // Releases the observer, which retains its input.
        input.sendCompleted()
    }

    @Test("ends the recording when the recorder is released")
    func released() async throws {
        let (numbers, input) = Numbers.pipe()
        do {
            let recorder = EventRecorder()
            let observation = numbers.recordEvents(to: recorder).observe { _ in }
            try recorder.start(writingTo: file.url, upTo: .events(10))
            input.sendNext(1)
            observation?.dispose()
        }
        #expect(await eventually { file.descriptors == 0 })
        expect(replayedNumbers(file.url), is: ["1", "interrupted"])
    }

    @Test("does not wait for the file in a task that is cancelled")
    func cancelled() async throws {
        try recorder.start(writingTo: file.url, upTo: .events(10))
        let recorder = recorder
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await recorder.finish()
        }
        #expect(await task.value == nil)
        #expect(!recorder.isRecording)
        expect(await recorder.finish()?.ending, is: .stopped)
    }

    @Test("records the events of several threads in the order of their delivery, while another switches it")
    func threads() async throws {
        let (numbers, input) = Signal<Int, Never>.pipe()
        let seen = Log<Int>()
        let recorded = numbers.recordEvents(to: recorder).on(next: { seen.append($0) })
        let observation = recorded.observeNext { _ in }
        for round in 0..<raceRounds / 10 + 1 {
            let url = file.sibling("\(round)")
            try recorder.start(writingTo: url, upTo: .events(1_000_000))
            onThreads(3, "senders") { thread in
                for number in 0..<100 { input.sendNext(thread * 100 + number) }
                if thread == 0 { recorder.stop() }
            }
            expect(await recorder.finish()?.ending, is: .stopped)
            let values = replayedNumbers(url).dropLast().compactMap { Int($0) }
            // One thread has sent everything before the end. There is no gap.
            #expect(values.count >= 100)
            expect(values, is: Array(seen.all.prefix(values.count)))
            seen.removeAll()
        }
        observation?.dispose()
    }

    @Test("traps at a limit for nothing")
    func traps() async throws {
        var result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try EventRecorder().start(writingTo: URL(filePath: "/dev/null/x"), upTo: .events(0))
        }
        result.expectTrap("EventRecorder.start(upTo: events(0)): the limit must be positive")
        result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try EventRecorder().start(writingTo: URL(filePath: "/dev/null/x"), upTo: .bytes(1_023))
        }
        result.expectTrap("EventRecorder.start(upTo: bytes(1023)): the limit must be at least 1,024 bytes")
    }
}

extension SignalProducer {
    fileprivate func logged() -> Log<String> {
        let log = Log<String>()
        start { log.append($0.text) }
        return log
    }
}
