public import HotSignals

/// An element of a sequence that reports what its consumer has missed: see ``AsyncReportingValues``.
@frozen
public enum ValueOrLag<Value: Sendable>: Sendable {
    /// A value of the stream.
    case value(Value)
    /// The number of values that were dropped here, because the buffer was full.
    case lagged(Int)
}

extension ValueOrLag: Equatable where Value: Equatable {}
extension ValueOrLag: Hashable where Value: Hashable {}

/// What an async sequence does about values that its consumer was too slow for.
@frozen
public struct LagPolicy: Equatable, Sendable {
    @_alwaysEmitIntoClient
    init() {}

    /// Reports their number in the sequence, in their place.
    @_alwaysEmitIntoClient public static var report: LagPolicy { LagPolicy() }
}

/// The values of a stream as an async sequence that reports what its consumer has missed: see
/// ``HotSignals/Signal/values(buffering:lag:file:line:)``.
///
/// Like ``AsyncValues``, except that each element is a value or ``ValueOrLag/lagged(_:)``. The latter says how many
/// values are missing between the value before it and the one after it. Neighboring gaps are one element. Values that
/// are missing at the end are reported before the error is thrown, or the sequence ends. Cancellation reports nothing.
@frozen
public struct AsyncReportingValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A value of the stream, or a number of missing ones.
    public typealias Element = ValueOrLag<Value>

    /// The same values, numbered. Creates a sequence for each iterator, which so has a count of its own.
    @usableFromInline let makeNumbered: @Sendable () -> AsyncValues<Numbered<Value>, Failure>

    @_alwaysEmitIntoClient
    init(_ makeNumbered: @escaping @Sendable () -> AsyncValues<Numbered<Value>, Failure>) {
        self.makeNumbered = makeNumbered
    }

    /// Begins to observe the signal, or starts the producer, and keeps the values from then on.
    @_alwaysEmitIntoClient
    public func makeAsyncIterator() -> Iterator { Iterator(makeNumbered()) }

    /// Delivers the elements one at a time, to one task at a time.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let drops: DropCount
        @usableFromInline var values: AsyncValues<Numbered<Value>, Failure>.Iterator
        /// The number of the last value that was taken.
        @usableFromInline var last = 0
        /// How many values have been reported as missing.
        @usableFromInline var reported = 0
        /// What follows a gap that has just been reported.
        @usableFromInline var next: Result<Value, Failure>?

        @_alwaysEmitIntoClient
        init(_ values: AsyncValues<Numbered<Value>, Failure>) {
            drops = values.drops
            self.values = values.makeAsyncIterator()
        }

        /// Returns the next value or gap, waiting for it if necessary, or `nil` after the end.
        ///
        /// Traps if two tasks call it at the same time.
        ///
        /// - Throws: The error of the stream. After that it returns `nil`.
        @_alwaysEmitIntoClient
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> ValueOrLag<Value>? {
            if let next = next.take(), !Task.isCancelled { return .value(try next.get()) }
            let numbered: Numbered<Value>?
            do throws(Failure) {
                numbered = try await values.next(isolation: actor)
            } catch {
                guard let gap = report(drops.value - reported) else { throw error }
                next = .failure(error)
                return gap
            }
            guard let numbered else { return Task.isCancelled ? nil : report(drops.value - reported) }
            let missed = numbered.number - last - 1
            last = numbered.number
            guard let gap = report(missed) else { return .value(numbered.value) }
            next = .success(numbered.value)
            return gap
        }

        /// Returns the next value or gap: see ``next(isolation:)``.
        @_alwaysEmitIntoClient
        public mutating func next() async throws(Failure) -> ValueOrLag<Value>? { try await next(isolation: nil) }

        /// Returns the element that reports a number of missing values, or `nil` for none.
        @_alwaysEmitIntoClient
        mutating func report(_ missed: Int) -> ValueOrLag<Value>? {
            guard missed > 0 else { return nil }
            reported += missed
            return .lagged(missed)
        }
    }
}

@available(*, unavailable)
extension AsyncReportingValues.Iterator: Sendable {}

/// A value and its number. The first has the number 1.
@frozen @usableFromInline
struct Numbered<Value: Sendable>: Sendable {
    @usableFromInline let number: Int
    @usableFromInline let value: Value

    @_alwaysEmitIntoClient
    init(_ number: Int, _ value: Value) {
        self.number = number
        self.value = value
    }
}

/// Numbers the values, so that the consumer sees where some are missing.
@frozen @usableFromInline
struct NumberingSink<Value: Sendable, Downstream: Sink>: OperatorSink
where Downstream.Value == Numbered<Value> {
    @usableFromInline typealias Failure = Downstream.Failure

    @usableFromInline package let downstream: Downstream
    @usableFromInline let count = SinkState(0)

    @_alwaysEmitIntoClient
    init(_ downstream: Downstream) { self.downstream = downstream }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        count.value += 1
        downstream.next(Numbered(count.value, value))
    }
}
