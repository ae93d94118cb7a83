/// Evidence that the calling thread holds the lock of a domain. What requires the lock takes this, so that the compiler
/// refuses to call it elsewhere.
///
/// A function that borrows it is called under the lock. A function that consumes it also releases the lock, so that the
/// caller cannot go on as if it held that. Where nothing else is said, the lock is that of the node's own domain.
@frozen @usableFromInline
struct HeldLock: ~Copyable {
    /// Only for what acquires a lock.
    @inlinable
    init() {}
}
