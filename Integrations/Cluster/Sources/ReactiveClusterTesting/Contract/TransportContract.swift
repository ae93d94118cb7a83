public import ReactiveCluster

/// What every transport must do, as checks to run in your tests.
///
/// ```swift
/// @Test("follows the contract of transports", arguments: TransportContract.checks)
/// func contract(_ check: TransportContract.Check) async throws {
///     try await check.run(in: MyEnvironment())
/// }
/// ```
///
/// The checks need a network without faults, except those whose ``Check/needsInterruption`` is `true`: they lose and make
/// connections.
public enum TransportContract {
    /// One promise of a transport.
    public struct Check: Sendable, CustomStringConvertible {
        /// What is checked.
        public let description: String
        /// Whether it calls ``TransportContractEnvironment/interrupt(_:)``.
        public let needsInterruption: Bool
        let body: @Sendable (ContractContext) async throws -> Void

        init(
            _ description: String, needsInterruption: Bool = false,
            _ body: @escaping @Sendable (ContractContext) async throws -> Void
        ) {
            self.description = description
            self.needsInterruption = needsInterruption
            self.body = body
        }

        /// Runs the check.
        ///
        /// - Throws: ``ContractViolation``, or an error of the transport that the check did not expect.
        public func run(in environment: some TransportContractEnvironment) async throws {
            let context = ContractContext(environment)
            do {
                try await body(context)
            } catch {
                context.closeAll()
                throw error
            }
            context.closeAll()
        }
    }

    /// All checks.
    public static var checks: [Check] { messageChecks + requestChecks + streamChecks + bucketChecks + lifeChecks }
}

/// The transports under test, and their time.
public protocol TransportContractEnvironment: Sendable {
    /// How many servers store each stream and bucket. 1 by default.
    var replicas: Int { get }

    /// Makes a connection of its own to the servers, which are the same for all connections of this environment.
    ///
    /// - Parameter name: For messages.
    /// - Returns: A transport that is connected.
    func connect(_ name: String) async throws -> any Transport

    /// Returns a name that no other check has used at these servers, of letters and digits.
    func uniqueName() -> String

    /// Waits until a condition holds, for at most some seconds of the environment's time.
    ///
    /// - Returns: Whether it holds.
    func eventually(_ condition: @Sendable () async throws -> Bool) async throws -> Bool

    /// Lets time pass, for checks that nothing happens. A few hundred milliseconds are enough.
    func pause() async

    /// Breaks the connection of a transport, and lets it connect again. Returns when it is broken.
    func interrupt(_ transport: any Transport) async throws
}

extension TransportContractEnvironment {
    /// One server stores them.
    public var replicas: Int { 1 }
}

/// A promise that a transport has not kept.
public struct ContractViolation: Error, CustomStringConvertible {
    /// What was expected, and what happened.
    public let description: String
}

/// The environment of one check, with its connections.
final class ContractContext: Sendable {
    let environment: any TransportContractEnvironment
    private let transports = Locked<[any Transport]>([])

    init(_ environment: some TransportContractEnvironment) { self.environment = environment }

    func connect(_ name: String = "client") async throws -> any Transport {
        let transport = try await environment.connect(name)
        transports.withLock { $0.append(transport) }
        return transport
    }

    func closeAll() {
        for transport in transports.withLock({ $0 }) { transport.close() }
    }

    func subject() throws -> Subject { try Subject("contract.\(environment.uniqueName())") }

    func stream(_ change: (inout StreamConfiguration) -> Void = { _ in }) throws -> StreamConfiguration {
        let name = environment.uniqueName()
        var configuration = StreamConfiguration(
            name: try ResourceName(name), subject: try Subject("contract.stream.\(name)"),
            replicas: environment.replicas, storage: .memory)
        change(&configuration)
        return configuration
    }

    func bucket() throws -> BucketConfiguration {
        BucketConfiguration(
            name: try ResourceName(environment.uniqueName()), replicas: environment.replicas, storage: .memory)
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw ContractViolation(description: message()) }
    }

    func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
        try expect(value == expected, "\(what): \(value), expected \(expected)")
    }

    func eventually(_ message: @autoclosure () -> String, _ condition: @Sendable () async throws -> Bool) async throws {
        if try await !environment.eventually(condition) { throw ContractViolation(description: message()) }
    }

    /// Expects that an operation throws.
    func expectError(
        _ expected: String, _ operation: () async throws -> Void, where isExpected: (TransportError) -> Bool
    ) async throws {
        do {
            try await operation()
        } catch let error as TransportError where isExpected(error) {
            return
        } catch {
            throw ContractViolation(description: "expected \(expected), got \(error)")
        }
        throw ContractViolation(description: "expected \(expected), but nothing was thrown")
    }
}

/// What a handler has received.
final class Received<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])
    private let errors = Locked<[TransportError]>([])

    var all: [Element] { elements.withLock { $0 } }
    var failures: [TransportError] { errors.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }

    func fail(_ error: TransportError) { errors.withLock { $0.append(error) } }
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
}
