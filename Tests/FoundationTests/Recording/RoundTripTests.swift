import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Recordings", .watched, .offThePool)
struct RoundTripTests {
    /// A value with everything that JSON makes difficult.
    private struct Reading: Codable, Hashable, Sendable {
        enum Kind: String, Codable, CaseIterable { case first, second }

        var id: UInt64
        var value: Double
        var text: String
        var data: Data
        var date: Date
        var kind: Kind?
        var map: [String: [Int]]

        init(from random: inout SplitMix64) {
            let numbers = [0, -0.0, 1 / 3, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
            let texts = ["", "a\nb\r\u{0}\"\\/", "é\u{301}😀\u{2028}", "{\"time\":1}", "\u{FEFF}x", "\u{FFFF}"]
            id = random.next()
            value = random.once(in: 2) ? random.pick(numbers) : Double(bitPattern: random.next() >> 2)
            text = random.pick(texts)
            data = Data((0..<random.number(in: 0...5)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
            date = Date(timeIntervalSinceReferenceDate: Double(random.number(in: -1_000_000...1_000_000)) / 7)
            kind = random.once(in: 3) ? nil : random.pick(Kind.allCases)
            map = random.once(in: 2) ? [:] : [random.pick(texts): [1, 2], "x": []]
        }
    }

    private struct Timed: Equatable {
        let time: Duration
        let event: Event<Reading?, ReplayError<TestError>>
    }

    @Test("have random events and times as they were", arguments: 1...20)
    func random(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let file = try NewFile()
        let clock = TestScheduler()
        let recorder = EventRecorder(on: clock)
        let (readings, input) = Signal<Reading?, TestError>.pipe()
        let sent = Log<Timed>()
        let start = clock.now
        let observation = readings.recordEvents(to: recorder).observe { event in
            sent.append(Timed(time: start.duration(to: clock.now), event: event.mapError { .recorded($0) }))
        }
        try recorder.start(writingTo: file.url, upTo: .bytes(100_000_000))
        for _ in 0..<200 {
            if random.once(in: 2) { await clock.advance(by: .nanoseconds(random.number(in: 0...5_000_000_000))) }
            input.sendNext(random.once(in: 5) ? nil : Reading(from: &random))
        }
        input.send(random.pick([.completed, .interrupted, .error(.first), .error(.second)]))
        observation?.dispose()
        await recorder.finish()

        let other = TestScheduler()
        let replayed = Log<Timed>()
        let beginning = other.now
        SignalProducer.replaying(
            contentsOf: file.url, as: Reading?.self, failingWith: TestError.self, on: other
        ).start { replayed.append(Timed(time: beginning.duration(to: other.now), event: $0)) }
        await other.run()
        expect(replayed.count, is: 201)
        for (replayed, sent) in zip(replayed.all, sent.all) where replayed != sent {
            Issue.record("\(replayed) instead of \(sent)")
        }
    }

    /// 10^6 in the gate, which runs the tests with at least 100 rounds.
    private static var manyEvents: Int {
        if Sanitizer.current != nil { return 10_000 }
        return raceRounds >= 100 ? 1_000_000 : 100_000
    }

    @Test("have very many events as they were")
    func many() async throws {
        let file = try NewFile()
        let count = Self.manyEvents
        let clock = TestScheduler()
        let recorder = EventRecorder(on: clock)
        let (numbers, input) = Signal<Int, Never>.pipe()
        let observation = numbers.recordEvents(to: recorder).observeNext { _ in }
        try recorder.start(writingTo: file.url, upTo: .events(count + 1))
        @Sendable func value(_ number: Int) -> Int { number &* 0x1E37_79B9_7F4A_7C15 }
        for number in 0..<count {
            if number % 1_000 == 0 { await clock.advance(by: .microseconds(1)) }
            input.sendNext(value(number))
        }
        input.sendCompleted()
        let summary = try #require(await recorder.finish())
        expect(summary.events, is: count + 1)
        expect(summary.ending, is: .full)
        expect(summary.bytes, is: file.size)
        observation?.dispose()

        let other = TestScheduler()
        let beginning = other.now
        let seen = Locked((count: 0, wrong: 0, end: ""))
        SignalProducer.replaying(contentsOf: file.url, as: Int.self, on: other).start { event in
            let time = beginning.duration(to: other.now)
            seen.withLock { seen in
                guard let next = event.value else {
                    seen.end = event.text
                    return
                }
                let isRight = next == value(seen.count) && time == .microseconds(seen.count / 1_000 + 1)
                if !isRight { seen.wrong += 1 }
                seen.count += 1
            }
        }
        await other.run()
        let result = seen.withLock { $0 }
        expect(result.count, is: count)
        expect(result.wrong, is: 0)
        expect(result.end, is: "completed")
    }

    @Test("are made of a history, as far as it goes back")
    func history() throws {
        let file = try NewFile()
        let clock = TestScheduler()
        let (numbers, input) = Signal<Int, TestError>.pipe()
        let history = numbers.recordEvents(last: 3, on: clock)
        for number in 1...4 {
            clock.advance(by: .seconds(1))
            input.sendNext(number)
        }
        clock.advance(by: .nanoseconds(5))
        input.sendError(.first)
        try history.write(to: file.url, named: "numbers")
        expect(
            try Array(file.lines.dropFirst()),
            is: [
                #"{"stream":0,"name":"numbers"}"#, #"{"time":0,"stream":0,"next":3}"#,
                #"{"time":1000000000,"stream":0,"next":4}"#, #"{"time":1000000005,"stream":0,"error":{"first":{}}}"#,
                #"{"time":1000000005,"end":"stopped"}"#, "",
            ])
        #expect(throws: RecordingError.file(SystemError(code: EEXIST, operation: "open"))) {
            try history.write(to: file.url)
        }
        expect(file.descriptors, is: 0)
    }

    @Test("are made of the history of a producer, with a stream for each start")
    func historyOfProducer() throws {
        let file = try NewFile()
        let (load, history) = SignalProducer((0..<10_000)).recordEvents(last: 15_000)
        load.start()
        load.start()
        try history.write(to: file.url)
        expect(replayedNumbers(file.url).count, is: 4_999)
        expect(replayedNumbers(file.url, stream: .number(1)), is: (0..<10_000).map { "\($0)" } + ["completed"])
        let empty = try NewFile()
        try SignalProducer<Int, Never>.never.recordEvents(last: 1).history.write(to: empty.url)
        expect(replayedNumbers(empty.url), is: ["error the recording has no such stream"])
    }
}
