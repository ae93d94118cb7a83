/// What is done with the streams that a stream sends: see ``SignalProducer/flatten(_:)-9e4o5``.
public struct FlattenStrategy: Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    enum Kind: Equatable, Sendable {
        case concurrent(limit: Int)
        case latest, race, throttle
    }

    @usableFromInline let kind: Kind

    /// All at the same time.
    ///
    /// The values come as they are sent. Completes when the outer stream and all inner ones have. An inner stream that is
    /// interrupted counts as completed.
    public static let merge = FlattenStrategy(kind: .concurrent(limit: .max))

    /// One after the other, in order.
    ///
    /// An inner stream is started when the one before has completed or been interrupted; what waits is queued without bound.
    /// What a hot signal sends while it waits is missed.
    public static let concat = FlattenStrategy(kind: .concurrent(limit: 1))

    /// At most `limit` at the same time, the others in a queue without bound.
    ///
    /// - Parameter limit: Traps unless it is positive.
    public static func concurrent(limit: Int) -> FlattenStrategy {
        require(limit > 0, "concurrent(limit: \(limit)): the limit must be positive")
        return FlattenStrategy(kind: .concurrent(limit: limit))
    }

    /// Only the latest.
    ///
    /// A new inner stream takes the place of the one before, which is disposed of before the new one's work begins. One that is
    /// interrupted counts as completed. Completes when the outer stream and the latest inner one have.
    public static let latest = FlattenStrategy(kind: .latest)

    /// Only the first that sends anything.
    ///
    /// Its first event, of whatever kind, makes it the winner: the others are disposed of, and those that come later are not
    /// started. The winner's error and interruption end the result. Completes when the outer stream and the winner have.
    public static let race = FlattenStrategy(kind: .race)

    /// Only one at a time, and none in a queue.
    ///
    /// While an inner stream is active, others are dropped. An interruption of the active one interrupts the result. Completes
    /// when the outer stream has and none is active.
    public static let throttle = FlattenStrategy(kind: .throttle)

    /// The strategy as it is written: `.concurrent(limit: 2)`.
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
