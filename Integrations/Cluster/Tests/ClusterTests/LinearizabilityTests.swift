import ReactiveClusterTesting
import Synchronization
import Testing

private typealias Register = RegisterModel<Int>
private typealias Operation = HistoryOperation<Register.Call, Register.Answer>

/// A register that counts the operations that a search tries.
private struct CountingRegister: SequentialModel {
    let performed: Counter
    let initial = 0

    func perform(_ call: Register.Call, on state: inout Int) -> Register.Answer {
        performed.count.add(1, ordering: .relaxed)
        return Register(initial: 0).perform(call, on: &state)
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}

private func operation(
    _ call: Register.Call, _ answer: Register.Answer, _ start: Int, _ end: Int
) -> Operation {
    HistoryOperation(call, returned: answer, from: .seconds(start), to: .seconds(end))
}

@Suite("The checker of linearizability")
struct LinearizabilityTests {
    private let register = Register(initial: 0)

    @Test("accepts histories of operations one after another")
    func sequential() {
        #expect(register.isLinearizable([]))
        #expect(
            register.isLinearizable([
                operation(.read, .value(0), 0, 1), operation(.write(1), .done, 2, 3),
                operation(.compareAndSet(1, 2), .done, 4, 5), operation(.compareAndSet(1, 3), .refused, 6, 7),
                operation(.read, .value(2), 8, 9),
            ]))
    }

    @Test("accepts any order of operations at the same time")
    func concurrent() {
        for value in [0, 1, 2] {
            #expect(
                register.isLinearizable([
                    operation(.write(1), .done, 0, 10), operation(.write(2), .done, 0, 10),
                    operation(.read, .value(value), 0, 10),
                ]))
        }
    }

    @Test("refuses a stale read, a lost write, a value from nowhere, and two winners")
    func wrong() {
        #expect(
            !register.isLinearizable([operation(.write(1), .done, 0, 1), operation(.read, .value(0), 2, 3)]))
        #expect(
            !register.isLinearizable([
                operation(.write(1), .done, 0, 1), operation(.write(2), .done, 2, 3), operation(.read, .value(1), 4, 5),
            ]))
        #expect(!register.isLinearizable([operation(.read, .value(7), 0, 1)]))
        #expect(
            !register.isLinearizable([
                operation(.compareAndSet(0, 1), .done, 0, 10), operation(.compareAndSet(0, 2), .done, 0, 10),
            ]))
        // Both reads are at the same time as the write, but one has returned before the other one begins.
        #expect(
            !register.isLinearizable([
                operation(.write(1), .done, 0, 10), operation(.read, .value(1), 1, 2),
                operation(.read, .value(0), 3, 4),
            ]))
    }

    @Test("lets an operation with an unknown outcome take effect at any time, or never, but not twice")
    func unknown() {
        let unknown = Operation(.write(5), unknownSince: .seconds(0))
        #expect(register.isLinearizable([unknown, operation(.read, .value(0), 10, 11)]))
        #expect(
            register.isLinearizable([
                unknown, operation(.read, .value(0), 10, 11), operation(.read, .value(5), 12, 13),
            ]))
        #expect(
            !register.isLinearizable([
                unknown, operation(.read, .value(5), 10, 11), operation(.write(0), .done, 12, 13),
                operation(.read, .value(5), 14, 15),
            ]))
        // Not before it was called.
        #expect(
            !register.isLinearizable([
                operation(.read, .value(5), 0, 1), Operation(.write(5), unknownSince: .seconds(2)),
            ]))
    }

    @Test("checks each key separately")
    func keys() {
        struct Keyed: SequentialModel {
            struct Call: Equatable {
                let key: String
                let write: Int?
            }
            let initial = 0
            func perform(_ call: Call, on state: inout Int) -> Int {
                state = call.write ?? state
                return state
            }
        }
        func operation(
            _ key: String, _ write: Int?, _ answer: Int, _ time: Int
        ) -> HistoryOperation<Keyed.Call, Int> {
            HistoryOperation(
                Keyed.Call(key: key, write: write), returned: answer, from: .seconds(time), to: .seconds(time + 1))
        }
        let good = [operation("a", 1, 1, 0), operation("b", nil, 0, 2), operation("a", nil, 1, 4)]
        #expect(Keyed().firstViolation(in: good, key: \.key) == nil)
        #expect(Keyed().firstViolation(in: good + [operation("b", nil, 1, 6)], key: \.key) == "b")
    }

    @Test("checks many retries with an unknown outcome, as a partition leaves them, in little time")
    func retries() {
        let performed = Counter()
        let counting = CountingRegister(performed: performed)
        var history: [Operation] = []
        for index in 0..<18 {
            history.append(Operation(.compareAndSet(0, 1), unknownSince: .seconds(index)))
            history.append(Operation(.compareAndSet(1, 2), unknownSince: .seconds(index)))
        }
        // After all attempts, one writer has the answer that only the first one can have.
        let first = operation(.compareAndSet(0, 1), .done, 20, 21)
        #expect(counting.isLinearizable(history + [first, operation(.compareAndSet(1, 2), .done, 22, 23)]))
        #expect(!counting.isLinearizable(history + [first, operation(.compareAndSet(0, 1), .done, 22, 23)]))
        #expect(performed.count.load(ordering: .relaxed) < 10_000)
    }

    @Test("lets each of several equal calls with an unknown outcome take effect once")
    func equalCalls() {
        let twice = (0..<2).map { Operation(.write(5), unknownSince: .seconds($0)) }
        let back = operation(.write(0), .done, 12, 13)
        let reads = [operation(.read, .value(5), 10, 11), back, operation(.read, .value(5), 14, 15)]
        #expect(register.isLinearizable(twice + reads))
        let third = [operation(.write(0), .done, 16, 17), operation(.read, .value(5), 18, 19)]
        #expect(!register.isLinearizable(twice + reads + third))
        // The second one was called too late.
        let late = [twice[0], Operation(.write(5), unknownSince: .seconds(16))]
        #expect(!register.isLinearizable(late + reads))
    }

    @Test("finds a wrong order of a list in a long history")
    func long() {
        var history: [HistoryOperation<ListModel<Int>.Call, ListModel<Int>.Answer>] = []
        for index in 0..<200 {
            history.append(
                HistoryOperation(
                    .append(index), returned: .count(index + 1), from: .seconds(index), to: .seconds(index + 1)))
        }
        let all = HistoryOperation<ListModel<Int>.Call, ListModel<Int>.Answer>(
            .read, returned: .elements(Array(0..<200)), from: .seconds(300), to: .seconds(301))
        #expect(ListModel().isLinearizable(history + [all]))
        let swapped = HistoryOperation<ListModel<Int>.Call, ListModel<Int>.Answer>(
            .read, returned: .elements(Array(0..<198) + [199, 198]), from: .seconds(300), to: .seconds(301))
        // Appends that touch in time may be in either order, but their counts say which.
        #expect(!ListModel().isLinearizable(history + [swapped]))
    }
}
