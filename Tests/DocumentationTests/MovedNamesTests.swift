import Foundation
import TestSupport
import Testing

/// Tests `Moved.swift`, which names the module of what `import ReactiveSignals` once contained.
@Suite("Names that have moved to another module", .watched)
struct MovedNamesTests {
    /// Each line needs the module whose name precedes it.
    private static let lines: [(module: String, code: String)] = [
        ("ReactiveServer", "_ = RateLimiter(3, per: .seconds(1), on: scheduler)"),
        ("ReactiveServer", "_ = RateLimiter.Keyed<String>(3, per: .seconds(1), maxKeys: 3, on: scheduler)"),
        ("ReactiveServer", "func pass(_ limiter: RateLimiter) { _ = producer.start(limitedBy: limiter) }"),
        (
            "ReactiveServer",
            "_ = CircuitBreaker(failures: 3, reset: .constant(.seconds(1)), on: scheduler) as AnyBreaker"
        ),
        (
            "ReactiveServer",
            "_ = CircuitBreaker(failing: 0.5, ofLast: 3, reset: .constant(.seconds(1)), on: scheduler) as AnyBreaker"
        ),
        ("ReactiveServer", "func guarded(_ breaker: AnyBreaker) { _ = producer.circuitBreaker(breaker) }"),
        ("ReactiveServer", "func fail(_ error: CircuitBreakerError<Down, TestScheduler.Instant>) {}"),
        ("ReactiveServer", "_ = SingleFlight<Int, Int, Down> { SignalProducer(value: $0) }"),
        (
            "ReactiveServer",
            "_ = SingleFlight<Int, Int, Down>(timeToLive: .seconds(1), maxEntries: 3, on: scheduler) { _ in producer }"
        ),
        ("ReactiveServer", "_ = producer.cached(for: .seconds(1), on: scheduler)"),
        ("ReactiveServer", "_ = producer.cached(until: SignalProducer<Int, Never>.never)"),
        ("ReactiveServer", "func serve(_ session: DuplexSession<Int, Int, Down>) {}"),
        ("ReactiveServer", "_ = SignalChannel<Int, Never>()"),
        ("ReactiveServer", "_ = property.channelTerminal"),
        ("ReactiveServer", "_ = signal.throttle(while: property, on: scheduler)"),
        ("ReactiveServer", "_ = producer.throttle(while: property, on: scheduler)"),
        ("ReactiveServer", "_ = signal.flatMap(\(perKey)) { SignalProducer<Int, Down>(value: $0) }"),
        ("ReactiveServer", "_ = producer.flatMap(\(perKey)) { SignalProducer<Int, Down>(value: $0) }"),
        ("ReactiveServer", "_ = signal.groupBy(\(limits))"),
        ("ReactiveServer", "_ = producer.groupBy(\(limits))"),
        ("ReactiveServer", "_ = SignalProducer.unixSignal(15, 2)"),
        ("ReactiveServer", "_ = SignalProducer.unixSignal([15, 2])"),
        ("ReactiveServer", "SignalProducer.processExit(pid: 1).startWithResult { print($0) }"),
        ("ReactiveServer", "func ended(_ exit: ProcessExit) {}"),
        ("ReactiveDiagnostics", "StreamGraph.start()"),
        ("ReactiveDiagnostics", "StreamGraph.stop()"),
        ("ReactiveDiagnostics", "print(StreamGraph.isRecording)"),
        ("ReactiveDiagnostics", "print(StreamGraph.snapshot())"),
        ("ReactiveDiagnostics", "print(StreamGraph.snapshot(after: nil).warnings)"),
        ("ReactiveDiagnostics", "_ = StreamGraph.observe(1) { print($0) }"),
        ("ReactiveDiagnostics", "func show(_ snapshot: StreamGraph.Snapshot) {}"),
        ("ReactiveDiagnostics", "func show(_ node: StreamGraph.Node) {}"),
        ("MemoizedSequences", "_ = [1].memoized"),
        ("MemoizedSequences", "func read(_ numbers: MemoizedSequence<Int>) {}"),
    ]

    private static let perKey =
        "perKey: { $0 }, .concat, idle: .zero, maxKeys: 3, whenFull: .dropNewest, on: scheduler"
    private static let limits =
        "{ $0 }, bufferLimit: 3, idle: .seconds(1), maxKeys: 3, whenFull: .dropNewest, on: scheduler"

    private static let setup = """
        import ReactiveSignals
        import ReactiveSignalsTesting

        struct Down: Error {}
        let scheduler = TestScheduler()
        let producer = SignalProducer<Int, Down>.never
        let signal = Signal<Int, Down>.never
        let property = MutableProperty(true)
        """

    @Test("are unavailable, with the name of the module")
    func names() async throws {
        // A type that has moved cannot be named in the setup.
        let codes = Self.lines.map {
            $0.code.replacing("AnyBreaker", with: "CircuitBreaker<Down, TestScheduler.Instant>")
        }
        let errors = try await Self.errors(of: codes, after: Self.setup)
        for (number, line) in Self.lines.enumerated() {
            let messages = errors[number, default: []]
            #expect(!messages.isEmpty, "\(line.code)")
            for message in messages {
                #expect(message.hasSuffix("it is in another module: import \(line.module)"), "\(line.code)")
            }
        }
        #expect(errors[nil] == nil)
    }

    @Test("do no harm when the module is imported")
    func harmless() async throws {
        let setup =
            "import MemoizedSequences\nimport ReactiveDiagnostics\nimport ReactiveServer\n\(Self.setup)\n"
            + "typealias AnyBreaker = CircuitBreaker<Down, TestScheduler.Instant>"
        let errors = try await Self.errors(of: Self.lines.map(\.code), after: setup)
        #expect(errors.isEmpty, "\(errors)")
    }

    /// The compiler's errors by the number of the line of code. Those of the setup have no number.
    private static func errors(of codes: [String], after setup: String) async throws -> [Int?: [String]] {
        var text = setup + "\n"
        for (number, code) in codes.enumerated() {
            text += "func row\(number)() {\n#sourceLocation(file: \"Row.swift\", line: \(number + 1))\n\(code)\n"
            text += "#sourceLocation()\n}\n"
        }
        let program = text
        return try await Command.onThread {
            let folder = FileManager.default.temporaryDirectory.appending(path: "moved-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "Setup.swift")
            try program.write(to: file, atomically: true, encoding: .utf8)
            let output = try Command.run(
                ["swiftc", "-typecheck", "-diagnostic-style", "llvm"] + Products.options + [file.path()])
            var errors: [Int?: [String]] = [:]
            for line in output.errors.split(separator: "\n") {
                if let match = line.wholeMatch(of: #/(.*):(\d+):\d+: error: (.*)/#) {
                    let row = match.1 == "Row.swift" ? Int(match.2).map { $0 - 1 } : nil
                    errors[row, default: []].append(String(match.3))
                }
            }
            return errors
        }
    }
}
