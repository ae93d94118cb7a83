package import ReactiveSignals

/// One run: the fetching, what there is to see of it, and how it is stopped.
///
///     interruption  -------------x----------x
///     phase         running      stopping   stopped
///     line          admits       closed
///     transfers     ============>==========|
package final class FetchRun: Sendable {
    package enum Phase: Sendable {
        case running
        /// Nothing new begins; what is under way may end, for a while.
        case stopping
        /// Everything ends.
        case stopped
    }

    /// What has happened to a target, and how far it has come by that.
    package struct News: Sendable {
        package let transfer: Transfer
        package let update: FetchUpdate
    }

    /// Does it all. Enabled once, as nothing can be fetched when it has been stopped.
    package let fetch: Action<Void, TargetUpdate, Never>
    /// Sends what becomes of the targets, when the board shows it.
    package let news: Signal<News, Never>

    private let targets: [FetchTarget]
    private let line: Line
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
        let line = Line(limit: settings.concurrency, limitPerHost: settings.perHost)
        self.line = line
        let fetching = Fetching(settings, line: line, directory: directory, on: scheduler, transport: transport)
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

    /// Goes on to the next phase: the first time what is under way may end, the second time nothing may.
    package func interrupt() {
        mutablePhase.modify { $0 = $0 == .running ? .stopping : .stopped }
    }

    /// Fetches, and sends what has become of the targets: when they all have ended, or when it is stopped.
    package var ledger: SignalProducer<Ledger, Never> {
        fetch.apply()
            // The action was interrupted before it began.
            .flatMapError { _ in SignalProducer<TargetUpdate, Never>.empty }
            .take(until: end)
            .reduce(into: Ledger(targets)) { $0.apply($1) }
    }

    /// Sends when everything has to end.
    private var end: SignalProducer<Void, Never> {
        mutablePhase.producer
            .skipRepeats()
            .flatMap(.latest) { [line, grace, scheduler] phase -> SignalProducer<Void, Never> in
                switch phase {
                case .running: .never
                case .stopping: Self.end(of: line, grace: grace, on: scheduler)
                case .stopped: SignalProducer(value: ())
                }
            }
            .take(first: 1)
    }

    /// Closes the line, and sends when the last has left it or the time is up.
    private static func end(
        of line: Line, grace: Duration, on scheduler: some DelayScheduler
    ) -> SignalProducer<Void, Never> {
        SignalProducer.timer(after: grace, on: scheduler).map { _ in () }
            .merge(with: line.isDrained.producer.filter { $0 }.map { _ in () })
            .on(starting: { line.close() })
    }
}
