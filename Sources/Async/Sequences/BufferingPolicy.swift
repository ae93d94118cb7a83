public import HotSignals

/// What an async sequence keeps while its consumer is behind.
///
/// The caller always chooses the policy, so nothing buffers without a limit unless you ask for it.
///
/// Only values count towards the limit. A full buffer never drops the terminal event. Dropped values are counted: see
/// ``AsyncValues/droppedCount``.
@frozen
public enum BufferingPolicy: Hashable, Sendable {
    /// Keeps every value. Memory grows while the consumer is behind.
    case unbounded
    /// Keeps the newest values, up to this count. A value that finds the buffer full replaces the oldest one.
    case newest(Int)
    /// Keeps the oldest values, up to this count. A value that finds the buffer full is dropped.
    case oldest(Int)
    /// Keeps every value, and suspends what sends them while there is no room.
    ///
    /// - For signals of ``/HotSignals/Signal/pipe(capacity:file:line:)``, and those that operators make of them that
    ///   pass suspension on. Beyond this count, the capacity of the pipe may wait as well.
    /// - For producers that are made of async code, such as async sequences and `unfold(_:async:)`, also behind such
    ///   operators, behind `merge`, `combineLatest` and `concat`, and behind those that suspend their source, such as
    ///   `mapAsync`. Up to this count is kept. The source goes on when half of it has been taken.
    ///
    /// What an operator with a scheduler holds may exceed the count when it is delivered.
    ///
    /// Traps for other streams. An operator that makes several values of one, such as
    /// ``/HotSignals/Signal/take(last:)``, is not suspended in between: all of them are kept.
    case suspending(Int)

    /// The number of values that fit in the buffer.
    @usableFromInline
    var limit: Int {
        switch self {
        case .unbounded: .max
        case .newest(let count), .oldest(let count), .suspending(let count): count
        }
    }

    /// The room for values, which senders wait for. `nil` unless the policy suspends them.
    ///
    /// - Parameter senders: The senders of a signal. `nil` for the source of a producer, which has this room only.
    @usableFromInline
    func room(with senders: SenderQueue?) -> Room? {
        guard case .suspending(let count) = self else { return nil }
        return senders.map { Room(share: count, of: $0) } ?? Room(limit: count, goingOnAt: count / 2)
    }

    @usableFromInline
    var dropsOldest: Bool {
        if case .newest = self { true } else { false }
    }

    /// Traps unless at least one value fits, and the senders can be suspended if that is the policy.
    ///
    /// - Parameter canSuspend: Whether what sends to the stream can be suspended.
    @usableFromInline
    func check(in operation: StaticString, canSuspend: Bool = false) {
        require(limit > 0, "\(operation)(buffering: .\(self)): the count must be positive")
        guard case .suspending = self else { return }
        require(
            canSuspend,
            "\(operation)(buffering: .\(self)): nothing that sends to this stream can be suspended; "
                + "use a signal of pipe(capacity:), or a producer made of async code, and behind it operators that "
                + "pass suspension on, such as flatMap and zip with whenFull: .suspend")
    }
}
