public import ColdProducers
import HotSignals
import ReactiveAsync
import ReactiveProperties

extension Action {
    /// Refuses further starts, and returns when all accepted units have ended, including those in the queue.
    ///
    /// ```swift
    /// let save = Action(policy: .queue(waiting: 10)) { (row: Int) async in row }
    /// save.values.observeNext { print("saved \($0)") }
    /// for row in 1...3 { save.apply(row).start() }
    /// await save.drain()
    /// // prints saved 1
    /// // prints saved 2
    /// // prints saved 3
    /// print(save.isEnabled.value)  // prints false
    /// ```
    ///
    /// To stop a server without losing accepted work. From the call on, ``isEnabled`` is false, and starts fail with
    /// ``ActionError/disabled``. A start on another thread at the same time is either refused, or its unit ends before
    /// this method returns. An action accepts nothing more after that: to refuse starts for a while, use `enabledIf:`.
    ///
    /// **Units** go on: nothing is interrupted or disposed of, so give work that may hang a time limit. When this
    /// method returns, the observers of the action have received the events of all units. Tasks that wait in
    /// ``execute(_:isolation:)`` may go on a moment later, and so may a unit that has been disposed of.
    ///
    /// **The condition** that is passed as `enabledIf:` is still checked when the turn of a queued start comes. If you
    /// make it false, the queue is refused instead of finished.
    ///
    /// **Several calls** wait for the same end. After it, they return immediately.
    ///
    /// **Cancellation** of the calling task ends the wait, not the draining. In a task that is already cancelled, this
    /// method refuses further starts, and returns immediately.
    ///
    /// **In a unit of the action**, awaiting this method waits for that unit itself, and so for ever, unless the unit's
    /// task is cancelled. Start ``draining()`` there.
    public nonisolated(nonsending) func drain() async {
        _ = await admission.drain().next { $0 }
    }

    /// Returns a producer that drains the action when it is started, and completes when that is done.
    ///
    /// Like ``drain()``, for streams and for code that must not wait, such as the work of the action itself:
    ///
    /// ```swift
    /// let clock = TestScheduler()
    /// let job = Action<Int, Int, Never>(policy: .queue(waiting: 10)) { number in
    ///     SignalProducer.timer(after: .seconds(1), on: clock).map { _ in number }
    /// }
    /// job.values.observeNext { print("job \($0)") }
    /// for number in 1...2 { job.apply(number).start() }
    /// job.draining().startWithCompleted { print("drained") }
    /// job.apply(3).startWithError { print($0) }  // prints disabled
    /// clock.run()
    /// // prints job 1
    /// // prints job 2
    /// // prints drained
    /// ```
    ///
    /// **Threads**: completes on the thread that ends the last unit, or on the caller's if nothing runs.
    ///
    /// **Disposal** interrupts the start, and not the draining.
    public func draining() -> SignalProducer<Never, Never> {
        let drained = SignalProducer.deferred { self.admission.drain().producer }
            .take(while: { isDrained in !isDrained })
            .compactMap { _ -> Never? in nil }
        return SignalProducer(StreamName("draining"), drained.work, contention: drained.contention)
    }

    /// Whether the action has been told to drain. It then accepts no further start.
    ///
    /// Tells why a start was refused: for now, or for good.
    ///
    /// ```swift
    /// let job = Action<Int, Int, Never> { SignalProducer(value: $0) }
    /// @Sendable func answer(_ number: Int) async -> String {
    ///     do {
    ///         return "200 \(try await job.execute(number) ?? 0)"
    ///     } catch {
    ///         return job.isDraining ? "503, Connection: close" : "503, Retry-After: 1"
    ///     }
    /// }
    /// print(await answer(1))  // prints 200 1
    /// await job.drain()
    /// print(await answer(2))  // prints 503, Connection: close
    /// ```
    public var isDraining: Bool { admission.isDraining }
}
