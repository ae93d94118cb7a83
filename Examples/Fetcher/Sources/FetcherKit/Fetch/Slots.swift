import NIOConcurrencyHelpers
package import ReactiveSignals

/// Limits how many requests run at the same time, in total and per host.
///
///     new request        --> entrance --> host --> total --> runs
///     continued request  ---------------> host --> total --> runs
///
/// Each queue is an `Action` whose units are places, and a request occupies a place in all of its queues until it ends.
/// Of each host, only as many requests as can run together are in the queue of all. So hosts take turns, and a host
/// whose slots are all taken does not block the others. The entrance has that many places, too, so only as many new
/// requests of a host can be ahead of a continued one.
package final class Slots<Value: Sendable>: Sendable {
    package typealias Work = SignalProducer<Value, FetchError>

    private typealias Place = Signal<Never, Never>.Observer
    private typealias Queue = Action<SignalProducer<Never, Never>, Never, Never>

    private struct Host: Sendable {
        let entrance: Queue
        let queue: Queue
    }

    private let perHost: ActionPolicy
    private let hosts = NIOLockedValueBox<[String: Host]>([:])
    private let total: Queue
    private let isOpen = MutableProperty(true)

    /// Whether the slots are closed, and every running request has ended.
    package let isDrained: Property<Bool>

    package init(limit: Int, perHost: Int) {
        self.perHost = .concurrent(limit: min(perHost, limit), waiting: .max)
        total = Queue(enabledIf: isOpen, policy: .concurrent(limit: limit, waiting: .max)) { $0 }
        isDrained = isOpen.or(total.isExecuting).negate()
    }

    /// Starts `work` when a slot is free, and occupies the slot until it ends.
    ///
    /// Fails with ``FetchError/stopped`` if the slots are closed when it is its turn. A start that is disposed of while
    /// it waits is skipped when it is its turn.
    ///
    /// - Parameter isContinued: Whether this continues an earlier request, as a retry does. It then goes before most of
    ///   the new ones.
    package func admit(to host: String, isContinued: Bool, _ work: Work) -> Work {
        SignalProducer { [self] observer, lifetime in
            let host = queues(of: host)
            let queues = isContinued ? [host.queue, total] : [host.entrance, host.queue, total]
            enter(queues[...], holding: [], work, observer, lifetime)
        }
    }

    /// Refuses waiting and future requests. Running ones continue.
    package func close() { isOpen.value = false }

    private func queues(of name: String) -> Host {
        hosts.withLockedValue { hosts in
            if let host = hosts[name] { return host }
            let host = Host(entrance: Queue(policy: perHost) { $0 }, queue: Queue(policy: perHost) { $0 })
            hosts[name] = host
            return host
        }
    }

    /// Waits for a place in each queue, and then runs the work.
    ///
    /// A unit ends by its place alone, and not with the disposal of the request. Otherwise, a place could be free while
    /// another thread begins the work.
    private func enter(
        _ queues: ArraySlice<Queue>, holding places: [Place], _ work: Work,
        _ observer: Signal<Value, FetchError>.Observer,
        _ lifetime: Lifetime
    ) {
        guard let queue = queues.first else {
            // The places become free after the work has released everything.
            let work = Work.using(
                resource: { () throws(FetchError) in places }, release: { Self.leave($0) }
            ) { _ in work }
            lifetime += work.start(observer)
            return
        }
        let turn = SignalProducer<Never, Never> { [self] place, _ in
            let places = places + [place]
            if lifetime.hasEnded { return Self.leave(places) }
            enter(queues.dropFirst(), holding: places, work, observer, lifetime)
        }
        queue.apply(turn).startWithError { _ in
            Self.leave(places)
            observer.sendError(.stopped)
        }
    }

    private static func leave(_ places: [Place]) {
        for place in places { place.sendCompleted() }
    }
}
