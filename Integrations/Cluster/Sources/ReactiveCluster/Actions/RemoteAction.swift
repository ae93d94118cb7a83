public import ReactiveSignals
import Synchronization

/// Why a call of a ``RemoteAction`` has brought no result.
public enum RemoteActionError<Failure: Error>: Error {
    /// The action was disabled, or its queue full. No work was done.
    case disabled
    /// The work has failed.
    case producerError(Failure)
    /// The work was interrupted, or has completed without a value.
    case interrupted
    /// The request or the answer was lost or refused. ``TransportError/isOutcomeUnknown`` says whether the work may have
    /// been done.
    case transport(TransportError)
}

extension RemoteActionError: Equatable where Failure: Equatable {}

/// An `Action` that one process serves and others call, by request and reply.
///
/// ```swift
/// let reserve = RemoteAction<Order, Ticket, StockError>(
///     try Subject("stock.reserve"), over: transport, input: .json, output: .json, failure: .json)
///
/// let serving = try reserve.serve(Action(policy: .queue(waiting: 100)) { order in stock.reserve(order) })  // here
/// let ticket = try await reserve.execute(order)                                                         // there
/// ```
///
/// **Promise**: a call sends one request, and ends with a value, a typed error, or
/// ``RemoteActionError/transport(_:)`` after the timeout. It is never repeated by itself: after a timeout the work may
/// have been done. The policy of the action limits the calls that run, and a refused call ends with
/// ``RemoteActionError/disabled``.
///
/// Several processes may serve: each request goes to one of them. The answer is the last value of the work.
public final class RemoteAction<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    /// The subject of the requests.
    public let subject: Subject

    private let transport: any Transport
    private let inputCodec: Codec<Input>
    private let outputCodec: Codec<Output>
    private let failureCodec: Codec<Failure>
    private let envelope: Envelope
    private let limit: Int
    private let timeout: Duration
    private let queue: ResourceName
    private let lane: Lane
    /// Numbers the requests.
    private let sequence = Atomic<UInt64>(0)

    /// Creates a remote action. Neither calls nor serves.
    ///
    /// - Parameters:
    ///   - subject: The subject of the requests.
    ///   - transport: The connection.
    ///   - input: Turns inputs into bytes and back.
    ///   - output: Turns results into bytes and back.
    ///   - failure: Turns errors into bytes and back. `.never` if the work cannot fail.
    ///   - origin: Who calls.
    ///   - timeout: How long a call waits for its answer.
    ///   - limit: The largest request or answer with its envelope, in bytes.
    ///   - queue: The processes that serve under the same name share the requests.
    ///   - scheduler: Starts the work of requests. By default, a dispatch queue of its own.
    public init(
        _ subject: Subject, over transport: any Transport, input: Codec<Input>, output: Codec<Output>,
        failure: Codec<Failure>, as origin: Origin = .random(), timeout: Duration = .seconds(5), limit: Int = 1 << 20,
        queue: ResourceName = .servers, on scheduler: some DelayScheduler = QueueScheduler(name: "RemoteAction")
    ) {
        self.subject = subject
        self.transport = transport
        inputCodec = input
        outputCodec = output
        failureCodec = failure
        self.timeout = timeout
        self.limit = limit
        self.queue = queue
        lane = Lane(scheduler)
        envelope = Envelope(kind: .value, origin: origin, epoch: .random(in: .min ... .max), sequence: 0)
    }

    // MARK: Calling

    /// Returns a producer that sends one request per start, and sends the result.
    ///
    /// Disposing of a start stops waiting. The work goes on.
    public func apply(_ input: Input) -> SignalProducer<Output, RemoteActionError<Failure>> {
        .async { () async throws(RemoteActionError<Failure>) in try await self.execute(input) }
    }

    /// Sends a request, and returns the result.
    public func execute(_ input: Input) async throws(RemoteActionError<Failure>) -> Output {
        let answer: [UInt8]
        do throws(TransportError) {
            var envelope = envelope
            envelope.sequence = sequence.add(1, ordering: .relaxed).newValue
            let request = try inputCodec.message(envelope, input, limit: min(limit, transport.maximumPayload))
            answer = try await transport.request(request, to: subject, timeout: timeout)
        } catch {
            throw .transport(error)
        }
        let reply: Reply<Output, Failure>
        do throws(UnreadableMessage) {
            reply = try replyCodec.value(of: answer.span.bytes, at: subject.description, 0, limit: limit).1
        } catch {
            throw .transport(.unreadable(error))
        }
        switch reply {
        case .value(let value): return value
        case .disabled: throw .disabled
        case .failure(let error): throw .producerError(error)
        case .interrupted: throw .interrupted
        case .refused(let text): throw .transport(.failed(text))
        }
    }

    // MARK: Serving

    /// Serves an action until the returned service is disposed of or released.
    ///
    /// At most 1,024 requests wait to be read. Further ones are not answered, so that their callers get a timeout.
    ///
    /// - Parameter action: Runs the work. Its policy limits the requests that run and wait. Retained by the service.
    /// - Throws: If the subscription is refused.
    public func serve(_ action: Action<Input, Output, Failure>) throws(TransportError) -> RemoteService {
        let (requests, load, recent) = (Requests(maximum: 1024), ServiceLoad(), RecentRequests())
        let subscription = try transport.serve(
            subject, queue: queue,
            answer: { [lane] request in
                if requests.add(request) {
                    lane.run { requests.read { self.answer($0, with: action, load, recent) } }
                }
            },
            // On the lane, because observers of the property must not run in a handler.
            failed: { [lane] error in lane.run { load.failure.value = error } })
        return RemoteService(subscription, load, lane)
    }

    private func answer(
        _ request: TransportRequest, with action: Action<Input, Output, Failure>, _ load: ServiceLoad,
        _ recent: RecentRequests
    ) {
        let input: Input
        do throws(UnreadableMessage) {
            let envelope: Envelope
            (envelope, input) = try inputCodec.value(
                of: request.payload.span.bytes, at: subject.description, 0, limit: limit)
            // The network may repeat a request. The first copy is answered.
            guard recent.insert(envelope) else { return }
        } catch {
            return send(.refused("the server cannot read the request: \(error.description)"), to: request)
        }
        load.count.modify { $0 += 1 }
        // `interrupted` unless the work sends a value or fails.
        let reply = Mutex(Box<Reply<Output, Failure>>(.interrupted))
        action.apply(input).start { event in
            switch event {
            case .next(let value):
                let former = reply.withLock { reply in
                    defer { reply = Box(.value(value)) }
                    return reply
                }
                withExtendedLifetime(former) {}
                return
            case .error(.disabled): self.send(.disabled, to: request)
            case .error(.producerError(let error)): self.send(.failure(error), to: request)
            case .completed: self.send(reply.withLock { $0 }.value, to: request)
            case .interrupted: self.send(.interrupted, to: request)
            }
            load.count.modify { $0 -= 1 }
        }
    }

    private func send(_ reply: Reply<Output, Failure>, to request: TransportRequest) {
        let limit = min(limit, transport.maximumPayload)
        var envelope = envelope
        envelope.kind = .answer
        do throws(TransportError) {
            request.answer(try replyCodec.message(envelope, reply, limit: limit))
        } catch {
            // The work has been done, but its result cannot be sent.
            let refusal = Reply<Output, Failure>.refused("the server cannot send the result: \(error)")
            if let bytes = try? replyCodec.message(envelope, refusal, limit: limit) { request.answer(bytes) }
        }
    }

    private var replyCodec: Codec<Reply<Output, Failure>> {
        .reply(outputCodec, failureCodec)
    }
}

