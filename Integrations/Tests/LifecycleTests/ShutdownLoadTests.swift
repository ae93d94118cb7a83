import IntegrationsTestSupport
import ReactiveSignals
import ReactiveSignalsLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

/// An endless source of numbered jobs, which says what it has handed out.
private final class JobSource: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        let source: JobSource

        func next() async -> Int? { await next(isolation: nil) }

        func next(isolation: isolated (any Actor)?) async -> Int? {
            await Task.yield()
            return source.taken.add(1, ordering: .relaxed).newValue
        }
    }

    let taken = Atomic(0)

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }
}

private enum End: CaseIterable {
    case shutdown, cancellation, failure
}

@Suite("A service that stops under load", .patient)
struct ShutdownLoadTests {
    @Test(
        "every job that was taken is finished or given back, once, however many run at a time", arguments: [1, 4, 32])
    func losesNothing(maxConcurrent: Int) async throws {
        for round in 0..<30 {
            let source = JobSource()
            let (finished, givenBack) = (MutableProperty<[Int]>([]), MutableProperty<[Int]>([]))
            let service = ProducerService { shutdown in
                SignalProducer<Void, Never>(pulling: source, maxConcurrent: maxConcurrent, drainWhen: shutdown) { job in
                    SignalProducer.async {
                        for _ in 0..<(job % 5) { await Task.yield() }
                        finished.modify { $0.append(job) }
                    }
                } giveBack: { job in
                    givenBack.modify { $0.append(job) }
                }
            }
            let result = try await inGroup([.init(service: service)]) { group, _ in
                #expect(await eventually { finished.value.count > round })
                await group.triggerGracefulShutdown()
            }
            _ = try result.get()
            // A job that the source hands out after the drain is given back in the task that iterates.
            let isAccountedFor = await eventually {
                (finished.value + givenBack.value).sorted() == Array(1...source.taken.load(ordering: .relaxed))
            }
            #expect(isAccountedFor, "\(finished.value.count) finished, given back: \(givenBack.value)")
            #expect(givenBack.value.count <= 1)
        }
    }

    @Test("a shutdown, a cancellation and a failure at the same time end the run, and leave nothing behind")
    func races() async {
        for round in 0..<200 {
            let population = Population()
            func run() async {
                let token = population.token()
                let (failures, fail) = Signal<Int, Trouble>.pipe()
                let open = MutableProperty(0)
                let service = ProducerService { shutdown in
                    SignalProducer(failures).on(
                        started: { open.modify { $0 += 1 } }, disposed: { open.modify { $0 -= 1 } }
                    )
                    .flatMap(.merge) { _ in SignalProducer<Int, Trouble>.never }
                    .take(until: shutdown).on(next: { _ in token.touch() })
                }
                let ends = round % 4 == 3 ? End.allCases : [End.allCases[round % 4], End.allCases[(round + 1) % 3]]
                await testGracefulShutdown { trigger in
                    let running = Task { try await service.run() }
                    await withTaskGroup { group in
                        for end in ends {
                            group.addTask {
                                for _ in 0..<(round % 7) { await Task.yield() }
                                switch end {
                                case .shutdown: trigger.triggerGracefulShutdown()
                                case .cancellation: running.cancel()
                                case .failure: fail.sendError(Trouble())
                                }
                            }
                        }
                    }
                    // A failure before the start is not seen, so another end may have to come.
                    trigger.triggerGracefulShutdown()
                    do {
                        try await running.value
                    } catch {
                        #expect(error as? Trouble == Trouble())
                        #expect(ends.contains(.failure))
                    }
                    #expect(open.value == 0)
                }
            }
            await run()
            #expect(await eventually { population.alive == 0 })
        }
    }
}
