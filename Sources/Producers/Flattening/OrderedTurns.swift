/// What an ordered strategy buffers: the values of inner streams whose turn has not come.
///
/// The inner stream whose turn it is sends directly. The thread that ends it sends what the next ones have buffered,
/// and passes the turn on to the first one that has not ended. All other threads only buffer in the meantime.
@frozen @usableFromInline
struct OrderedTurns<Value: Sendable>: Sendable {
    /// The number of the inner stream whose turn it is. The first stream has the number 1.
    @usableFromInline var current: UInt = 1
    /// Whether a thread is sending buffered values.
    @usableFromInline var isSending = false
    /// What other threads buffer meanwhile.
    @usableFromInline var foreign = ForeignWork()
    /// What inner streams have sent before their turn.
    @usableFromInline var early: [UInt: (values: Queue<Value>, hasEnded: Bool)] = [:]

    @_alwaysEmitIntoClient
    init() {}
}

extension Flattening {
    /// Sends a value if it is the turn of its inner stream, and buffers it otherwise.
    @_alwaysEmitIntoClient
    func sendInOrder(_ value: Value, from number: UInt, _ start: Start?) {
        let isDue = state.withLock { state in
            if state.turns.current == number, !state.turns.isSending { return true }
            if !state.isStopped { state.turns.early[number, default: (Queue(), false)].values.append(value) }
            if state.turns.isSending { state.turns.foreign.note() }
            return false
        }
        if isDue { sendUnlessCancelled(value, start) }
    }

    /// - Parameter ending: An interruption counts as a completion.
    @_alwaysEmitIntoClient
    func endInOrder(_ ending: Termination<Failure>, of number: UInt, _ start: Start?) {
        let hasFailed = if case .error = ending { true } else { false }
        // The start is released outside the lock.
        let (next, removed) = state.withLock { state -> (AfterEnd, Start?) in
            let removed = state.starts.remove(number)
            if state.isStopped { return (.nothing, removed) }
            // A stream that has failed still counts as active, so that no other thread completes the result.
            if hasFailed { return (.end(ending), removed) }
            let isLast =
                state.outerHasCompleted && state.active == 1 && state.queue.isEmpty && !state.turns.isSending
            return (isLast && whenDone == nil ? .end(.completed) : .close, removed)
        }
        if case .end(let ending) = next { core.sendEnd(ending) }
        // The stream has its place until its resources are free.
        start?.runCleanups()
        if case .close = next, endTurn(of: number) { sendBuffered() }
        withExtendedLifetime(removed) {}
    }

    /// Notes that a stream has ended. Returns whether the caller sends what follows it.
    @_alwaysEmitIntoClient
    func endTurn(of number: UInt) -> Bool {
        state.withLock { state in
            if state.isStopped { return false }
            state.turns.early[number, default: (Queue(), false)].hasEnded = true
            guard state.turns.current == number, !state.turns.isSending else { return false }
            state.turns.isSending = true
            state.turns.foreign.begin()
            return true
        }
    }

    @frozen @usableFromInline
    enum OrderedStep {
        /// - Parameter start: That of the stream whose values they are, if it still runs.
        case send(Queue<Value>, of: Start?)
        case startWaiting
        case end
        /// Another thread goes on.
        case leave
        case nothing
    }

    /// Sends buffered values as long as they are due, and starts streams in place of those that have had their turn. A
    /// thread that others keep here leaves the rest to a thread of the library.
    @_alwaysEmitIntoClient
    func sendBuffered() {
        while true {
            let step = state.withLock { takeOrderedStep(&$0) }
            updateRoom()
            switch step {
            case .send(var values, let start):
                while let value = values.popFirst() { sendUnlessCancelled(value, start) }
            case .startWaiting: startWaiting()
            case .leave:
                return LibraryThread.run {
                    self.state.withLock { $0.turns.foreign.begin() }
                    self.sendBuffered()
                }
            case .end: return complete()
            case .nothing: return
            }
        }
    }

    /// Call only under the lock.
    @_alwaysEmitIntoClient
    func takeOrderedStep(_ state: inout State) -> OrderedStep {
        guard !state.isStopped else { return .nothing }
        if state.turns.foreign.isTooMuch { return .leave }
        while let early = state.turns.early[state.turns.current] {
            if !early.values.isEmpty {
                state.turns.early[state.turns.current]?.values = Queue()
                return .send(early.values, of: state.starts.start(of: state.turns.current))
            }
            guard early.hasEnded else { break }
            state.turns.early[state.turns.current] = nil
            state.turns.current += 1
            state.active -= 1
            if state.isDone {
                state.turns.isSending = false
                return .end
            }
            guard !state.queue.isEmpty, !state.isLooping else { continue }
            state.isLooping = true
            return .startWaiting
        }
        // The stream whose turn it is sends directly from now on.
        state.turns.early[state.turns.current] = nil
        state.turns.isSending = false
        return .nothing
    }
}
