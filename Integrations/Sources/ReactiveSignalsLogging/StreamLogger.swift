public import Logging
public import ReactiveSignals
import Synchronization

/// A tap that logs what streams do, with swift-log.
///
/// ```swift
/// orders.tapped(by: StreamLogger(logger)).start()
/// ```
///
/// Each line has the name, the number and the kind of the stream as metadata, and the file and line of the code that
/// has tapped it. So you can find all lines of one start by `stream.id`.
///
/// | message | logged | metadata besides |
/// |---|---|---|
/// | `begins` | when a start begins, or a signal, a property or an action is tapped | |
/// | `value` | with a value: see ``Sampling`` | `stream.value`, if ``values`` says so |
/// | `completed`, `interrupted`, `failed` | with the terminal event | `stream.values`, `stream.milliseconds`, `error` |
/// | `released` | when the stream ends without a terminal event | `stream.values`, `stream.milliseconds` |
/// | `waits`, `goes on` | when something waits: see `StreamWaiting` | `stream.waits` |
///
/// **Values are not logged**, only that there was one, until you ask for them: they may be secrets. Control characters
/// in names, values and errors are escaped, so a value cannot forge a line.
///
/// **Threads**: lines are logged by the thread on which the event happens, inside the context of that thread, so a
/// metadata provider works as usual.
///
/// **Cost**: one allocation per stream. Text is made only for lines that are logged. A value that is not logged costs
/// the logger's check of the level, which takes longer than the delivery: without a level for values, it is only
/// counted.
public struct StreamLogger: StreamTap {
    /// The levels of the messages. `nil` logs nothing.
    public struct Levels: Sendable {
        /// The level of `begins`.
        public var begins: Logger.Level? = .debug
        /// The level of `value`.
        public var value: Logger.Level? = .trace
        /// The level of `completed`.
        public var completed: Logger.Level? = .debug
        /// The level of `interrupted`.
        public var interrupted: Logger.Level? = .debug
        /// The level of `failed`.
        public var failed: Logger.Level? = .error
        /// The level of `released`.
        public var released: Logger.Level? = .debug
        /// The level of `waits` and `goes on`.
        public var waiting: Logger.Level? = .debug

        /// Creates the default levels.
        public init() {}
    }

    /// Which part of the streams and values is logged. Errors are always logged.
    public struct Sampling: Sendable {
        /// The first stream of this number is logged, and then each stream that completes the number again: with 100,
        /// the first, the 101st and so on. Positive.
        public var streams: Int
        /// The same for the values of a stream. Positive.
        public var values: Int

        /// Creates a sampling. By default, all streams and values are logged.
        public init(oneStreamIn streams: Int = 1, oneValueIn values: Int = 1) {
            precondition(streams > 0, "Sampling(oneStreamIn: \(streams)): the number must be positive")
            precondition(values > 0, "Sampling(oneValueIn: \(values)): the number must be positive")
            self.streams = streams
            self.values = values
        }
    }

    /// How values are logged.
    public enum Values: Sendable {
        /// Not at all: only that there was one.
        case hidden
        /// As they are printed, cut after `limit` characters.
        case described(limit: Int)
    }

    /// What the logger stores for a stream.
    public final class Record: Sendable {
        fileprivate let stream: TappedStream
        fileprivate let isSampled: Bool
        fileprivate let start = ContinuousClock.now
        fileprivate let values = Atomic(0)
        fileprivate let hasTerminated = Atomic(false)

        fileprivate init(_ stream: TappedStream, isSampled: Bool) {
            self.stream = stream
            self.isSampled = isSampled
        }
    }

    /// The logger that receives the lines.
    public let logger: Logger
    /// The levels of the messages.
    public let levels: Levels
    /// Which streams and values are logged.
    public let sampling: Sampling
    /// How values are logged.
    public let values: Values

    private let metadata: @Sendable (TappedStream) -> Logger.Metadata
    private let counter = StreamCounter()

