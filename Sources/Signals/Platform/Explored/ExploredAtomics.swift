#if Explore
// The same atomics as in `Atomics.swift`, for exploration: each access is a step at which another thread may go on.
import InterleavingExplorer

@usableFromInline
package struct AtomicWord: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: UInt) { word = ExploredWord(initial) }

    @usableFromInline
    package func load() -> UInt { word.load(.acquiring) }

    @usableFromInline
    package func loadRelaxed() -> UInt { word.load(.relaxed) }

    @usableFromInline
    package func acquire(from expected: UInt, to desired: UInt) -> Bool {
        word.modify(.acquiring) { $0 == expected ? desired : nil } == expected
    }

    @usableFromInline
    package func release(from expected: UInt, to desired: UInt) -> Bool {
        word.modify(.releasing) { $0 == expected ? desired : nil } == expected
    }

    @usableFromInline
    package func set(_ bits: UInt) -> UInt { word.modify(.acquiringAndReleasing) { $0 | bits } }

    @usableFromInline
    package func clear(_ bits: UInt) -> UInt { word.modify(.acquiringAndReleasing) { $0 & ~bits } }

    @usableFromInline
    package func exchange(_ desired: UInt) -> UInt { word.modify(.acquiringAndReleasing) { _ in desired } }

    /// A plain store, as on x86-64: what orders it is the fence on the other side.
    @usableFromInline
    package func storeAhead(_ desired: UInt) { word.store(desired, .releasing) }

    @usableFromInline
    package func loadInOrder() -> UInt { word.load(.sequentiallyConsistent) }

    @usableFromInline
    package func exchangeInOrder(_ desired: UInt) -> UInt { word.modify(.sequentiallyConsistent) { _ in desired } }

    package func setInOrder(_ bits: UInt) -> UInt { word.modify(.sequentiallyConsistent) { $0 | bits } }

    package func increment() -> UInt { word.modify(.relaxed) { $0 &+ 1 } }
}

@usableFromInline
package struct AtomicFlag: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: Bool = false) { word = ExploredWord(initial ? 1 : 0) }

    @usableFromInline
    package var isRaised: Bool { word.load(.acquiring) != 0 }

    @usableFromInline @discardableResult
    package func raise() -> Bool { word.modify(.acquiringAndReleasing) { _ in 1 } == 0 }
}

@usableFromInline
package struct AtomicCount: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: Int32) { word = ExploredWord(UInt(bitPattern: Int(initial))) }

    @usableFromInline
    package var value: Int32 { Int32(truncatingIfNeeded: Int(bitPattern: word.load(.relaxed))) }

    @usableFromInline
    package func set(_ value: Int32) { word.store(UInt(bitPattern: Int(value)), .relaxed) }
}

package struct AtomicTally: ~Copyable, Sendable {
    private let word = ExploredWord(0)

    package init() {}

    package var isEmpty: Bool { word.load(.acquiring) == 0 }

    package func increment() { word.modify(.acquiringAndReleasing) { $0 < 255 ? $0 + 1 : nil } }

    package func decrement() { word.modify(.acquiringAndReleasing) { $0 < 255 ? $0 - 1 : nil } }
}

@usableFromInline
package enum AsymmetricFence {
    @usableFromInline package static let isAvailable = true

    package static func issue() { ExploredFence.issue() }
}

/// Looking again is a step like any other, so one look is as good as a hundred.
package enum Spinning {
    package static let long = 1
    package static let short = 1
}
#endif
