import ClusterTestSupport
import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization
import Testing

/// Runs a test on a network without faults, on virtual time.
func onSimulatedNetwork(_ body: (Simulation) async throws -> Void) async throws {
    let simulation = Simulation(seed: 1)
    try await simulation.scheduler.run(patience: patience) { try await body(simulation) }
}

extension Simulation {
    func advance(_ milliseconds: Int) async { await scheduler.advance(by: .milliseconds(milliseconds)) }

    func journal(
        _ transport: any Transport, _ change: (inout StreamConfiguration) -> Void = { _ in }
    ) async throws -> Journal<String> {
        var configuration = StreamConfiguration(name: try ResourceName("EVENTS"), subject: try Subject("events"))
        change(&configuration)
        let (final, scheduler) = (configuration, scheduler)
        return try await simulated(self) { () async throws(TransportError) in
            try await Journal(final, over: transport, codec: .utf8, on: scheduler)
        }
    }

    func bucket(_ transport: any Transport, maximumAge: Duration? = nil) async throws -> any TransportBucket {
        let configuration = BucketConfiguration(name: try ResourceName("STATE"), maximumAge: maximumAge)
        return try await simulated(self) { () async throws(TransportError) in try await transport.bucket(configuration)
        }
    }

    /// Runs an operation while time passes, and returns its result.
    func result<Value: Sendable, Failure: Error>(
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws -> Result<Value, Failure> {
        let result = Mutex<Result<Value, Failure>?>(nil)
        SignalProducer<Value, Failure>.async(operation).startWithResult { new in result.withLock { $0 = new } }
        for _ in 0..<3000 {
            if let result = result.withLock({ $0 }) { return result }
            await advance(20)
        }
        throw Violation(description: "the operation does not return")
    }
}

/// A transport that delivers to its subscribers at once, and refuses storage with an error.
final class LoopbackTransport: Transport {
    private let receivers = Mutex<[(subject: Subject, receive: @Sendable (RawSpan) -> Void)]>([])
    private let refusal: TransportError
    /// How often storage was asked for.
    let attempts = Atomic(0)

    let connection = Property(value: ConnectionState.connected(1))
    let maximumPayload: Int

    init(refusing refusal: TransportError = .noStorage, maximumPayload: Int = 1 << 20) {
        self.refusal = refusal
        self.maximumPayload = maximumPayload
    }

    func publish(_ payload: [UInt8], to subject: Subject) throws(TransportError) {
        if payload.count > maximumPayload {
            throw .payloadTooLarge(size: payload.count, limit: maximumPayload)
        }
        for receiver in receivers.withLock({ $0 }) where receiver.subject == subject {
            receiver.receive(payload.span.bytes)
        }
    }

    func subscribe(
        to subject: Subject, receive: @escaping @Sendable (RawSpan) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable {
        receivers.withLock { $0.append((subject, receive)) }
        return AnyDisposable { [weak self] in self?.receivers.withLock { $0.removeAll { $0.subject == subject } } }
    }

    func request(_ payload: [UInt8], to subject: Subject, timeout: Duration) async throws(TransportError) -> [UInt8] {
        throw .noResponder(subject.description)
    }

    func serve(
        _ subject: Subject, queue: ResourceName, answer: @escaping @Sendable (TransportRequest) -> Void,
        failed: @escaping @Sendable (TransportError) -> Void
    ) throws(TransportError) -> any Disposable { throw refusal }

    func stream(_ configuration: StreamConfiguration) async throws(TransportError) -> any TransportStream {
        attempts.add(1, ordering: .relaxed)
        throw refusal
    }

    func bucket(_ configuration: BucketConfiguration) async throws(TransportError) -> any TransportBucket {
        attempts.add(1, ordering: .relaxed)
        throw refusal
    }

    func drain(timeout: Duration) async {}

    func close() {}
}
