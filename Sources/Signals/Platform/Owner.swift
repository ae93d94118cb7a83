// Fields that one thread at a time touches, without a lock or an atomic of their own, say so by an `Owner`: an exploration
// then checks that those accesses are ordered. The thread sanitizer is blind there, because threads run one at a time.
#if Explore
import InterleavingExplorer

@usableFromInline
package struct Owner: Sendable {
    private let ownership: Ownership

    @usableFromInline
    package init(of what: StaticString) { ownership = Ownership(of: what) }

    @usableFromInline
    package func reads() { ownership.read() }

    @usableFromInline
    package func writes() { ownership.write() }
}
#else
/// Nothing, in a build that ships.
@frozen @usableFromInline
package struct Owner: Sendable {
    @inlinable @inline(__always)
    package init(of what: StaticString) {}

    @inlinable @inline(__always)
    package func reads() {}

    @inlinable @inline(__always)
    package func writes() {}
}
#endif
