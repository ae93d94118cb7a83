/// How an operator combines the inner streams of a stream of streams.
///
/// The strategy determines what happens to an inner stream that arrives while another one is running. Where several are
/// disposed of at once, this happens in the order in which they started. See ``SignalProducer/flatten(_:)-9e4o5``.
public struct FlattenStrategy: Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    enum Kind: Equatable, Sendable {
        case concurrent(limit: Int)
        case latest, race, throttle
    }

    @usableFromInline let kind: Kind

    /// Runs all inner streams at the same time.
    ///
    /// Values are sent as they arrive. The result completes when the outer stream and all inner streams have completed.
    /// An inner stream that is interrupted counts as completed.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// Runs inner streams one at a time, in order.
    ///
    /// An inner stream starts when the previous one has completed or been interrupted. The queue of waiting streams has
    /// no bound. Values that a hot signal sends while it waits are lost.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// Runs at most `limit` inner streams at the same time. The queue of waiting streams has no bound.
    ///
    /// - Parameters:
    ///   - limit: Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func concurrent(limit: Int, file: StaticString = #fileID, line: UInt = #line) -> FlattenStrategy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive", file: file, line: line)
        return FlattenStrategy(kind: .concurrent(limit: limit))
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
        switch kind {
        case .concurrent(.max): ".merge"
        case .concurrent(1): ".concat"
        case .concurrent(let limit): ".concurrent(limit: \(limit))"
        case .latest: ".latest"
        case .race: ".race"
        case .throttle: ".throttle"
        }
    }
}
