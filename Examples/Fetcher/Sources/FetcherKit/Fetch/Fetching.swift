import NIOCore
package import ReactiveSignals

/// The fetching as producers: work that begins at each start.
package struct Fetching: Sendable {
    let settings: FetchSettings
    let line: Line
    let transport: Transport
    /// Nil if what comes is only counted.
    let directory: Directory?
    /// Whose time the pauses and the limits are.
    let scheduler: any DelayScheduler

    package init(
        _ settings: FetchSettings, line: Line, directory: Directory?, on scheduler: any DelayScheduler,
        transport: @escaping Transport
    ) {
        self.settings = settings
        self.line = line
        self.transport = transport
        self.directory = directory
        self.scheduler = scheduler
    }

    /// Fetches all targets, and sends what becomes of them. Those that fail do not keep others from being fetched.
    package func fetchAll(_ targets: [FetchTarget]) -> SignalProducer<TargetUpdate, Never> {
        // All are started at once: the line says who begins.
        SignalProducer(targets).flatMap(.merge) { target in
            fetch(target).map { TargetUpdate(target, $0) }
        }
    }

    /// Fetches one target. The last update is an end.
    package func fetch(_ target: FetchTarget) -> SignalProducer<FetchUpdate, Never> {
        let limit = settings.overallTimeout
        return attempts(target)
            // The first value says that the first request begins: to wait for that costs no time.
            .timeout(afterFirstValue: limit, raising: .outOfTime(limit), on: scheduler)
            .concat(value: .fetched)
            .flatMapError { SignalProducer(value: .failed($0)) }
    }

    private func attempts(_ target: FetchTarget) -> SignalProducer<FetchUpdate, FetchError> {
        let policy = RetryPolicy<FetchError>.exponential(
            from: settings.pause, cap: settings.longestPause, jitter: settings.jitter, upTo: settings.retries
        ) { [limit = settings.overallTimeout] error, _ in
            // What the server asks for takes longer than there is time.
            error.isTransient && error.retryAfter.map { $0 < limit } ?? true
        }
        // Whether there have been others shows in what they have left.
        return .deferred {
            let hasBegun = MutableProperty(false)
            let requested = MutableProperty<Duration?>(nil)
            return SignalProducer.deferred {
                // The policy's pause is over: what is left is the time that the server has asked for.
                Self.pause(requested.swap(nil), on: scheduler).then(
                    request(target, target.address, redirects: 0, isContinued: hasBegun.swap(true)))
            }
            .flatMapError { error in
                requested.value = error.retryAfter
                // The next attempt would not tell that this one has failed.
                let update = SignalProducer<FetchUpdate, FetchError>(value: .setBack(error))
                return error == .stopped ? SignalProducer(error: error) : update.concat(error: error)
            }
            .retry(policy, on: scheduler)
        }
    }

    /// Completes after a while, which takes no place in the line.
    private static func pause(
        _ duration: Duration?, on scheduler: some DelayScheduler
    ) -> SignalProducer<FetchUpdate, FetchError> {
        guard let duration else { return .empty }
        return SignalProducer.timer(after: duration, on: scheduler).promoteError(FetchError.self)
            .then(SignalProducer<FetchUpdate, FetchError>.empty)
    }

    /// One request, and those to which it is redirected: each has its own place in the line, at its own host.
    private func request(
        _ target: FetchTarget, _ address: WebAddress, redirects: Int, isContinued: Bool
    ) -> SignalProducer<FetchUpdate, FetchError> {
        line.admit(
            to: address.host, goesFirst: isContinued,
            exchange(target, address)
                .timeout(ofSilence: settings.timeout, raising: .timedOut(settings.timeout), on: scheduler)
        )
        .flatMap(.concat) { update -> SignalProducer<FetchUpdate, FetchError> in
            guard case .redirected(let next) = update else { return SignalProducer(value: update) }
            guard redirects < settings.redirects else {
                return SignalProducer(error: .redirect("more than \(settings.redirects)"))
            }
            // It begins when the exchange that has led to it has ended, and so has given its place back.
            return SignalProducer(value: update)
                .concat(request(target, next, redirects: redirects + 1, isContinued: true))
        }
    }

    /// One request and its answer, which is kept when all of it is there.
    private func exchange(_ target: FetchTarget, _ address: WebAddress) -> SignalProducer<FetchUpdate, FetchError> {
        .using(resource: { () throws(FetchError) in Intake(target, address, directory) }, release: { $0.discard() }) {
            intake in
            SignalProducer<FetchUpdate, FetchError>(value: .requested(address))
                .concat(
                    transport(address)
                        .attemptMap { part throws(FetchError) in try intake.take(part) }
                        .take(throughWhile: { !$0.isRedirect })
                        .concat(
                            SignalProducer<Void, FetchError>.attempt { () throws(FetchError) in try intake.finish() }
                                .then(SignalProducer<FetchUpdate, FetchError>.empty)))
        }
    }
}

extension FetchUpdate {
    fileprivate var isRedirect: Bool {
        if case .redirected = self { true } else { false }
    }
}
