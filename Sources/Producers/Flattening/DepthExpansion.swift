/// The state of one stream that is expanded in depth.
///
/// A stack of levels: the source, the stream that was made of one of its values, the stream that was made of one of
/// that stream's values, and so on. Only the uppermost level sends. The values of the others wait until the levels
/// above have ended. A single loop sends values and starts streams. Values that arrive while it is busy wait, so
/// streams that are synchronous do not deepen the stack.
///
/// Decisions are made under a lock. Their consequences follow outside it.
@usableFromInline
@_fixed_layout
final class DepthExpansion<Value: Sendable, Failure: Error>: Sendable {
    @frozen @usableFromInline
    struct Level {
        /// Ascends from level to level.
        @usableFromInline let number: UInt
        /// `nil` for the source.
        @usableFromInline var subscription: Subscription?
        @usableFromInline var waiting = Queue<(arrival: UInt, value: Value)>()
        @usableFromInline var hasEnded = false

        @_alwaysEmitIntoClient
        init(number: UInt, subscription: Subscription? = nil) {
            self.number = number
            self.subscription = subscription
        }
    }

    @frozen @usableFromInline
    struct State {
        @usableFromInline var levels = [Level(number: 0)]
        /// The number of values that wait on all levels.
        @usableFromInline var waiting = 0
        @usableFromInline var lastNumber: UInt = 0
        @usableFromInline var lastArrival: UInt = 0
        /// Whether the loop is running.
        @usableFromInline var isRunning = false
        /// What other threads add meanwhile.
        @usableFromInline var foreign = ForeignWork()
        /// Whether a value has been taken from its level, and the level of its stream does not exist yet.
        @usableFromInline var isExpanding = false
        @usableFromInline var hasStopped = false

        @_alwaysEmitIntoClient
        init() {}

        /// The uppermost level, if its first value is the next to be sent.
        @_alwaysEmitIntoClient
        var due: Int? {
            guard !isExpanding, let last = levels.indices.last, !levels[last].waiting.isEmpty else { return nil }
            return last
        }

        /// Returns whether the calling thread must run the loop.
        @_alwaysEmitIntoClient
        mutating func begin() -> Bool {
            if isRunning {
                foreign.note()
                return false
            }
            isRunning = true
            foreign.begin()
            return true
        }

        /// The index of a level. Most events come from the uppermost ones.
        @_alwaysEmitIntoClient
        func index(of number: UInt) -> Int? { levels.lastIndex { $0.number == number } }

        @_alwaysEmitIntoClient
        mutating func append(_ value: Value, to index: Int) {
            lastArrival += 1
            waiting += 1
            levels[index].waiting.append((lastArrival, value))
        }

        /// Takes the first value of a level, and removes the level if it has nothing left to send.
        @_alwaysEmitIntoClient
        mutating func takeFirst(of index: Int) -> (value: Value?, removed: Level?) {
            let value = levels[index].waiting.popFirst()?.value
            if value != nil { waiting -= 1 }
            return (value, removeIfEmpty(index))
        }

        @_alwaysEmitIntoClient
        mutating func removeIfEmpty(_ index: Int) -> Level? {
            guard levels[index].hasEnded, levels[index].waiting.isEmpty else { return nil }
            return levels.remove(at: index)
        }

        /// Takes the value that has waited longest, but not the one that is due. Removes its level if it has nothing
        /// left to send.
        @_alwaysEmitIntoClient
        mutating func takeOldest() -> (value: Value?, removed: Level?)? {
            let due = due
            func arrival(_ index: Int) -> UInt? {
                let position = index == due ? 1 : 0
                return levels[index].waiting.count > position ? levels[index].waiting[position].arrival : nil
            }
            let oldest = levels.indices.compactMap { index in arrival(index).map { (index: index, arrival: $0) } }
                .min { $0.arrival < $1.arrival }
            guard let oldest else { return nil }
            guard oldest.index == due, let first = levels[oldest.index].waiting.popFirst() else {
                return takeFirst(of: oldest.index)
            }
            let value = levels[oldest.index].waiting.popFirst()?.value
            levels[oldest.index].waiting.prepend(first)
            waiting -= 1
            return (value, nil)
        }
    }

