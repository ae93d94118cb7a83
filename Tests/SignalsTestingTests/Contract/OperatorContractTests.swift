import Dispatch
import Foundation
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private typealias Numbers = OperatorContract.Numbers
private typealias Producer = OperatorContract.NumbersProducer

/// Retains the leaks of operators that are broken on purpose.
private let graveyard = Log<any Sendable>()

/// An operator that is broken in one way, and the violation that the checker must report.
private struct BrokenOperator: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// One of the violations must have this contract, and this text in its description.
    let contract: Int
    let text: String
    let operation: OperatorContract

    init(
        _ name: String, breaks contract: Int, _ text: String, _ traits: OperatorTraits = OperatorTraits(),
        apply: @escaping @Sendable (Numbers, ContractProbe) -> Numbers
    ) {
        testDescription = name
        self.contract = contract
        self.text = text
        operation = OperatorContract(ofSignals: name, traits, apply: apply)
    }

    init(
        ofProducers name: String, breaks contract: Int, _ text: String, _ traits: OperatorTraits = OperatorTraits(),
        applyCold: @escaping @Sendable (Producer, ContractProbe) -> Producer
    ) {
        testDescription = name
        self.contract = contract
        self.text = text
        operation = OperatorContract(ofProducers: name, traits, apply: applyCold)
    }

    private static let transparent = OperatorTraits(isTransparent: true)

    static let all: [BrokenOperator] = [
        BrokenOperator("drops a value", breaks: 2, "8 threads send 500 values each", transparent) { source, _ in
            source.filter { $0 != 250 }
        },
        BrokenOperator("sends a value twice", breaks: 6, "1, 2, 3 and COMPLETED are sent", transparent) { source, _ in
            source.map { value -> [Int] in [value, value] }.flatten()
        },
        BrokenOperator("swallows errors", breaks: 6, "ERROR") { source, _ in
            source.flatMapError { _ in Producer.empty }
        },
        BrokenOperator("completes where it is interrupted", breaks: 6, "INTERRUPTED is sent") { source, _ in
            source.merge(with: .empty)
        },
        BrokenOperator("delays an error", breaks: 6, "before the send returns") { source, _ in
            Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    if event.error == nil { return observer.send(event) }
                    let sender = ContractThreadPath.current
                    DispatchQueue(label: "broken").async {
                        // The send has returned if its thread waits for the event.
                        sender.waitUntilAsleep(atMost: patience)
                        observer.send(event)
                    }
                }
            }
        },
        BrokenOperator("calls closures for the end", breaks: 6, "whether closures are called") { source, probe in
            source.on(completed: { probe.see(()) })
        },
        BrokenOperator(
            "is not serial: sends from other threads", breaks: 2, "a sender of 2 comes while 1 is being delivered",
            transparent
        ) {
            source, _ in
            Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    DispatchQueue(label: "broken").async { observer.send(event) }
                }
            }
        },
        BrokenOperator("leaks what it captures", breaks: 11, "probes that are still alive") { source, probe in
            graveyard.append(probe)
            return source.map { probe.see($0) }
        },
        BrokenOperator("keeps its result", breaks: 11, "neither held nor observed") { source, probe in
            let result = source.map { probe.see($0) }
            graveyard.append(result)
            return result
        },
        BrokenOperator("does not cancel upstream", breaks: 8, "the source is released") { source, probe in
            Numbers { observer, _ in source.observe { observer.send($0.map(probe.see)) } }
        },
        BrokenOperator(
            "does not cancel upstream when it ends", breaks: 8, "the last of 2 values", OperatorTraits(limit: 2)
        ) { source, _ in
            let count = Counter()
            return Numbers { observer, lifetime in
                // Observed for as long as the source exists.
                source.observe { event in
                    if event.isTerminating || count.increment() <= 2 { observer.send(event) }
                    if count.value == 2 { observer.sendCompleted() }
                }
            }
        },
        BrokenOperator("completes too late", breaks: 8, "last event after 2 values", OperatorTraits(limit: 2)) {
            source, _ in source.take(first: 3)
        },
        BrokenOperator("recurses", breaks: 10, "the stack has grown", transparent) { source, probe in
            let seen = Counter()
            return Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    if event.value != nil { seen.increment() }
                    descend(seen.value) { observer.send(event) }
                }
            }
        },
        BrokenOperator("works twice for a value", breaks: 7, "more than once per value", transparent) { source, probe in
            source.map { probe.see(probe.see($0)) }
        },
        BrokenOperator("works when it is applied", breaks: 7, "calls of closures") { source, probe in
            probe.see(())
            return source.map { $0 }
        },
        BrokenOperator("forgets its source's name", breaks: 12, "does not say so") { source, _ in
            Numbers { observer, lifetime in lifetime += source.observe { observer.send($0) } }
        },
        BrokenOperator(
            "is called something else", breaks: 12, "\"mine\" is missing", OperatorTraits(printedName: "mine")
        ) { source, _ in source.map { $0 } },
        BrokenOperator(
            ofProducers: "shares state between starts", breaks: 7, "a second start", transparent,
            applyCold: {
                source, _ in
                let seen = Log<Int>()
                return source.filter { value in
                    if seen.all.contains(value) { return false }
                    seen.append(value)
                    return true
                }
            }),
        BrokenOperator(
            ofProducers: "compares with what another start has sent", breaks: 7, "a start whose source sends [9, 8,",
            applyCold: { source, _ in
                let last = Log<Int>()
                return source.filter { value in
                    defer { last.append(value) }
                    return last.all.last != value
                }
            }),
        BrokenOperator(
            ofProducers: "sends what its first start has sent, for ever", breaks: 7,
            "a start whose source sends [9, 8,",
            applyCold: { source, _ in
                let cache = Log<Event<Int, ContractError>>()
                return Producer { observer, lifetime in
                    let cached = cache.all
                    for event in cached { observer.send(event) }
                    if !cached.isEmpty { return }
                    lifetime += source.start { event in
                        cache.append(event)
                        observer.send(event)
                    }
                }
            }),
        BrokenOperator(
            ofProducers: "remembers its results for ever", breaks: 7, "calls of closures in a start, after others",
            OperatorTraits(isTransparent: true),
            applyCold: { source, probe in
                let known = Log<Int>()
                return source.map { value in
                    if known.all.contains(value) { return value }
                    known.append(value)
                    return probe.see(value)
                }
            }),
        BrokenOperator(
            ofProducers: "adds up what all starts get", breaks: 7, "two starts by turns",
            applyCold: { source, _ in
                let running = Log<Int>()
                return source.map { value in
                    running.append(value)
                    return running.all.reduce(0, +)
                }
            }),
        BrokenOperator(
            "goes on with what waits when it is disposed of", breaks: 8, "calls have begun after the disposal",
            OperatorTraits(isAsynchronous: true, isAnonymous: true)
        ) { source, probe in
            let queue = DispatchQueue(label: "broken")
            return Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    queue.async { observer.send(event.map { probe.see($0) }) }
                }
            }
        },
        BrokenOperator(
            ofProducers: "goes on when its start is disposed of", breaks: 8, "calls have begun after the disposal",
            OperatorTraits(isAnonymous: true),
            applyCold: { source, probe in
                Producer { observer, _ in
                    source.start { event in observer.send(event.map { probe.see($0) }) }
                }
            }),
        BrokenOperator(
            "drops the last value when it completes", breaks: 2, "the values, and those of the model",
            OperatorTraits(isAnonymous: true, model: { $0.map { $0 * 2 } })
        ) { source, probe in
            let held = Log<Int>()
            return Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    guard let value = event.value else { return observer.send(event) }
                    if let former = held.all.last { observer.sendNext(former) }
                    held.append(probe.see(value * 2))
                }
            }
        },
        BrokenOperator(
            "drops what waits when it completes", breaks: 2, "the values, and those of the model",
            OperatorTraits(isAsynchronous: true, isAnonymous: true, model: { $0 })
        ) { source, _ in
            let queue = DispatchQueue(label: "broken")
            return Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    if event.isTerminating { observer.send(event) } else { queue.async { observer.send(event) } }
                }
            }
        },
        BrokenOperator(
            ofProducers: "starts when it is applied", breaks: 7, "starts of the source",
            applyCold: { source, _ in
                source.start { _ in }
                return source.map { $0 }
            }),
        BrokenOperator(
            ofProducers: "asks for all that there is", breaks: 8, "it is asked for", transparent,
            applyCold: { source, _ in
                source.collect().map { $0 }.flatten()
            }),
        BrokenOperator("ends on another thread", breaks: 9, "events on another thread than their sender's") {
            source, _ in
            Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    guard event.isCompleted else { return observer.send(event) }
                    TestThread("completion") { observer.send(event) }.join()
                }
            }
        },
        BrokenOperator("completes after the send", breaks: 3, "ends that have been seen when the first send returns") {
            source, _ in
            Numbers { observer, lifetime in
                lifetime += source.observe { event in
                    guard event.isCompleted else { return observer.send(event) }
                    let sender = ContractThreadPath.current
                    DispatchQueue(label: "broken").async {
                        sender.waitUntilAsleep(atMost: patience)
                        observer.send(event)
                    }
                }
            }
        },
        BrokenOperator(
            ofProducers: "loses what comes in the start", breaks: 1, "a source that sends in its start goes through",
            transparent,
            applyCold: { source, _ in
                Producer { observer, lifetime in
                    let (signal, input) = Numbers.pipe()
                    lifetime += source.start(input)
                    if signal.observe(observer) == nil { observer.sendInterrupted() }
                }
            }),
        BrokenOperator(
            ofProducers: "completes where a start is interrupted", breaks: 11, "the source drops its observer",
            applyCold: { source, _ in source.merge(with: .empty) }),
        BrokenOperator(
            ofProducers: "does not cancel the start of its source", breaks: 8, "disposals of the source",
            applyCold: { source, _ in
                Producer { observer, _ in
                    source.start { observer.send($0) }
                }
            }),
        BrokenOperator("never ends", breaks: 10, "hangs: the end of many values does not come") { source, _ in
            // Retained so that its release does not end the result.
            Numbers { observer, lifetime in
                graveyard.append(observer)
                lifetime += source.observe { event in
                    if !event.isTerminating { observer.send(event) }
                }
            }
        },
        BrokenOperator("holds a lock that is never released", breaks: 10, "hangs: 1 of 1 threads", transparent) {
            source, probe in
            let lock = DispatchSemaphore(value: 1)
            return source.map { value in
                lock.wait()
                defer { lock.signal() }
                return probe.see(value)
            }.on(next: { _ in lock.wait() })
        },
    ]
}

