import COpaque

/// Where the observers of every peer add up what they get: a plain pointer, so that it costs all of them the same.
@frozen public struct Sum: @unchecked Sendable {
    // Unchecked: whatever delivers the values serialises the additions too, which is the thing under test.
    @usableFromInline package let total: UnsafeMutablePointer<Int>

    /// Nothing added up yet.
    public init() {
        total = .allocate(capacity: 1)
        total.initialize(to: 0)
    }

    /// Adds a value.
    @inlinable @inline(__always)
    public func add(_ value: Int) {
        total.pointee &+= value
    }
}

/// The closures that a user would write, the same for every peer.
///
/// A struct, for closures that pass through a generic parameter are wrapped in a thunk, and each call would pay for it.
package struct Functions: Sendable {
    package let observe: @Sendable (Int) -> Void
    package let observePair: @Sendable ((Int, Int)) -> Void
    package let transform: @Sendable (Int) -> Int
    package let isKept: @Sendable (Int) -> Bool
    package let combine: @Sendable (Int, Int) -> Int

    /// What a slow consumer does with a value.
    package func observeSlowly(_ value: Int) {
        for _ in 0..<25 { observe(value) }
    }

    /// The closures after a detour through C: the optimiser cannot know what comes back, as in a real program, where
    /// closures are stored and passed in. In the rows of visible closures, the workloads spell the same closures out.
    @inline(never)
    package static func opaque() -> Functions {
        let sum = Sum()
        let place = UnsafeMutablePointer<Functions>.allocate(capacity: 1)
        defer { place.deallocate() }
        place.initialize(
            to: Functions(
                observe: { sum.add($0) },
                observePair: { sum.add($0 &+ $1) },
                transform: { $0 &+ 1 },
                isKept: { $0 >= 0 },
                combine: { $0 &+ $1 }))
        return opaque_pointer(place).assumingMemoryBound(to: Functions.self).move()
    }
}
