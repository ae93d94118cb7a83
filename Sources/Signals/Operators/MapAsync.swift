extension Signal {
    /// Sends each value transformed by an async function, with a concurrency limit.
    ///
    /// Like ``attemptMap(_:)-91lp7``, but for an async transformation.
    ///
    /// ```marbles
    /// source                                     --1--2--3----------|
    /// source.mapAsync(maxConcurrent: 2, slow)    --------1--2--3----|
    /// ```
    ///
    /// Here `slow` takes 6 seconds, so the 3 waits until the 1 is done.
    ///
    /// **Order**: the order of the source. With `ordered: false`, a result is sent as soon as it is available.
    ///
    /// **Buffering**: values that arrive while `maxConcurrent` transformations are running wait in an unbounded queue,
    /// because most signals cannot slow down their senders. Results that are available before those of earlier values
    /// wait too. A signal of ``Signal/pipe(capacity:file:line:)`` can: its senders are suspended while `maxConcurrent`
    /// values and the capacity of the pipe are running or waiting. So can a producer that is made of async code: its
    /// `mapAsync` takes values only as capacity allows.
    ///
    /// **Termination**: completes when the source has completed and all results have been sent. The first error, thrown
    /// or sent by the source, is sent immediately, and so is an interruption. A thrown `CancellationError` interrupts.
    /// An error or an interruption discards what is queued and cancels the running transformations.
    ///
    /// **Threads**: each transformation runs in a task, on no actor. Results are sent on the threads of the tasks. A
    /// task never waits for a delivery in progress: the thread that is delivering also delivers the task's result.
    ///
    /// **Task-locals**: each transformation, and the observer of its result, has those of the code that has sent the
    /// value. A value or a result that waits stores them, which takes about a microsecond and 1,500 bytes.
    ///
    /// **Disposal** cancels the tasks and discards what is queued. The result of a transformation that ignores
    /// cancellation is dropped. A transformation whose task has not begun is not called.
    ///
    /// - Parameters:
    ///   - maxConcurrent: The maximum number of transformations that run at the same time. Traps unless positive.
    ///   - ordered: Whether to send the results in the order of the values.
    ///   - transform: Called once per value, whatever the number of observers. A closure literal must state its error
    ///     type: `{ value async throws(MyError) in ... }`.
    @_alwaysEmitIntoClient
    public func mapAsync<NewValue: Sendable>(
        maxConcurrent: Int, ordered: Bool = true,
        _ transform: @escaping @Sendable (Value) async throws(Failure) -> NewValue
    ) -> Signal<NewValue, Failure> {
        require(
            maxConcurrent > 0,
            "mapAsync(maxConcurrent: \(maxConcurrent)): the number of transformations must be positive")
        let stock = core.makeStock(share: maxConcurrent)
        return deriveRoot("mapAsync:") { core, lifetime in
            lifetime += observe(
                through: AsyncMapping(core, limit: maxConcurrent, isOrdered: ordered, stock: stock, transform))
        }
    }
}

