import ReactiveSignals
import TestSupport
import Testing

@Suite("The memory of a signal with back-pressure", .watched, .offThePool)
struct SignalSenderMemoryTests {
    private struct Job {
        let number: Int
        let member: Population.Member
    }

    @Test("holds no more values than its buffers have places while many pass a consumer that is slower than the sender")
    func bounded() async {
        let (population, places, count) = (Population(), 64, 100 * raceRounds)
        let (signal, input) = Signal<Job, Never>.pipe(capacity: places)
        var values = signal.values(buffering: .suspending(places)).makeAsyncIterator()
        let sender = Task(executorPreference: DispatchExecutor.current) {
            var sent = 0
            while sent < count, await input.send(Job(number: sent, member: population.member())) { sent += 1 }
            input.sendCompleted()
            return sent
        }
        var (received, most, misplaced) = (0, 0, 0)
        while let job = await values.next() {
            if job.number != received { misplaced += 1 }
            received += 1
            most = max(most, population.alive)
            var waste = job.number
            for _ in 0..<30 { waste = waste &* 6_364_136_223_846_793_005 &+ 1 }
            withExtendedLifetime(waste) {}
        }
        expect(await sender.value, is: count)
        expect([received, misplaced], is: [count, 0])
        // Beside the buffers, the sender and the consumer hold one each.
        #expect(most <= 2 * places + 2)
        expect(population.alive, is: 0)
    }
}
