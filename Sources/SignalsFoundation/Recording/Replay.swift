import ColdProducers
import Foundation
import HotSignals

/// One start that replays a recording on a scheduler.
///
/// An action sends all events that are due, and schedules the next action for the event behind them. So the stack does
/// not grow, and one event is in memory.
final class Replay<
    Clock: DelayScheduler, Value: Decodable & Sendable, Recorded: Decodable & Error, Failure: Error
>: Sendable {
    typealias Place = ReplayPlace<Value, Recorded>

    private let file: URL
    private let stream: RecordedStream
    private let place: Place
    private let speed: Double
    private let scheduler: Clock
    /// When the start has begun.
    private let origin: Clock.Instant
    private let observer: Signal<Value, Failure>.Observer
    private let problem: @Sendable (RecordingError) -> Failure
    private let recorded: @Sendable (Recorded) -> Failure
    /// ``scheduling`` while an action is being scheduled, ``inside`` when it has run inside that call.
    private let phase = AtomicWord(0)

    private static var scheduling: UInt { 1 }
    private static var inside: UInt { 2 }

    init(
        _ file: URL, _ stream: RecordedStream, in place: Place, speed: Double, on scheduler: Clock,
        into observer: Signal<Value, Failure>.Observer, _ problem: @escaping @Sendable (RecordingError) -> Failure,
        _ recorded: @escaping @Sendable (Recorded) -> Failure
    ) {
        self.file = file
        self.stream = stream
        self.place = place
        self.speed = speed
        self.scheduler = scheduler
        origin = scheduler.now
        self.observer = observer
        self.problem = problem
        self.recorded = recorded
    }

    /// Opens the file, and replays its beginning. Called on the scheduler.
    func begin() {
        if place.isClosed { return }
        do throws(RecordingError) {
            let contents = Place.Contents(reader: try RecordingReader(file, stream))
            run(Place.Session(contents), isDue: false)
        } catch {
            observer.sendError(problem(error))
        }
    }

    /// Replays what is due, and schedules the rest. Called on the scheduler.
    ///
    /// - Parameter isDue: Whether the pending event is due, because the scheduler has waited for it.
    private func run(_ session: Place.Session, isDue: Bool) {
        var (session, isDue) = (session, isDue)
        while let wait = sendDue(session, isDue: isDue), place.put(session), schedule(after: wait) {
            guard let next = place.take() else { return }
            (session, isDue) = (next, true)
        }
    }

    /// - Returns: How long to wait for the pending event, or `nil` if the replay is over.
    private func sendDue(_ session: Place.Session, isDue: Bool) -> Duration? {
        var isDue = isDue
        while !place.isClosed {
            let next: Place.Entry
            do throws(RecordingError) {
                if let pending = session.value.pending.take() {
                    next = pending
                } else {
                    next = try session.value.reader.next()
                }
            } catch {
                observer.sendError(problem(error))
                return nil
            }
            let wait = due(next) - origin.duration(to: scheduler.now)
            if wait > .zero, !isDue {
                session.value.pending = next
                return wait
            }
            isDue = false
            observer.send(next.event.mapError(recorded))
            if next.event.isTerminating { return nil }
        }
        return nil
    }

    /// The time from the start of the replay to an event. A low speed can exceed what a `Duration` holds.
    private func due(_ entry: Place.Entry) -> Duration {
        if speed == 1 { return .nanoseconds(entry.time) }
        let attoseconds = Double(entry.time) * 1e9 / speed
        return Duration(attoseconds: Int128(min(attoseconds, 0x1p125)))
    }

    /// Schedules the next action.
    ///
    /// - Returns: Whether the scheduler has run it inside the call, so that it is left to the caller.
    private func schedule(after wait: Duration) -> Bool {
        phase.store(Self.scheduling)
        place.wait { [self] in
            scheduler.schedule(after: wait) { [self] in
                if phase.compareExchangeReleasing(from: Self.scheduling, to: Self.inside) { return }
                if let session = place.take() { run(session, isDue: true) }
            }
        }
        return phase.exchange(0) == Self.inside
    }
}

/// What a replay keeps between two actions. It is released when the replay ends, which closes the file.
final class ReplayPlace<Value: Decodable & Sendable, Recorded: Decodable & Error>: Sendable {
    typealias Entry = (time: Int, event: Event<Value, Recorded>)

    /// Accessed only by the action that has taken it.
    typealias Session = SinkState<Contents>

    struct Contents: Sendable {
        var reader: RecordingReader<Value, Recorded>
        /// The event that is not due yet.
        var pending: Entry?
    }

    private struct State {
        var session: Session?
        var action: (any Disposable)?
        /// The number of actions that have been scheduled.
        var actions = 0
        var isClosed = false
    }

    private let state = Locked(State())

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            return (state.session.take(), state.action.take())
        }
        dropped.1?.dispose()
    }

    /// Takes the session. While the caller has it, closing leaves it to the caller to release it.
    func take() -> Session? { state.withLock { $0.session.take() } }

    /// Keeps a session for the next action.
    ///
    /// - Returns: False if the replay has ended.
    func put(_ session: Session) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.session = session
            return true
        }
    }

    /// Schedules an action, and keeps it so that closing cancels it.
    func wait(for schedule: () -> (any Disposable)?) {
        let number = state.withLock { state in
            state.actions += 1
            return state.actions
        }
        let action = schedule()
        let (isClosed, former) = state.withLock { state in
            // The action may have run in the meantime, and scheduled the next one.
            if state.isClosed || number != state.actions { return (state.isClosed, action) }
            return (false, exchange(&state.action, with: action))
        }
        if isClosed { action?.dispose() }
        // Released outside the lock.
        withExtendedLifetime(former) {}
    }
}
