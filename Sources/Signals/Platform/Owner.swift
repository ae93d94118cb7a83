// Fields that one thread at a time accesses, without a lock or an atomic of their own, declare this with an `Owner`. An
// exploration then checks that those accesses are ordered. The thread sanitizer cannot see such races in an
// exploration, because threads run one at a time there.
#if Explore
import InterleavingExplorer
import Synchronization

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

/// The order in which threads acquire several locks: the order in which the objects were created, because addresses
/// differ between executions.
@usableFromInline
package struct LockRank: Sendable {
    private static let made = Atomic(0)
    private let number: Int

    @usableFromInline
    package init() {
        ExploredBackground.noteOrder()
        number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue
    }

    @usableFromInline
    package static func areInOrder<Object: AnyObject>(
        _ first: Object, _ second: Object, _ rank: (Object) -> LockRank
    ) -> Bool {
        rank(first).number < rank(second).number
    }
}
#else
/// Does nothing in a release build.
@frozen @usableFromInline
package struct Owner: Sendable {
    @inlinable @inline(__always)
    package init(of what: StaticString) {}

    @inlinable @inline(__always)
    package func reads() {}

    @inlinable @inline(__always)
    package func writes() {}
}

/// The order in which threads acquire several locks: the order of the objects' addresses.
@frozen @usableFromInline
package struct LockRank: Sendable {
    @_alwaysEmitIntoClient @inline(__always)
    package init() {}

    @_alwaysEmitIntoClient @inline(__always)
    package static func areInOrder<Object: AnyObject>(
        _ first: Object, _ second: Object, _ rank: (Object) -> LockRank
    ) -> Bool {
        ObjectIdentifier(first) < ObjectIdentifier(second)
    }
}
#endif
