import ReactiveCluster
import ReactiveClusterTesting
import ReactiveSignals
import ReactiveSignalsTesting
import Synchronization

private struct Odd: Error, Codable, Equatable {
    let number: Int
}

extension Scenario {
    /// A call is carried out at most once, and its result is that of the work.
    static let remoteAction = Scenario(description: "remoteAction") { simulation in
        let subject = try Subject("double")
        let (executed, results) = (Log<Int>(), Log<(Int, Result<Int, RemoteActionError<Odd>>)>())
        func make(_ transport: any Transport) -> RemoteAction<Int, Int, Odd> {
            RemoteAction(
                subject, over: transport, input: .json, output: .json, failure: .json, timeout: .seconds(1),
                on: simulation.scheduler)
        }
        let action = Action<Int, Int, Odd>(policy: .concurrent(limit: 2, waiting: 2)) { number in
            SignalProducer<Int, Odd>.async { () async throws(Odd) in
                executed.add(number)
                await simulation.sleep(simulation.random(1...300))
                if number % 5 == 3 { throw Odd(number: number) }
                return number * 2
            }
        }
        let service = try make(await simulation.connect("server")).serve(action)
        var clients: [RemoteAction<Int, Int, Odd>] = []
        for name in ["a", "b"] { clients.append(make(await simulation.connect(name))) }
        let all = clients
        await simulation.run(["a", "b", "server"], seconds: 6, actions: 50, settling: .seconds(3)) { index in
            let client = all[simulation.random(0...1)]
            simulation.start {
                do throws(RemoteActionError<Odd>) {
                    results.add((index, .success(try await client.execute(index))))
                } catch {
                    results.add((index, .failure(error)))
                }
            }
        }
        try simulation.check(results.all.count == 50, "only \(results.all.count) of 50 calls have returned")
        for (number, result) in results.all {
            let count = executed.all.filter { $0 == number }.count
            switch result {
            case .success(let value):
                try simulation.check(value == number * 2 && count == 1, "\(number): \(value), done \(count) times")
            case .failure(.producerError(let error)):
                try simulation.check(
                    error.number == number && number % 5 == 3 && count == 1, "\(number): \(error), done \(count) times")
            case .failure(.disabled): try simulation.check(count == 0, "\(number): refused, done \(count) times")
            case .failure(.interrupted): throw Violation(description: "\(number) was interrupted")
            case .failure(.transport(let error)):
                let limit = error.isOutcomeUnknown ? 1 : 0
                try simulation.check(count <= limit, "\(number): \(error), done \(count) times")
            }
        }
        try simulation.check(service.running.value == 0, "\(service.running.value) requests are running")
    }
}