    /// Creates a tap.
    ///
    /// - Parameters:
    ///   - logger: The logger that receives the lines.
    ///   - levels: The levels of the messages.
    ///   - sampling: Which streams and values are logged.
    ///   - values: How values are logged.
    ///   - metadata: More metadata for the lines of a stream. Replaces entries of the same key.
    public init(
        _ logger: Logger, levels: Levels = Levels(), sampling: Sampling = Sampling(), values: Values = .hidden,
        metadata: @escaping @Sendable (TappedStream) -> Logger.Metadata = { _ in [:] }
    ) {
        self.logger = logger
        self.levels = levels
        self.sampling = sampling
        self.values = values
        self.metadata = metadata
    }

    /// Logs that a stream begins.
    public func begin(_ stream: TappedStream) -> Record {
        let record = Record(stream, isSampled: counter.next() % sampling.streams == 0)
        if record.isSampled { log(levels.begins, "begins", record) }
        return record
    }

    /// Logs an event.
    @inlinable @inline(__always)
    public func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Record) {
        switch event {
        case .next(let value): if countsAndLogsValue(state) { log(value, state) }
        case .completed: complete(state)
        case .interrupted: interrupt(state)
        case .error(let error): fail(state, error)
        }
    }

    /// Counts a value. Returns whether it is logged.
    @usableFromInline
    func countsAndLogsValue(_ record: Record) -> Bool {
        let number = record.values.add(1, ordering: .relaxed).oldValue
        guard record.isSampled, let level = levels.value, number % sampling.values == 0 else { return false }
        return level >= logger.logLevel
    }

    @usableFromInline
    func log(_ value: some Any, _ record: Record) {
        log(levels.value, "value", record) { description(of: value).map { ["stream.value": $0] } ?? [:] }
    }

    @usableFromInline
    func complete(_ record: Record) { end(record, levels.completed, "completed") }

    @usableFromInline
    func interrupt(_ record: Record) { end(record, levels.interrupted, "interrupted") }

    @usableFromInline
    func fail(_ record: Record, _ error: any Error) {
        end(record, levels.failed, "failed", always: true) {
            ["error": .string(escaped("\(error)", limit: 1_000))]
        }
    }

    /// Logs that something waits, or has stopped waiting.
    public func waiting(_ waiting: StreamWaiting, in state: Record) {
        guard state.isSampled else { return }
        switch waiting {
        case .began(let kind): log(levels.waiting, "waits", state) { ["stream.waits": .string(kind.rawValue)] }
        case .ended(let kind): log(levels.waiting, "goes on", state) { ["stream.waits": .string(kind.rawValue)] }
        }
    }

    /// Logs the release of a stream that has not terminated.
    public func end(_ state: Record) {
        if !state.hasTerminated.load(ordering: .acquiring) { end(state, levels.released, "released") }
    }

    private func end(
        _ record: Record, _ level: Logger.Level?, _ message: Logger.Message, always: Bool = false,
        _ metadata: () -> Logger.Metadata = { [:] }
    ) {
        record.hasTerminated.store(true, ordering: .releasing)
        guard record.isSampled || always else { return }
        log(level, message, record) {
            let (seconds, attoseconds) = record.start.duration(to: .now).components
            let milliseconds = Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000) / 1_000_000
            var all = metadata()
            all["stream.values"] = "\(record.values.load(ordering: .relaxed))"
            all["stream.milliseconds"] = "\(milliseconds)"
            return all
        }
    }

    private func description(of value: some Any) -> Logger.MetadataValue? {
        switch values {
        case .hidden: nil
        case .described(let limit): .string(escaped("\(value)", limit: limit))
        }
    }

    private func log(
        _ level: Logger.Level?, _ message: Logger.Message, _ record: Record,
        _ metadata: () -> Logger.Metadata = { [:] }
    ) {
        guard let level, level >= logger.logLevel else { return }
        let stream = record.stream
        var all: Logger.Metadata = [
            "stream.name": .string(escaped(stream.name, limit: 1_000)), "stream.id": "\(stream.id)",
            "stream.kind": .string(stream.kind.rawValue),
        ]
        all.merge(metadata()) { _, new in new }
        all.merge(self.metadata(stream)) { _, new in new }
        logger.log(
            level: level, message, metadata: all, source: "ReactiveSignals", file: stream.fileID ?? #fileID,
            function: "tapped(by:)", line: stream.line)
    }
}

/// Counts the streams of a tap, which is a value.
private final class StreamCounter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
}
