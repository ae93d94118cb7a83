import InMemoryLogging
import IntegrationsTestSupport
import Logging
import ReactiveSignals
import ReactiveSignalsLogging
import Testing

private struct Trouble: Error, CustomStringConvertible {
    var description: String { "no\nway" }
}

@Suite("A logger as a tap", .patient)
struct StreamLoggerTests {
    private let handler: InMemoryLogHandler
    private let logger: Logger

    init() {
        var handler = InMemoryLogHandler()
        handler.logLevel = .trace
        self.handler = handler
        logger = Logger(label: "test") { _ in handler }
    }

    private var messages: [String] { handler.entries.map { "\($0.level) \($0.message)" } }

    @Test("logs the beginning, each value and the completion of a start, each with its level")
    func lines() {
        SignalProducer<Int, Never>(1...2).tapped(by: StreamLogger(logger)).start()
        #expect(messages == ["debug begins", "trace value", "trace value", "debug completed"])
    }

    @Test("logs each other end with a message of its own")
    func ends() {
        SignalProducer<Int, Trouble>(error: Trouble()).tapped(by: StreamLogger(logger)).start()
        #expect(messages == ["debug begins", "error failed"])
        handler.clear()
        SignalProducer<Int, Never>.never.tapped(by: StreamLogger(logger)).start().dispose()
        #expect(messages == ["debug begins", "debug interrupted"])
        handler.clear()
        SignalProducer<Int, Never>(1...9).tapped(by: StreamLogger(logger)).take(first: 1).start()
        #expect(messages == ["debug begins", "trace value", "debug released"])
    }

    @Test("says which stream it is, and how long it took and how much it sent")
    func metadata() throws {
        SignalProducer<Int, Never>(1...3).named("orders").tapped(by: StreamLogger(logger)).start()
        let end = try #require(handler.entries.last?.metadata)
        #expect(end["stream.name"].map { "\($0)" }?.contains("orders") == true)
        #expect(end["stream.kind"] == "start")
        #expect(end["stream.values"] == "3")
        #expect(Double("\(end["stream.milliseconds"] ?? "")") ?? -1 >= 0)
        // All lines of one start have one number, and those of another one another.
        #expect(Set(handler.entries.map { "\($0.metadata["stream.id"] ?? "")" }).count == 1)
        SignalProducer<Int, Never>.empty.tapped(by: StreamLogger(logger)).start()
        #expect(Set(handler.entries.map { "\($0.metadata["stream.id"] ?? "")" }).count == 2)
    }

    @Test("names the code that has tapped the stream as the place of each line")
    func place() {
        let places = MutableProperty<[String]>([])
        let logger = Logger(label: "test") { _ in PlaceHandler(places: places) }
        SignalProducer<Int, Never>(value: 1).tapped(by: StreamLogger(logger), file: "App/Orders.swift", line: 7).start()
        #expect(places.value == Array(repeating: "App/Orders.swift:7", count: 2))
    }

    @Test("logs at the levels that it is given, and not at all without one")
    func levels() {
        var levels = StreamLogger.Levels()
        levels.begins = .notice
        levels.value = nil
        levels.completed = .critical
        SignalProducer<Int, Never>(1...2).tapped(by: StreamLogger(logger, levels: levels)).start()
        #expect(messages == ["notice begins", "critical completed"])
    }

    @Test("does not even describe what the logger would not log")
    func threshold() {
        let descriptions = MutableProperty(0)
        var quiet = logger
        quiet.logLevel = .debug
        SignalProducer<Described, Never>(value: Described(count: descriptions))
            .tapped(by: StreamLogger(quiet, values: .described(limit: 100))).start()
        #expect(messages == ["debug begins", "debug completed"])
        #expect(descriptions.value == 0)
    }

    @Test("hides values until it is asked for them, and cuts them")
    func values() {
        let secret = SignalProducer<String, Never>(value: "password")
        secret.tapped(by: StreamLogger(logger)).start()
        #expect(!handler.entries.description.contains("pass"))
        handler.clear()
        secret.tapped(by: StreamLogger(logger, values: .described(limit: 4))).start()
        #expect(handler.entries[1].metadata["stream.value"] == "pass...")
    }

