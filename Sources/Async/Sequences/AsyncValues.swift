public import HotSignals

/// The values of a stream as an async sequence: see ``HotSignals/Signal/values(buffering:file:line:)``.
///
/// ```swift
/// for try await reading in sensor.values(buffering: .newest(16)) { display(reading) }
/// ```
///
/// **Iterators**: making an iterator begins to observe the signal, or starts the producer. From then on values are kept
/// for it, even before you request the first one. Several iterators each receive all values.
///
/// **Termination**: values that are kept are delivered first. Then an error is thrown with its own type. A completion
/// or an interruption ends the sequence with `nil`.
///
/// **Cancellation**: when the task is cancelled, the observation is disposed of or the start interrupted, values that
/// are kept are discarded, and the sequence ends with `nil`: immediately if it is waiting for a value, otherwise at the
/// next request. Releasing the iterator, as `break` does, also disposes. An iterator made in a cancelled task begins
/// nothing. A producer that sends continuously on the thread of its start cannot be cancelled before you request the
/// first value: see `start(on:)`.
///
/// **Threads**: the sender never waits for the consumer, except with ``BufferingPolicy/suspending(_:)``. It appends the
/// value, and resumes the consumer if it is suspended. With ``BufferingPolicy/unbounded``, a consumer that is behind
/// takes all new values at once. No allocation per value.
@frozen
public struct AsyncValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
    /// A value of the stream.
    public typealias Element = Value

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCount
    /// What the consumer suspends, if the policy is `.suspending`.
    @usableFromInline let senders: SenderQueue?
    @usableFromInline let begin: @Sendable (EventBuffer<Value, Failure>) -> (any Disposable)?

    /// - Parameters:
    ///   - senders: What the consumer suspends, if the policy is `.suspending`.
    ///   - location: Where the sequence is made.
    ///   - begin: Makes a stream send into the event buffer, and returns the disposable that stops it.
    @_alwaysEmitIntoClient
    init(
        _ policy: BufferingPolicy, suspending senders: SenderQueue? = nil, at location: CodeLocation? = nil,
        _ begin: @escaping @Sendable (EventBuffer<Value, Failure>) -> (any Disposable)?
    ) {
        self.policy = policy
        drops = DropCount(location)
        self.senders = senders
        self.begin = begin
    }

    /// The number of values dropped because the buffer was full, by all iterators of this sequence and of its copies.
    ///
    /// You can read it at any time and from any thread, even while another task iterates. With
    /// ``BufferingPolicy/unbounded`` it stays 0. Values discarded by cancellation or disposal do not count.
    ///
    /// ```swift
    /// let readings = sensor.values(buffering: .newest(16))
    /// for try await reading in readings {
    ///     display(reading, missed: readings.droppedCount)
    /// }
    /// ```
    public var droppedCount: Int { drops.value }

    /// Begins to observe the signal, or starts the producer, and keeps the values from then on.
    @_alwaysEmitIntoClient
    public func makeAsyncIterator() -> Iterator { Iterator(Consumption(policy, drops, senders, begin)) }

    /// Delivers the values one at a time, to one task at a time.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumption: Consumption<Value, Failure>

        @_alwaysEmitIntoClient
        init(_ consumption: Consumption<Value, Failure>) { self.consumption = consumption }

        /// Returns the next value, waiting for it if necessary, or `nil` after the end.
        ///
        /// Traps if two tasks call it at the same time.
        ///
        /// - Throws: The error of the stream. After that it returns `nil`.
        @_alwaysEmitIntoClient
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            switch await consumption.next(isolation: actor) {
            case .next(let value): return value
            case .error(let error): throw error
            case .completed, .interrupted, nil: return nil
            }
        }

        /// Returns the next value: see ``next(isolation:)``.
        @_alwaysEmitIntoClient
        public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }
    }
}

@available(*, unavailable)
extension AsyncValues.Iterator: Sendable {}
