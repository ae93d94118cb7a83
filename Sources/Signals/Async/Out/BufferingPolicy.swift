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

    /// The number of values that fit in the buffer.
    @usableFromInline
    var limit: Int {
        switch self {
        case .unbounded: .max
        case .newest(let count), .oldest(let count): count
        }
    }

    @usableFromInline
    var dropsOldest: Bool {
        if case .newest = self { true } else { false }
    }

    /// Traps unless at least one value fits.
    @usableFromInline
    package func check(in operation: StaticString, file: StaticString, line: UInt) {
        require(limit > 0, "\(operation)(buffering: .\(self)): the count must be positive", file: file, line: line)
    }
}