    @Test("escapes what could forge a line, in values, names and errors")
    func escapes() throws {
        let forged = SignalProducer<String, Trouble> { observer, _ in
            observer.sendNext("a\nERROR: b\u{1B}[2K\u{202E}\u{2028}\u{85}é 👍")
            observer.sendError(Trouble())
        }
        forged.named("x\r\ny").tapped(by: StreamLogger(logger, values: .described(limit: 100))).start()
        let value = handler.entries[1].metadata["stream.value"]
        #expect(value == .string(#"a\nERROR: b\u{1B}[2K\u{202E}\u{2028}\u{0085}é 👍"#))
        #expect(handler.entries[2].metadata["error"] == .string(#"no\nway"#))
        for entry in handler.entries {
            for value in entry.metadata.values {
                #expect(!"\(value)".unicodeScalars.contains { $0.properties.generalCategory == .control })
            }
        }
    }

    @Test("logs one stream in so many, and one value in so many, but every failure")
    func sampling() {
        let tap = StreamLogger(logger, sampling: .init(oneStreamIn: 3, oneValueIn: 4))
        for _ in 0..<7 { SignalProducer<Int, Never>(1...9).tapped(by: tap).start() }
        #expect(messages.count { $0 == "debug begins" } == 3)
        #expect(messages.count { $0 == "debug completed" } == 3)
        #expect(messages.count { $0 == "trace value" } == 9)
        // The number of values is that of all of them.
        #expect(handler.entries.last?.metadata["stream.values"] == "9")
        handler.clear()
        for _ in 0..<7 { SignalProducer<Int, Trouble>(error: Trouble()).tapped(by: tap).start() }
        #expect(messages.count { $0 == "error failed" } == 7)
    }

    @Test("a sampling of one in none is a mistake of the caller")
    func wrongSampling() async {
        await #expect(processExitsWith: .failure) { _ = StreamLogger.Sampling(oneStreamIn: 0) }
        await #expect(processExitsWith: .failure) { _ = StreamLogger.Sampling(oneValueIn: -1) }
    }

    @Test("adds the caller's metadata")
    func ownMetadata() {
        let tap = StreamLogger(logger) { stream in ["tenant": "7", "stream.kind": "\(stream.kind)!"] }
        SignalProducer<Int, Never>.empty.tapped(by: tap).start()
        for entry in handler.entries {
            #expect(entry.metadata["tenant"] == "7")
            #expect(entry.metadata["stream.kind"] == "start!")
        }
    }

    @Test("logs signals and properties, and says what they are")
    func otherStreams() {
        let (numbers, input) = Signal<Int, Never>.pipe()
        let observation = numbers.tapped(by: StreamLogger(logger)).observeNext { _ in }
        input.sendNext(1)
        input.sendCompleted()
        observation?.dispose()
        #expect(messages == ["debug begins", "trace value", "debug completed"])
        #expect(handler.entries[0].metadata["stream.kind"] == "signal")
        handler.clear()
        let limit = MutableProperty(1).tapped(by: StreamLogger(logger))
        limit.value = 2
        #expect(messages == ["debug begins", "trace value", "trace value"])
        #expect(handler.entries[0].metadata["stream.kind"] == "property")
    }

    @Test("logs that an execution waits for its turn")
    func waiting() async {
        let (gate, opening) = Signal<Void, Never>.pipe()
        let action = Action<Int, Int, Never>(policy: .queue(waiting: 2)) { number in
            SignalProducer(gate).take(first: 1).map { _ in number }
        }
        action.tapped(by: StreamLogger(logger))
        action.apply(1).start()
        action.apply(2).start()
        #expect(messages.contains("debug waits"))
        #expect(!messages.contains("debug goes on"))
        opening.sendNext(())
        #expect(messages.contains("debug goes on"))
        #expect(handler.entries.first { $0.message == "waits" }?.metadata["stream.waits"] == "execution")
        opening.sendNext(())
        opening.sendCompleted()
    }

    @Test("counts every value when several threads send at the same time")
    func threads() async {
        let (numbers, input) = Signal<Int, Never>.pipe()
        numbers.tapped(by: StreamLogger(logger, sampling: .init(oneValueIn: 1_000))).observeNext { _ in }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for number in 0..<5_000 { input.sendNext(number) } }
            }
        }
        input.sendCompleted()
        #expect(handler.entries.last?.metadata["stream.values"] == "20000")
        #expect(messages.count { $0 == "trace value" } == 20)
    }
}

private struct Described: CustomStringConvertible, Sendable {
    let count: MutableProperty<Int>

    var description: String {
        count.modify { $0 += 1 }
        return "described"
    }
}

/// Records the places of the lines.
private struct PlaceHandler: LogHandler {
    let places: MutableProperty<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { places.modify { $0.append("\(event.file):\(event.line)") } }
}
