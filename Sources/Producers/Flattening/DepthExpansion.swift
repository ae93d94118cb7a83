/// Expands a stream in depth.
///
/// A stack of levels: the source, the stream that was made of one of its values, the stream that was made of one of
/// that stream's values, and so on. Only the uppermost level sends. The values of the others wait until the levels
/// above have ended. A single loop sends values and starts streams. Values that arrive while it is busy wait, so
/// streams that are synchronous do not deepen the stack.
///
/// Decisions are made under a lock. Their consequences follow outside it.
@usableFromInline
@_fixed_layout
final class DepthExpansion<Value: Sendable, Failure: Error>: WorkingSink, InnerOwner {
    @frozen @usableFromInline
    struct Level {
        /// Ascends from level to level. The source has 0.
        @usableFromInline let number: UInt
        /// `nil` for the source, and while the stream of the level is being made.
        @usableFromInline var start: Start?
        @usableFromInline var waiting = Queue<(arrival: UInt, value: Value)>()
        @usableFromInline var hasEnded = false

        @_alwaysEmitIntoClient
        init(number: UInt) { self.number = number }
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
        @usableFromInline var isStopped = false

        @inlinable
        init() {}

        /// The uppermost level, if its first value is the next to be sent.
        @_alwaysEmitIntoClient
        var due: Int? {
            guard let last = levels.indices.last, !levels[last].waiting.isEmpty else { return nil }
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
            guard let index = oldest?.index else { return nil }
            let first = index == due ? levels[index].waiting.popFirst() : nil
            let value = levels[index].waiting.popFirst()?.value
            if let first { levels[index].waiting.prepend(first) }
            waiting -= 1
            return (value, removeIfEmpty(index))
        }
    }

    @usableFromInline let core: Core<Value, Failure>
    /// The maximum number of waiting values, without the one that is due.
    @usableFromInline let limit: Int
    @usableFromInline let overflow: Overflow
    @usableFromInline let error: Failure?
    @usableFromInline let transform: @Sendable (Value) -> SignalProducer<Value, Failure>
    @usableFromInline let state = Locked(State())
    @usableFromInline let taskContext = LibraryTask.captured

    @_alwaysEmitIntoClient
    init(
        _ core: Core<Value, Failure>, _ strategy: FlattenStrategy, raising error: Failure?,
        _ transform: @escaping @Sendable (Value) -> SignalProducer<Value, Failure>
    ) {
        self.core = core
        limit = strategy.waitingLimit
        overflow = strategy.overflow
        self.error = error
        self.transform = transform
    }

    @_alwaysEmitIntoClient
    func next(_ value: Value) { send(value, from: 0, nil) }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) { end(termination, of: 0, nil) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { core.terminated.isRaised }

    // MARK: Levels

    /// Takes a value of a level.
    @_alwaysEmitIntoClient
    func send(_ value: Value, from number: UInt, _: Start?) {
        // What is dropped is released outside the lock.
        var dropped: (Value?, Level?)?
        var isFull = false
        let mustRun = state.withLock { state in
            guard !state.isStopped, !core.terminated.isRaised, let level = state.index(of: number) else {
                return false
            }
            let due = state.due
            let isDue = due == nil && level == state.levels.count - 1
            if !isDue, state.waiting - (due == nil ? 0 : 1) >= limit {
                isFull = overflow.kind == .fail
                // If nothing else waits, the value that arrives is the oldest.
                guard overflow.kind == .dropOldest, let oldest = state.takeOldest() else { return false }
                dropped = oldest
            }
            // The level has not ended, so it has not been removed, but its index may have changed.
            guard let level = state.index(of: number) else { return false }
            state.lastArrival += 1
            state.waiting += 1
            state.levels[level].waiting.append((state.lastArrival, value))
            return state.begin()
        }
        withExtendedLifetime(dropped) {}
        if mustRun { loop() } else if isFull, let error { core.sendEnd(.error(error)) }
    }

    /// - Parameter start: `nil` for the source.
    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>, of number: UInt, _ start: Start?) {
        switch (termination, start) {
        case (.error, _), (.interrupted, nil):
            core.sendEnd(termination)
            start?.runCleanups()
            return
        case (.completed, _), (.interrupted, .some): break
        }
        let (removed, mustRun) = state.withLock { state -> (Level?, Bool) in
            guard !state.isStopped, let index = state.index(of: number) else { return (nil, false) }
            state.levels[index].hasEnded = true
            let removed = state.removeIfEmpty(index)
            return (removed, state.begin())
        }
        start?.runCleanups()
        if mustRun { loop() }
        withExtendedLifetime(removed) {}
    }

    // MARK: The loop

    @frozen @usableFromInline
    enum Step {
        case expand(Value, level: UInt)
        case end
        /// Another thread goes on.
        case leave
        case nothing
    }

    /// Sends values and starts their streams, as long as the uppermost level has values. A thread that others keep here
    /// leaves the rest to a thread of the library.
    @_alwaysEmitIntoClient
    func loop() {
        var isLeaf = false
        while true {
            let (step, removed) = state.withLock { takeStep(&$0, afterLeaf: isLeaf) }
            withExtendedLifetime(removed) {}
            switch step {
            case .expand(let value, let level):
                core.sendNext(value)
                isLeaf = core.terminated.isRaised || !start(transform(value), level)
            case .end: return core.sendEnd(.completed)
            case .leave:
                return LibraryThread.run {
                    self.state.withLock { $0.foreign.begin() }
                    self.loop()
                }
            case .nothing: return
            }
        }
    }

    /// Call only under the lock. Takes the value that is due, and adds the level of its stream.
    ///
    /// - Parameter isLeaf: Whether the level that was added last has no stream.
    @_alwaysEmitIntoClient
    func takeStep(_ state: inout State, afterLeaf isLeaf: Bool) -> (Step, Level?) {
        if isLeaf { _ = state.levels.popLast() }
        if state.foreign.isTooMuch { return (.leave, nil) }
        if let due = state.due, !state.isStopped, !core.terminated.isRaised {
            let (value, removed) = state.takeFirst(of: due)
            if let value {
                state.lastNumber += 1
                state.levels.append(Level(number: state.lastNumber))
                return (.expand(value, level: state.lastNumber), removed)
            }
        }
        state.isRunning = false
        return (state.levels.isEmpty && !state.isStopped ? .end : .nothing, nil)
    }

    /// Returns `false` for a stream without values. It needs no level.
    @_alwaysEmitIntoClient
    func start(_ inner: SignalProducer<Value, Failure>, _ level: UInt) -> Bool {
        if case .ended(let termination) = inner.work {
            if case .error = termination { core.sendEnd(termination) }
            return false
        }
        let start = makeStart()
        let isWanted = state.withLock { state in
            guard let last = state.levels.indices.last else { return false }
            state.levels[last].start = start
            return true
        }
        if isWanted { begin(inner, level, of: start) }
        return true
    }

    // The closure does not retain the user's.
    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { { [state] in Self.stop(state) } }

    /// Disposes of all inner streams when the result ends.
    @_alwaysEmitIntoClient
    static func stop(_ state: Locked<State>) {
        let levels = state.withLock { state in
            state.isStopped = true
            state.waiting = 0
            return exchange(&state.levels, with: [])
        }
        for level in levels { level.start?.dispose() }
    }
}
