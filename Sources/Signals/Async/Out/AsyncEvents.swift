/// The events of a stream as an async sequence: see ``Signal/events(buffering:)``.
///
/// Like ``AsyncValues``, but the end of the stream is an element, the last one, and nothing is thrown: this tells a completion from an
/// interruption. It is never dropped, however small the buffer. If the task is cancelled, `nil` comes without it.
///
///     for await event in download.events(buffering: .unbounded) {
///         switch event {
///         case .next(let chunk): file.append(chunk)
///         case .completed: file.close()
///         case .error, .interrupted: file.remove()
///         }
///     }
@frozen
public struct AsyncEvents<Value: Sendable, StreamFailure: Error>: AsyncSequence, Sendable {
    /// An event of the stream.
    public typealias Element = Event<Value, StreamFailure>
    /// Nothing is thrown: an error is an element.
    public typealias Failure = Never

    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let drops: DropCount
    @usableFromInline let begin: @Sendable (Handover<Value, StreamFailure>) -> (any Disposable)?

    /// - Parameter begin: Has a stream send into what it gets, and returns what stops it.
    @inlinable
    package init(
        _ policy: BufferingPolicy, _ begin: @escaping @Sendable (Handover<Value, StreamFailure>) -> (any Disposable)?
    ) {
        self.policy = policy
        drops = DropCount()
        self.begin = begin
    }

    /// How many values have been dropped because there was no room for them: see ``AsyncValues/droppedCount``.
    public var droppedCount: Int { drops.value }

    /// Begins to observe the signal, or starts the producer, and keeps the events from now on.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(Consumption(policy, drops, begin)) }

    /// Takes the events one by one. For one task at a time.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let consumption: Consumption<Value, StreamFailure>

        @inlinable
        init(_ consumption: Consumption<Value, StreamFailure>) { self.consumption = consumption }

        /// The next event, which may have been there already; nil after the terminal one.
        ///
        /// Two tasks that ask at the same time are a mistake, which traps.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Event<Value, StreamFailure>? {
            await consumption.next(isolation: actor)
        }

        /// The next event: see ``next(isolation:)``.
        @inlinable
        public mutating func next() async -> Event<Value, StreamFailure>? { await next(isolation: nil) }
    }
}

@available(*, unavailable)
extension AsyncEvents.Iterator: Sendable {}
