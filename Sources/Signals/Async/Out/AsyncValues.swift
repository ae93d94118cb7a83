/// The values of a stream as an async sequence: see ``Signal/values(buffering:)``.
///
///     for try await reading in sensor.values(buffering: .newest(16)) { display(reading) }
///
/// **Each iterator stands for itself**: making one begins to observe the signal, or starts the producer anew. From then on values
/// are kept for it, also before it is first asked for one. Several iterators each get all values.
///
/// **The end**: the values that are kept come first. Then an error is thrown, as what it is; a completion or an interruption ends
/// the sequence with `nil`.
///
/// **Cancellation**: when the task is cancelled, the observation is disposed of or the start interrupted, what is kept is discarded,
/// and the sequence ends with `nil`: at once if it waits for a value, otherwise when it is asked for the next one. Releasing the
/// iterator, as `break` does, disposes as well. In a task that has been cancelled, an iterator begins nothing. A producer that sends
/// without a pause on the thread of its start cannot be cancelled before the first value is asked for: see `start(on:)`.
///
/// **Threads**: the sender never waits for the consumer. It appends the value, and wakes the consumer if that sleeps; a consumer that is
/// behind takes all that has come since in one go. No allocation a value.
@frozen
public struct AsyncValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A value of the stream.
    public typealias Element = Value

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCount
    @usableFromInline let begin: @Sendable (Handover<Value, Failure>) -> (any Disposable)?

    /// - Parameter begin: Has a stream send into what it gets, and returns what stops it.
    @inlinable
    package init(
        _ policy: BufferingPolicy, _ begin: @escaping @Sendable (Handover<Value, Failure>) -> (any Disposable)?
    ) {
        self.policy = policy
        drops = DropCount()
        self.begin = begin
    }

    /// How many values have been dropped because there was no room for them, by all iterators of this sequence and of its copies.
    ///
    /// It can be read at any time and from any thread, also while another one iterates. With the policy
    /// ``BufferingPolicy/unbounded`` it stays 0. What is discarded because nobody wants it any more does not count.
    ///
    ///     let readings = sensor.values(buffering: .newest(16))
    ///     for try await reading in readings {
    ///         display(reading, missed: readings.droppedCount)
    ///     }
    public var droppedCount: Int { drops.value }

    /// Begins to observe the signal, or starts the producer, and keeps the values from now on.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(Consumption(policy, drops, begin)) }

    /// Takes the values one by one. For one task at a time.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumption: Consumption<Value, Failure>

        @inlinable
        init(_ consumption: Consumption<Value, Failure>) { self.consumption = consumption }

        /// The next value, which may have been there already; nil after the end.
        ///
        /// Two tasks that ask at the same time are a mistake, which traps.
        ///
        /// - Throws: The error that the stream ended with. After that the sequence is over: nil.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            switch await consumption.next(isolation: actor) {
            case .next(let value): return value
            case .error(let error): throw error
            case .completed, .interrupted, nil: return nil
            }
        }

        /// The next value: see ``next(isolation:)``.
        @inlinable
        public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }
    }
}

@available(*, unavailable)
extension AsyncValues.Iterator: Sendable {}