/// A single check with an operator in which it finds a violation. Other checks would also find many of these.
private struct LonelyCheck: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The text of the violation.
    let text: String
    private let operation: OperatorContract
    /// Nil if no check has this rule.
    private let check: ContractCheck?

    init(
        _ rule: String, _ text: String, apply: @escaping @Sendable (Numbers, ContractProbe) -> Numbers
    ) {
        testDescription = rule
        self.text = text
        operation = OperatorContract(ofSignals: rule, OperatorTraits(isTransparent: true), apply: apply)
        check = ContractCheck.all.first { $0.rule == rule }
    }

    /// - Returns: The violations.
    func run(patience: Duration) -> [ContractViolation] {
        check?.run(operation, rounds: 4, depth: 300, patience: patience).violations ?? []
    }

    /// Drops all terminal events. The observer is retained so that its release does not end the result.
    private static func withoutEnd(_ source: Numbers, _ probe: ContractProbe) -> Numbers {
        Numbers { observer, lifetime in
            graveyard.append(observer)
            lifetime += source.observe { event in
                if !event.isTerminating { observer.send(event) }
            }
        }
    }

    static let all: [LonelyCheck] = [
        LonelyCheck("nor do values that are sent from inside one another", "how many come: expected 300, got 24") {
            source, _ in source.filter { $0 != 25 }
        },
        LonelyCheck("nor do values that queue up behind one event", "how many come: expected 61, got 60") {
            source, _ in source.filter { $0 != 25 }
        },
        LonelyCheck(
            "events are serial, and one terminal event comes with nothing after it, with 8 racing senders",
            "hangs: a terminal event does not come", apply: withoutEnd),
        LonelyCheck(
            "events are serial, and one terminal event comes with nothing after it, in many short races",
            "hangs: a terminal event does not come", apply: withoutEnd),
        LonelyCheck(
            "observing while the signal ends gives exactly one terminal event",
            "hangs: a terminal event does not come", apply: withoutEnd),
        LonelyCheck(
            "after its end a signal answers an observer with interrupted, and nil",
            "observing a result that has ended returns a disposable"
        ) { source, _ in
            // Loses events sent while it is applied.
            let isApplied = DoneFlag()
            return Numbers { observer, lifetime in
                graveyard.append(observer)
                lifetime += source.observe { event in
                    if isApplied.isRaised { observer.send(event) }
                }
                isApplied.raise()
            }
        },
        LonelyCheck(
            "an observer needs no synchronisation", "hangs: the end of what four threads send does not come",
            apply: withoutEnd),
        LonelyCheck(
            "events stay on the sender's thread", "events on another thread than their sender's: expected 0, got 7"
        ) { source, _ in
            Numbers { observer, lifetime in
                lifetime += source.observe { event in TestThread("stranger") { observer.send(event) }.join() }
            }
        },
        LonelyCheck(
            "values sent from inside a delivery follow it, in one order for all observers",
            "each value up to 50 sends the next one, and itself plus 1,000"
        ) { source, _ in source.filter { $0 != 25 } },
    ]
}