    @usableFromInline let core: Core<Value, Failure>
    /// The maximum number of waiting values, without the one that is due.
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow
    @usableFromInline let error: Failure?
    @usableFromInline let state = Locked(State())
    /// The task context of the start. Inner streams that start later, on any thread, run within it.
    @usableFromInline let taskContext = LibraryTask.captured

    @_alwaysEmitIntoClient
    init(_ core: Core<Value, Failure>, _ strategy: FlattenStrategy, raising error: Failure?) {
        self.core = core
        limit = strategy.waitingLimit
        overflow = strategy.overflow
        self.error = error
    }

    @frozen @usableFromInline
    enum Arrival {
        case subscription, full
        case nothing
    }

    /// Takes a value of a level.
    @_alwaysEmitIntoClient
    func receive(
        _ value: Value, from number: UInt, _ transform: @escaping @Sendable (Value) -> SignalProducer<Value, Failure>,
        sink: @escaping @Sendable (UInt, Subscription) -> ProducerSink<Value, Failure>
    ) {
        // What is dropped is released outside the lock.
        let (arrival, dropped) = state.withLock { state -> (Arrival, (Value?, Level?)?) in
            guard !state.hasStopped, !core.terminated.isRaised, let index = state.index(of: number) else {
                return (.nothing, nil)
            }
            var dropped: (Value?, Level?)?
            let due = state.due
            let isDue = due == nil && !state.isExpanding && index == state.levels.count - 1
            if !isDue, state.waiting - (due == nil ? 0 : 1) >= limit {
                switch overflow.kind {
                case .dropNewest: return (.nothing, nil)
                case .fail: return (.full, nil)
                case .dropOldest:
                    // If nothing else waits, the value that arrives is the oldest.
                    guard let oldest = state.takeOldest() else { return (.nothing, nil) }
                    dropped = oldest
                }
            }
            // The level has not ended, so it has not been removed, but its index may have changed.
            guard let index = state.index(of: number) else { return (.nothing, dropped) }
            state.append(value, to: index)
            return (state.begin() ? .subscription : .nothing, dropped)
        }
        withExtendedLifetime(dropped) {}
        switch arrival {
        case .subscription: loop(transform, sink)
        case .full: if let error { core.sendEnd(.error(error)) }
        case .nothing: break
        }
    }

    /// - Parameter subscription: Cleaned up before other streams start. `nil` for the source.
    @_alwaysEmitIntoClient
    func end(
        _ termination: Termination<Failure>, of number: UInt, _ subscription: Subscription?,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<Value, Failure>,
        sink: @escaping @Sendable (UInt, Subscription) -> ProducerSink<Value, Failure>
    ) {
        switch (termination, subscription) {
        case (.error, _), (.interrupted, nil):
            core.sendEnd(termination)
            subscription?.runCleanups()
            return
        case (.completed, _), (.interrupted, .some): break
        }
        let (removed, mustRun) = state.withLock { state -> (Level?, Bool) in
            guard !state.hasStopped, let index = state.index(of: number) else { return (nil, false) }
            state.levels[index].hasEnded = true
            let removed = state.removeIfEmpty(index)
            return (removed, state.begin())
        }
        subscription?.runCleanups()
        if mustRun { loop(transform, sink) }
        withExtendedLifetime(removed) {}
    }

    @frozen @usableFromInline
    enum Step {
        case expand(Value)
        case end
        /// Another thread goes on.
        case leave
        case nothing
    }

