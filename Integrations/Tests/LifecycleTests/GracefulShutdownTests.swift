import Dispatch
import IntegrationsTestSupport
import ReactiveSignals
import ReactiveSignalsLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite("The graceful shutdown as a producer", .patient)
struct GracefulShutdownTests {
    @Test("sends one value, and completes")
    func sends() async {
        await testGracefulShutdown { trigger in
            async let events = SignalProducer.gracefulShutdown.materialize().map { $0.isTerminating }.collectAll()
            await Task.yield()
            trigger.triggerGracefulShutdown()
            #expect(await events == [false, true])
        }
    }

    @Test("sends if the group is already shutting down")
    func late() async {
        await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            #expect(await SignalProducer.gracefulShutdown.first() != nil)
        }
    }

    @Test("interrupts when it is disposed of, and then holds nothing", arguments: [false, true])
    func disposal(isInGroup: Bool) async {
        let interruptions = MutableProperty(0)
        let population = Population()
        func start() -> any Disposable {
            SignalProducer.gracefulShutdown.start { [token = population.token()] event in
                token.touch()
                if case .interrupted = event { interruptions.modify { $0 += 1 } }
            }
        }
        if isInGroup {
            await testGracefulShutdown { _ in start().dispose() }
        } else {
            start().dispose()
        }
        #expect(interruptions.value == 1)
        #expect(await eventually { population.alive == 0 })
    }

    @Test("the shutdown of a service can be observed on any thread, also where there is no task-local")
    func anyThread() async throws {
        let isStarted = MutableProperty(false)
        let service = ProducerService { shutdown in
            SignalProducer<Int, Never> { observer, lifetime in
                DispatchQueue.global().async {
                    lifetime += shutdown.startWithNext { observer.sendCompleted() }
                    isStarted.value = true
                }
            }
        }
        try await testGracefulShutdown { trigger in
            async let running: Void = service.run()
            #expect(await eventually { isStarted.value })
            trigger.triggerGracefulShutdown()
            try await running
        }
    }

    @Test("drains a scope of several producers")
    func scope() async {
        let log = MutableProperty<[String]>([])
        await testGracefulShutdown { trigger in
            async let running: Void = withSignalScope { scope in
                let (requests, input) = Signal<String, Never>.pipe()
                requests.startWithNextInScope(scope) { name in
                    SignalProducer.async { await Task.yield() }
                        .on(
                            completed: { log.modify { $0.append("finished \(name)") } },
                            interrupted: { log.modify { $0.append("refused \(name)") } }
                        )
                        .start(in: scope)
                }
                input.sendNext("first")
                _ = await SignalProducer.gracefulShutdown.first()
                input.sendCompleted()
                await scope.drain()
                SignalProducer<Int, Never>.empty
                    .on(interrupted: { log.modify { $0.append("refused second") } }).start(in: scope)
            }
            trigger.triggerGracefulShutdown()
            await running
        }
        #expect(log.value == ["finished first"])
    }
}

extension Signal where Failure == Never {
    /// Observes in a scope.
    fileprivate func startWithNextInScope(_ scope: SignalScope<Never>, _ action: @escaping @Sendable (Value) -> Void) {
        observe(in: scope) { event in
            if case .next(let value) = event { action(value) }
        }
    }
}
