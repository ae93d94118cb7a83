/// Counts what other threads add to a loop while one thread runs it.
///
/// They could keep that thread in the loop for ever. So after ``limit`` additions it leaves the rest to a thread of the
/// library, as the owner of a ``Gate`` does. What it adds itself, from inside, does not count. Guarded by the lock of
/// the loop.
@frozen @usableFromInline
package struct ForeignWork: Sendable {
    /// How much of what others add a thread handles in a row.
    @inlinable @inline(__always) package static var limit: Int { 64 }

    /// The thread that runs the loop, or ran it last.
    @usableFromInline var thread: UInt = 0
    @usableFromInline var added = 0

    @inlinable
    package init() {}

    /// The calling thread runs the loop from now on.
    @inlinable
    package mutating func begin() {
        thread = ThreadIdentity.current
        added = 0
    }

    /// Notes that the calling thread adds something while the loop runs.
    @inlinable
    package mutating func note() { if thread != ThreadIdentity.current { added += 1 } }

    /// Whether the thread must leave the rest to another one.
    @inlinable
    package var isTooMuch: Bool { added != 0 && added > Self.limit }
}
