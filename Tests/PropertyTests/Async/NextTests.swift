import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("next(where:) of properties", .watched)
struct NextTests {
    /// A task that waits for an even value.
    private final class Waiting: Sendable {
        let executor = HandDrivenExecutor()
        let log = Log<Int?>()
        let task: Task<Void, Never>

        init(_ property: some PropertyProtocol<Int>) {
            let producer = Property(property)
            task = Task(executorPreference: executor) { [log] in
                log.append(await producer.next(where: { $0.isMultiple(of: 2) }))
            }
            executor.run()
        }
    }

    @Test("returns the current value immediately if it satisfies the condition")
    func current() async {
        let property = MutableProperty(4)
        #expect(await property.next(where: { $0 == 4 }) == 4)
        #expect(!property.signal.core.isObserved)
        #expect(await Property(value: 1).next(where: { $0 == 1 }) == 1)
    }

    @Test("waits for the first value that satisfies the condition, and returns it even if others follow")
    func later() {
        let property = MutableProperty(1)
        let waiting = Waiting(property)
        property.value = 3
        waiting.executor.run()
        expect(waiting.log.all, is: [])
        property.value = 6
        property.value = 7
        #expect(!property.signal.core.isObserved)
        waiting.executor.run()
        expect(waiting.log.all, is: [6])
    }

    @Test("returns nil when the property ends without such a value")
    func ending() async {
        var property: MutableProperty<Int>? = MutableProperty(1)
        let waiting = property.map(Waiting.init)
        property = nil
        waiting?.executor.run()
        expect(waiting?.log.all, is: [nil])
        #expect(await Property(value: 1).next(where: { $0 == 2 }) == nil)
    }

    @Test("returns nil when the task is cancelled, and releases the condition")
    func cancellation() {
        let population = Population()
        let property = MutableProperty(1)
        let executor = HandDrivenExecutor()
        let log = Log<Int?>()
        let task = Task(executorPreference: executor) { [member = population.member()] in
            let value = await property.next { _ in
                member.touch()
                return false
            }
            log.append(value)
        }
        executor.run()
        expect(population.alive, is: 1)
        task.cancel()
        executor.run()
        expect(log.all, is: [nil])
        expect(population.alive, is: 0)
        #expect(!property.signal.core.isObserved)
    }

    @Test("misses no value that arrives while it starts to wait")
    func race() {
        for _ in 0..<raceRounds {
            let property = MutableProperty(1)
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let results = Log<Int?>()
            Task(executorPreference: executor) {
                results.append(await property.next(where: { $0 >= 2 }))
                isDone.raise()
            }
            onThreads(2, "race of next(where:)") { index in
                if index == 0 {
                    executor.run(until: isDone)
                } else {
                    property.value = 2
                }
            }
            expect(results.all, is: [2])
        }
    }

    @Test("resumes once when cancellation races with the value")
    func cancellationRace() {
        for _ in 0..<raceRounds {
            let property = MutableProperty(1)
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let results = Log<Int?>()
            let task = Task(executorPreference: executor) {
                results.append(await property.next(where: { $0 == 2 }))
                isDone.raise()
            }
            executor.run()
            onThreads(3, "cancellation race of next(where:)") { index in
                switch index {
                case 0: executor.run(until: isDone)
                case 1: task.cancel()
                default: property.value = 2
                }
            }
            #expect([[2], [nil]].contains(results.all))
            #expect(!property.signal.core.isObserved)
        }
    }
}
