/// Evidence that the calling thread holds the lock of a domain. What requires the lock takes this, so that the compiler
/// refuses to call it elsewhere.
///
/// A function that borrows it is called under the lock. A function that consumes it also releases the lock, so that the
/// caller cannot go on as if it still held the lock. Where nothing else is said, the lock is that of the node's own
/// domain: the token does not say which one it is. Nor does the compiler notice if a token is dropped instead of
/// consumed, and the lock is never released.
@frozen @usableFromInline
struct HeldLock: ~Copyable {
    /// Only for ``Domain`` and ``Propagation``, where they acquire locks.
    @_alwaysEmitIntoClient
    init() {}
}
