/// How long the starts of a shared producer share one run of its work.
public struct SharingPeriod: Sendable {
    @frozen @usableFromInline
    enum Kind: Sendable {
        case observed(GracePeriod?)
        case forever
    }

    @usableFromInline let kind: Kind

    @usableFromInline
    init(_ kind: Kind) { self.kind = kind }

    /// As long as there is at least one start. Disposing of the last one cancels the work, and a later start runs it
    /// again, without waiting for another thread that is still cancelling.
    public static let observed = SharingPeriod(.observed(nil))

    /// Permanently: the work runs once.
    public static let forever = SharingPeriod(.forever)

    /// As long as there is at least one start, and for some time after that.
    ///
    /// When the last start has been disposed of, the work goes on. A start that comes in time joins it, and receives
    /// the stored values first. If none comes, the work is cancelled on the scheduler.
    ///
    /// With an expiry, the stored values outlive the cancelled work: a start that comes before they expire receives
    /// them first, and begins the work again. They are not kept when the work ends by itself.
    ///
    /// - Parameters:
    ///   - grace: How long the work goes on without a start. With zero, until the scheduler runs its next action. Traps
    ///     if negative.
    ///   - expiry: How long the stored values are kept after the work has been cancelled. Traps if negative.
    ///   - scheduler: Measures the time, and cancels the work.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func observed(
        grace: Duration, expiry: Duration = .zero, on scheduler: some DelayScheduler,
        file: StaticString = #fileID, line: UInt = #line
    ) -> SharingPeriod {
        require(grace >= .zero, "observed(grace: \(grace)): the grace must not be negative")
        require(expiry >= .zero, "observed(expiry: \(expiry)): the expiry must not be negative")
        return SharingPeriod(
            .observed(
                GracePeriod(grace: grace, expiry: expiry) { delay, action in
                    scheduler.schedule(after: delay, action)
                }))
    }
}

/// How long shared work goes on without a start.
@usableFromInline
struct GracePeriod: Sendable {
    let grace: Duration
    let expiry: Duration
    let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> (any Disposable)?
}

extension SignalProducer {
    /// Shares one run of the work among several starts.
    ///
    /// A later start first receives the stored values, then live ones, without gaps, duplicates or reordering.
    ///
    /// When the work ends and the period is not `.forever`, a start that its terminal event causes, as by a `retry` of
    /// the result, runs the work again. That run begins before the lifetime of the ended one ends, so for a moment both
    /// hold their resources.
    ///
    /// - Parameters:
    ///   - capacity: How many of the latest values to store. Traps if negative.
    ///   - period: How long to share. With `.forever` this is ``replayLazily(upTo:)``.
    @_alwaysEmitIntoClient
    public func share(replay capacity: Int = 0, while period: SharingPeriod) -> SignalProducer {
        require(capacity >= 0, "share(replay: \(capacity)): the capacity must not be negative")
        let name = derivedName("share")
        switch period.kind {
        case .forever:
            return SignalProducer(name, replayLazily(upTo: capacity).work, contention: contention)
        case .observed(nil):
            let sharing = Sharing(self, name, capacity: capacity)
            return SignalProducer(name, contention: contention) { _, sink in sharing.join(sink) }
        case .observed(let grace?):
            let sharing = LongSharing(self, name, capacity: capacity, grace)
            return SignalProducer(name, contention: contention) { _, sink in sharing.join(sink) }
        }
    }
}

/// Counts the starts that share a source, and releases the source with the last of them.
@usableFromInline
@_fixed_layout
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var source: ReplaySource<Value, Failure>?
        @usableFromInline var starts = 0

        @inlinable
        init(_ source: ReplaySource<Value, Failure>? = nil) { self.source = source }
    }

    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let name: StreamName
    @usableFromInline let capacity: Int
    @usableFromInline let state = Locked(State())

    @_alwaysEmitIntoClient
    init(_ producer: SignalProducer<Value, Failure>, _ name: StreamName, capacity: Int) {
        self.producer = producer
        self.name = name
        self.capacity = capacity
    }

    @_alwaysEmitIntoClient
    func join(_ sink: ProducerSink<Value, Failure>) {
        let new = ReplaySource(producer, name, capacity: capacity)
        let source = state.withLock { state in
            if state.source == nil { state = State(new) }
            state.starts += 1
            return state.source ?? new
        }
        source.join(sink)
        let hub = source.hub
        sink.start.addCleanup { self.leave(hub) }
        // On termination the source is forgotten before the terminal event is delivered. So a start caused by that
        // event, such as a retry, runs the work again, even if other starts have not received the event yet.
        if !sink.start.isOver { source.begin(willEnd: { _ in self.forget(hub) }) }
    }

    /// - Parameter hub: The hub that the leaving start had joined.
    @_alwaysEmitIntoClient
    func leave(_ hub: ReplayHub<Value, Failure>) {
        let source = state.withLock { state -> ReplaySource<Value, Failure>? in
            guard state.source?.hub === hub else { return nil }
            state.starts -= 1
            return state.starts == 0 ? state.source.take() : nil
        }
        // Releasing the source would cancel it too late if the leaving start is still beginning the work, which retains
        // the source.
        source?.start.dispose()
    }

    @_alwaysEmitIntoClient
    func forget(_ hub: ReplayHub<Value, Failure>) {
        let source = state.withLock { $0.source?.hub === hub ? $0.source.take() : nil }
        withExtendedLifetime(source) {}
    }
}
