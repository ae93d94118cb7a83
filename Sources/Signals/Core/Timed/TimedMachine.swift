/// The rules of an operator that delivers on a scheduler, as a value: what it keeps, when it has something to send, and
/// what that is.
///
/// ``TimedSink`` owns the lock, the timer and the scheduler, and runs the machine. The machine calls nobody, so it runs
/// under the lock and can be tested without a scheduler. Its time is the duration since the operator began. It never
/// decreases, even if the scheduler's clock is set back.
@usableFromInline
package protocol TimedMachine<Value, Output, Failure>: Sendable {
    associatedtype Value: Sendable
    associatedtype Output: Sendable
    associatedtype Failure: Error
    /// Values that the machine discards. They are released outside the lock, because their `deinit` may be the user's.
    associatedtype Discarded

    /// When the machine next has something to send, or `nil` if it waits for the source. A time that has passed means
    /// as soon as the scheduler can run an action. After ``nextEvent(at:)`` has returned `nil`, it must be later than
    /// that call's time, because that schedules another action.
    var wakeUp: Duration? { get }

    /// Takes a value of the source.
    mutating func receive(_ value: Value, at now: Duration) -> Discarded?

    /// Takes the terminal event of the source. Nothing is received after it.
    mutating func end(_ termination: Termination<Failure>, at now: Duration) -> Discarded?

    /// Returns the next event that is due. Called on the scheduler, repeatedly until it returns `nil` or a terminal
    /// event, or until other threads have added so much that another action goes on. Values may be received in between.
    mutating func nextEvent(at now: Duration) -> Event<Output, Failure>?

    /// Notes that the observer has handled the events.
    mutating func hasDelivered(at now: Duration)

    /// Discards everything, because the result has ended, but not by a terminal event of this machine.
    mutating func clear() -> Discarded?

    /// Receives what the machine has discarded, outside the lock, on the thread that caused it. May call the user.
    static func release(_ discarded: Discarded)
}

extension TimedMachine {
    @_alwaysEmitIntoClient
    package mutating func hasDelivered(at now: Duration) {}

    @_alwaysEmitIntoClient
    package static func release(_: Discarded) {}
}
