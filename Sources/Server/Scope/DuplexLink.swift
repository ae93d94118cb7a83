/// The state of a ``DuplexSession``: the line of writers, and the ends of both directions.
///
/// Decisions are made under a lock. Their consequences, such as resuming, starting tasks and disposing, follow outside
/// it. The tasks that use the connection are counted by a counter of the session, which the closing of the connection
/// waits for. The counter of the scope counts the closing, and the writers that have called.
final class DuplexLink<Outbound: Sendable, Failure: Error>: Sendable {
    typealias Operation = @Sendable () async throws(Failure) -> Void

    private struct State {
        var reading = Reading.notBegun
        /// The writers that wait for their turn, by their tickets.
        var line = WaitingLine<UInt, Writer>()
        /// The ticket of the writer that came last.
        var last: UInt = 0
        /// The ticket of the writer that has the turn, or 0.
        var turn: UInt = 0
        /// The task of the operation in progress, once it has been started.
        var work: (any Disposable)?
        /// Whether the operation in progress, or about to begin, has been cancelled.
        var isWorkCancelled = false
        var writingHasEnded = false
        /// The error that has ended the writing.
        var failure: Failure?
        var isOver = false
        /// Removes the session from its scope.
        var membership: (any Disposable)?

        var bothHaveEnded: Bool { if case .ended = reading { writingHasEnded } else { false } }
    }

    private enum Reading {
        case notBegun
        case begun(Start)
        case ended
    }

    /// A writer that waits for its turn.
    private struct Writer {
        let ticket: UInt
        let continuation: UnsafeContinuation<Admission, Never>
    }

    private enum Admission: Sendable {
        case turn, cancelled
        /// Writing or the session has ended.
        case refused
    }

    private enum Outcome: Sendable {
        case success
        case failure(Failure)
        /// Cancelled before it began.
        case notBegun
    }

    let write: @Sendable (Outbound) async throws(Failure) -> Void
    let endWriting: Operation
    private let closeConnection: @Sendable () async -> Void
    private let scope: TaskContext
    /// Counts what uses the connection.
    private let users = TaskCounter()
    /// The task context of the tasks that use the connection.
    private let taskContext: TaskContext
    private let state = Locked(State())

    init(
        in scope: TaskContext, write: @escaping @Sendable (Outbound) async throws(Failure) -> Void,
        endWriting: @escaping Operation, close: @escaping @Sendable () async -> Void
    ) {
        self.scope = scope
        taskContext = TaskContext(executor: scope.executor, counter: users)
        self.write = write
        self.endWriting = endWriting
        closeConnection = close
    }

    // MARK: Reading

    /// Starts the source of what arrives, unless it has been started or the session is over.
    func read<Value>(
        from source: SignalProducer<Value, Failure>, _ start: Start, _ sink: ProducerSink<Value, Failure>
    ) {
        let mayBegin = state.withLock { state in
            guard case .notBegun = state.reading, !state.isOver else { return false }
            state.reading = .begun(start)
            // The connection is not closed while the source begins.
            users.enter()
            return true
        }
        guard mayBegin else { return sink.end(.interrupted) }
        start.observeEnded { [self] in endReading() }
        LibraryTask.with(taskContext) { source.beginWork(of: start, into: sink) }
        users.leave()
    }

    private func endReading() {
        let (former, isDone) = state.withLock { state in
            (exchange(&state.reading, with: .ended), state.bothHaveEnded)
        }
        if isDone { close() }
        withExtendedLifetime(former) {}
    }

    // MARK: Writing

    /// Waits for its turn, and carries out an operation.
    ///
    /// - Parameter isLast: Whether the operation ends the writing.
    /// - Returns: `false` if the operation has not begun.
    nonisolated(nonsending) func perform(
        isLast: Bool, _ operation: @escaping Operation
    ) async throws(Failure) -> Bool {
        if Task.isCancelled { return false }
        let token = scope.counter.map { TaskCounter.Token($0) }
        defer { token?.giveBack() }
        let (ticket, hasTurn) = state.withLock { state in
            state.last += 1
            return (state.last, takeTurn(&state, state.last))
        }
        switch hasTurn ? .turn : await waitForTurn(ticket) {
        case .turn: break
        case .cancelled: return false
        case .refused:
            if let failure = state.withLock({ $0.failure }) { throw failure }
            return false
        }
        switch await carryOut(operation, ticket, isLast: isLast) {
        case .success: return true
        case .failure(let error): throw error
        case .notBegun: return false
        }
    }

