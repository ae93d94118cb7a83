import ColdProducers
import HotSignals
import Observation
public import ReactiveProperties

extension Property {
    /// Creates a property that follows what a closure reads from `@Observable` objects.
    ///
    /// ```swift
    /// @MainActor func report(_ cart: Cart) {
    ///     let total = Property(observing: { cart.prices.reduce(0, +) })
    ///     print(total.value)
    ///     total.signal.observeNext { print("now \($0)") }
    /// }
    /// ```
    ///
    /// The closure is called now, for the initial value. When something that it has read is about to change, it is
    /// called again after the change. Several changes can lead to one event: the property skips values that the closure
    /// did not see, but never the last one. It can send a value twice: use `skipRepeats()` if that matters. The closure
    /// is called three times for each value, so it should be cheap and have no side effects.
    ///
    /// **Isolation**: the closure has the isolation of the code around it, and is called there only: on the main actor
    /// for a model of the main actor, and without an actor in code that has none. Changes that an actor makes without a
    /// suspension in between lead to one event, which shows all of them. Traps if the closure is marked with another
    /// actor than the one on which this initializer is called.
    ///
    /// **Models that several threads change**: Observation announces a change before it happens, and says nothing
    /// afterwards. So a `Sendable` model must announce each change and make it under one lock, and its getters must
    /// take the same lock: `lock.withLock { registrar.withMutation(of: self, keyPath: \.count) { storage = new } }`. If
    /// it takes the lock only inside `withMutation`, the property can read the old value in between, and then keep it
    /// until the next change. A model that an actor isolates needs no lock. Read in any case what may matter: if what
    /// the closure reads depends on a value, as in `model.usesBackup ? model.backup : model.main`, and other threads
    /// change that value twice within one calculation, changes of the other part can be missed.
    ///
    /// **Consistency**: read in one closure what belongs together. Two properties that observe the same model change
    /// one after the other. Properties derived from one of them are consistent with it, as always.
    ///
    /// **Threads**: events are sent on the actor of the closure. Without an actor, they are sent on the threads on
    /// which a task of the library runs. Observers run without task-locals.
    ///
    /// **Lifetime**: the property retains the closure and what it captures as long as the property, or one derived from
    /// it, is retained or observed. A model that stores a property whose closure captures the model never ends: capture
    /// it weakly. An observation that is never disposed of keeps all of them. The model does not retain the property.
    /// It keeps a small registration until what was read changes once more, because Observation has no way to withdraw
    /// it. The property never ends by itself.
    ///
    /// - Parameters:
    ///   - read: Reads the model. What it reads while it is called is observed. If it reads nothing observable, the
    ///     value never changes.
    ///   - isolation: The actor of the code around it. Leave the default.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``ReactiveProperties/PropertyProtocol/observable``
    public convenience init(
        @_inheritActorContext observing read: @escaping @isolated(any) @Sendable () -> Value,
        isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) {
        let observation = ModelObservation(read)
        require(
            observation.isolation == nil || observation.isolation === isolation,
            "Property(observing:): called on another actor than that of its closure")
        // The caller may have passed a wrong isolation.
        observation.isolation?.preconditionIsolated(file: file, line: line)
        self.init(initial: observation.track(), then: observation.changes)
    }
}

/// Reads a model, and waits for its changes.
///
/// The closure is called only where it belongs: on its actor, or, if it has none, anywhere.
private final class ModelObservation<Value: Sendable>: Sendable {
    private typealias Read = @isolated(any) @Sendable () -> Value

    /// Holds the closure, because the compiler converts a closure that is cast directly.
    private struct Reading: Sendable {
        let read: Read
    }
    private struct SynchronousReading {
        let read: @Sendable () -> Value
    }

    private let reading: Reading
    private let announcements = Announcements()

    init(_ read: @escaping @isolated(any) @Sendable () -> Value) { reading = Reading(read: read) }

    /// Reads the value, and notes the next change of what has been read. Call only on the actor of the closure.
    ///
    /// A change between a reading and the registration that follows is not reported. So the value is read again when
    /// the registration is in place. That sees every change that has not been reported, if the model makes and
    /// announces it under the lock that its getters take, or on the actor.
    ///
    /// Such a change can also make the closure read something else than before, which has not been registered. So the
    /// second reading is registered, too, and the value is that of a third one.
    func track() -> Value {
        // Unsafe: only the type says that the closure must be called with `await`. The caller is on its actor.
        let read = unsafeBitCast(reading, to: SynchronousReading.self).read
        let announcements = announcements
        let round = announcements.round
        for _ in 0..<2 { _ = withObservationTracking(read) { announcements.add(in: round) } }
        return read()
    }

    /// The actor of the closure, if it has one.
    var isolation: (any Actor)? { reading.read.isolation }

    /// The value after each change since the first ``track()``. Start it once.
    var changes: SignalProducer<Value, Never> {
        SignalProducer(StreamName("observing")) { _, sink in
            // Without task-locals: a change of the model has no start or sender to inherit them from.
            CapturedContext.runWithout { self.follow(into: sink) }
        }
    }

    private func follow(into sink: ProducerSink<Value, Never>) {
        TaskHead.run(into: sink) { head in
            while await self.announcements.next() {
                guard await self.send(to: head, isolation: self.isolation) else { return }
            }
            head.end(.interrupted)
        }
    }

    private func send(to head: TaskHead<Value, Never>, isolation: isolated (any Actor)?) async -> Bool {
        head.next(track())
    }
}

/// Whether something has changed, for the one task that waits for it.
private final class Announcements: Sendable {
    private struct State {
        var round = 0
        var hasChanged = false
        var isCancelled = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// The number of calls of ``next()`` that have returned.
    var round: Int { state.withLock { $0.round } }

    /// Called by Observation, on the thread that changes the model, before the change. It may hold the lock of the
    /// model.
    ///
    /// - Parameter round: The ``round`` in which the model was read. If it is over, the model is being read again, so
    ///   the change needs no reading of its own.
    func add(in round: Int) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard round == state.round else { return nil }
            state.hasChanged = true
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for a change since the last call. Returns `false` if the task has been cancelled.
    func next() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    let mustWait = !state.hasChanged && !state.isCancelled
                    if mustWait { state.waiting = continuation }
                    return mustWait
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                return state.waiting.take()
            }
            waiting?.resume()
        }
        return state.withLock { state in
            state.hasChanged = false
            state.round += 1
            return !state.isCancelled
        }
    }
}
