public import HotSignals

/// The events of a stream as an async sequence: see ``HotSignals/Signal/events(buffering:file:line:)``.
///
/// Like ``AsyncValues``, but the terminal event is the last element and nothing is thrown, so you can tell completion
/// from interruption. A full buffer never drops the terminal event. If the task is cancelled, the sequence ends without
/// it.
///
/// ```swift
/// for await event in download.events(buffering: .unbounded) {
///     switch event {
///     case .next(let chunk): file.append(chunk)
///     case .completed: file.close()
///     case .error, .interrupted: file.remove()
///     }
/// }
/// ```
@frozen
public struct AsyncEvents<Value: Sendable, StreamFailure: Error>: AsyncSequence, Sendable {
    /// An event of the stream.
    public typealias Element = Event<Value, StreamFailure>
    /// Nothing is thrown: an error is an element.
    public typealias Failure = Never

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCount
    /// What the consumer suspends, if the policy is `.suspending`.
    @usableFromInline let senders: SenderQueue?
    @usableFromInline let begin: @Sendable (EventBuffer<Value, StreamFailure>) -> (any Disposable)?

    /// - Parameters:
    ///   - senders: What the consumer suspends, if the policy is `.suspending`.
    ///   - location: Where the sequence is made.
    ///   - begin: Makes a stream send into the event buffer, and returns the disposable that stops it.
    @_alwaysEmitIntoClient
    init(
        _ policy: BufferingPolicy, suspending senders: SenderQueue? = nil, at location: CodeLocation? = nil,
        _ begin: @escaping @Sendable (EventBuffer<Value, StreamFailure>) -> (any Disposable)?
    ) {
        self.policy = policy
        drops = DropCount(location)
        self.senders = senders
        self.begin = begin
    }

    /// The number of values dropped because the buffer was full: see ``AsyncValues/droppedCount``.
    public var droppedCount: Int { drops.value }

    /// Begins to observe the signal, or starts the producer, and keeps the events from then on.
    @_alwaysEmitIntoClient
    public func makeAsyncIterator() -> Iterator { Iterator(Consumption(policy, drops, senders, begin)) }

    /// Delivers the events one at a time, to one task at a time.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumption: Consumption<Value, StreamFailure>

        @_alwaysEmitIntoClient
        init(_ consumption: Consumption<Value, StreamFailure>) { self.consumption = consumption }

        /// Returns the next event, waiting for it if necessary, or `nil` after the terminal event.
        ///
        /// Traps if two tasks call it at the same time.
        @_alwaysEmitIntoClient
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Event<Value, StreamFailure>? {
            await consumption.next(isolation: actor)
        }

        /// Returns the next event: see ``next(isolation:)``.
        @_alwaysEmitIntoClient
        public mutating func next() async -> Event<Value, StreamFailure>? { await next(isolation: nil) }
    }
}

@available(*, unavailable)
extension AsyncEvents.Iterator: Sendable {}
