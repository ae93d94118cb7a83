/// What an async sequence keeps for a consumer that is slower than the stream.
///
/// It is always the caller who names it: nothing in this library buffers without limit unless it is told to.
///
/// Only values count. How the stream ended is kept in any case, so an error never falls victim to a full buffer. What is
/// dropped is counted: see ``AsyncValues/droppedCount``.
@frozen
public enum BufferingPolicy: Hashable, Sendable {
    /// Keeps every value. The memory is as large as the consumer is late.
    case unbounded
    /// Keeps the last values, this many: a value that finds no room drops the oldest one.
    case newest(Int)
    /// Keeps the first values, this many: a value that finds no room is dropped itself.
    case oldest(Int)

    /// How many values there is room for.
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

    /// Traps unless there is room for one value at least.
    @usableFromInline
    package func check(in operation: StaticString) {
        require(limit > 0, "\(operation)(buffering: .\(self)): the count must be positive")
    }
}
