import Dispatch

/// Runs `body` in a task, and returns when it has ended.
package func waitForTask(_ body: @escaping @Sendable () async -> Void) {
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
        await body()
        ended.signal()
    }
    ended.wait()
}

/// The numbers from 0, each of which is there when it is asked for. Asking is a call that is not inlined: the compiler would make a plain
/// loop of `for await`.
@frozen public struct ReadyNumbers: AsyncSequence, Sendable {
    @usableFromInline let count: Int

    /// As many as `count`.
    @inlinable
    public init(_ count: Int) { self.count = count }

    /// Begins with 0.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }

    /// Counts.
    @frozen public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let count: Int
        @usableFromInline var number = 0

        @inlinable
        init(count: Int) { self.count = count }

        /// The next number.
        @inlinable @inline(never)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard number < count else { return nil }
            defer { number += 1 }
            return number
        }
    }
}

/// An `AsyncStream` that makes the numbers from 0 as they are asked for, so that iterating it is all there is to do.
package func stream(_ count: Int) -> AsyncStream<Int> {
    let next = Counter()
    return AsyncStream { next.take(below: count) }
}

/// Counts. For one task at a time.
private final class Counter: @unchecked Sendable {
    // Unchecked: the stream asks for one number after the other.
    private var number = 0

    func take(below limit: Int) -> Int? {
        guard number < limit else { return nil }
        defer { number += 1 }
        return number
    }
}

/// A time for a number: in no order, and many numbers have the same.
package func scattered(_ number: Int) -> Duration {
    .milliseconds(Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 >> 44))
}
