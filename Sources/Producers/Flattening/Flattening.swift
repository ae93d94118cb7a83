/// What a stream of streams is flattened with: the state of one start, and the rules of each strategy.
///
/// What an event means is decided under a lock; what follows from it is done outside: begin, dispose, send. The gate of the
/// result puts what is sent in order. One loop begins inner work: what comes while it is busy waits in the queue, so inner
/// streams that end at once do not deepen the stack.
@usableFromInline
@_fixed_layout
final class Flattening<Value: Sendable, Failure: Error, InnerFailure: Error>: Sendable {
    @usableFromInline typealias Inner = SignalProducer<Value, InnerFailure>

    @frozen @usableFromInline
    struct State {
        @usableFromInline var outerHasCompleted = false
        /// What has yet to be begun.
        @usableFromInline var queue = Queue<Inner>()
        /// How many inner streams have begun and count.
        @usableFromInline var active = 0
        /// Their runs, by the inner streams' numbers, where there are any.
        @usableFromInline var runs: [UInt: Run] = [:]
        /// The number of the inner stream that began last.
        @usableFromInline var last: UInt = 0
        /// Whether the loop is at work.
        @usableFromInline var isStarting = false
        @usableFromInline var hasStopped = false

        @inlinable
        init() {}

        /// Whether nothing waits, and nothing is being begun.
        @inlinable
        var isIdle: Bool { !hasStopped && !isStarting && queue.isEmpty }

        @inlinable
        var isDone: Bool { outerHasCompleted && active == 0 && queue.isEmpty }
    }

    @usableFromInline let core: Core<Value, Failure>
    @usableFromInline let kind: FlattenStrategy.Kind
    /// What the end of an inner stream is as one of the result.
    @usableFromInline let promote: @Sendable (Termination<InnerFailure>) -> Termination<Failure>
    @usableFromInline let state = Locked(State())
    /// Those in which this was made, for the inner work that begins later, on whichever thread.
    @usableFromInline let surroundings = LibraryTask.captured
    /// The number of the only inner stream that counts: the latest, or the winner of the race. 0 if there is none. Written
    /// under the lock.
    @usableFromInline let chosen = AtomicWord(0)

    @inlinable
    init(
        core: Core<Value, Failure>, strategy: FlattenStrategy,
        promote: @escaping @Sendable (Termination<InnerFailure>) -> Termination<Failure>
    ) {
        self.core = core
        kind = strategy.kind
        self.promote = promote
    }

    // MARK: The outer stream

    @inlinable
    func add(_ inner: Inner) {
        // What has no work need not wait in the queue.
        if case .value(let value) = inner.work, sendAtOnce(value) { return }
        if case .ended(.completed) = inner.work, case .concurrent = kind { return }
        let (mustStart, superseded) = state.withLock { state -> (Bool, Run?) in
            guard !state.hasStopped, !core.terminated.isRaised else { return (false, nil) }
            var superseded: Run?
            switch kind {
            case .concurrent: break
            // What comes takes effect at once, even while the loop begins the former.
            case .latest: superseded = supersede(&state)
            case .race: if chosen.load() != 0 { return (false, nil) }
            case .throttle: if state.active > 0 || !state.queue.isEmpty { return (false, nil) }
            }
            state.queue.append(inner)
            defer { state.isStarting = true }
            return (!state.isStarting, superseded)
        }
        superseded?.dispose()
        if mustStart { startWaiting() }
    }

    /// Sends the value of an inner stream that has just this one, unless others come first. The outer stream is in the middle of an event,
    /// so none is added before this returns.
    @inlinable
    func sendAtOnce(_ value: Value) -> Bool {
        // The sender does not wait for the thread that is delivering the end.
        if core.terminated.isRaised { return true }
        switch kind {
        case .concurrent(.max): core.sendNext(value)
        case .concurrent(let limit):
            guard state.withLock({ $0.isIdle && $0.active < limit }) else { return false }
            core.sendNext(value)
        case .throttle:
            guard state.withLock({ $0.isIdle && $0.active == 0 }) else { return false }
            core.sendNext(value)
        case .latest:
            let next = state.withLock { state -> (number: UInt, superseded: Run?)? in
                guard state.isIdle else { return nil }
                state.last += 1
                return (state.last, supersede(by: state.last, &state))
            }
            guard let (number, superseded) = next else { return false }
            superseded?.dispose()
            send(value, from: number)
        case .race: return false
        }
        return true
    }

    @inlinable
    func endOuter(_ termination: Termination<Failure>) {
        if case .completed = termination {
            let isDone = state.withLock { state in
                state.outerHasCompleted = true
                return state.isDone
            }
            if !isDone { return }
        }
        core.sendEnd(termination)
    }