/// Calls `body` at increasing stack depths. Not optimized, which would remove the frames.
@inline(never) @_optimize(none)
private func descend(_ depth: Int, _ body: () -> Void) {
    if depth <= 0 { return body() }
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { _ in descend(depth - 1, body) }
}

/// Runs a body on a separate thread: the threads of Swift's pool are for the library and for operators that use tasks.
private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

/// Calls `body` with more and more patience until it returns true. A check of a broken operator uses up its patience,
/// because what the operator drops never arrives. So the first call has little: more than enough, unless the machine is
/// busy.
private func withGrowingPatience(_ body: (Duration) async throws -> Bool) async rethrows {
    for patience in [2, 20, 200] {
        if try await body(.seconds(patience)) { return }
    }
}

@Suite("Contract checker", .watched)
struct OperatorContractTests {
    @Test("finds the violation in a broken operator", arguments: BrokenOperator.all)
    private func broken(_ broken: BrokenOperator) async {
        var found: [ContractViolation] = []
        var isFound: Bool {
            found.contains { $0.contracts.contains(broken.contract) && $0.description.contains(broken.text) }
        }
        await withGrowingPatience { patience in
            found = await onThread {
                broken.operation.violations(rounds: 10, depth: 2_000, patience: patience)
            }
            return isFound
        }
        #expect(isFound, "\(ContractViolationsText(found))")
    }

