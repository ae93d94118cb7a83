import NIOConcurrencyHelpers
package import ReactiveSignals
import Tracing

extension Board {
    /// Decides on a change and appends it to the log of a cluster. Decides again if another board was faster.
    ///
    /// Returns when this board has applied the change, so that its requester sees it here.
    static func append(
        to cluster: any BoardCluster, _ current: MutableProperty<BoardState>, _ pending: PendingChanges,
        until isOver: Property<Bool>,
        _ decide: (BoardState) throws(BoardError) -> BoardEvent
    ) async throws(BoardError) -> BoardEvent {
        while true {
            let event: BoardEvent
            let known = current.value
            do throws(BoardError) { event = try decide(known) } catch {
                // A refusal may come of a state that is behind the log.
                let last = try await lastSequence(of: cluster, known, for: error)
                if known.sequence >= last { throw error }
                guard await isApplied(last, in: current, until: isOver) else { throw error }
                continue
            }
            pending.begin(event, in: .current)
            do throws(ClusterProblem) {
                try await cluster.append(event)
                // Appended, so it is made, even if this board cannot show it any more.
                _ = await isApplied(event.sequence, in: current, until: isOver)
                return event
            } catch {
                pending.end(event)
                switch error {
                // The event of the other board is on its way here.
                case .outdated:
                    guard await isApplied(event.sequence, in: current, until: isOver) else {
                        throw .unacknowledged("this board does not follow the cluster any more")
                    }
                case .unacknowledged(let reason): throw .unacknowledged(reason)
                case .unusable(let reason): throw .unacknowledged(reason)
                }
            }
        }
    }

    /// Returns up to where this board must have read the log to refuse a change.
    private static func lastSequence(
        of cluster: any BoardCluster, _ state: BoardState, for refusal: BoardError
    ) async throws(BoardError) -> Int {
        if case .invalid = refusal { return 0 }
        do throws(ClusterProblem) {
            guard let incident = state.incidents.last else { return try await cluster.lastSequence() }
            let probe = BoardEvent(sequence: 0, at: state.time, kind: .posted, from: nil, incident: incident)
            return try await cluster.confirmedSequence(probing: probe)
        } catch {
            throw .unacknowledged("\(error)")
        }
    }

    /// Waits until an event has been applied, or none will be any more.
    private static func isApplied(
        _ sequence: Int, in state: some PropertyProtocol<BoardState>, until isOver: Property<Bool>
    ) async -> Bool {
        _ = await state.map { $0.sequence >= sequence }.or(isOver).producer.filter { $0 }.first()
        return state.value.sequence >= sequence
    }

    /// Follows the log of the cluster until this task is cancelled.
    ///
    /// - Parameter onCurrent: Called once all events have been applied that the log had at the beginning.
    /// - Throws: ``ClusterProblem`` if the log cannot be followed any more, or an error of the database.
    package func follow(onCurrent: @escaping @Sendable () -> Void = {}) async throws {
        guard let cluster else { preconditionFailure("a board of its own has nothing to follow") }
        defer { endFollowing() }
        do {
            try await follow(cluster, onCurrent)
        } catch {
            // Closing the board closes the connection.
            if !isClosed { throw error }
        }
    }

    private func follow(_ cluster: any BoardCluster, _ onCurrent: @Sendable () -> Void) async throws {
        var first: Int? = try await cluster.lastSequence()
        func check() {
            guard let target = first, state.value.sequence >= target else { return }
            first = nil
            onCurrent()
        }
        try await verify(cluster)
        check()
        try await cluster.follow(after: state.value.sequence) { event in
            noteRead(event)
            guard event.sequence == state.value.sequence + 1 else {
                throw ClusterProblem.unusable("event \(event.sequence) follows \(state.value.sequence)")
            }
            try await store.record([event])
            apply(event, in: pending.end(event))
            check()
        }
    }

    /// Compares the last event of the database with that of the log: the database may be that of another board.
    private func verify(_ cluster: any BoardCluster) async throws {
        let last = state.value.sequence
        guard last > 0 else { return }
        let known = try await history(after: last - 1, limit: 1).first
        guard try await cluster.event(last) == known else {
            throw ClusterProblem.unusable("the database has the events of another board; choose another --database")
        }
    }

    /// Waits until this board has applied the event that a client has seen on another board.
    ///
    /// - Parameter stop: The waiting ends when this is true.
    package func catchUp(to sequence: Int, until stop: Property<Bool>) async -> CatchUp {
        if sequence <= state.value.sequence { return .applied }
        guard let cluster else { return .noSuchEvent }
        let isOver = stop.or(isCutOff)
        let asking = SignalProducer<Int, ClusterProblem>.async { () async throws(ClusterProblem) in
            try await cluster.lastSequence()
        }
        guard let last = try? await asking.take(until: isOver.producer.filter { $0 }).first() else { return .behind }
        guard sequence <= last else { return .noSuchEvent }
        return await Self.isApplied(sequence, in: state, until: isOver) ? .applied : .behind
    }

    /// What ``catchUp(to:until:)`` has found out about the last event that a client has.
    package enum CatchUp: Sendable {
        /// This board has applied it.
        case applied
        /// It is not in the log: the client has followed a board outside of the cluster.
        case noSuchEvent
        /// This board has not read it, and cannot say when it will.
        case behind
    }
}

/// The changes that this board has appended to the log and not seen there yet, with the trace of the request.
final class PendingChanges: Sendable {
    private let changes = NIOLockedValueBox<[Int: (event: BoardEvent, context: ServiceContext?)]>([:])

    func begin(_ event: BoardEvent, in context: ServiceContext?) {
        changes.withLockedValue { $0[event.sequence] = (event, context) }
    }

    /// Returns the context if the event is the one that has begun.
    @discardableResult
    func end(_ event: BoardEvent) -> ServiceContext? {
        changes.withLockedValue { changes in
            guard let change = changes[event.sequence], change.event == event else { return nil }
            changes[event.sequence] = nil
            return change.context
        }
    }
}
