import IntegrationsTestSupport
import ReactiveSignals
import ReactiveSignalsLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

/// An action with a queue, whose units end when the test says so.
private struct Jobs: Sendable {
    let mayEnd = MutableProperty(false)
    let ended = MutableProperty<[Int]>([])
    let action: Action<Int, Int, Never>

    init() {
        let (mayEnd, ended) = (mayEnd, ended)
        action = Action(policy: .queue(waiting: 10)) { number in
            mayEnd.producer.filter { $0 }.take(first: 1).map { _ in number }
                .on(next: { number in ended.modify { $0.append(number) } })
        }
    }
}

@Suite("An action as a service", .patient)
struct ActionServiceTests {
    @Test("a graceful shutdown refuses further starts, and waits for what runs and what is queued")
    func drains() async throws {
        let (jobs, hasReturned) = (Jobs(), MutableProperty(false))
        for number in 1...3 { jobs.action.apply(number).start() }
        await testGracefulShutdown { trigger in
            async let running: Void = {
                await ActionService(jobs.action).run()
                hasReturned.value = true
            }()
            #expect(jobs.action.isEnabled.value)
            trigger.triggerGracefulShutdown()
            #expect(await eventually { jobs.action.isDraining })
            await #expect(throws: ActionError<Never>.disabled) { try await jobs.action.execute(4) }
            #expect(!hasReturned.value)
            jobs.mayEnd.value = true
            await running
        }
        #expect(jobs.ended.value == [1, 2, 3])
        #expect(!jobs.action.isExecuting.value)
    }

    @Test("cancellation refuses further starts, and does not wait")
    func cancellation() async throws {
        let jobs = Jobs()
        jobs.action.apply(1).start()
        let run = Task { await ActionService(jobs.action).run() }
        run.cancel()
        await run.value
        #expect(jobs.action.isDraining && jobs.action.isExecuting.value)
        jobs.mayEnd.value = true
        #expect(jobs.ended.value == [1])
    }

    @Test("a drain that takes too long is given up by the group")
    func drainLimit() async throws {
        let (jobs, isRunning) = (Jobs(), MutableProperty(false))
        jobs.action.apply(1).start()
        let other = SignalProducer<Void, Never>.never.on(started: { isRunning.value = true }).service(onShutdown: .stop)
        _ = try await inGroup(
            [.init(service: ActionService(jobs.action)), .init(service: other)], drainLimit: .milliseconds(10)
        ) { group, _ in
            #expect(await eventually { isRunning.value })
            await group.triggerGracefulShutdown()
        }
        #expect(jobs.action.isDraining && jobs.action.isExecuting.value)
        jobs.mayEnd.value = true
    }

    @Test("stops after the service that feeds the action, if it is listed before")
    func order() async throws {
        let (jobs, isFeeding) = (Jobs(), MutableProperty(false))
        jobs.mayEnd.value = true
        let feed = ProducerService { shutdown in
            SignalProducer<Void, Never>.never.take(until: shutdown).on(
                started: { isFeeding.value = true },
                // What comes during its shutdown is still accepted.
                completed: { jobs.action.apply(7).start() })
        }
        let result = try await inGroup([.init(service: ActionService(jobs.action)), .init(service: feed)]) { group, _ in
            #expect(await eventually { isFeeding.value })
            await group.triggerGracefulShutdown()
        }
        _ = try result.get()
        #expect(jobs.ended.value == [7])
    }
}