    /// Under the lock. The latest no longer counts, but `number`.
    @inlinable
    func supersede(by number: UInt = 0, _ state: inout State) -> Run? {
        let former = chosen.exchange(number)
        guard former != 0 else { return nil }
        state.active = 0
        return removeRun(of: former, &state)
    }

    /// Under the lock. The run of an inner stream, if it has one: a value has none, and then the number need not be hashed.
    @inlinable
    func removeRun(of number: UInt, _ state: inout State) -> Run? {
        state.runs.isEmpty ? nil : state.runs.removeValue(forKey: number)
    }

    // MARK: Beginning inner work

    /// The loop: begins what waits for as long as there is room.
    @inlinable
    func startWaiting() {
        while let (inner, number, run, superseded) = takeNext() {
            superseded?.dispose()
            switch inner.work {
            case .value(let value):
                send(value, from: number)
                end(.completed, of: number)
            case .ended(let termination): end(termination, of: number)
            case .handler, .chain:
                guard let run else { break }
                core.join(inner.contention)
                LibraryTask.with(surroundings) { inner.begin(run, InnerSink(self, number, run).erased) }
            }
        }
    }

    /// What is to be begun next, counted as active; nil ends the loop.
    @inlinable
    func takeNext() -> (inner: Inner, number: UInt, run: Run?, superseded: Run?)? {
        state.withLock { state in
            // Nothing more begins once the result has ended, though what has begun goes on until all have seen the end.
            guard !state.hasStopped, !core.terminated.isRaised, hasRoom(state), let inner = state.queue.popFirst()
            else {
                state.isStarting = false
                return nil
            }
            state.last += 1
            let number = state.last
            let superseded = kind == .latest ? supersede(by: number, &state) : nil
            state.active += 1
            var run: Run?
            switch inner.work {
            case .value, .ended: break
            case .handler, .chain:
                // Counted by itself, as it is cleaned up after the observer has seen the end.
                let new = Run(within: surroundings)
                state.runs[number] = new
                run = new
            }
            return (inner, number, run, superseded)
        }
    }

    @inlinable
    func hasRoom(_ state: borrowing State) -> Bool {
        switch kind {
        case .concurrent(let limit): state.active < limit
        case .race: chosen.load() == 0
        case .latest, .throttle: true
        }
    }

    // MARK: Inner streams

    @inlinable
    func send(_ value: Value, from number: UInt) {
        switch kind {
        case .concurrent, .throttle: core.sendNext(value)
        case .latest:
            // In the gate: once another has been chosen, nothing of this one can be delivered. Not by `perform`, whose closure would be an
            // object for each value.
            let thread = ThreadIdentity.current
            if core.gate.enter(thread) {
                if chosen.load() == number { core.deliver(value) }
                core.gate.leave(thread)
            } else {
                sendLater(value, from: number)
            }
        case .race: if wins(number) { core.sendNext(value) }
        }
    }

    @inlinable @inline(never)
    func sendLater(_ value: Value, from number: UInt) {
        core.perform { [self] in
            if chosen.load() == number { core.deliver(value) }
        }
    }

    /// - Parameter run: Cleaned up when the observer has seen the end, and before the next inner stream begins.
    @inlinable
    func end(_ termination: Termination<InnerFailure>, of number: UInt, _ run: Run? = nil) {
        if kind == .race, !wins(number) {
            run?.finish()
            return
        }
        let ending = promote(termination)
        // The run is released outside the lock.
        let (removed, next) = state.withLock { state in
            (removeRun(of: number, &state), decide(ending, of: number, &state))
        }
        if case .end(let termination) = next { core.sendEnd(termination) }
        run?.finish()
        if case .startWaiting = next { startWaiting() }
        withExtendedLifetime(removed) {}
    }

    @frozen @usableFromInline
    enum AfterEnd {
        case end(Termination<Failure>)
        case startWaiting
        case nothing
    }

    /// Under the lock. What follows from the end of an inner stream.
    @inlinable
    func decide(_ ending: Termination<Failure>, of number: UInt, _ state: inout State) -> AfterEnd {
        // It stays the chosen one, so that what it has sent and is yet to be delivered counts.
        if kind == .latest, chosen.load() != number { return .nothing }
        switch (ending, kind) {
        // It still counts, so that another thread does not complete the result before this one ends it.
        case (.error, _), (.interrupted, .race), (.interrupted, .throttle): return .end(ending)
        default: break
        }
        state.active -= 1
        if state.isDone { return .end(.completed) }
        guard !state.queue.isEmpty, !state.isStarting else { return .nothing }
        state.isStarting = true
        return .startWaiting
    }

