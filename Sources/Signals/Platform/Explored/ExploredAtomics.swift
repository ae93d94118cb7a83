#if Explore
// The atomics of `Atomics.swift`, for exploration: each access is a step at which another thread may continue.
import InterleavingExplorer

@usableFromInline
package struct AtomicWord: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: UInt) { word = ExploredWord(initial) }

    @usableFromInline
    package func load(file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.load(.acquiring, Site(file, function, "load"))
    }

    @usableFromInline
    package func loadLast() -> UInt { word.peek }

    @usableFromInline
    package func loadRelaxed(file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.load(.relaxed, Site(file, function, "loadRelaxed"))
    }

    @usableFromInline
    package func compareExchangeAcquiring(
        from expected: UInt, to desired: UInt, file: StaticString = #fileID, function: StaticString = #function
    ) -> Bool {
        word.modify(.acquiring, Site(file, function, "acquire")) { $0 == expected ? desired : nil } == expected
    }

    @usableFromInline
    package func compareExchangeReleasing(
        from expected: UInt, to desired: UInt, file: StaticString = #fileID, function: StaticString = #function
    ) -> Bool {
        word.modify(.releasing, Site(file, function, "release")) { $0 == expected ? desired : nil } == expected
    }

    @usableFromInline
    package func set(_ bits: UInt, file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.modify(.acquiringAndReleasing, Site(file, function, "set")) { $0 | bits }
    }

    @usableFromInline
    package func clear(_ bits: UInt, file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.modify(.acquiringAndReleasing, Site(file, function, "clear")) { $0 & ~bits }
    }

    @usableFromInline
    package func exchange(_ desired: UInt, file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.modify(.acquiringAndReleasing, Site(file, function, "exchange")) { _ in desired }
    }

    @usableFromInline
    package func store(_ desired: UInt, file: StaticString = #fileID, function: StaticString = #function) {
        word.store(desired, .releasing, Site(file, function, "store"))
    }

    /// A plain store, as on x86-64. The fence on the other side orders it.
    @usableFromInline
    package func storeAhead(_ desired: UInt, file: StaticString = #fileID, function: StaticString = #function) {
        word.store(desired, .releasing, Site(file, function, "storeAhead"))
    }

    @usableFromInline
    package func loadInOrder(file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.load(.sequentiallyConsistent, Site(file, function, "loadInOrder"))
    }

    @usableFromInline
    package func exchangeInOrder(
        _ desired: UInt, file: StaticString = #fileID, function: StaticString = #function
    ) -> UInt { word.modify(.sequentiallyConsistent, Site(file, function, "exchangeInOrder")) { _ in desired } }

    package func setInOrder(_ bits: UInt, file: StaticString = #fileID, function: StaticString = #function) -> UInt {
        word.modify(.sequentiallyConsistent, Site(file, function, "setInOrder")) { $0 | bits }
    }

    @usableFromInline
    package func acquire(adding amount: UInt, file: StaticString = #fileID, function: StaticString = #function) -> UInt
    { word.modify(.acquiring, Site(file, function, "acquire")) { $0 &+ amount } }

    @usableFromInline
    package func release(
        subtracting amount: UInt, file: StaticString = #fileID, function: StaticString = #function
    ) -> UInt { word.modify(.acquiringAndReleasing, Site(file, function, "release")) { $0 &- amount } }

    package func increment() -> UInt { word.modify(.relaxed) { $0 &+ 1 } }
}

@usableFromInline
package struct AtomicFlag: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: Bool = false) { word = ExploredWord(initial ? 1 : 0) }

    @usableFromInline
    package var isRaised: Bool { word.load(.acquiring, Site(#fileID, #function, "isRaised")) != 0 }

    @usableFromInline @discardableResult
    package func raise(file: StaticString = #fileID, function: StaticString = #function) -> Bool {
        word.modify(.acquiringAndReleasing, Site(file, function, "raise")) { _ in 1 } == 0
    }
}

@usableFromInline
package struct AtomicCount: ~Copyable, Sendable {
    private let word: ExploredWord

    @usableFromInline
    package init(_ initial: Int32) { word = ExploredWord(UInt(bitPattern: Int(initial))) }

    @usableFromInline
    package var value: Int32 { Int32(truncatingIfNeeded: Int(bitPattern: word.load(.relaxed))) }

    @usableFromInline
    package func set(_ value: Int32, file: StaticString = #fileID, function: StaticString = #function) {
        word.store(UInt(bitPattern: Int(value)), .relaxed, Site(file, function, "set"))
    }
}

package struct PendingCount: ~Copyable, Sendable {
    private let word = ExploredWord(0)

    package init() {}

    package var isEmpty: Bool { word.load(.acquiring, Site(#fileID, #function, "isEmpty")) == 0 }

    package func increment() {
        word.modify(.acquiringAndReleasing, Site(#fileID, #function, "increment")) { $0 < 255 ? $0 + 1 : nil }
    }

    package func decrement() {
        word.modify(.acquiringAndReleasing, Site(#fileID, #function, "decrement")) { $0 < 255 ? $0 - 1 : nil }
    }
}

@usableFromInline
package enum AsymmetricFence {
    @usableFromInline package static let isAvailable = true

    package static func issue() { ExploredFence.issue() }
}

/// Each check is a step like any other, so one check is as good as a hundred.
package enum Spinning {
    package static let long = 1
    package static let short = 1
}
#endif
