extension SignalProducer {
    /// Transforms each element of an async sequence into a producer, until it is told to drain: then it requests
    /// nothing more, and completes when the producers that have begun have ended.
    ///
    /// Use it for workers that stop without losing work:
    ///
    /// ```swift
    /// let (stop, input) = Signal<Void, Never>.pipe()
    /// let queue = AsyncStream<Int> { nil }
    /// let receipts = SignalProducer<String, Never>(pulling: queue, maxConcurrent: 4, drainWhen: stop.producer) {
    ///     SignalProducer(value: "handled \($0)")
    /// } giveBack: {
    ///     print("not handled: \($0)")
    /// }
    /// receipts.startWithCompleted { print("done") }
    /// input.sendNext(())  // prints done
    /// ```
    ///
    /// Like ``SignalProducer/init(pulling:maxConcurrent:_:)-(_,_,(S.Element)->Inner)``, with a gentle end. The first
    /// value or the completion of `drain` cancels the task that iterates the sequence, and disposes of no producer. An
    /// element that the sequence returns nevertheless, even much later, is given back. So is one that it returns when
    /// the result has been disposed of or has failed, also if that happens while its producer is made. For each element,
    /// therefore, either a producer is started, or it is given back. Buffers nothing.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - drain: Started first, and disposed of when the result ends. If it sends immediately, no element is
    ///     requested. Its interruption is ignored.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    ///   - giveBack: Called in the task with an element whose producer will not be started.
    public init<S: AsyncSequence & Sendable, Inner: SignalProducerConvertible, Trigger>(
        pulling sequence: S, maxConcurrent: Int, drainWhen drain: SignalProducer<Trigger, Never>,
        _ transform: @escaping @Sendable (S.Element) -> Inner,
        giveBack: @escaping @Sendable (S.Element) -> Void
    ) where S.Failure == Failure, Inner.Value == Value, Inner.Failure == Failure {
        self.init(
            pulling: sequence, maxConcurrent, drainWhen: drain, transform, giveBack, outer: { .thrown($0) },
            inner: { $0 })
    }

    /// Pulls from an async sequence that cannot fail, until it is told to drain.
    ///
    /// Like the initializer for streams that can fail.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - drain: Started first, and disposed of when the result ends. If it sends immediately, no element is
    ///     requested. Its interruption is ignored.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    ///   - giveBack: Called in the task with an element whose producer will not be started.
    public init<InfallibleSequence: AsyncSequence & Sendable, Inner: SignalProducerConvertible, Trigger>(
        pulling sequence: InfallibleSequence, maxConcurrent: Int, drainWhen drain: SignalProducer<Trigger, Never>,
        _ transform: @escaping @Sendable (InfallibleSequence.Element) -> Inner,
        giveBack: @escaping @Sendable (InfallibleSequence.Element) -> Void
    ) where InfallibleSequence.Failure == Never, Inner.Value == Value, Inner.Failure == Failure {
        self.init(
            pulling: sequence, maxConcurrent, drainWhen: drain, transform, giveBack, outer: Termination.impossible,
            inner: { $0 })
    }

    /// Pulls from an async sequence, for producers that cannot fail, until it is told to drain.
    ///
    /// Like the initializer for streams that can fail.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - drain: Started first, and disposed of when the result ends. If it sends immediately, no element is
    ///     requested. Its interruption is ignored.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    ///   - giveBack: Called in the task with an element whose producer will not be started.
    public init<S: AsyncSequence & Sendable, InfallibleInner: SignalProducerConvertible, Trigger>(
        pulling sequence: S, maxConcurrent: Int, drainWhen drain: SignalProducer<Trigger, Never>,
        _ transform: @escaping @Sendable (S.Element) -> InfallibleInner,
        giveBack: @escaping @Sendable (S.Element) -> Void
    ) where S.Failure == Failure, InfallibleInner.Value == Value, InfallibleInner.Failure == Never {
        self.init(
            pulling: sequence, maxConcurrent, drainWhen: drain, transform, giveBack, outer: { .thrown($0) },
            inner: { $0.promoted() })
    }

