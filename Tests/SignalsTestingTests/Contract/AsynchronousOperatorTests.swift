import Dispatch
import Foundation
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Numbers = OperatorContract.Numbers
private typealias Producer = OperatorContract.NumbersProducer

/// An asynchronous operator that fulfills the contract.
private struct RightOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let contract: OperatorContract

    init(
        _ name: String, _ traits: OperatorTraits,
        apply: @escaping @Sendable (Numbers, ContractProbe) -> Numbers
    ) {
        testDescription = name
        contract = OperatorContract(ofSignals: name, traits, apply: apply)
    }

    init(
        ofProducers name: String, _ traits: OperatorTraits,
        applyCold: @escaping @Sendable (Producer, ContractProbe) -> Producer
    ) {
        testDescription = name
        contract = OperatorContract(ofProducers: name, traits, apply: applyCold)
    }

    static let all: [RightOperator] = [
        RightOperator("observe(on:)", OperatorTraits(isTransparent: true, isAsynchronous: true)) { source, probe in
            source.map { probe.see($0) }.observe(on: QueueScheduler())
        },
        RightOperator("map on a queue", OperatorTraits(isTransparent: true, isAsynchronous: true)) { source, probe in
            source.observe(on: QueueScheduler()).map { probe.see($0) }
        },
        RightOperator("delay", OperatorTraits(isTransparent: true, isAsynchronous: true)) { source, probe in
            source.delay(.microseconds(100), on: QueueScheduler()).map { probe.see($0) }
        },
        RightOperator("queue of its own", OperatorTraits(isTransparent: true, isAsynchronous: true, isAnonymous: true))
        {
            source, probe in
            let queue = DispatchQueue(label: "right")
            return Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    queue.async {
                        if !lifetime.hasEnded { observer.send(event.map { probe.see($0) }) }
                    }
                }
            }
        },
        RightOperator(
            "task of its own", OperatorTraits(isTransparent: true, isAsynchronous: true, isAnonymous: true)
        ) { source, probe in
            Numbers { observer, lifetime in
                let (events, continuation) = AsyncStream<Event<Int, ContractError>>.makeStream()
                let start = source.observe { continuation.yield($0) }
                let task = Task(executorPreference: DispatchExecutor.shared) {
                    for await event in events where !Task.isCancelled {
                        observer.send(event.map { probe.see($0) })
                    }
                    // Later than necessary, but allowed.
                    start?.dispose()
                }
                lifetime.observeEnded { task.cancel() }
            }
        },
        RightOperator(
            "thread that lets go later", OperatorTraits(isTransparent: true, isAsynchronous: true, isAnonymous: true)
        ) { source, probe in
            let queue = DispatchQueue(label: "right")
            return Numbers { observer, lifetime in
                let start = source.observe { event in
                    queue.async {
                        if !lifetime.hasEnded { observer.send(event.map { probe.see($0) }) }
                    }
                }
                lifetime.observeEnded { queue.async { start?.dispose() } }
            }
        },
        RightOperator(
            ofProducers: "mapAsync", OperatorTraits(isTransparent: true, isAsynchronous: true),
            applyCold: { source, probe in
                source.mapAsync(maxConcurrent: 2) { value in probe.see(value) }.withTasksOnDispatch
            }),
    ]
}

@Suite("Contract checker with asynchronous operators", .watched)
struct AsynchronousOperatorTests {
    @Test("finds no violation in a correct operator", arguments: RightOperator.all)
    private func right(_ operation: RightOperator) async {
        // More runs measure how often the checker reports a false violation.
        let runs = ProcessInfo.processInfo.environment["CHECKER_RUNS"].flatMap { Int($0) } ?? 3
        let found = Log<String>()
        for _ in 0..<runs {
            // The suspending form does not block a thread of Swift's pool.
            do throws(ContractViolations) {
                try await operation.contract.check(rounds: 10, depth: 300, patience: patience)
            } catch {
                found.append(error.description)
            }
        }
        expect(found.count, is: 0, "\(found.count) of \(runs) runs: \(Set(found.all).sorted().joined(separator: "\n"))")
    }
}
