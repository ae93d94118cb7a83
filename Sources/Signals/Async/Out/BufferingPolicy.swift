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
    /// Keeps every value, up to this count, and suspends the senders while it has no room.
    ///
    /// Only for signals of ``Signal/pipe(capacity:file:line:)``, and those that operators make of them without a
    /// scheduler, tasks or a second input. Beyond this count, the capacity of the pipe may wait as well. An operator
    /// that makes several values of one, such as ``Signal/take(last:file:line:)``, is not suspended in between: all of
    /// them are kept.
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
    @usableFromInline
    func room(with senders: SenderQueue?) -> Room? {
        guard case .suspending(let count) = self, let senders else { return nil }
        return Room(share: count, of: senders)
    }

    @usableFromInline
    var dropsOldest: Bool {
        if case .newest = self { true } else { false }
    }

    /// Traps unless at least one value fits, and senders can be suspended if that is the policy.
    ///
    /// - Parameter senders: The senders of the stream, if they can be suspended.
    @usableFromInline
    package func check(
        in operation: StaticString, senders: SenderQueue? = nil, file: StaticString, line: UInt
    ) {
        require(limit > 0, "\(operation)(buffering: .\(self)): the count must be positive", file: file, line: line)
        guard case .suspending = self else { return }
        require(
            senders != nil,
            "\(operation)(buffering: .\(self)): nothing that sends to this stream can be suspended; "
                + "use a signal of pipe(capacity:)", file: file, line: line)
    }
}
