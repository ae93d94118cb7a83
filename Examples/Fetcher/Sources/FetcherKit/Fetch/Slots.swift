import NIOConcurrencyHelpers
package import ReactiveSignals

/// Limits how many requests run at the same time, in total and per host.
///
///     new request        --> entrance --> host --> total --> runs
///     continued request  ---------------> host --> total --> runs
///
/// Each queue is an `Action` whose input is the work, and a request occupies a place in all of its queues until it ends.
/// Of each host, only as many requests as can run together are in the queue of all. So hosts take turns, and a host
/// whose slots are all taken does not block the others. The entrance has that many places, too, so only as many new
/// requests of a host can be ahead of a continued one.
package final class Slots<Value: Sendable>: Sendable {
    package typealias Work = SignalProducer<Value, FetchError>

    private typealias Queue = Action<Work, Value, FetchError>

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
    /// Fails with ``FetchError/stopped`` if the slots are closed when it is its turn. Disposing of a start leaves the
    /// queue.
    ///
    /// - Parameter isContinued: Whether this continues an earlier request, as a retry does. It then goes before most of
    ///   the new ones.
    package func admit(to host: String, isContinued: Bool, _ work: Work) -> Work {
        .deferred { [self] in
            let host = queues(of: host)
            let turn = pass(host.queue, pass(total, work))
            return isContinued ? turn : pass(host.entrance, turn)
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

    private func pass(_ queue: Queue, _ work: Work) -> Work {
        queue.apply(work).mapError { error in
            switch error {
            case .disabled: .stopped
            case .producerError(let error): error
            }
        }
    }
}
