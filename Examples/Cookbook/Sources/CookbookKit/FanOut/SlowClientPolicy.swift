import ReactiveSignals

/// What happens to a client that is slower than the source.
package enum SlowClientPolicy: Hashable, Sendable {
    /// Only the latest message waits. For state, where a message replaces the
    /// previous one.
    case conflate
    /// The latest messages wait, and older ones are dropped. For samples, where a
    /// gap does not matter.
    case dropOldest(capacity: Int)
    /// The client is dropped when its buffer is full. For messages that are
    /// useless with a gap.
    case disconnect(capacity: Int)

    /// What the buffer of the client keeps.
    var buffering: BufferingPolicy {
        switch self {
        case .conflate: .newest(1)
        case .dropOldest(let capacity): .newest(capacity)
        case .disconnect(let capacity): .oldest(capacity)
        }
    }

    /// Whether a client that has missed a message may stay.
    var toleratesGaps: Bool {
        if case .disconnect = self { false } else { true }
    }
}