    /// The loop: sends values and starts their streams, as long as the uppermost level has values. A thread that others
    /// keep here leaves the rest to a thread of the library.
    @_alwaysEmitIntoClient
    func loop(
        _ transform: @escaping @Sendable (Value) -> SignalProducer<Value, Failure>,
        _ sink: @escaping @Sendable (UInt, Subscription) -> ProducerSink<Value, Failure>
    ) {
        while true {
            let (step, removed) = state.withLock { takeStep(&$0) }
            withExtendedLifetime(removed) {}
            switch step {
            case .expand(let value):
                core.sendNext(value)
                if !core.terminated.isRaised { start(transform(value), sink) }
            case .end: return core.sendEnd(.completed)
            case .leave:
                return LibraryThread.run {
                    self.state.withLock { $0.foreign.begin() }
                    self.loop(transform, sink)
                }
            case .nothing: return
            }
        }
    }

    /// Call only under the lock.
    @_alwaysEmitIntoClient
    func takeStep(_ state: inout State) -> (Step, Level?) {
        state.isExpanding = false
        if state.foreign.isTooMuch { return (.leave, nil) }
        if let due = state.due, !state.hasStopped, !core.terminated.isRaised {
            let (value, removed) = state.takeFirst(of: due)
            state.isExpanding = true
            if let value { return (.expand(value), removed) }
        }
        state.isRunning = false
        return (state.levels.isEmpty && !state.hasStopped ? .end : .nothing, nil)
    }

    @_alwaysEmitIntoClient
    func start(
        _ inner: SignalProducer<Value, Failure>, _ sink: (UInt, Subscription) -> ProducerSink<Value, Failure>
    ) {
        if case .ended(let termination) = inner.work {
            if case .error = termination { core.sendEnd(termination) }
            return
        }
        let subscription = Subscription(within: taskContext)
        let number = state.withLock { state -> UInt? in
            guard !state.hasStopped else { return nil }
            state.lastNumber += 1
            state.levels.append(Level(number: state.lastNumber, subscription: subscription))
            state.isExpanding = false
            return state.lastNumber
        }
        guard let number else { return }
        core.join(inner.contention)
        LibraryTask.with(taskContext) { inner.beginWork(of: subscription, into: sink(number, subscription)) }
    }

    /// Disposes of all inner streams when the result ends.
    @_alwaysEmitIntoClient
    func stop() {
        let levels = state.withLock { state in
            state.hasStopped = true
            state.waiting = 0
            return exchange(&state.levels, with: [])
        }
        for level in levels { level.subscription?.dispose() }
    }
}

/// Receives the source of a ``DepthExpansion``.
@usableFromInline
@_fixed_layout
final class DepthSink<Value: Sendable, Failure: Error, Inner: SignalProducerConvertible>: WorkingSink
where Inner.Value == Value, Inner.Failure == Failure {
    @usableFromInline let expansion: DepthExpansion<Value, Failure>
    @usableFromInline let transform: @Sendable (Value) -> Inner

    @_alwaysEmitIntoClient
    init(_ expansion: DepthExpansion<Value, Failure>, _ transform: @escaping @Sendable (Value) -> Inner) {
        self.expansion = expansion
        self.transform = transform
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) { receive(value, from: 0) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { end(termination, of: 0, nil) }

    @_alwaysEmitIntoClient
    func receive(_ value: Value, from number: UInt) {
        expansion.receive(
            value, from: number, { [transform] in transform($0).producer }, sink: { self.sink($0, $1) })
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>, of number: UInt, _ subscription: Subscription?) {
        expansion.end(
            termination, of: number, subscription, { [transform] in transform($0).producer },
            sink: { self.sink($0, $1) })
    }

    /// Receives an inner stream.
    @_alwaysEmitIntoClient
    func sink(_ number: UInt, _ subscription: Subscription) -> ProducerSink<Value, Failure> {
        ProducerSink(subscription) { [self] event in
            switch event.pointee {
            case .next(let value): if !subscription.isOver { receive(value, from: number) }
            case .error(let error): if subscription.raiseEnd() { end(.error(error), of: number, subscription) }
            case .completed: if subscription.raiseEnd() { end(.completed, of: number, subscription) }
            case .interrupted: if subscription.raiseEnd() { end(.interrupted, of: number, subscription) }
            }
        }
    }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { expansion.core.terminated.isRaised }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [expansion] in expansion.stop() } }

    @_alwaysEmitIntoClient
    func stop() { expansion.stop() }
}
