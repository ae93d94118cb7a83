import IntegrationsTestSupport
import Logging
import ReactiveSignals
import ReactiveSignalsLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

struct Trouble: Error, Equatable {}

private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Runs services in a group, calls `body` beside it, and returns how the group ended.
func inGroup(
    _ services: [ServiceGroupConfiguration.ServiceConfiguration], drainLimit: Duration? = nil,
    _ body: @escaping @Sendable (ServiceGroup, _ cancel: @escaping @Sendable () -> Void) async throws -> Void
) async throws -> Result<Void, any Error> {
    var configuration = ServiceGroupConfiguration(services: services, logger: logger)
    configuration.maximumGracefulShutdownDuration = drainLimit
    let group = ServiceGroup(configuration: configuration)
    let running = Task { try await group.run() }
    try await body(group) { running.cancel() }
    return await running.result
}

/// The numbers from 1 on.
private func endlessJobs() -> AsyncStream<Int> {
    let last = MutableProperty(0)
    return AsyncStream {
        last.modify { last in
            last += 1
            return last
        }
    }
}

@Suite("A producer as a service", .patient)
struct ProducerServiceTests {
    @Test("a graceful shutdown stops the intake, and waits for what has been accepted")
    func drains() async throws {
        let jobs = endlessJobs()
        let (begun, ended) = (MutableProperty<[Int]>([]), MutableProperty<[Int]>([]))
        let (isOpen, isDraining) = (MutableProperty(false), MutableProperty(false))
        let service = ProducerService { shutdown in
            // The completion follows the value, by which the intake closes.
            let drain = shutdown.on(completed: { isDraining.value = true })
            return SignalProducer<Int, Never>(pulling: jobs, maxConcurrent: 3, drainWhen: drain) { job in
                isOpen.producer.filter { $0 }.take(first: 1).map { _ in job }
                    .on(started: { begun.modify { $0.append(job) } }, next: { job in ended.modify { $0.append(job) } })
            } giveBack: { _ in
            }
        }
        let result = try await inGroup([.init(service: service)]) { group, _ in
            #expect(await eventually { begun.value.count == 3 })
            await group.triggerGracefulShutdown()
            #expect(await eventually { isDraining.value })
            #expect(ended.value.isEmpty)
            // What ends now makes no room for another job.
            isOpen.value = true
        }
        _ = try result.get()
        #expect(begun.value == [1, 2, 3])
        #expect(ended.value.sorted() == [1, 2, 3])
    }

    @Test("cancellation interrupts the producer, and returns after its cleanup")
    func cancellation() async throws {
        let log = MutableProperty<[String]>([])
        let service = SignalProducer<Int, Never>.never
            .on(
                started: { log.modify { $0.append("started") } },
                interrupted: { log.modify { $0.append("interrupted") } },
                disposed: { log.modify { $0.append("disposed") } }
            ).service(onShutdown: .finish)
        let run = Task { try await service.run() }
        #expect(await eventually { log.value == ["started"] })
        run.cancel()
        // Cancellation is no error of the service.
        try await run.value
        #expect(log.value == ["started", "interrupted", "disposed"])
    }

    @Test("a failure of the producer is thrown, and the group throws it too")
    func failure() async throws {
        let service = SignalProducer<Int, Trouble>(error: Trouble()).service(onShutdown: .finish)
        await #expect(throws: Trouble()) { try await service.run() }
        let result = try await inGroup([.init(service: service)]) { _, _ in }
        #expect(throws: Trouble()) { try result.get() }
    }

    @Test("a failure during the drain is thrown")
    func failureOfDrain() async throws {
        let service = ProducerService { shutdown in
            SignalProducer<Int, Trouble>.never.take(until: shutdown).concat(SignalProducer(error: Trouble()))
        }
        await testGracefulShutdown { trigger in
            let running = Task { try await service.run() }
            trigger.triggerGracefulShutdown()
            await #expect(throws: Trouble()) { try await running.value }
        }
    }

    @Test(
        "a producer that ends on its own makes the service return, which a group takes for a failure",
        arguments: [SignalProducer<Int, Never>.empty, SignalProducer { observer, _ in observer.sendInterrupted() }])
    func ends(producer: SignalProducer<Int, Never>) async throws {
        let result = try await inGroup([.init(service: producer.service(onShutdown: .finish))]) { _, _ in }
        #expect(throws: ServiceGroupError.self) { try result.get() }
        let ignored = try await inGroup(
            [.init(service: producer.service(onShutdown: .finish), successTerminationBehavior: .ignore)]) { _, _ in }
        _ = try ignored.get()
    }