/// The state of `mapAsync`: queued values, running transformations, and results that wait for earlier ones.
@usableFromInline
@_fixed_layout
package final class AsyncMapping<Value: Sendable, NewValue: Sendable, Failure: Error>: WorkingSink, OperatorState,
    @unchecked Sendable
{
    // Sendable: the gate of the core guards the variables.
    @usableFromInline package typealias Transform = @Sendable (Value) async throws(Failure) -> NewValue

    /// A value or a result that another transformation takes up when it ends, with the context that it comes from.
    @frozen @usableFromInline
    struct Waiting<Stored> {
        @usableFromInline let value: Stored
        @usableFromInline let context = CapturedContext()

        @_alwaysEmitIntoClient
        init(_ value: Stored) { self.value = value }
    }

    @usableFromInline package let core: Core<NewValue, Failure>
    @usableFromInline let limit: Int
    @usableFromInline let isOrdered: Bool
    @usableFromInline let transform: Transform
    @usableFromInline let starter = TaskStarter()
    /// Values whose transformations have not begun.
    @exclusivity(unchecked) @usableFromInline var waiting = Queue<Waiting<Value>>()
    /// The running transformations, by the numbers of their values.
    @exclusivity(unchecked) @usableFromInline var tasks: [UInt: any Disposable] = [:]
    /// The number of the value whose transformation was started last. Numbers begin at 1.
    @exclusivity(unchecked) @usableFromInline var last: UInt = 0
    /// Only if ordered: the number of the next result to send.
    @exclusivity(unchecked) @usableFromInline var turn: UInt = 1
    /// Only if ordered: results that wait for earlier ones.
    @exclusivity(unchecked) @usableFromInline var results: [UInt: Waiting<NewValue>] = [:]
    @exclusivity(unchecked) @usableFromInline var sourceHasCompleted = false
    /// Counts the values whose results have not been sent, if that suspends the source.
    @usableFromInline let stock: Stock?

    @_alwaysEmitIntoClient
    package init(
        _ core: Core<NewValue, Failure>, limit: Int, isOrdered: Bool, stock: Stock?, _ transform: @escaping Transform
    ) {
        self.core = core
        self.limit = limit
        self.isOrdered = isOrdered
        self.stock = stock
        self.transform = transform
        core.state = self
    }

    // MARK: The source

    @_alwaysEmitIntoClient
    package func next(_ value: Value) {
        stock?.change(by: 1)
        core.perform({ take(value) }, orLater: { DeferredWork { self.take(value) } })
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        core.perform({ takeEnd(termination) }, orLater: { DeferredWork { self.takeEnd(termination) } })
    }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { core.terminated.isRaised }

    /// The end of the result clears the mapping.
    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void { {} }

    @_alwaysEmitIntoClient
    package var senders: SenderQueue? { stock?.senders }

    // MARK: For the owner of the gate

    @_alwaysEmitIntoClient
    func take(_ value: Value) {
        guard !hasEnded else { return }
        if mayStart, waiting.isEmpty {
            start(value)
        } else {
            waiting.append(Waiting(value))
            startWaiting()
        }
    }

    @_alwaysEmitIntoClient
    func takeEnd(_ termination: Termination<Failure>) {
        guard !hasEnded else { return }
        guard termination.isCompletion else { return core.deliverEnd(termination) }
        sourceHasCompleted = true
        // No more values follow, so the senders go on.
        stock?.leave()
        completeIfDone()
    }

    /// - Parameter result: What the transformation has returned, or how it has ended without.
    @_alwaysEmitIntoClient
    func take(_ result: Event<NewValue, Failure>, _ number: UInt) {
        guard !hasEnded else { return }
        // First: what follows an error begins in this task, which must not be cancelled with the others.
        tasks[number] = nil
        guard case .next(let value) = result else { return core.deliver(result) }
        // Starts the next transformation before delivering this result, so that both proceed at the same time.
        startWaiting()
        send(value, number)
        completeIfDone()
    }

    /// Whether there is room for a transformation. Starts nothing that is no longer needed: a disposal from inside a
    /// delivery may be pending.
    @_alwaysEmitIntoClient
    var mayStart: Bool { tasks.count < limit && !core.wantsNoMore }

    @_alwaysEmitIntoClient
    func startWaiting() {
        while mayStart, let next = waiting.popFirst() { next.context.run { start(next.value) } }
    }

    /// Starts a transformation, which inherits the task-local values of the caller. Its result must enter the gate,
    /// which the caller owns, so it is handled after this call.
    @_alwaysEmitIntoClient
    func start(_ value: Value) {
        last += 1
        let number = last
        tasks[number] = starter.start { [self] in
            // Disposed of before the task began.
            if Task.isCancelled { return }
            do throws(Failure) {
                handOver(.next(try await transform(value)), number)
            } catch {
                handOver(Termination.thrown(error).event(), number)
            }
        }
    }

    /// Never waits, because a task must not block a thread of the pool.
    @_alwaysEmitIntoClient
    func handOver(_ result: Event<NewValue, Failure>, _ number: UInt) {
        let thread = ThreadIdentity.current
        if core.gate.enterIfFree(thread) {
            take(result, number)
            core.gate.leave(thread)
        } else {
            core.gate.push(DeferredWork { self.take(result, number) })
        }
    }

    @_alwaysEmitIntoClient
    func send(_ value: NewValue, _ number: UInt) {
        guard isOrdered else { return deliver(value) }
        guard number == turn else {
            results[number] = Waiting(value)
            return
        }
        turn += 1
        deliver(value)
        while !core.wantsNoMore, let next = results.removeValue(forKey: turn) {
            turn += 1
            next.context.run { deliver(next.value) }
        }
    }

    /// Sends a result, and then notes that it has been sent: until then the source must not send another value.
    @_alwaysEmitIntoClient
    func deliver(_ value: NewValue) {
        core.deliver(value)
        stock?.change(by: -1)
    }

    @_alwaysEmitIntoClient
    func completeIfDone() {
        // If no task is running, no value is queued, because values start as soon as there is room. No result is held
        // back either, because the last result completes the order.
        if sourceHasCompleted, tasks.isEmpty { core.deliverEnd(.completed) }
    }

    @_alwaysEmitIntoClient
    package func clear() {
        let running = tasks
        waiting = Queue()
        tasks = [:]
        results = [:]
        stock?.leave()
        running.forEachInOrder { $0.dispose() }
    }
}
