import IntegrationsTestSupport
import NIOCore
import NIOPosix
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

/// All suites of this target. They run one after another, because some count the descriptors of the process.
@Suite("SwiftNIO", .serialized, .patient)
enum NIOTests {}

struct Trouble: Error, Equatable {}

/// Calls `body` with an event loop of its own, and shuts the event loop down.
func withEventLoop<Result>(_ body: (any EventLoop) async throws -> Result) async throws -> Result {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
        let result = try await body(group.next())
        try await group.shutdownGracefully()
        return result
    } catch {
        try await group.shutdownGracefully()
        throw error
    }
}

extension SignalProducer {
    /// Starts the producer, and records what it sends.
    func record() -> TestObserver<Value, Failure> { record(on: TestScheduler()) }
}

extension TestObserver {
    var error: Failure? {
        if case .error(let error) = terminal { error } else { nil }
    }

    var wasInterrupted: Bool {
        if case .interrupted = terminal { true } else { false }
    }
}