    private init<S: AsyncSequence & Sendable, Inner: SignalProducerConvertible, Trigger>(
        pulling sequence: S, _ maxConcurrent: Int, drainWhen drain: SignalProducer<Trigger, Never>,
        _ transform: @escaping @Sendable (S.Element) -> Inner, _ giveBack: @escaping @Sendable (S.Element) -> Void,
        outer: @escaping @Sendable (S.Failure) -> Termination<Failure>,
        inner: @escaping @Sendable (Termination<Inner.Failure>) -> Termination<Failure>
    ) where Inner.Value == Value {
        require(
            maxConcurrent > 0,
            "SignalProducer(pulling:maxConcurrent: \(maxConcurrent)): the number of producers must be positive")
        self.init(StreamName("pulling"), isSuspendable: true) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            let pulling = Pulling(core, limit: maxConcurrent, suspendedBy: start.senders, promote: inner)
            let task = SerialDisposable()
            start.observeEnded { pulling.stop() }
            start += task
            start += drain.start { event in
                if case .interrupted = event { return }
                pulling.drain()
                task.dispose()
            }
            task.inner = TaskStarter.start {
                // Disposed of or drained before the task began to run.
                guard await pulling.hasRoom() else { return }
                var elements = sequence.makeAsyncIterator()
                do throws(S.Failure) {
                    while await pulling.hasRoom(), let element = try await elements.next(isolation: nil) {
                        guard pulling.reserve() else { return giveBack(element) }
                        let producer = transform(element).producer
                        let hasBegun = !pulling.isStopped && pulling.begin(producer)
                        pulling.release()
                        if !hasBegun { return giveBack(element) }
                    }
                    // In this order: a drain says so before it cancels the task.
                    let isCancelled = Task.isCancelled
                    if !pulling.isDraining { pulling.endSequence(isCancelled: isCancelled) }
                } catch {
                    let termination = outer(error)
                    // A cancelled sequence may throw.
                    if case .interrupted = termination, pulling.isDraining { return }
                    // The result must not complete before, with the last producer.
                    pulling.state.withLock { $0.unended += 1 }
                    pulling.core.sendEnd(termination)
                }
            }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// Pulls from an async sequence, until it is told to drain. Neither the sequence nor the producers can fail.
    ///
    /// Like the initializer for streams that can fail.
    ///
    /// - Parameters:
    ///   - sequence: Its iterator is created in the task, and used only there.
    ///   - maxConcurrent: The maximum number of producers that run at the same time. Traps unless positive.
    ///   - drain: Started first, and disposed of when the result ends. If it sends immediately, no element is
    ///     requested. Its interruption is ignored.
    ///   - transform: Called with each element. Returns a producer, a signal or a property.
    ///   - giveBack: Called in the task with an element whose producer will not be started.
    public init<InfallibleSequence: AsyncSequence & Sendable, InfallibleInner: SignalProducerConvertible, Trigger>(
        pulling sequence: InfallibleSequence, maxConcurrent: Int, drainWhen drain: SignalProducer<Trigger, Never>,
        _ transform: @escaping @Sendable (InfallibleSequence.Element) -> InfallibleInner,
        giveBack: @escaping @Sendable (InfallibleSequence.Element) -> Void
    ) where InfallibleSequence.Failure == Never, InfallibleInner.Value == Value, InfallibleInner.Failure == Never {
        self.init(
            pulling: sequence, maxConcurrent, drainWhen: drain, transform, giveBack, outer: Termination.impossible,
            inner: { $0 })
    }
}

extension Pulling {
    /// Whether no more elements are to be requested, although the sequence has not ended.
    fileprivate var isDraining: Bool { state.withLock { $0.sequenceHasEnded } }

    /// Requests no more elements, and completes when all producers have ended.
    fileprivate func drain() {
        let (isDone, waiting) = state.withLock { state in
            state.sequenceHasEnded = true
            return (state.unended == 0, state.waiting.take())
        }
        waiting?.resume(returning: false)
        if isDone { core.sendEnd(.completed) }
    }

    /// Keeps the result from completing while a producer is being started. Returns `false` if none may be started.
    fileprivate func reserve() -> Bool {
        state.withLock { state in
            guard !state.isStopped, !state.sequenceHasEnded, !core.terminated.isRaised else { return false }
            state.unended += 1
            return true
        }
    }

    /// Ends a reservation.
    fileprivate func release() {
        let isDone = state.withLock { state in
            state.unended -= 1
            return state.sequenceHasEnded && state.unended == 0
        }
        if isDone { core.sendEnd(.completed) }
    }
}
