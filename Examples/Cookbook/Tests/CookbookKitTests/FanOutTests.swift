import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("A fan-out", .patient)
struct FanOutTests {
    private struct Visit: Sendable {
        var isSlow: Bool
        var received: [Int] = []
        var times: [Duration] = []
        var departure: FanOut<Int>.Departure?
    }

    private let scheduler = TestScheduler()
    private let fanOut = FanOut<Int>()

    /// Publishes 1 to 10, one per second, and returns what the clients have received.
    ///
    /// - Parameter slow: Slow clients take 4 seconds for each message, and the others no time.
    private func visits(_ policy: SlowClientPolicy, clients: Int, slow: Int) async -> [Visit] {
        await scheduler.run {
            await withTaskGroup(of: Visit.self) { tasks in
                for number in 0..<clients {
                    tasks.addTask {
                        var visit = Visit(isSlow: number < slow)
                        visit.departure = await fanOut.serve(policy) { message in
                            visit.received.append(message)
                            visit.times.append(scheduler.now.offset)
                            if visit.isSlow { try? await Task.sleep(for: .seconds(4), clock: scheduler) }
                        }
                        return visit
                    }
                }
                _ = await fanOut.clients.next(where: { $0 == clients })
                for message in 1...10 {
                    await scheduler.advance(by: .seconds(1))
                    fanOut.publish(message)
                }
                fanOut.finish()
                await scheduler.run()
                return await tasks.reduce(into: []) { $0.append($1) }
            }
        }
    }

    @Test("delivers every message to thousands of clients at once, while some are slow")
    func isolation() async {
        let visits = await visits(.disconnect(capacity: 3), clients: 2_000, slow: 20)
        for visit in visits where !visit.isSlow {
            #expect(visit.received == Array(1...10))
            #expect(visit.times == (1...10).map { .seconds($0) })
            #expect(visit.departure == .ended)
        }
        #expect(visits.count { $0.isSlow && $0.departure == .tooSlow } == 20)
        #expect(fanOut.clients.value == 0)
    }

    @Test("conflates: a slow client receives the latest message when it is ready")
    func conflation() async {
        let visits = await visits(.conflate, clients: 1, slow: 1)
        #expect(visits.map(\.received) == [[1, 4, 8, 10]])
        #expect(visits.map(\.departure) == [.ended])
        #expect(fanOut.dropped.value == 6)
    }

    @Test("drops the oldest: a slow client receives the latest messages of its buffer")
    func droppingOldest() async {
        let visits = await visits(.dropOldest(capacity: 2), clients: 1, slow: 1)
        #expect(visits.map(\.received) == [[1, 3, 7, 9, 10]])
        #expect(fanOut.dropped.value == 5)
    }

    @Test("disconnects: a slow client receives no message after a gap")
    func disconnection() async {
        let visits = await visits(.disconnect(capacity: 2), clients: 1, slow: 1)
        #expect(visits.map(\.received) == [[1]])
        #expect(visits.map(\.departure) == [.tooSlow])
    }

    @Test("forgets a client that is cancelled")
    func cancellation() async {
        await scheduler.run {
            let task = Task(executorPreference: scheduler) { await fanOut.serve(.conflate) { _ in } }
            await scheduler.advance()
            #expect(fanOut.clients.value == 1)
            task.cancel()
            #expect(await task.value == .ended)
            #expect(fanOut.clients.value == 0)
        }
    }
}