    /// Call only under the lock. Takes the turn if it is free.
    private func takeTurn(_ state: inout State, _ ticket: UInt) -> Bool {
        // Without a turn there is no line.
        guard state.turn == 0, !state.writingHasEnded, !state.isOver else { return false }
        state.turn = ticket
        return true
    }

    private nonisolated(nonsending) func waitForTurn(_ ticket: UInt) async -> Admission {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let admission = state.withLock { state -> Admission? in
                    if state.writingHasEnded || state.isOver { return .refused }
                    // If the task is cancelled later, the handler finds the writer in line.
                    if Task.isCancelled { return .cancelled }
                    if takeTurn(&state, ticket) { return .turn }
                    state.line.append(Writer(ticket: ticket, continuation: continuation), for: ticket)
                    return nil
                }
                if let admission { continuation.resume(returning: admission) }
            }
        } onCancel: {
            state.withLock { $0.line.remove(ticket) }?.continuation.resume(returning: .cancelled)
        }
    }

    private nonisolated(nonsending) func carryOut(
        _ operation: @escaping Operation, _ ticket: UInt, isLast: Bool
    ) async -> Outcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                // A task of its own, which the end of the session can cancel.
                let work = LibraryTask.start(in: taskContext) { [self] in
                    let outcome = await outcome(of: operation)
                    endTurn(of: continuation, outcome, isLast: isLast)
                }
                let mustCancel = state.withLock { state in
                    guard state.turn == ticket else { return false }
                    state.work = work
                    return state.isWorkCancelled
                }
                if mustCancel { work.dispose() }
            }
        } onCancel: {
            let work = state.withLock { state -> (any Disposable)? in
                guard state.turn == ticket else { return nil }
                state.isWorkCancelled = true
                return state.work
            }
            work?.dispose()
        }
    }

    private func outcome(of operation: Operation) async -> Outcome {
        guard state.withLock({ !$0.isWorkCancelled && !$0.isOver }) else { return .notBegun }
        do throws(Failure) {
            try await operation()
            return .success
        } catch {
            return .failure(error)
        }
    }

    /// Ends the turn of a writer, and gives it to the next one, or refuses those that wait if the writing has ended.
    private func endTurn(of writer: UnsafeContinuation<Outcome, Never>, _ outcome: Outcome, isLast: Bool) {
        let (next, refused, work, isDone) = state.withLock { state in
            let work = state.work.take()
            state.isWorkCancelled = false
            switch outcome {
            case .success: if isLast { state.writingHasEnded = true }
            case .failure(let error):
                // The end of the session causes errors that are not the reason why nothing is written afterwards.
                if !state.isOver { state.failure = error }
                state.writingHasEnded = true
            case .notBegun: break
            }
            let refused = state.writingHasEnded ? exchange(&state.line, with: WaitingLine()) : WaitingLine()
            let next = state.line.popFirst()
            state.turn = next?.ticket ?? 0
            return (next, refused, work, state.bothHaveEnded)
        }
        // Before the writer goes on, so that it finds a session that is over closed.
        if isDone { close() }
        writer.resume(returning: outcome)
        next?.continuation.resume(returning: .turn)
        refuse(refused)
        withExtendedLifetime(work) {}
    }

    private func refuse(_ line: consuming WaitingLine<UInt, Writer>) {
        var line = line
        while let writer = line.popFirst() { writer.continuation.resume(returning: .refused) }
    }

    // MARK: The end

    /// Sets what removes the session from its scope.
    func setMembership(_ membership: (any Disposable)?) {
        let isOver = state.withLock { state in
            if !state.isOver { state.membership = membership }
            return state.isOver
        }
        if isOver { membership?.dispose() }
    }

    /// Ends both directions, and closes the connection when nothing uses it any more. Never waits.
    func close() {
        // Taken first, so that the scope does not end between a closing that it finds and the task of that.
        let token = scope.counter.map { TaskCounter.Token($0) }
        defer { token?.giveBack() }
        let former = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            state.isWorkCancelled = true
            let former = state
            state.line = WaitingLine()
            state.membership = nil
            return former
        }
        guard let former else { return }
        former.membership?.dispose()
        if case .begun(let start) = former.reading { start.dispose() }
        former.work?.dispose()
        refuse(former.line)
        LibraryTask.start(in: scope) { [users, closeConnection] in
            await users.waitUntilEmpty()
            await closeConnection()
        }
    }
}
