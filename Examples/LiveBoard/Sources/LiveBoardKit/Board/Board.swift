import Foundation
package import ReactiveSignals

/// A team's incidents.
///
/// Everything that happens is an event. It is written down first; then ``state`` takes it on; then ``events`` tells of it; and
/// only then does the action end that has caused it. So whoever was told that something is done can rely on it.
package final class Board: Sendable {
    private let store: EventStore
    private let current: MutableProperty<BoardState>
    private let isOpen = MutableProperty(true)
    private let eventsInput: Signal<BoardEvent, Never>.Observer

    /// What the board shows.
    package let state: Property<BoardState>
    /// How many incidents there are. Tells of it only when it has changed.
    package let counts: Property<Counts>
    /// Tells of each change, after ``state`` has taken it on. Completes when the board is closed.
    package let events: Signal<BoardEvent, Never>

    /// Posts an incident.
    package let post: Action<Draft, BoardEvent, BoardError>
    /// Has somebody take care of an incident. One that is not open any more is a conflict.
    package let acknowledge: Action<Change, BoardEvent, BoardError>
    /// Declares an incident to be over. One that is over already is a conflict.
    package let resolve: Action<Change, BoardEvent, BoardError>
    /// Whether an action is executing.
    package let isBusy: Property<Bool>

    /// How many starts of an action may wait for their turn; the next one is refused.
    package static let waitingLimit = 1_000

    /// Opens the board with all that has ever happened on it.
    ///
    /// - Parameters:
    ///   - path: The database, which is made if it is missing.
    ///   - now: The time, in milliseconds since 1970.
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

        // All three decide on the database's one writer, so that no decision rests on a state that is over.
        @Sendable func commit(
            _ decide: @escaping @Sendable (BoardState, Int) throws(BoardError) -> BoardEvent
        ) async throws(BoardError) -> BoardEvent {
            try await store.commit(
                deciding: { () throws(BoardError) in
                    let state = current.value
                    // Clocks are set back; the board's time is not.
                    return try decide(state, max(now(), state.time))
                },
                publishing: { event in
                    current.modify { $0.apply(event) }
                    eventsInput.sendNext(event)
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

    /// The first events after one, at most `limit` of them: from the database.
    package func history(after sequence: Int, limit: Int) async throws -> [BoardEvent] {
        try await store.events(after: sequence, limit: limit)
    }

    /// Admits nothing more, waits for what is under way, ends ``events``, and closes the database.
    package func close() async throws {
        isOpen.value = false
        _ = await isBusy.producer.filter { !$0 }.first()
        eventsInput.sendCompleted()
        try store.close()
    }

    package static let systemTime: @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1_000) }
}