    /// Whether an inner stream has won the race, or does so now: then the others are disposed of.
    @inlinable
    func wins(_ number: UInt) -> Bool {
        let winner = chosen.load()
        if winner != 0 { return winner == number }
        let losers = state.withLock { state -> (runs: [UInt: Run], queue: Queue<Inner>)? in
            guard chosen.acquire(from: 0, to: number) else { return nil }
            // The winner alone counts from now on.
            var losers = (runs: state.runs, queue: state.queue)
            state.runs = losers.runs.removeValue(forKey: number).map { [number: $0] } ?? [:]
            state.queue = Queue()
            state.active = 1
            return losers
        }
        guard let losers else { return chosen.load() == number }
        losers.runs.forEachInOrder { $0.dispose() }
        return true
    }

    // MARK: The end

    /// Disposes of all inner work, when the result ends.
    @inlinable
    func stop() {
        let (runs, queue) = state.withLock { state in
            state.hasStopped = true
            defer {
                state.runs = [:]
                state.queue = Queue()
            }
            return (state.runs, state.queue)
        }
        runs.forEachInOrder { $0.dispose() }
        withExtendedLifetime(queue) {}
    }
}

/// Receives the outer stream, and makes producers of its values.
@usableFromInline
@_fixed_layout
final class OuterSink<
    Value: Sendable, Failure: Error, Inner: Sendable, InnerFailure: Error, ResultFailure: Error
>: WorkingSink {
    @usableFromInline let flattening: Flattening<Inner, ResultFailure, InnerFailure>
    @usableFromInline let transform: @Sendable (Value) -> SignalProducer<Inner, InnerFailure>
    @usableFromInline let promote: @Sendable (Termination<Failure>) -> Termination<ResultFailure>

    @inlinable
    init(
        _ flattening: Flattening<Inner, ResultFailure, InnerFailure>,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        promote: @escaping @Sendable (Termination<Failure>) -> Termination<ResultFailure>
    ) {
        self.flattening = flattening
        self.transform = transform
        self.promote = promote
    }

    @inlinable
    func next(_ value: Value) { flattening.add(transform(value)) }

    @inlinable
    func end(_ termination: Termination<Failure>) { flattening.endOuter(promote(termination)) }

    @inlinable
    var hasEnded: Bool { flattening.core.terminated.isRaised }

    @inlinable
    package var stopWork: @Sendable () -> Void { { [flattening] in flattening.stop() } }

    @inlinable
    package func stop() { flattening.stop() }
}

/// Receives an inner stream.
@frozen @usableFromInline
struct InnerSink<Value: Sendable, ResultFailure: Error, Failure: Error>: Sink {
    @usableFromInline let flattening: Flattening<Value, ResultFailure, Failure>
    @usableFromInline let number: UInt
    @usableFromInline let run: Run

    @inlinable
    init(_ flattening: Flattening<Value, ResultFailure, Failure>, _ number: UInt, _ run: Run) {
        self.flattening = flattening
        self.number = number
        self.run = run
    }

    @inlinable
    func next(_ value: Value) {
        if !run.isOver { flattening.send(value, from: number) }
    }

    @inlinable
    func end(_ termination: Termination<Failure>) {
        guard run.raiseEnd() else { return }
        flattening.end(termination, of: number, run)
    }

    @inlinable
    var hasEnded: Bool { run.isOver }

    @inlinable
    var erased: ProducerSink<Value, Failure> { ProducerSink(run) { receive($0) } }
}

extension Signal {
    /// The result of flattening what `transform` makes of the values.
    @inlinable
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> Signal<Inner, NewFailure> {
        deriveRoot(name) { core, lifetime in
            let flattening = Flattening(core: core, strategy: strategy, promote: inner)
            lifetime.observeEnded { flattening.stop() }
            lifetime += observe(through: OuterSink(flattening, transform: transform, promote: outer))
        }
    }
}

extension SignalProducer {
    /// The result of flattening what `transform` makes of the values.
    @inlinable
    func flattened<Inner: Sendable, InnerFailure, NewFailure>(
        _ name: StaticString, _ strategy: FlattenStrategy,
        transform: @escaping @Sendable (Value) -> SignalProducer<Inner, InnerFailure>,
        outer: @escaping @Sendable (Termination<Failure>) -> Termination<NewFailure>,
        inner: @escaping @Sendable (Termination<InnerFailure>) -> Termination<NewFailure>
    ) -> SignalProducer<Inner, NewFailure> {
        derive(
            name,
            headed: { core in
                OuterSink(
                    Flattening(core: core, strategy: strategy, promote: inner), transform: transform, promote: outer)
            })
    }
}
