import Foundation
package import ReactiveSignals
package import ReactiveSignalsFoundation
import Tracing

/// A team's incidents.
///
/// Each change is an event. It is written to the database, then applied to ``state``, then sent by ``events``, and only
/// then does the action complete. A change that was confirmed to a client is therefore never lost.
///
/// With a cluster, the events are those of its log, which boards of other processes share. A change is first appended
/// to the log. ``follow(onCurrent:)`` then writes the events of all boards to the database, applies them and sends
/// them.
package final class Board: Sendable {
    let store: EventStore
    let cluster: (any BoardCluster)?
    let pending = PendingChanges()
    private let current: MutableProperty<BoardState>
    private let isOpen = MutableProperty(true)
    /// Whether ``follow(onCurrent:)`` has ended.
    let isCutOff = MutableProperty(false)
    private let eventsInput: Signal<BoardEvent, Never>.Observer
    /// Receives what this board reads from the log of the cluster, before it is checked, only to be recorded.
    private let logInput: Signal<BoardEvent, Never>.Observer
    private let currentFailure: MutableProperty<String?>

    /// The current state.
    package let state: Property<BoardState>
    /// The number of incidents of each status. Changes only when a number changes.
    package let counts: Property<Counts>
    /// Why the last event could not be written to the database; `nil` if it could.
    package let failure: Property<String?>
    /// Sends each change, after ``state`` has been updated. Completes when the board is closed.
    package let events: Signal<BoardEvent, Never>
    /// Records ``events``, and what the board reads from the log of its cluster, as the streams `events` and `log`. Off
    /// until somebody starts it.
    package let recorder = EventRecorder()

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
    ///   - cluster: `nil` for a board of its own.
    ///   - now: Returns the time in milliseconds since 1970.
    package init(
        path: String, cluster: (any BoardCluster)? = nil, now: @escaping @Sendable () -> Int = Board.systemTime
    ) throws {
        let store = try EventStore(path: path, isCopy: cluster != nil)
        let (pending, isCutOff) = (pending, Property(isCutOff))
        var past = BoardState()
        try store.visitAll { past.apply($0) }
        let current = MutableProperty(past)
        let (events, eventsInput) = Signal<BoardEvent, Never>.pipe()
        let (log, logInput) = Signal<BoardEvent, Never>.pipe()
        self.store = store
        self.cluster = cluster
        self.current = current
        self.events = events.named("events").recordEvents(to: recorder)
        self.eventsInput = eventsInput
        self.logInput = logInput
        log.named("log").recordEvents(to: recorder).observe { _ in }
        let currentFailure = MutableProperty<String?>(nil)
        self.currentFailure = currentFailure
        failure = Property(currentFailure)
        state = Property(current)
        counts = current.map(\.counts).skipRepeats()

        // All three actions decide on the database's only writer, so a decision never uses an outdated state.
        @Sendable func commit(
            _ decide: @escaping @Sendable (BoardState, Int) throws(BoardError) -> BoardEvent
        ) async throws(BoardError) -> BoardEvent {
            if let cluster {
                return try await Self.append(to: cluster, current, pending, until: isCutOff) {
                    (state) throws(BoardError) in try decide(state, max(now(), state.time))
                }
            }
            // The database runs on a queue, which does not carry task-locals.
            let context = ServiceContext.current
            do throws(BoardError) {
                return try await store.commit(
                    deciding: { () throws(BoardError) in
                        let state = current.value
                        // The system clock can be set back. The board's time never decreases.
                        return try decide(state, max(now(), state.time))
                    },
                    publishing: { event in
                        currentFailure.value = nil
                        current.modify { $0.apply(event) }
                        ServiceContext.$current.withValue(context) { eventsInput.sendNext(event) }
                    })
            } catch {
                if case .storage(let reason) = error { currentFailure.value = reason }
                throw error
            }
        }
        let policy = ActionPolicy.queue(waiting: Self.waitingLimit)
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

    /// Whether events cannot be written to the database. If the last one could not, tries it again.
    package var isFailing: Bool {
        get async {
            if failure.value == nil { return false }
            do {
                try await store.probe(state.value.sequence + 1)
                currentFailure.value = nil
            } catch {
                currentFailure.value = "\(error)"
            }
            return failure.value != nil
        }
    }

    /// The number of people who look at any of the boards of the cluster, or `nil` without one.
    package var watchers: Property<Int>? { cluster?.watchers }

    /// Tells the other boards how many people look at this one.
    package func show(watchers: Int) { cluster?.show(watchers: watchers) }

    /// Disables the actions, waits for the running ones, completes ``events``, and closes the database.
    package func close() async throws {
        isOpen.value = false
        _ = await isBusy.producer.filter { !$0 }.first()
        eventsInput.sendCompleted()
        logInput.sendCompleted()
        await recorder.finish()
        await cluster?.close()
        try store.close()
    }

    /// Whether the board is closed, or is closing.
    var isClosed: Bool { !isOpen.value }

    /// Changes that wait for an event stop waiting.
    func endFollowing() { isCutOff.value = true }

    /// Records an event that has been read from the log of the cluster.
    func noteRead(_ event: BoardEvent) { logInput.sendNext(event) }

    /// Applies an event that is in the database, and sends it in the context of the request that made it.
    func apply(_ event: BoardEvent, in context: ServiceContext?) {
        current.modify { $0.apply(event) }
        ServiceContext.$current.withValue(context) { eventsInput.sendNext(event) }
    }

    package static let systemTime: @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1_000) }
}
