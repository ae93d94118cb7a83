extension SignalProducer {
    /// Transforms each element of an async sequence into a producer, and sends the values of all of them. Requests an
    /// element only when there is capacity for another producer.
    ///
    /// ```swift
    /// let pages = SignalProducer<Page, HTTPError>(pulling: urls, maxConcurrent: 4) { url in fetch(url) }
    /// ```
    ///
    /// Like ``SignalProducer/flatMap(_:raising:_:)-3h0h0`` with `.concurrent(limit:)`, which queues without a bound
    /// what arrives while it is busy. This initializer buffers nothing: at most `maxConcurrent` elements have been
    /// taken whose producers have not ended. With 1, the producers run one after another, in the order of the sequence.
    ///
    /// If a consumer or an operator downstream suspends its source, such as
    /// ``SignalProducer/buffer(upTo:whenFull:on:)``, no element is taken while that has no room, and
    /// producers made of async code are suspended, too.
    ///
    /// **Termination**: completes when the sequence and all producers have ended. An error, of the sequence or of a
    /// producer, ends the result immediately, disposes of the other producers and cancels the task that iterates the
    /// sequence. A `CancellationError` that the sequence throws interrupts. A producer that is interrupted frees
    /// capacity, like one that completes.
    ///
    /// **Threads**: one task per start iterates the sequence, calls `transform` and starts the producers. Values are
    /// sent on the threads on which the producers send them.
    ///
    /// **Disposal** cancels the task, disposes of the producers and interrupts immediately.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    @inlinable
    public init<S: AsyncSequence & Sendable, Inner: SignalProducerConvertible>(
        pulling sequence: S, maxConcurrent: Int,
        _ transform: @escaping @Sendable (S.Element) -> Inner
    ) where S.Failure == Failure, Inner.Value == Value, Inner.Failure == Failure {
        self.init(pulling: sequence, maxConcurrent, transform, outer: { .thrown($0) }, inner: { $0 })
    }

    /// Transforms each element of an async sequence that cannot fail into a producer: see
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    @inlinable
    public init<InfallibleSequence: AsyncSequence & Sendable, Inner: SignalProducerConvertible>(
        pulling sequence: InfallibleSequence, maxConcurrent: Int,
        _ transform: @escaping @Sendable (InfallibleSequence.Element) -> Inner
    ) where InfallibleSequence.Failure == Never, Inner.Value == Value, Inner.Failure == Failure {
        self.init(pulling: sequence, maxConcurrent, transform, outer: Termination.impossible, inner: { $0 })
    }

    /// Transforms each element of an async sequence into a producer that cannot fail: see
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    @inlinable
    public init<S: AsyncSequence & Sendable, InfallibleInner: SignalProducerConvertible>(
        pulling sequence: S, maxConcurrent: Int,
        _ transform: @escaping @Sendable (S.Element) -> InfallibleInner
    ) where S.Failure == Failure, InfallibleInner.Value == Value, InfallibleInner.Failure == Never {
        self.init(pulling: sequence, maxConcurrent, transform, outer: { .thrown($0) }, inner: { $0.promoted() })
    }

    @inlinable
    init<S: AsyncSequence & Sendable, Inner: SignalProducerConvertible>(
        pulling sequence: S, _ maxConcurrent: Int, _ transform: @escaping @Sendable (S.Element) -> Inner,
        outer: @escaping @Sendable (S.Failure) -> Termination<Failure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<Failure>
    ) where Inner.Value == Value {
        require(
            maxConcurrent > 0,
            "SignalProducer(pulling:maxConcurrent: \(maxConcurrent)): the number of producers must be positive")
        self.init(StreamName("pulling"), isSuspendable: true) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            let pulling = Pulling(core, limit: maxConcurrent, suspendedBy: start.senders, promote: inner)
            start.observeEnded { pulling.stop() }
            start += TaskStarter.start {
                // Disposed of before the task began to run.
                guard await pulling.hasRoom() else { return }
                var elements = sequence.makeAsyncIterator()
                do throws(S.Failure) {
                    while await pulling.hasRoom(), let element = try await elements.next(isolation: nil) {
                        if pulling.isStopped { return }
                        pulling.begin(transform(element).producer)
                    }
                    pulling.endSequence(isCancelled: Task.isCancelled)
                } catch {
                    pulling.core.sendEnd(outer(error))
                }
            }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Transforms each element of an async sequence into a producer. Neither can fail: see
    /// ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    @inlinable
    public init<InfallibleSequence: AsyncSequence & Sendable, InfallibleInner: SignalProducerConvertible>(
        pulling sequence: InfallibleSequence, maxConcurrent: Int,
        _ transform: @escaping @Sendable (InfallibleSequence.Element) -> InfallibleInner
    ) where InfallibleSequence.Failure == Never, InfallibleInner.Value == Value, InfallibleInner.Failure == Never {
        self.init(pulling: sequence, maxConcurrent, transform, outer: Termination.impossible, inner: { $0 })
    }
}

extension Termination {
    /// Converts an error that cannot occur into a terminal event.
    @_alwaysEmitIntoClient
    static func impossible(_ never: Never) -> Termination {}
}

/// The state of one start: the running producers, and whether the task waits for capacity.
///
/// Decisions are made under a lock. Their consequences follow outside it, and the gate of the core orders what is sent.
@usableFromInline
@_fixed_layout
final class Pulling<Value: Sendable, Failure: Error, InnerFailure: Error>: InnerOwner {
    @frozen @usableFromInline
    struct State {
        /// The starts of the producers that occupy capacity.
        @usableFromInline var starts = NumberedStarts()
        /// The number of producers that have not ended, or have failed. The others are being cleaned up.
        @usableFromInline var unended = 0
        /// The number of the producer that started last.
        @usableFromInline var last: UInt = 0
        /// The continuation of the task while it waits for capacity.
        @usableFromInline var waiting: CheckedContinuation<Bool, Never>?
        @usableFromInline var sequenceHasEnded = false
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let limit: Int
    /// What the task waits for before it takes another element, if a consumer suspends it. The producers wait, too, if
    /// they can be suspended.
    @usableFromInline let senders: SenderQueue?
    /// The task context of the start. Producers that start in the task run within it.
    @usableFromInline let taskContext = LibraryTask.captured
    /// Converts the terminal event of a producer into one of the result.
    @usableFromInline let promote: @Sendable (Termination<InnerFailure>) -> Termination<Failure>
    @usableFromInline let state = Locked(State())

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Value, Failure>, limit: Int, suspendedBy senders: SenderQueue?,
        promote: @escaping @Sendable (Termination<InnerFailure>) -> Termination<Failure>
    ) {
        self.core = core
        self.limit = limit
        self.senders = senders
        self.promote = promote
    }

    // MARK: Called by the task

    @_alwaysEmitIntoClient
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Waits until what follows has room, and there is capacity for another producer. Returns `false` if the result has
    /// ended.
    @_alwaysEmitIntoClient
    func hasRoom() async -> Bool {
        while true {
            if let senders, await !senders.waitForRoom() { return false }
            if let mayGoOn = state.withLock({ mayGoOn($0) }) { return mayGoOn }
            // Meanwhile, what follows may have become full.
            guard await waitForCapacity() else { return false }
        }
    }

    @_alwaysEmitIntoClient
    func waitForCapacity() async -> Bool {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                let known = mayGoOn(state)
                if known == nil { state.waiting = continuation }
                return known
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Call only under the lock. Returns `nil` if the task has to wait.
    @_alwaysEmitIntoClient
    func mayGoOn(_ state: borrowing State) -> Bool? {
        if state.isStopped { return false }
        if state.sequenceHasEnded { return false }
        return state.starts.count < limit ? true : nil
    }

    /// Starts a producer. Returns false if the result has ended before.
    @_alwaysEmitIntoClient @discardableResult
    func begin(_ inner: SignalProducer<Value, InnerFailure>) -> Bool {
        switch inner.work {
        case .value(let value): core.sendNext(value)
        case .ended(let termination):
            if case .error(let error) = promote(termination) { core.sendEnd(.error(error)) }
        case .handler, .chain:
            let start = makeStart(suspendedBy: senders)
            let number = state.withLock { state -> UInt? in
                guard !state.isStopped else { return nil }
                state.last += 1
                state.starts.add(start, state.last)
                state.unended += 1
                return state.last
            }
            guard let number else { return false }
            begin(inner, number, of: start)
        }
        return true
    }

    @_alwaysEmitIntoClient
    func endSequence(isCancelled: Bool) {
        if isCancelled { return core.sendEnd(.interrupted) }
        let isDone = state.withLock { state in
            state.sequenceHasEnded = true
            return state.unended == 0
        }
        if isDone { core.sendEnd(.completed) }
    }

    // MARK: Called by the producers

    @_alwaysEmitIntoClient
    func send(_ value: Value, from _: UInt, _: Start?) { core.sendNext(value) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<InnerFailure>, of number: UInt, _ start: Start?) {
        let ending = promote(termination)
        var hasFailed = false
        if case .error = ending { hasFailed = true }
        let isDone = state.withLock { state in
            // A producer that has failed still counts, so that no other thread completes the result before the error.
            if hasFailed { return false }
            state.unended -= 1
            return state.sequenceHasEnded && state.unended == 0
        }
        // The observer receives the terminal event before the start is cleaned up.
        if hasFailed {
            core.sendEnd(ending)
        } else if isDone {
            core.sendEnd(.completed)
        }
        // The resources of this producer are free before the next one starts. If the result has ended, the task no
        // longer waits.
        start?.runCleanups()
        let (removed, waiting) = state.withLock { ($0.starts.remove(number), $0.waiting.take()) }
        waiting?.resume(returning: true)
        // Released outside the lock.
        withExtendedLifetime(removed) {}
    }

    // MARK: The end

    /// Disposes of all running producers when the result ends.
    @usableFromInline
    func stop() {
        let (starts, waiting) = state.withLock { state in
            state.isStopped = true
            return (state.starts.removeAll(), state.waiting.take())
        }
        starts.disposeOfAll()
        waiting?.resume(returning: false)
    }
}
