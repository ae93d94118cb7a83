import ReactiveSignals

/// The configuration in force, and the action that puts another one in its place.
final class Reloader: Sendable {
    /// What the file meant when it was read last, or why it could not come into force. Changes only if that is another.
    let outcome: Property<Result<Accepted, Rejection>>
    /// All of a file or nothing: components that derive what they need from it never see half of a change.
    let configuration: Property<Configuration>
    /// Reads the file.
    ///
    /// What changes during a unit is read by the next one. One may wait for that; more would read the same.
    let reload: Action<Void, Accepted, Rejection>

    /// - Parameters:
    ///   - first: What is in force in the beginning.
    ///   - scheduler: Where the file is read.
    ///   - read: Reads the file.
    init(_ first: Accepted, on scheduler: some DelayScheduler, read: @escaping @Sendable () -> Contents) {
        reload = Action(policy: .queue(waiting: 1)) {
            SignalProducer<Contents, Rejection>.deferred { SignalProducer(value: read()) }
                .attemptMap { contents throws(Rejection) in try Accepted(contents) }
                // What is wrong may be half written, and right in a moment.
                .retry(upTo: 3, interval: Self.quiet, on: scheduler)
                .start(on: scheduler)
        }
        let outcomes = Signal.merge(
            reload.values.map(Result<Accepted, Rejection>.success), reload.errors.map(Result.failure))
        outcome = Property(initial: .success(first), then: outcomes).skipRepeats()
        configuration = Property(initial: first.configuration, then: reload.values.map(\.configuration))
    }

    /// Reloads once changes have come to rest; in a storm that does not end, now and then.
    ///
    /// The last change always leads to a reload that begins after it. Disposing ends it.
    func follow(_ changes: Signal<Void, Never>, on scheduler: some DelayScheduler) -> any Disposable {
        let calm = changes.debounce(Self.quiet, on: scheduler)
        let tick = changes.throttle(Self.patience, on: scheduler).delay(Self.patience, on: scheduler)
        // What ends without a change of the file would not be seen.
        let again = reload.errors.filter(\.isTransient).map { _ in }.debounce(Self.patience, on: scheduler)
        return reload <~ Signal.merge(calm, tick, again)
    }

    /// How long a file has to be left alone to count as written.
    static let quiet = Duration.milliseconds(50)
    /// How long a storm is waited for, and the machine if it cannot read a file.
    static let patience = Duration.seconds(1)
}
