package import ReactiveSignals

/// One run: fetches the targets, reports progress, and can be stopped.
///
///     interruption  -------------x----------x
///     phase         running      stopping   stopped
///     slots         admit        closed
///     transfers     ============>==========|
package final class FetchRun: Sendable {
    package enum Phase: Sendable {
        case running
        /// No request starts. Running requests can finish within the grace period.
        case stopping
        /// All requests are cancelled.
        case stopped
    }

    /// An update, and the transfer after it.
    package struct News: Sendable {
        package let transfer: Transfer
        package let update: FetchUpdate
    }

    /// Fetches all targets. Disabled after ``interrupt()``.
    package let fetch: Action<Void, TargetUpdate, Never>
    /// Sends each update, after ``board`` has changed.
    package let news: Signal<News, Never>

    private let targets: [FetchTarget]
    private let slots: Slots<FetchUpdate>
    private let grace: Duration
    private let scheduler: any DelayScheduler
    private let mutableBoard: MutableProperty<Board>
    private let mutablePhase = MutableProperty(Phase.running)

    package init(
        _ targets: [FetchTarget], _ settings: FetchSettings, directory: Directory?, on scheduler: any DelayScheduler,
        transport: @escaping Transport
    ) {
        self.targets = targets
        self.scheduler = scheduler
        grace = settings.grace
        let slots = Slots<FetchUpdate>(limit: settings.concurrency, perHost: settings.perHost)
        self.slots = slots
        let fetching = Fetching(settings, slots: slots, directory: directory, on: scheduler, transport: transport)
        let board = MutableProperty(Board(total: targets.count))
        mutableBoard = board
        fetch = Action(enabledIf: mutablePhase.map { $0 == .running }) { fetching.fetchAll(targets) }
        let (news, input) = Signal<News, Never>.pipe()
        self.news = news
        fetch.values.observe { event in
            switch event {
            case .next(let update):
                input.sendNext(News(transfer: board.modify { $0.apply(update) }, update: update.update))
            case .completed, .interrupted, .error: input.sendCompleted()
            }
        }
    }

    package var board: Property<Board> { Property(mutableBoard) }
    package var phase: Property<Phase> { Property(mutablePhase) }

    /// Enters the next phase. The first call lets running requests finish, the second one cancels them.
    package func interrupt() {
        mutablePhase.modify { $0 = $0 == .running ? .stopping : .stopped }
    }

    /// Runs ``fetch``, and sends the result when all targets have ended or the run is stopped.
    package var ledger: SignalProducer<Ledger, Never> {
        fetch.apply()
            // The action was interrupted before it began.
            .flatMapError { _ in SignalProducer<TargetUpdate, Never>.empty }
            .take(until: end)
            .reduce(into: Ledger(targets)) { $0.apply($1) }
    }

    /// Sends one value when the run has to end.
    private var end: SignalProducer<Void, Never> {
        mutablePhase.producer
            .skipRepeats()
            .flatMap(.latest) { [slots, grace, scheduler] phase -> SignalProducer<Void, Never> in
                switch phase {
                case .running: .never
                case .stopping: Self.end(of: slots, grace: grace, on: scheduler)
                case .stopped: SignalProducer(value: ())
                }
            }
            .take(first: 1)
    }

    /// Closes the slots, and sends when the last request has ended or the grace period is over.
    private static func end(
        of slots: Slots<FetchUpdate>, grace: Duration, on scheduler: some DelayScheduler
    ) -> SignalProducer<Void, Never> {
        SignalProducer.timer(after: grace, on: scheduler).map { _ in () }
            .merge(with: slots.isDrained.producer.filter { $0 }.map { _ in () })
            .on(starting: { slots.close() })
    }
}
