import Foundation
package import ReactiveSignals
import Tracing

/// A team's incidents.
///
/// Each change is an event. It is written to the database, then applied to ``state``, then sent by ``events``, and only
/// then does the action complete. A change that was confirmed to a client is therefore never lost.
package final class Board: Sendable {
    private let store: EventStore
    private let current: MutableProperty<BoardState>
    private let isOpen = MutableProperty(true)
    private let eventsInput: Signal<BoardEvent, Never>.Observer

    /// The current state.
    package let state: Property<BoardState>
    /// The number of incidents of each status. Changes only when a number changes.
    package let counts: Property<Counts>
    /// Sends each change, after ``state`` has been updated. Completes when the board is closed.
    package let events: Signal<BoardEvent, Never>

    /// Posts an incident.
    package let post: Action<Draft, BoardEvent, BoardError>
    /// Acknowledges an incident. Fails with a conflict if the incident is not open.
    package let acknowledge: Action<Change, BoardEvent, BoardError>
    /// Resolves an incident. Fails with a conflict if the incident is already resolved.
    package let resolve: Action<Change, BoardEvent, BoardError>
    /// Whether an action is executing.
    package let isBusy: Property<Bool>

    /// How many starts of an action can be queued. The action refuses further ones.
    package static let waitingLimit = 1_000

    /// Opens the board, and computes its state from all events in the database.
    ///
    /// - Parameters:
    ///   - path: The database, which is created if it does not exist.
    ///   - now: Returns the time in milliseconds since 1970.
    package init(path: String, now: @escaping @Sendable () -> Int = Board.systemTime) throws {
        let store = try EventStore(path: path)
        var past = BoardState()
        try store.visitAll { past.apply($0) }
        let current = MutableProperty(past)
        let (events, eventsInput) = Signal<BoardEvent, Never>.pipe()
        self.store = store
        self.current = current
        self.events = events
        self.eventsInput = eventsInput
        state = Property(current)
        counts = current.map(\.counts).skipRepeats()

        // All three actions decide on the database's only writer, so a decision never uses an outdated state.
        @Sendable func commit(
            _ decide: @escaping @Sendable (BoardState, Int) throws(BoardError) -> BoardEvent
        ) async throws(BoardError) -> BoardEvent {
            // The database runs on a queue, which does not carry task-locals.
            let context = ServiceContext.current
            return try await store.commit(
                deciding: { () throws(BoardError) in
                    let state = current.value
                    // The system clock can be set back. The board's time never decreases.
                    return try decide(state, max(now(), state.time))
                },
                publishing: { event in
                    current.modify { $0.apply(event) }
                    ServiceContext.$current.withValue(context) { eventsInput.sendNext(event) }
                })
        }
        let policy = ActionPolicy.queue(limit: Self.waitingLimit)
        post = Action(enabledIf: isOpen, policy: policy) { (draft: Draft) async throws(BoardError) in
            try await commit { (state, time) throws(BoardError) in try state.posting(draft, at: time) }
        }
        acknowledge = Action(enabledIf: isOpen, policy: policy) { (change: Change) async throws(BoardError) in
            try await commit { (state, time) throws(BoardError) in try state.acknowledging(change, at: time) }
        }
        resolve = Action(enabledIf: isOpen, policy: policy) { (change: Change) async throws(BoardError) in
            try await commit { (state, time) throws(BoardError) in try state.resolving(change, at: time) }
        }
        isBusy = post.isExecuting.or(acknowledge.isExecuting).or(resolve.isExecuting)
    }

    /// The first events after `sequence`, at most `limit`, from the database.
    package func history(after sequence: Int, limit: Int) async throws -> [BoardEvent] {
        try await store.events(after: sequence, limit: limit)
    }

    /// Disables the actions, waits for the running ones, completes ``events``, and closes the database.
    package func close() async throws {
        isOpen.value = false
        _ = await isBusy.producer.filter { !$0 }.first()
        eventsInput.sendCompleted()
        try store.close()
    }

    package static let systemTime: @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1_000) }
}