extension ResourceName {
    /// The default name of the queue that the servers of an action share.
    public static var servers: ResourceName { ResourceName(unchecked: "servers") }
}

/// A reference to a value, which is released outside the lock that guards the reference.
private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The last requests of a service, to find repeated ones.
private final class RecentRequests: @unchecked Sendable {
    // Sendable: only the lane uses it.
    private struct Key: Hashable {
        let origin: Origin
        let epoch: UInt64
        let sequence: UInt64
    }

    private static let maximum = 4096

    private var known: Set<Key> = []
    /// The keys in the order of their arrival, as a ring.
    private var ring: [Key] = []
    private var next = 0

    /// - Returns: Whether the request is new.
    func insert(_ envelope: Envelope) -> Bool {
        let key = Key(origin: envelope.origin, epoch: envelope.epoch, sequence: envelope.sequence)
        guard known.insert(key).inserted else { return false }
        if ring.count < Self.maximum {
            ring.append(key)
        } else {
            known.remove(ring[next])
            ring[next] = key
            next = (next + 1) % Self.maximum
        }
        return true
    }
}

/// Requests between a handler of the transport and the lane.
private final class Requests: Sendable {
    private struct State {
        var waiting: [TransportRequest] = []
        var isReading = false
    }

    private let state = Mutex(State())
    private let maximum: Int

    init(maximum: Int) { self.maximum = maximum }

    /// - Returns: Whether the caller must make the lane read.
    func add(_ request: TransportRequest) -> Bool {
        state.withLock { state in
            guard state.waiting.count < maximum else { return false }
            state.waiting.append(request)
            defer { state.isReading = true }
            return !state.isReading
        }
    }

    func read(_ body: (TransportRequest) -> Void) {
        while true {
            let requests = state.withLock { state in
                if state.waiting.isEmpty { state.isReading = false }
                return state.waiting.take()
            }
            if requests.isEmpty { return }
            for request in requests { body(request) }
        }
    }
}
