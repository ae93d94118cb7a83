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
    func sendInOrder(_ value: Value, from number: UInt) {
        let isDue = state.withLock { state in
            if state.turns.current == number, !state.turns.isSending { return true }
            if !state.isStopped { state.turns.early[number, default: (Queue(), false)].values.append(value) }
            if state.turns.isSending { state.turns.foreign.note() }
            return false
        }
        if isDue { core.sendNext(value) }
    }

    /// - Parameter ending: An interruption counts as a completion.
    @_alwaysEmitIntoClient
    func endInOrder(_ ending: Termination<Failure>, of number: UInt, _ start: Start?) {
        let hasFailed = if case .error = ending { true } else { false }
        // The start is released outside the lock.
        let (mustFail, mustSend, removed) = state.withLock { state -> (Bool, Bool, Start?) in
            let removed = state.starts.remove(number)
            // A stream that has failed still counts as active, so that no other thread completes the result.
            if hasFailed || state.isStopped { return (hasFailed && !state.isStopped, false, removed) }
            state.turns.early[number, default: (Queue(), false)].hasEnded = true
            guard state.turns.current == number, !state.turns.isSending else { return (false, false, removed) }
            state.turns.isSending = true
            state.turns.foreign.begin()
            return (false, true, removed)
        }
        if mustFail { core.sendEnd(ending) }
        if mustSend { sendBuffered(cleaningUp: start) } else { start?.runCleanups() }
        withExtendedLifetime(removed) {}
    }

    @frozen @usableFromInline
    enum OrderedStep {
        case send(Queue<Value>)
        case startWaiting
        case end
        /// Another thread goes on.
        case leave
        case nothing
    }

    /// Sends buffered values as long as they are due, and starts streams in place of those that have had their turn. A
    /// thread that others keep here leaves the rest to a thread of the library.
    ///
    /// - Parameter start: The start of the stream that has ended. Cleaned up after the observer has
    ///   received the terminal event, and before other streams start.
    @_alwaysEmitIntoClient
    func sendBuffered(cleaningUp start: Start?) {
        var start = start
        while true {
            let step = state.withLock { takeOrderedStep(&$0) }
            if case .end = step { endResult(.completed) }
            start?.runCleanups()
            start = nil
            updateRoom()
            switch step {
            case .send(var values):
                while let value = values.popFirst() { core.sendNext(value) }
            case .startWaiting: startWaiting()
            case .leave:
                return LibraryThread.run {
                    self.state.withLock { $0.turns.foreign.begin() }
                    self.sendBuffered(cleaningUp: nil)
                }
            case .end, .nothing: return
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
                return .send(early.values)
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