    @Test("finds a violation with each single check", arguments: LonelyCheck.all)
    private func lonely(_ check: LonelyCheck) async {
        var found: [ContractViolation] = []
        var isFound: Bool { found.contains { $0.details.contains(check.text) } }
        await withGrowingPatience { patience in
            found = await onThread { check.run(patience: patience) }
            return isFound
        }
        #expect(isFound, "\(ContractViolationsText(found))")
    }

    @Test("finds no violation in correct custom operators")
    func right() async throws {
        let sum = OperatorContract(ofSignals: "sum", OperatorTraits(printedName: "sum")) { source, probe in
            source.applying(Sum(probe: probe), named: "sum")
        }
        let sums = OperatorContract(ofProducers: "sum") { source, probe in source.applying(Sum(probe: probe)) }
        let first = OperatorContract(ofSignals: "first", OperatorTraits(limit: 2)) { source, _ in
            source.applying(First(remaining: 2))
        }
        for contract in [sum, sums, first] {
            let found = await onThread { contract.violations(rounds: 25, depth: 2_000, patience: patience) }
            expect(found, is: [], "\(contract.name)")
        }
    }

    @Test("finds no violation with correct models, and one with a wrong model")
    func models() async {
        let contracts = [
            OperatorContract(ofSignals: "sum", OperatorTraits(model: Self.sums)) { source, probe in
                source.applying(Sum(probe: probe))
            },
            OperatorContract(ofProducers: "sum", OperatorTraits(model: Self.sums)) { source, probe in
                source.applying(Sum(probe: probe))
            },
            OperatorContract(ofProducers: "first", OperatorTraits(limit: 2, model: { Array($0.prefix(2)) })) {
                source, _ in
                source.take(first: 2)
            },
            OperatorContract(
                ofProducers: "queue", OperatorTraits(isTransparent: true, isAsynchronous: true, model: { $0 })
            ) { source, probe in
                source.map { probe.see($0) }.observe(on: QueueScheduler())
            },
        ]
        for contract in contracts {
            #expect(contract.rules.contains("2: the values are those of the model"))
            let found = await onThread { contract.violations(rounds: 5, depth: 500, patience: patience) }
            expect(found, is: [], "\(contract.name)")
        }
        let wrong = OperatorContract(ofSignals: "wrong", OperatorTraits(model: { $0 })) { source, _ in
            source.skipRepeats()
        }
        let found = await onThread { wrong.violations(rounds: 5, depth: 500) }
        expect(
            found.map(\.details).first,
            is: "[1, 1] and a completion are sent: the values, and those of the model: expected [1, 1], got [1]",
            "\(ContractViolationsText(found))")
    }

