import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private struct Negative: Error, Codable, Equatable {
    let number: Int
}

private typealias Root = RemoteAction<Int, Int, Negative>

@Suite("A remote action", .patient)
struct RemoteActionTests {
    private func make(_ transport: any Transport, _ simulation: Simulation) throws -> Root {
        Root(
            try Subject("root"), over: transport, input: .json, output: .json, failure: .json, timeout: .seconds(1),
            on: simulation.scheduler)
    }

    private func call(
        _ action: Root, _ number: Int, _ simulation: Simulation
    ) async throws -> Result<
        Int, RemoteActionError<Negative>
    > {
        try await simulation.result { () async throws(RemoteActionError<Negative>) in try await action.execute(number) }
    }

    @Test("returns the result or the error of the work, and says that it was refused or interrupted")
    func results() async throws {
        try await onSimulatedNetwork { simulation in
            let isEnabled = MutableProperty(true)
            let work = Action<Int, Int, Negative>(enabledIf: isEnabled) { number in
                if number == 0 { return .empty }
                return number < 0
                    ? SignalProducer(error: Negative(number: number)) : SignalProducer([1, number * number])
            }
            let service = try make(await simulation.connect("server"), simulation).serve(work)
            let client = try make(await simulation.connect("client"), simulation)
            #expect(try await call(client, 4, simulation) == .success(16))
            #expect(try await call(client, -4, simulation) == .failure(.producerError(Negative(number: -4))))
            #expect(try await call(client, 0, simulation) == .failure(.interrupted))
            isEnabled.value = false
            #expect(try await call(client, 4, simulation) == .failure(.disabled))
            isEnabled.value = true
            let log = Log<Int>()
            client.apply(5).startWithResult { if case .success(let value) = $0 { log.add(value) } }
            await simulation.advance(100)
            #expect(log.all == [25])
            service.dispose()
            #expect(try await call(client, 4, simulation) == .failure(.transport(.noResponder("root"))))
        }
    }

    @Test("times out, and is not repeated")
    func timeout() async throws {
        try await onSimulatedNetwork { simulation in
            let count = Log<Int>()
            let work = Action<Int, Int, Negative> { number in
                count.add(number)
                return .never
            }
            let service = try make(await simulation.connect("server"), simulation).serve(work)
            let client = try make(await simulation.connect("client"), simulation)
            #expect(try await call(client, 4, simulation) == .failure(.transport(.timeout)))
            #expect(count.all == [4])
            #expect(service.running.value == 1)
        }
    }

    @Test("drains: finishes what has begun, and takes nothing new")
    func drain() async throws {
        try await onSimulatedNetwork { simulation in
            let work = Action<Int, Int, Negative>(policy: .queue(waiting: 10)) { number in
                SignalProducer(value: number).delay(.milliseconds(100), on: simulation.scheduler)
            }
            let service = try make(await simulation.connect("server"), simulation).serve(work)
            let client = try make(await simulation.connect("client"), simulation)
            let (results, drained) = (Log<String>(), Log<Duration>())
            for number in 1...3 {
                client.apply(number).startWithResult { results.add("\($0)") }
            }
            await simulation.advance(20)
            let start = simulation.now
            simulation.start {
                await service.drain()
                drained.add(simulation.now - start)
            }
            await simulation.advance(10)
            #expect(drained.all.isEmpty)
            #expect(try await call(client, 9, simulation) == .failure(.transport(.noResponder("root"))))
            await simulation.advance(1000)
            #expect(results.all == ["success(1)", "success(2)", "success(3)"])
            #expect(drained.all.count == 1)
            #expect(drained.all.first.map { $0 > .milliseconds(200) && $0 < .milliseconds(320) } == true)
        }
    }

    @Test("answers a request that the server cannot read, and a result that it cannot send")
    func unreadable() async throws {
        try await onSimulatedNetwork { simulation in
            let server = try make(await simulation.connect("server"), simulation)
            let service = try server.serve(Action<Int, Int, Negative> { SignalProducer(value: $0) })
            let other = RemoteAction<String, Int, Negative>(
                try Subject("root"), over: await simulation.connect("client"), input: .utf8, output: .json,
                failure: .json, timeout: .seconds(1), on: simulation.scheduler)
            let result = try await simulation.result { () async throws(RemoteActionError<Negative>) in
                try await other.execute("no number")
            }
            guard case .failure(.transport(.failed(let text))) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(text.hasPrefix("the server cannot read the request"))
            withExtendedLifetime(service) {}
        }
    }
}
