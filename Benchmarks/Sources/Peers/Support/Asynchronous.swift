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

/// The numbers from 0, each of which is there when it is asked for.
@frozen public struct ReadyNumbers: AsyncSequence, Sendable {
    @usableFromInline let count: Int

    @inlinable
    public init(_ count: Int) { self.count = count }

    @inlinable
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }

    /// Counts.
    @frozen public struct AsyncIterator: AsyncIteratorProtocol {
        @usableFromInline let count: Int
        @usableFromInline var next = 0

        @inlinable
        init(count: Int) { self.count = count }

        @inlinable
        public mutating func next() async -> Int? { await next(isolation: nil) }

        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }
}

/// An `AsyncStream` that holds the numbers from 0 already, so that iterating it is all there is to do.
package func filledStream(_ count: Int) -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    for value in 0..<count { continuation.yield(value) }
    continuation.finish()
    return stream
}

/// A time for a number: in no order, and many numbers have the same.
package func scattered(_ number: Int) -> Duration {
    .milliseconds(Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 >> 44))
}
