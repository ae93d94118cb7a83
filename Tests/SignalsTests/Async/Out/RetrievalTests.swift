import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// What `first()` and the other retrievals return or throw.
enum Outcome<Value: Sendable & Equatable>: Equatable, Sendable {
    case value(Value?)
    case error(TestError)
}

/// A task that waits for a value of a signal that can fail.
final class Waiting<Value: Sendable & Equatable>: Sendable {
    let pipe = Source.pipe()
    let executor = HandDrivenExecutor()
    let log = Log<Outcome<Value>>()
    let task: Task<Void, Never>

    init(cancelled: Bool = false, _ retrieve: @escaping @Sendable (Source) async throws(TestError) -> Value?) {
        task = Task(executorPreference: executor) { [log, signal = pipe.output] in
            do throws(TestError) {
                log.append(.value(try await retrieve(signal)))
            } catch { log.append(.error(error)) }
        }
        if cancelled { task.cancel() }
        executor.run()
    }

    deinit {
        // A task that waits forever is a leak.
        task.cancel()
        executor.run()
    }

    var input: Source.Observer { pipe.input }
    var isObserving: Bool { pipe.output.core.isObserved }

    /// Sends the events and returns the outcomes so far.
    func after(_ events: Event<Int, TestError>...) -> [Outcome<Value>] {
        for event in events { pipe.input.send(event) }
        executor.run()
        return log.all
    }

    func afterCancelling() -> [Outcome<Value>] {
        task.cancel()
        executor.run()
        return log.all
    }
}

/// Expects what all retrievals have in common.
func expectRetrieves<Value: Sendable & Equatable>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ retrieve: @escaping @Sendable (Source) async throws(TestError) -> Value?
) {
    #expect(Waiting(retrieve).isObserving, "it waits", sourceLocation: sourceLocation)
    expect(Waiting(retrieve).after(), is: [], sourceLocation: sourceLocation)
    expect(Waiting(retrieve).after(.error(.second)), is: [.error(.second)], sourceLocation: sourceLocation)
    expect(Waiting(retrieve).after(.interrupted), is: [.value(nil)], sourceLocation: sourceLocation)

    let cancelled = Waiting(retrieve)
    expect(cancelled.afterCancelling(), is: [.value(nil)], sourceLocation: sourceLocation)
    #expect(!cancelled.isObserving, "the cancellation disposes", sourceLocation: sourceLocation)

    let cancelledBefore = Waiting(cancelled: true, retrieve)
    expect(cancelledBefore.log.all, is: [.value(nil)], sourceLocation: sourceLocation)
    #expect(!cancelledBefore.isObserving, sourceLocation: sourceLocation)

    let executor = HandDrivenExecutor()
    let ended = Log<Outcome<Value>>()
    Task(executorPreference: executor) {
        do throws(TestError) {
            ended.append(.value(try await retrieve(.empty)))
        } catch { ended.append(.error(error)) }
    }
    executor.run()
    expect(ended.all, is: [.value(nil)], "the signal had ended", sourceLocation: sourceLocation)
}

@Suite("Retrieval", .watched)
struct RetrievalTests {
    @Test("resumes once and leaves nothing observed or alive when an event races with cancellation")
    func race() {
        let population = Population()
        for _ in 0..<raceRounds {
            let (signal, input) = Signal<Population.Member, TestError>.pipe()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let outcomes = Log<Bool>()
            let task = Task(executorPreference: executor) {
                let value = try? await signal.first()
                outcomes.append(value != nil)
                isDone.raise()
            }
            executor.run()
            onThreads(3, "race of first()") { index in
                switch index {
                case 0: executor.run(until: isDone)
                case 1: task.cancel()
                default: input.sendNext(population.member())
                }
            }
            expect(outcomes.count, is: 1)
            #expect(!signal.core.isObserved)
        }
        expect(population.alive, is: 0)
    }

    @Test("receives an event sent while the task starts to wait")
    func beginning() {
        for _ in 0..<raceRounds {
            let (signal, input) = Source.pipe()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let outcomes = Log<Event<Int, TestError>>()
            Task(executorPreference: executor) {
                outcomes.append(await signal.wait())
                isDone.raise()
            }
            onThreads(2, "beginning of wait()") { index in
                if index == 0 {
                    executor.run(until: isDone)
                } else {
                    input.sendNext(1)
                    // If the error comes first, the task finds a terminated signal and is interrupted.
                    input.sendError(.first)
                }
            }
            #expect([[.error(.first)], [.interrupted]].contains(outcomes.all))
        }
    }

    @Test("leaves nothing observed when cancellation races with the start")
    func cancelledBeginning() {
        for _ in 0..<raceRounds {
            let (signal, input) = Source.pipe()
            let executor = HandDrivenExecutor()
            let isDone = DoneFlag()
            let task = Task(executorPreference: executor) {
                await signal.wait()
                isDone.raise()
            }
            onThreads(2, "beginning and cancellation of wait()") { index in
                if index == 0 { executor.run(until: isDone) } else { task.cancel() }
            }
            #expect(!signal.core.isObserved)
            withExtendedLifetime(input) {}
        }
    }

    @Test("starts observing before it suspends on its caller's actor")
    @MainActor
    func isolation() async throws {
        let (signal, input) = Source.pipe()
        // Can run only once this task suspends, when the signal is already observed.
        Task { @MainActor in input.sendNext(7) }
        let value = try await signal.first()
        expect(value, is: 7)
    }
}
