import ReactiveCluster
import Synchronization

/// The answer to a request.
struct Reply: Sendable {
    /// The status that the server has answered with in place of a payload, such as 503.
    var status: Int?
    var payload: [UInt8]
}

/// A request that waits for its answer. The first result counts.
final class Exchange: Sendable {
    typealias Outcome = Result<Reply, TransportError>

    private enum State {
        case open
        case waiting(CheckedContinuation<Outcome, Never>)
        case ended(Outcome)
    }

    /// The subject of the request.
    let subject: String
    /// When the request times out.
    let deadline: ContinuousClock.Instant
    private let state = Mutex(State.open)

    init(subject: String, timeout: Duration) {
        self.subject = subject
        deadline = .now + timeout
    }

    func end(_ outcome: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .ended(outcome)
                return nil
            case .waiting(let continuation):
                state = .ended(outcome)
                return continuation
            case .ended: return nil
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// Waits for the result. Called once.
    func outcome() async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Outcome? = state.withLock { state in
                    if case .ended(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            end(.failure(.cancelled))
        }
    }
}

/// The requests of a connection, by the number that is the last part of the subject of their answers.
final class ExchangeTable: Sendable {
    private struct State {
        var last: UInt64 = 0
        var open: [UInt64: Exchange] = [:]
    }
    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }

    func add(_ exchange: Exchange) -> UInt64 {
        state.withLock {
            $0.last += 1
            $0.open[$0.last] = exchange
            return $0.last
        }
    }

    func remove(_ number: UInt64) {
        _ = state.withLock { $0.open.removeValue(forKey: number) }
    }

    func end(_ number: UInt64, _ outcome: Exchange.Outcome) {
        state.withLock { $0.open.removeValue(forKey: number) }?.end(outcome)
    }

    /// Ends the requests that satisfy a condition.
    func end(_ error: TransportError, where condition: (Exchange) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.open.filter { condition($0.value) }
            for number in ended.keys { state.open[number] = nil }
            return ended.values
        }
        for exchange in ended { exchange.end(.failure(error)) }
    }
}
