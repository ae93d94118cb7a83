import Foundation
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// The four operators that CONTRIBUTING shows to those who write one.
@Suite("Worked operators", .watched)
struct WorkedOperatorTests {
    private typealias Numbers = SignalProducer<Int, TestError>

    @Test("CONTRIBUTING shows the code of these tests", arguments: ["EveryNth", "Audit", "PassWhile", "ConcatMap"])
    func listing(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let code = try String(contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        #expect(page.contains("```swift\n\(code)```"), "the listing of \(name).swift differs")
    }

    // MARK: everyNth

    @Test("everyNth sends every n-th value, and the end")
    func everyNth() {
        expect(events(of: Numbers([1, 2, 3, 4, 5]).everyNth(2)).all, is: [.next(2), .next(4), .completed])
        expect(events(of: Numbers([1, 2]).everyNth(1)).all, is: [.next(1), .next(2), .completed])
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = events(of: signal.everyNth(3))
        (1...7).forEach(input.sendNext)
        input.sendError(TestError())
        expect(log.all, is: [.next(3), .next(6), .error(TestError())])
    }

    @Test("everyNth traps for numbers that are not positive")
    func everyNthTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SignalProducer<Int, Never>([1]).everyNth(0)
        }
        #expect(
            result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.contains("everyNth(0)") == true)
    }

    @Test("everyNth keeps the contract")
    func everyNthContract() throws {
        let traits = OperatorTraits(printedName: "everyNth: 1", model: { $0 })
        try OperatorContract(ofSignals: "everyNth", traits) { source, _ in source.everyNth(1) }
            .check(rounds: 10, depth: 1_000)
        try OperatorContract(ofProducers: "everyNth", traits) { source, _ in source.everyNth(1) }
            .check(rounds: 10, depth: 1_000)
    }

    // MARK: audit

    @Test("audit sends the latest value when an interval is over")
    func audit() {
        let clock = TestScheduler()
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = events(of: signal.audit(.seconds(3), on: clock))
        input.sendNext(1)
        clock.advance(by: .seconds(2))
        input.sendNext(2)
        expect(log.all, is: [])
        clock.advance(by: .seconds(1))
        expect(log.all, is: [.next(2)])
        clock.advance(by: .seconds(5))
        input.sendNext(3)
        input.sendNext(4)
        input.sendCompleted()
        clock.advance()
        expect(log.all, is: [.next(2), .next(4), .completed])
    }

    @Test("audit drops what waits at a failure and at an interruption")
    func auditDrops() {
        let clock = TestScheduler()
        for terminal in [Event<Int, TestError>.error(TestError()), .interrupted] {
            let (signal, input) = Signal<Int, TestError>.pipe()
            let log = events(of: signal.audit(.seconds(3), on: clock))
            input.sendNext(1)
            input.send(terminal)
            clock.advance(by: .seconds(3))
            expect(log.all, is: [terminal])
        }
    }

    @Test("the machine of audit is a value")
    func machine() {
        var machine = AuditMachine<Int, TestError>(interval: .seconds(3))
        #expect(machine.wakeUp == nil)
        #expect(machine.receive(1, at: .seconds(1)) == nil)
        #expect(machine.wakeUp == .seconds(4))
        #expect(machine.nextEvent(at: .seconds(2)) == nil)
        #expect(machine.receive(2, at: .seconds(2)) == 1)
        #expect(machine.nextEvent(at: .seconds(4)) == .next(2))
        #expect(machine.nextEvent(at: .seconds(4)) == nil)
    }

    @Test("audit keeps the contract")
    func auditContract() throws {
        let traits = OperatorTraits(isAsynchronous: true, maySendNothing: true, mayCoalesce: true)
        try OperatorContract(ofSignals: "audit", traits) { source, _ in source.audit(.zero, on: QueueScheduler()) }
            .check(rounds: 10, depth: 1_000)
        try OperatorContract(ofProducers: "audit", traits) { source, _ in source.audit(.zero, on: QueueScheduler()) }
            .check(rounds: 10, depth: 1_000)
    }

    // MARK: pass(while:)

    @Test("pass(while:) drops values while the other signal has sent false, and ends with the source")
    func pass() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let (isOpen, valve) = Signal<Bool, Never>.pipe()
        let log = events(of: signal.pass(while: isOpen))
        input.sendNext(1)
        valve.sendNext(false)
        input.sendNext(2)
        valve.sendNext(true)
        input.sendNext(3)
        valve.sendCompleted()
        input.sendNext(4)
        input.sendError(TestError())
        expect(log.all, is: [.next(1), .next(3), .next(4), .error(TestError())])
    }

    @Test("pass(while:) keeps the contract")
    func passContract() throws {
        try OperatorContract(ofSignals: "pass(while:)", OperatorTraits(model: { $0 })) { source, _ in
            source.pass(while: .never)
        }
        .check(rounds: 10, depth: 1_000)
        try OperatorContract(ofProducers: "pass(while:)", OperatorTraits(model: { $0 })) { source, _ in
            source.pass(while: .never)
        }
        .check(rounds: 10, depth: 1_000)
    }

    @Test("pass(while:) of producers starts the other one first")
    func passCold() {
        let isOpen = SignalProducer<Bool, Never>(value: false)
        expect(events(of: Numbers([1, 2]).pass(while: isOpen)).all, is: [.completed])
        expect(events(of: Numbers([1, 2]).pass(while: .never)).all, is: [.next(1), .next(2), .completed])
    }

    // MARK: concatMap

    @Test("concatMap starts one producer after another, and ends when all have completed")
    func concatMap() {
        let (inner, input) = Signal<Int, TestError>.pipe()
        let (source, outer) = Signal<Int, TestError>.pipe()
        let log = events(of: source.producer.concatMap { $0 == 0 ? inner.producer : Numbers([$0, $0]) })
        outer.sendNext(0)
        outer.sendNext(1)
        outer.sendCompleted()
        input.sendNext(7)
        expect(log.all, is: [.next(7)])
        input.sendCompleted()
        expect(log.all, is: [.next(7), .next(1), .next(1), .completed])
        expect(
            events(of: Numbers([1, 2]).concatMap { $0 == 1 ? Numbers(error: TestError()) : Numbers(value: 2) }).all,
            is: [.error(TestError())])
    }

    @Test("concatMap keeps the contract")
    func concatMapContract() throws {
        let traits = OperatorTraits(printedName: "concatMap:", model: { $0 })
        try OperatorContract(ofProducers: "concatMap:", traits) { source, _ in
            source.concatMap { SignalProducer(value: $0) }
        }
        .check(rounds: 10, depth: 1_000)
    }
}