    @Test("a service that waits for the shutdown keeps the group running after its producer has completed")
    func waits() async throws {
        let hasCompleted = MutableProperty(false)
        let service = SignalProducer<Int, Never>.empty.on(completed: { hasCompleted.value = true })
            .service(onShutdown: .finish, afterEnd: .waitsForShutdown)
        let result = try await inGroup([.init(service: service)]) { group, _ in
            #expect(await eventually { hasCompleted.value })
            await group.triggerGracefulShutdown()
        }
        _ = try result.get()
    }

    @Test("a service that waits for the shutdown returns when it is cancelled")
    func waitsUntilCancelled() async throws {
        let service = SignalProducer<Int, Never>.empty.service(onShutdown: .finish, afterEnd: .waitsForShutdown)
        let run = Task { try await service.run() }
        run.cancel()
        try await run.value
        try await testGracefulShutdown { trigger in
            let run = Task { try await service.run() }
            run.cancel()
            try await run.value
        }
    }

    @Test("an intake that begins during a shutdown takes nothing")
    func alreadyShuttingDown() async throws {
        let taken = MutableProperty(0)
        let service = ProducerService { shutdown in
            SignalProducer<Int, Never>(1...10).on(next: { _ in taken.modify { $0 += 1 } }).take(until: shutdown)
        }
        try await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            try await service.run()
        }
        #expect(taken.value == 0)
    }

    @Test("a drain that takes too long is cancelled by the group")
    func drainLimit() async throws {
        let log = MutableProperty<[String]>([])
        let service = SignalProducer<Int, Never>.never
            .on(started: { log.modify { $0.append("started") } }, disposed: { log.modify { $0.append("disposed") } })
            .service(onShutdown: .finish)
        _ = try await inGroup([.init(service: service)], drainLimit: .milliseconds(10)) { group, _ in
            #expect(await eventually { log.value == ["started"] })
            await group.triggerGracefulShutdown()
        }
        #expect(log.value == ["started", "disposed"])
    }

    @Test("a shutdown stops a producer that does not observe it, if it may")
    func stops() async throws {
        let log = MutableProperty<[String]>([])
        let service = SignalProducer<Int, Never>.never
            .on(started: { log.modify { $0.append("started") } }, disposed: { log.modify { $0.append("disposed") } })
            .service(onShutdown: .stop)
        try await testGracefulShutdown { trigger in
            async let running: Void = service.run()
            #expect(await eventually { log.value == ["started"] })
            trigger.triggerGracefulShutdown()
            try await running
        }
        #expect(log.value == ["started", "disposed"])
    }

    @Test("each run starts the producer separately")
    func severalRuns() async throws {
        let starts = MutableProperty(0)
        let service = ProducerService { shutdown in
            SignalProducer<Int, Never>.never.on(started: { starts.modify { $0 += 1 } }).take(until: shutdown)
        }
        try await testGracefulShutdown { trigger in
            async let first: Void = service.run()
            async let second: Void = service.run()
            #expect(await eventually { starts.value == 2 })
            trigger.triggerGracefulShutdown()
            try await first
            try await second
        }
    }

    @Test("no observer is called under the lock of the service group")
    func noLock() async throws {
        // Takes the lock of the group, so it would never return.
        let usesLifecycle: @Sendable () -> Void = { _ = Task.isShuttingDownGracefully }
        let service = ProducerService { shutdown in
            SignalProducer<Int, Never>.never.take(until: shutdown.on(next: usesLifecycle)).on(completed: usesLifecycle)
        }
        try await testGracefulShutdown { trigger in
            async let running: Void = service.run()
            await Task.yield()
            trigger.triggerGracefulShutdown()
            try await running
        }
    }

    @Test("a group stops its services in the reverse order, each after it has drained")
    func order() async throws {
        let log = MutableProperty<[String]>([])
        let turn = MutableProperty(0)
        @Sendable func service(_ name: String, _ number: Int) -> ServiceGroupConfiguration.ServiceConfiguration {
            let service = ProducerService { shutdown in
                SignalProducer<Int, Never>.never.take(until: shutdown)
                    .concat(
                        turn.producer.on(starting: { log.modify { $0.append("~\(name)") } })
                            .filter { $0 == number }.take(first: 1)
                    )
                    .on(
                        started: { log.modify { $0.append("+\(name)") } },
                        disposed: { log.modify { $0.append("-\(name)") } })
            }
            return .init(service: service)
        }
        let result = try await inGroup([service("store", 2), service("intake", 1)]) { group, _ in
            #expect(await eventually { log.value.count == 2 })
            await group.triggerGracefulShutdown()
            #expect(await eventually { log.value.last == "~intake" })
            turn.value = 1
            #expect(await eventually { log.value.last == "~store" })
            turn.value = 2
        }
        _ = try result.get()
        #expect(log.value.dropFirst(2) == ["~intake", "-intake", "~store", "-store"])
    }
}
