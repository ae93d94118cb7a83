/// The state of one flattened stream, and the rules of each strategy.
///
/// Decisions are made under a lock. Their consequences, such as starting, disposing and sending, follow outside it, and
/// the gate of the result orders what is sent. A single loop starts the inner streams. Streams that arrive while it is
/// busy are queued, so inner streams that terminate synchronously do not deepen the stack.
@usableFromInline
@_fixed_layout
package final class Flattening<Value: Sendable, Failure: Error, InnerFailure: Error>: InnerOwner {
    @usableFromInline package typealias Inner = SignalProducer<Value, InnerFailure>

    @frozen @usableFromInline
    struct State {
        @usableFromInline var outerHasCompleted = false
        /// Inner streams that have not started.
        @usableFromInline var queue = Queue<Inner>()
        /// The number of running inner streams, without superseded ones and losers of a race.
        @usableFromInline var active = 0
        /// The number of inner streams that have ended, and still hold resources. They keep their places until these are
        /// free.
        @usableFromInline var closing = 0
        /// The starts of the inner streams that have one.
        @usableFromInline var starts = NumberedStarts()
        /// The number of the inner stream that started last.
        @usableFromInline var last: UInt = 0
        /// Whether the loop that starts inner streams is running. While there is room, it runs as long as the queue is
        /// not empty.
        @usableFromInline var isLooping = false
        /// What other threads queue while the loop runs.
        @usableFromInline var foreign = ForeignWork()
        @usableFromInline var isStopped = false
        /// What an ordered strategy buffers. Empty for the others.
        @usableFromInline var turns = OrderedTurns<Value>()
        /// What the source of the outer stream waits for, if the strategy suspends it.
        @usableFromInline var room: Room?

        @inlinable
        init() {}

        /// Whether the result is still active, and no inner stream is queued or being started.
        @_alwaysEmitIntoClient
        var isIdle: Bool { !isStopped && !isLooping && queue.isEmpty }

        /// Whether no inner stream runs, waits or holds resources.
        @_alwaysEmitIntoClient
        var isEmpty: Bool { active == 0 && closing == 0 && queue.isEmpty }

        /// Whether nothing is left that can send a value. The loop may still be running: it has nothing to start.
        @_alwaysEmitIntoClient
        var isDone: Bool { outerHasCompleted && active == 0 && queue.isEmpty }
    }

    @usableFromInline package let core: Core<Value, Failure>
    @usableFromInline let kind: FlattenStrategy.Kind
    /// The maximum number of inner streams that run or wait. `.max` stands for no bound.
    @usableFromInline let capacity: Int
    /// What happens to the stream that is one too many.
    @usableFromInline let overflow: Overflow
    /// The error with which `.fail` terminates the result.
    @usableFromInline let overflowError: Failure?
    /// Converts the terminal event of an inner stream into one of the result.
    @usableFromInline let promote: @Sendable (Termination<InnerFailure>) -> Termination<Failure>
    /// Called each time nothing is left of the last inner stream, instead of completing the result, if there is no outer
    /// stream: another operator adds the inner streams, such as those of one key. Otherwise `nil`.
    @usableFromInline let whenDone: (@Sendable () -> Void)?
    @usableFromInline let state: Locked<State>
    /// The source of the outer stream, if the strategy suspends it.
    @usableFromInline let senders: SenderQueue?
    /// The task context of the start. Inner streams that start later, on any thread, run within it.
    @usableFromInline let taskContext: TaskContext?
    /// The number of the only inner stream that counts: the latest, or the winner of the race. 0 if there is none.
    /// Written under the lock.
    @usableFromInline let chosen = AtomicWord(0)
    /// Raised when the inner streams have been disposed of, as those of a key.
    @usableFromInline let isForgotten = AtomicFlag(false)

    @_alwaysEmitIntoClient
    package init(
        core: Core<Value, Failure>, strategy: FlattenStrategy, raising overflowError: Failure?,
        room: Room? = nil,
        within taskContext: TaskContext? = LibraryTask.captured,
        promote: @escaping @Sendable (Termination<InnerFailure>) -> Termination<Failure>,
        whenDone: (@Sendable () -> Void)? = nil
    ) {
        self.core = core
        senders = room?.senders
        kind = strategy.kind
        capacity = strategy.capacity
        overflow = strategy.overflow
        self.overflowError = overflowError
        self.promote = promote
        self.taskContext = taskContext
        self.whenDone = whenDone
        var state = State()
        state.outerHasCompleted = whenDone != nil
        state.room = room
        self.state = Locked(state)
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

    // MARK: The outer stream

    @_alwaysEmitIntoClient @inline(__always)
    package func add(_ inner: consuming Inner) {
        let (name, work) = (inner.streamName, inner.work)
        let (contention, isSuspendable) = (inner.contention, inner.isSuspendable)
        _ = consume inner
        // One case per kind of work: otherwise the compiler determines the kind again to destroy the producer, which
        // takes a fifth of the instructions.
        switch consume work {
        // A stream that sends a single value or nothing need not be queued.
        case .value(let value): if !sendAtOnce(value) { queue(producer(.value(value))) }
        case .ended(let termination):
            if case .completed = termination, limitsNumber { return }
            queue(producer(.ended(termination)))
        case .handler(let handler): queue(producer(.handler(handler)))
        case .chain(let chain): queue(producer(.chain(chain)))
        }

        func producer(_ work: Inner.Work) -> Inner {
            Inner(name, work, contention: contention, isSuspendable: isSuspendable)
        }
    }

    /// Adds a stream and completes the outer one, so that the end of the stream is that of the result.
    @_alwaysEmitIntoClient
    func addLast(_ inner: Inner) {
        state.withLock { $0.outerHasCompleted = true }
        add(inner)
        endOuter(.completed)
    }

    /// Queues a stream, and starts the loop unless it is running. If the stream is the first one of the loop, it need
    /// not be queued.
    @_alwaysEmitIntoClient @inline(never)
    func queue(_ inner: Inner) {
        // What is superseded or dropped is released outside the lock.
        var (superseded, dropped): (Start?, Inner?)
        var mustFail = false
        var counted: Counted = (0, nil, nil)
        let mustStart = state.withLock { state in
            guard !state.isStopped, !core.terminated.isRaised else { return false }
            switch kind {
            case .concurrent, .ordered:
                guard state.active + state.queue.count >= capacity else { break }
                mustFail = overflow.kind == .fail
                // Without waiting streams, the one that arrives is the oldest.
                guard overflow.kind == .dropOldest, capacity > kind.limit, let oldest = state.queue.popFirst() else {
                    return false
                }
                dropped = oldest
            // A new stream supersedes the previous one immediately, even while the loop is still starting that one.
            case .latest: superseded = supersede(&state)
            case .race: if chosen.load() != 0 { return false }
            case .throttle: if state.active > 0 || !state.queue.isEmpty { return false }
            }
            if state.turns.isSending { state.turns.foreign.note() }
            // Not after a disposal, which runs code of the user: the result may have ended by then.
            if superseded == nil, !state.isLooping, state.queue.isEmpty, hasRoom(state) {
                state.isLooping = true
                state.foreign.begin()
                counted = count(inner, &state)
                return true
            }
            state.queue.append(inner)
            defer { state.isLooping = true }
            if state.isLooping { state.foreign.note() }
            return !state.isLooping
        }
        superseded?.dispose()
        withExtendedLifetime(dropped) {}
        updateRoom()
        if mustFail, let overflowError { core.sendEnd(.error(overflowError)) }
        if !mustStart { return }
        if counted.number != 0 { start(inner, counted) }
        startWaiting(isFirst: counted.number == 0)
    }

    /// Whether the strategy runs every inner stream, a number of them at the same time.
    @_alwaysEmitIntoClient
    var limitsNumber: Bool {
        switch kind {
        case .concurrent, .ordered: true
        case .latest, .race, .throttle: false
        }
    }

    /// Sends the value of an inner stream that consists of this value, unless other streams come first. Returns `false`
    /// if the stream must be queued.
    ///
    /// The caller is handling a value of the outer stream, so no other stream is added before this method returns.
    @_alwaysEmitIntoClient @inline(__always)
    func sendAtOnce(_ value: Value) -> Bool {
        // The sender does not wait for the thread that is delivering the end.
        if core.terminated.isRaised { return true }
        guard case .concurrent(.max) = kind else { return sendAtOnceIfFirst(value) }
        core.sendNext(value)
        return true
    }

    /// The slow path of ``sendAtOnce(_:)``, for every strategy except `.merge` without a limit.
    @_alwaysEmitIntoClient @inline(never)
    func sendAtOnceIfFirst(_ value: Value) -> Bool {
        let isOrdered: Bool
        switch kind {
        case .concurrent, .throttle: isOrdered = false
        case .ordered: isOrdered = true
        case .latest: return sendAtOnceIfLatest(value)
        case .race: return false
        }
        guard state.withLock({ $0.isIdle && (isOrdered ? $0.active == 0 : hasRoom($0)) }) else { return false }
        core.sendNext(value)
        return true
    }

    @_alwaysEmitIntoClient
    package func endOuter(_ termination: Termination<Failure>) {
        if case .completed = termination {
            let isDone = state.withLock { state in
                state.outerHasCompleted = true
                return state.isDone
            }
            if !isDone { return }
        }
        core.sendEnd(termination)
    }

    // MARK: Starting inner streams

    /// The loop: starts queued streams as long as there is capacity. A thread that others keep there leaves the rest to
    /// a thread of the library.
    ///
    /// - Parameter isFirst: Whether the loop has not started any.
    @_alwaysEmitIntoClient
    func startWaiting(isFirst: Bool = true) {
        var isFirst = isFirst
        while let (inner, counted) = takeNext(isFirst: isFirst) {
            isFirst = false
            start(inner, counted)
        }
    }

    @_alwaysEmitIntoClient @inline(__always)
    func start(_ inner: Inner, _ counted: Counted) {
        counted.superseded?.dispose()
        switch inner.work {
        case .value(let value):
            send(value, from: counted.number, nil)
            end(.completed, of: counted.number, nil)
        case .ended(let termination): end(termination, of: counted.number, nil)
        case .handler, .chain: if let start = counted.start { begin(inner, counted.number, of: start) }
        }
    }

    /// Queues the streams that are added while `work` runs, and starts them afterwards.
    ///
    /// - Parameter work: Begins the outer stream.
    @_alwaysEmitIntoClient
    func queueing(_ work: () -> Void) {
        state.withLock { $0.isLooping = true }
        work()
        startWaiting()
    }

    /// A stream that is about to start, and the one that it supersedes.
    @usableFromInline typealias Counted = (number: UInt, start: Start?, superseded: Start?)

    /// Returns the next stream to start, counted as active. `nil` ends the loop of this thread.
    @_alwaysEmitIntoClient
    func takeNext(isFirst: Bool) -> (Inner, Counted)? {
        var isLeft = false
        let next = state.withLock { state -> (Inner, Counted)? in
            // No stream starts after the result has terminated, even though running streams continue until every
            // observer has received the terminal event.
            guard !state.isStopped, !core.terminated.isRaised, hasRoom(state), !state.queue.isEmpty else {
                state.isLooping = false
                return nil
            }
            if isFirst { state.foreign.begin() }
            isLeft = state.foreign.isTooMuch
            guard !isLeft, let inner = state.queue.popFirst() else { return nil }
            return (inner, count(inner, &state))
        }
        if isLeft { LibraryThread.run { self.startWaiting() } }
        return next
    }

    /// Call only under the lock. Counts a stream as active.
    @_alwaysEmitIntoClient @inline(__always)
    func count(_ inner: Inner, _ state: inout State) -> Counted {
        state.last += 1
        let number = state.last
        let superseded = kind == .latest ? supersede(by: number, &state) : nil
        state.active += 1
        switch inner.work {
        case .value, .ended: return (number, nil, superseded)
        case .handler, .chain:
            let start = makeStart(suspendedBy: core.senders)
            state.starts.add(start, number)
            return (number, start, superseded)
        }
    }

    /// `.concat` is `.concurrent(limit: 1)`, and `.merge` has no limit.
    @_alwaysEmitIntoClient
    func hasRoom(_ state: borrowing State) -> Bool {
        switch kind {
        case .race: chosen.load() == 0
        case .latest: true
        case .throttle: state.active == 0 && state.closing == 0
        case .concurrent(let limit), .ordered(let limit): state.closing < limit - state.active
        }
    }

    // MARK: Inner streams

    @_alwaysEmitIntoClient
    func send(_ value: Value, from number: UInt, _ start: Start?) {
        switch kind {
        case .concurrent, .throttle: sendUnlessCancelled(value, start)
        case .latest: sendIfLatest(value, from: number)
        case .race: if wins(number) { sendUnlessCancelled(value, start) }
        case .ordered: sendInOrder(value, from: number, start)
        }
    }

    /// The result can outlive the streams of a key. A value of a stream that has been disposed of while the value waited
    /// for the gate is dropped.
    ///
    /// - Parameter start: `nil` for a stream that has none, or that has ended while its values were buffered: such a
    ///   stream runs until they are in the gate.
    @_alwaysEmitIntoClient @inline(__always)
    func sendUnlessCancelled(_ value: Value, _ start: Start?) {
        if whenDone == nil { core.sendNext(value) } else { sendOfKey(value, start) }
    }

    @_alwaysEmitIntoClient @inline(never)
    func sendOfKey(_ value: Value, _ start: Start?) {
        // A stream may end while its buffered values are sent. Then it cannot be cancelled any more.
        if core.sendNext(value, if: { !isForgotten.isRaised && start?.isCancelled != true }) { return }
        if let start { return core.perform { [core] in if !start.isCancelled { core.deliver(value) } } }
        // What is in the gate has been sent. The lock orders that before the values of what follows.
        let isAdded = state.withLock { _ in
            if isForgotten.isRaised { return false }
            core.add(.next(value))
            return true
        }
        if isAdded { core.gate.settle() }
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<InnerFailure>, of number: UInt, _ start: Start?) {
        if kind == .race, !wins(number) {
            start?.runCleanups()
            return
        }
        let ending = promote(termination)
        if case .ordered = kind { return endInOrder(ending, of: number, start) }
        // The start is released outside the lock.
        let (removed, next) = state.withLock { state -> (Start?, AfterEnd) in
            (state.starts.remove(number), decide(ending, of: number, &state))
        }
        if case .end(let termination) = next { core.sendEnd(termination) }
        start?.runCleanups()
        if case .close = next { giveBackPlace() }
        withExtendedLifetime(removed) {}
    }

    /// Ends the result, or reports that nothing is left of the last inner stream.
    @_alwaysEmitIntoClient
    func complete() { if let whenDone { whenDone() } else { core.sendEnd(.completed) } }

    @frozen @usableFromInline
    enum AfterEnd {
        case end(Termination<Failure>)
        /// Others follow, when the resources of the stream are free.
        case close
        case nothing
    }

    /// Call only under the lock. Returns what follows from the termination of an inner stream.
    @_alwaysEmitIntoClient
    func decide(_ ending: Termination<Failure>, of number: UInt, _ state: inout State) -> AfterEnd {
        // The streams of a key that has been forgotten are disposed of. That does not end the result.
        if state.isStopped { return .nothing }
        // The latest stream remains the chosen one after it has ended, so that values that it has sent are still
        // delivered.
        if kind == .latest, chosen.load() != number { return .nothing }
        switch (ending, kind) {
        // The stream still counts as active, so that no other thread completes the result before this thread terminates
        // it. No stream is added any more: with `.latest`, it would supersede the one that ends the result.
        case (.error, _), (.interrupted, .race), (.interrupted, .throttle):
            state.isStopped = true
            return .end(ending)
        default: break
        }
        state.active -= 1
        if whenDone == nil, state.isDone { return .end(.completed) }
        state.closing += 1
        return .close
    }

    /// Gives back the place of an inner stream whose resources are free, and starts what waits for it.
    @_alwaysEmitIntoClient
    func giveBackPlace() {
        let (isDone, mustStart) = state.withLock { state -> (Bool, Bool) in
            state.closing -= 1
            if state.isStopped { return (false, false) }
            // There is room now. If a stream is queued, the loop must run.
            let mustStart = !state.queue.isEmpty && !state.isLooping
            if mustStart { state.isLooping = true }
            return (whenDone != nil && state.isEmpty, mustStart)
        }
        updateRoom()
        if isDone { complete() }
        if mustStart { startWaiting() }
    }

    // MARK: The end

    /// Whether no inner stream runs, waits or holds resources.
    @_alwaysEmitIntoClient
    package var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Disposes of all inner streams when the result ends.
    @_alwaysEmitIntoClient
    package func stop() {
        let (starts, queue, turns) = state.withLock { state in
            state.isStopped = true
            isForgotten.raise()
            // What a stream has sent that has ended is still delivered.
            if kind == .latest, state.starts.count > 0 { chosen.store(0) }
            return (
                state.starts.removeAll(), exchange(&state.queue, with: Queue()),
                exchange(&state.turns, with: OrderedTurns())
            )
        }
        starts.disposeOfAll()
        withExtendedLifetime((queue, turns)) {}
    }
}
