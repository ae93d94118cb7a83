/// How an operator combines the inner streams of a stream of streams.
///
/// The strategy determines what happens to an inner stream that arrives while another one is running. Where several are
/// disposed of at once, this happens in the order in which they started. See
/// ``SignalProducer/flatten(_:raising:)-2t9u``.
public struct FlattenStrategy: Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    enum Kind: Equatable, Sendable {
        case concurrent(limit: Int)
        /// Like `concurrent`, but sends in the order in which the inner streams arrived. The limit is at least 2.
        case ordered(limit: Int)
        case latest, race, throttle

        /// How many inner streams run before others wait. With `latest`, `race` and `throttle`, none waits.
        @_alwaysEmitIntoClient
        var limit: Int {
            switch self {
            case .concurrent(let limit), .ordered(let limit): limit
            case .latest, .race, .throttle: .max
            }
        }
    }

    @usableFromInline let kind: Kind
    /// The bound of the queue of waiting streams. `nil` if it has none.
    let bound: Bound?

    init(kind: Kind, bound: Bound? = nil) {
        self.kind = kind
        self.bound = bound
    }

    /// Runs all inner streams at the same time. Their number has no bound.
    ///
    /// Values are sent as they arrive. The result completes when the outer stream and all inner streams have completed.
    /// An inner stream that is interrupted counts as completed.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// Runs inner streams one at a time, in order. The queue of waiting streams has no bound: see
    /// ``concat(waiting:whenFull:)``.
    ///
    /// An inner stream starts when the previous one has completed or been interrupted. Values that a hot signal sends
    /// while it waits are lost.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// Runs inner streams one at a time, in order, and lets at most `waiting` of them wait.
    ///
    /// Like ``concat``, but with a bound. An inner stream that is dropped is never started.
    ///
    /// - Parameters:
    ///   - waiting: The maximum number of waiting streams, without the one that runs, and without one that waits until
    ///     the stream before has released its resources. With 0, `.dropOldest` also drops the stream that arrives. Traps
    ///     if negative.
    ///   - overflow: What happens when one more stream arrives. `.fail` needs the operator's parameter `raising`.
    public static func concat(waiting: Int, whenFull overflow: Overflow) -> FlattenStrategy {
        require(waiting >= 0, "concat(waiting: \(waiting)): the number of waiting streams must not be negative")
        return FlattenStrategy(kind: .concurrent(limit: 1), bound: Bound(waiting: waiting, overflow: overflow))
    }

    /// Runs at most `limit` inner streams at the same time. The queue of waiting streams has no bound: see
    /// ``concurrent(limit:ordered:waiting:whenFull:)``.
    ///
    /// - Parameters:
    ///   - limit: Traps unless positive.
    public static func concurrent(limit: Int) -> FlattenStrategy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        return FlattenStrategy(kind: .concurrent(limit: limit))
    }

    /// Runs at most `limit` inner streams at the same time, and sends their values in the order in which the streams
    /// arrived. Neither the queue of waiting streams nor the values that wait for their turn have a bound: see
    /// ``concurrent(limit:ordered:waiting:whenFull:)``.
    ///
    /// Values of the oldest stream are sent as they arrive. Values that another stream sends before its turn are
    /// buffered until all streams before it have completed. A stream whose values are buffered counts as running, even
    /// if it has completed, so at most `limit - 1` streams have buffered values. An error is sent immediately, and
    /// drops them.
    ///
    /// - Parameters:
    ///   - limit: Traps unless positive.
    ///   - ordered: With `false`, values are sent as they arrive: see ``concurrent(limit:)``.
    public static func concurrent(limit: Int, ordered: Bool) -> FlattenStrategy {
        FlattenStrategy(kind: concurrency(limit, ordered))
    }

    /// Runs at most `limit` inner streams at the same time, and lets at most `waiting` of them wait.
    ///
    /// Like ``concurrent(limit:)``, but with a bound. An inner stream that is dropped is never started.
    ///
    /// - Parameters:
    ///   - limit: Traps unless positive.
    ///   - ordered: Whether values are sent in the order in which the streams arrived. The values that a stream sends
    ///     before its turn are buffered without a bound: see ``concurrent(limit:ordered:)``.
    ///   - waiting: The maximum number of waiting streams, without those that run, and without those that wait until
    ///     others have released their resources. With 0, `.dropOldest` also drops the stream that arrives. Traps if
    ///     negative.
    ///   - overflow: What happens when one more stream arrives. `.fail` needs the operator's parameter `raising`.
    public static func concurrent(
        limit: Int, ordered: Bool = false, waiting: Int, whenFull overflow: Overflow
    ) -> FlattenStrategy {
        require(
            waiting >= 0,
            "concurrent(limit: \(limit), waiting: \(waiting)): the number of waiting streams must not be negative")
        return FlattenStrategy(
            kind: concurrency(limit, ordered),
            bound: Bound(waiting: waiting, overflow: overflow))
    }

    private static func concurrency(_ limit: Int, _ ordered: Bool) -> Kind {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        // The values of a single stream are in order.
        return ordered && limit > 1 ? .ordered(limit: limit) : .concurrent(limit: limit)
    }

    /// Runs only the latest inner stream.
    ///
    /// A new inner stream replaces the previous one, which is disposed of before the new one starts. An inner stream
    /// that is interrupted counts as completed. The result completes when the outer stream and the latest inner stream
    /// have completed.
    public static let latest = FlattenStrategy(kind: .latest)

    /// Runs only the first inner stream that sends an event.
    ///
    /// Its first event, of any kind, makes it the winner. The others are disposed of, and later ones are not started.
    /// If the winner fails or is interrupted, so is the result. The result completes when the outer stream and the
    /// winner have completed.
    public static let race = FlattenStrategy(kind: .race)

    /// Runs one inner stream at a time, and drops those that arrive in the meantime.
    ///
    /// If the running inner stream is interrupted, so is the result. The result completes when the outer stream has
    /// completed and no inner stream is running.
    public static let throttle = FlattenStrategy(kind: .throttle)

    /// The strategy as written in code, such as `.concurrent(limit: 2)`.
    public var description: String {
        let arguments = bound.map { "waiting: \($0.waiting), whenFull: \($0.overflow)" }
        switch kind {
        case .concurrent(1): return arguments.map { ".concat(\($0))" } ?? ".concat"
        case .concurrent(.max) where bound == nil: return ".merge"
        case .concurrent(let limit): return Self.concurrentText("limit: \(limit)", arguments)
        case .ordered(let limit): return Self.concurrentText("limit: \(limit), ordered: true", arguments)
        case .latest: return ".latest"
        case .race: return ".race"
        case .throttle: return ".throttle"
        }
    }

    private static func concurrentText(_ limit: String, _ bound: String?) -> String {
        ".concurrent(\(limit)\(bound.map { ", " + $0 } ?? ""))"
    }
}

extension FlattenStrategy {
    /// The bound of the queue of waiting streams.
    struct Bound: Equatable, Sendable {
        let waiting: Int
        let overflow: Overflow
    }

    /// The maximum number of inner streams that run or wait. `.max` stands for no bound.
    @usableFromInline
    var capacity: Int {
        guard let bound else { return .max }
        let (sum, isTooLarge) = kind.limit.addingReportingOverflow(bound.waiting)
        return isTooLarge ? .max : sum
    }

    @usableFromInline
    var overflow: Overflow { bound?.overflow ?? .dropNewest }

    /// Traps if the strategy fails when its queue is full, but no error has been named.
    @usableFromInline
    package func requireNoError(_ operation: StaticString) {
        guard let bound else { return }
        require(bound.overflow != .fail, "\(operation) \(description): the overflow .fail needs the parameter raising")
    }
}
