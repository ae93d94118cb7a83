import NIOCore
package import ReactiveSignals

/// Fetches targets. Each start of a returned producer does the work once.
package struct Fetching: Sendable {
    let settings: FetchSettings
    let slots: Slots<FetchUpdate>
    let transport: Transport
    /// Where responses are written; `nil` if their bytes are only counted.
    let directory: Directory?
    /// Measures the delays and the timeouts.
    let scheduler: any DelayScheduler

    package init(
        _ settings: FetchSettings, slots: Slots<FetchUpdate>, directory: Directory?, on scheduler: any DelayScheduler,
        transport: @escaping Transport
    ) {
        self.settings = settings
        self.slots = slots
        self.transport = transport
        self.directory = directory
        self.scheduler = scheduler
    }

    /// Fetches all targets, and sends their updates. A target that fails does not affect the others.
    package func fetchAll(_ targets: [FetchTarget]) -> SignalProducer<TargetUpdate, Never> {
        // All start immediately; the slots decide when each sends its request.
        SignalProducer(targets).flatMap(.merge) { target in
            fetch(target).map { TargetUpdate(target, $0) }
        }
    }

    /// Fetches one target. The last update is `fetched` or `failed`.
    package func fetch(_ target: FetchTarget) -> SignalProducer<FetchUpdate, Never> {
        let limit = settings.overallTimeout
        return SignalProducer.deferred {
            // The first value announces the first request, so time spent waiting for a slot does not count.
            let hasBegun = MutableProperty(false)
            let deadline = hasBegun.producer.filter { $0 }.take(first: 1)
                .promoteError(FetchError.self)
                .flatMap(.concat) { _ in
                    SignalProducer<FetchUpdate, FetchError>.never
                        .timeout(after: limit, raising: .outOfTime(limit), on: scheduler)
                }
            // As values, so that the end of the attempts ends the deadline, too.
            return attempts(target).on(next: { _ in hasBegun.value = true })
                .materialize().merge(with: deadline.materialize()).dematerialize()
        }
        .concat(value: .fetched)
        .flatMapError { SignalProducer(value: .failed($0)) }
    }

    private func attempts(_ target: FetchTarget) -> SignalProducer<FetchUpdate, FetchError> {
        let policy = RetryPolicy<FetchError>.exponential(
            from: settings.pause, cap: settings.longestPause, jitter: settings.jitter, shouldRetry: isRetried)
        // Each start has its own state, which its attempts share.
        return .deferred {
            let attempts = MutableProperty(0)
            let requested = MutableProperty<Duration?>(nil)
            return SignalProducer.deferred {
                let isContinued = attempts.modify { attempts in
                    attempts += 1
                    return attempts > 1
                }
                // The policy's delay has passed. The delay that the server asked for follows.
                return Self.pause(requested.swap(nil), on: scheduler).then(
                    request(target, target.address, redirects: 0, isContinued: isContinued))
            }
            .flatMapError { error in
                requested.value = error.retryAfter
                // `retry` hides the error of an attempt, so report it here. It passes on the last one.
                guard isRetried(error, after: attempts.value) else { return SignalProducer(error: error) }
                return SignalProducer<FetchUpdate, FetchError>(value: .setBack(error)).concat(error: error)
            }
            .retry(policy, on: scheduler)
        }
    }

    /// Whether another attempt follows one that has failed. The first attempt has the number 1.
    private func isRetried(_ error: FetchError, after attempt: Int) -> Bool {
        guard error.isTransient, attempt <= settings.retries else { return false }
        // Gives up if the server asks for a longer delay than the total timeout.
        return error.retryAfter.map { $0 < settings.overallTimeout } ?? true
    }

    /// Completes after `duration`, without occupying a slot.
    private static func pause(
        _ duration: Duration?, on scheduler: some DelayScheduler
    ) -> SignalProducer<FetchUpdate, FetchError> {
        guard let duration else { return .empty }
        return SignalProducer.timer(after: duration, on: scheduler).promoteError(FetchError.self)
            .then(SignalProducer<FetchUpdate, FetchError>.empty)
    }

    /// One request and the requests it is redirected to. Each occupies a slot of its own host.
    private func request(
        _ target: FetchTarget, _ address: WebAddress, redirects: Int, isContinued: Bool
    ) -> SignalProducer<FetchUpdate, FetchError> {
        slots.admit(
            to: address.host, isContinued: isContinued,
            exchange(target, address)
                .timeout(between: settings.timeout, raising: .timedOut(settings.timeout), on: scheduler)
        )
        .flatMap(.concat) { update -> SignalProducer<FetchUpdate, FetchError> in
            guard case .redirected(let next) = update else { return SignalProducer(value: update) }
            guard redirects < settings.redirects else {
                return SignalProducer(error: .redirect("more than \(settings.redirects) redirects"))
            }
            // Starts after the current exchange has ended and released its slot.
            return SignalProducer(value: update)
                .concat(request(target, next, redirects: redirects + 1, isContinued: true))
        }
    }

    /// One request and its response. The file is kept only if the response is complete.
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