    private static let sums: @Sendable ([Int]) -> [Int] = { values in
        values.reduce(into: []) { sums, value in sums.append((sums.last ?? 0) + value) }
    }

    @Test("throws all violations as text, also from a task", .notUnderSanitizers)
    func throwing() async throws {
        let contract = OperatorContract(ofSignals: "halves", OperatorTraits(isTransparent: true)) { source, _ in
            source.map { $0 / 2 }
        }
        var thrown: ContractViolations?
        await withGrowingPatience { patience in
            thrown = await #expect(throws: ContractViolations.self) {
                try await contract.check(rounds: 10, depth: 100, patience: patience)
            }
            return thrown?.description.contains("expected [1, 2, 3], got [0, 1, 1]") == true
        }
        let violations = try #require(thrown)
        expect(violations.name, is: "halves")
        #expect(violations.violations.count > 1)
        #expect(
            violations.description.hasPrefix("halves breaks the contract in \(violations.violations.count) points:\n- ")
        )
        #expect(violations.description.contains("6: every end comes out as it should, once: "))
        #expect(violations.description.contains("expected [1, 2, 3], got [0, 1, 1]"))
        try await OperatorContract(ofSignals: "map") { source, probe in source.map { probe.see($0) } }
            .check(rounds: 10, depth: 100)
    }

    @Test("lists its rules, which depend on the traits")
    func rules() {
        let plain = OperatorContract(ofSignals: "plain") { source, _ in source }
        let transparent = OperatorContract(ofSignals: "transparent", OperatorTraits(isTransparent: true)) { source, _ in
            source
        }
        let cold = OperatorContract(ofProducers: "cold", OperatorTraits(isTransparent: true)) { source, _ in source }
        #expect(plain.rules.count >= 25)
        #expect(Set(plain.rules).isStrictSubset(of: transparent.rules))
        #expect(Set(transparent.rules).isStrictSubset(of: cold.rules))
        #expect(plain.rules.contains("11: nothing leaks, however it ends"))
        #expect(cold.rules.contains("7: each start has its own state"))
    }

    @Test("traps unless the number of rounds and the depth are positive")
    func noRounds() async throws {
        let violations = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = OperatorContract(ofSignals: "mine") { source, _ in source }.violations(rounds: 0)
        }
        violations.expectTrap("OperatorContract(mine): the number of rounds, 0, must be positive")
        let blocking = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let check = { try OperatorContract(ofSignals: "mine") { source, _ in source }.check(depth: 0) }
            try check()
        }
        blocking.expectTrap("OperatorContract(mine): the depth, 0, must be positive")
        let suspending = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await OperatorContract(ofSignals: "mine") { source, _ in source }.check(rounds: 0)
        }
        suspending.expectTrap("OperatorContract(mine): the number of rounds, 0, must be positive")
    }
}

private struct Sum: StreamOperator {
    let probe: ContractProbe
    var sum = 0

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, ContractError>) {
        sum &+= probe.see(value)
        output.sendNext(sum)
    }
}

private struct First: StreamOperator {
    var remaining: Int

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, ContractError>) {
        remaining -= 1
        let isLast = remaining == 0
        output.sendNext(value)
        if isLast { output.sendCompleted() }
    }
}

/// Violations, one per line.
private struct ContractViolationsText: CustomStringConvertible {
    let description: String

    init(_ violations: [ContractViolation]) {
        description = violations.isEmpty ? "nothing" : violations.map(\.description).joined(separator: "\n")
    }
}
