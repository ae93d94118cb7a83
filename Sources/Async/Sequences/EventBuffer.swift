public import HotSignals

/// A queue between a stream and the one task that consumes it.
///
/// The stream sends serially. It appends under the lock, and resumes the consumer only if it is suspended. The consumer
/// swaps the two buffers and drains its own without locking: see ``Consumption``. With a limit, the consumer takes one
/// value at a time, so that no more values than the limit are ever buffered. If the senders are suspended at the limit,
/// every change near it is passed on to them: see ``SenderQueue``.
///
/// Nothing is resumed, disposed of or released under the lock.
@usableFromInline
@_fixed_layout
final class EventBuffer<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: every variable is guarded by the lock.
    @usableFromInline let lock = WordLock()
    /// The number of buffered values from which on ``nextWithoutRoom(_:)`` decides.
    @usableFromInline let limit: Int
    @usableFromInline let dropsOldest: Bool
    @usableFromInline let drops: DropCount
    /// Raised when no more events are wanted. Raised under the lock, but read without it.
    @usableFromInline let closed = AtomicFlag()
    /// What the senders wait for, if they are suspended.
    @exclusivity(unchecked) @usableFromInline var room: Room?
    @exclusivity(unchecked) @usableFromInline var incoming = Ring<Value>()
    /// The termination of the stream, until the consumer has taken it.
    @exclusivity(unchecked) @usableFromInline var termination: Termination<Failure>?
    /// The suspended consumer.
    @exclusivity(unchecked) @usableFromInline var waiting: UnsafeContinuation<Void, Never>?

    @_alwaysEmitIntoClient
    init(_ policy: BufferingPolicy, _ drops: DropCount, _ senders: SenderQueue?) {
        let room = policy.room(with: senders)
        self.room = room
        // The value that fills the buffer is reported to the senders.
        limit = room.map { $0.limit - 1 } ?? policy.limit
        dropsOldest = policy.dropsOldest
        self.drops = drops
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit {
        if GraphHook.isOn.hasBeenOn { GraphHook.left(self) }
        incoming.deallocate()
    }

    /// What the consumer suspends. Only until the stream begins to send.
    @_alwaysEmitIntoClient
    var senders: SenderQueue? { room?.senders }

    // MARK: The stream's side

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) {
        lock.lock()
        guard incoming.count < limit, !closed.isRaised else { return nextWithoutRoom(value) }
        incoming.append(value)
        unlockAndWake()
    }

    /// Called with the lock held. Returns with the lock released.
    @_alwaysEmitIntoClient @inline(never)
    func nextWithoutRoom(_ value: Value) {
        guard !closed.isRaised else { return lock.unlock() }
        if room != nil {
            incoming.append(value)
            // No sender goes on because a buffer has filled up.
            _ = room?.update(incoming.count)
            return unlockAndWake()
        }
        drops.increment()
        guard dropsOldest else { return lock.unlock() }
        let dropped = incoming.takeFirst()
        incoming.append(value)
        unlockAndWake()
        withExtendedLifetime(dropped) {}
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        lock.lock()
        guard !closed.isRaised else { return lock.unlock() }
        self.termination = termination
        // No more values follow, so what is buffered need not hold up the senders.
        var room = room.take()
        let sender = room?.leave()
        unlockAndWake()
        sender?.resume(returning: true)
    }

    @_alwaysEmitIntoClient @inline(__always)
    func unlockAndWake() {
        let waiting = waiting
        self.waiting = nil
        lock.unlock()
        waiting?.resume()
    }

    // MARK: The consumer's side

    /// What is available to the consumer.
    @frozen @usableFromInline
    enum Availability {
        case event(Event<Value, Failure>)
        /// The terminal event has been taken, or no more events are wanted.
        case over
        case nothingYet
    }

    /// Takes the next event, and with it all values that can be taken together.
    ///
    /// - Parameter batch: Must be empty. Receives the values after the returned one.
    @_alwaysEmitIntoClient
    func take(_ batch: inout Ring<Value>) -> Availability {
        lock.lock()
        if limit == .max, incoming.count > 1 {
            let full = incoming
            incoming = batch
            lock.unlock()
            batch = full
            // There are at least two values.
            return .event(.next(batch.takeFirst().unsafelyUnwrapped))
        }
        if let value = incoming.takeFirst() {
            let sender = room?.update(incoming.count)
            lock.unlock()
            sender?.resume(returning: true)
            return .event(.next(value))
        }
        if let termination = termination.take() {
            closed.raise()
            lock.unlock()
            return .event(termination.event())
        }
        let isClosed = closed.isRaised
        lock.unlock()
        return isClosed ? .over : .nothingYet
    }

    /// Suspends the consumer until an event is available.
    @_alwaysEmitIntoClient
    func wait(_ continuation: UnsafeContinuation<Void, Never>) {
        lock.lock()
        let isMistake = waiting != nil
        let mayWait = !isMistake && incoming.count == 0 && termination == nil && !closed.isRaised
        if mayWait { waiting = continuation }
        lock.unlock()
        require(
            !isMistake,
            "next(isolation:): two tasks use one iterator at the same time; create an iterator for each task"
        )
        if !mayWait { continuation.resume() }
    }

    /// Closes the queue when no more events are wanted, and releases its contents.
    @usableFromInline
    func close() {
        lock.lock()
        closed.raise()
        var discarded = incoming
        incoming = Ring()
        let termination = termination.take()
        let waiting = waiting
        self.waiting = nil
        var room = room.take()
        let sender = room?.leave()
        lock.unlock()
        waiting?.resume()
        sender?.resume(returning: true)
        discarded.deallocate()
        withExtendedLifetime(termination) {}
    }
}

extension EventBuffer: GraphMember {
    @usableFromInline var graphEntry: GraphEntry? {
        lock.lock()
        let (count, limit) = (incoming.count, room?.limit ?? self.limit)
        lock.unlock()
        if closed.isRaised { return nil }
        return GraphEntry(
            buffer: GraphName("async sequence", drops.location), depth: count, limit: limit == .max ? nil : limit)
    }
}

/// Passes a stream's events to the consumer.
@frozen @usableFromInline
struct EventBufferSink<Value: Sendable, Failure: Error>: Sink {
    @usableFromInline let buffer: EventBuffer<Value, Failure>

    @_alwaysEmitIntoClient
    init(_ buffer: EventBuffer<Value, Failure>) { self.buffer = buffer }

    @_alwaysEmitIntoClient @inline(__always)
    func next(_ value: Value) { buffer.next(value) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { buffer.end(termination) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { buffer.closed.isRaised }
}

/// The number of values that the iterators of a sequence have dropped for lack of room, and where the sequence was
/// made.
@usableFromInline
final class DropCount: Sendable {
    private let word = AtomicWord(0)
    let location: CodeLocation?

    @usableFromInline
    init(_ location: CodeLocation?) { self.location = location }

    @usableFromInline
    func increment() { _ = word.increment() }

    @usableFromInline
    var value: Int { Int(bitPattern: word.load()) }
}
