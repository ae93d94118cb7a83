import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("SignalProducer.unfold")
struct UnfoldTests {
    @Test("sends the values until there is no further state, from the initial state in each start")
    func values() {
        let powers = SignalProducer.unfold(1) { $0 < 9 ? ("\($0)", $0 * 2) : nil }
        for _ in 0..<2 { expect(powers.logged().all, is: ["1", "2", "4", "8", "completed"]) }
        expect(SignalProducer.unfold(1) { _ -> (Int, Int)? in nil }.logged().all, is: ["completed"])
    }

    @Test("infers its error type, or that it cannot fail")
    func inference() {
        let safe = SignalProducer.unfold(0) { $0 < 1 ? ($0, $0 + 1) : nil }
        #expect(type(of: safe) == SignalProducer<Int, Never>.self)
        let failing = SignalProducer.unfold(0) { state throws(TestError) in
            if state == 2 { throw TestError.second }
            return (state, state + 1)
        }
        #expect(type(of: failing) == Numbers.self)
        expect(failing.logged().all, is: ["0", "1", "error second"])
        let typed: Numbers = .unfold(0) { $0 < 1 ? ($0, $0 + 1) : nil }
        expect(typed.logged().all, is: ["0", "completed"])
    }

    @Test("sends values that are nil")
    func optional() {
        let producer = SignalProducer<Int?, Never>.unfold(0) { $0 < 2 ? ($0 == 0 ? nil : $0, $0 + 1) : nil }
        expect(producer.logged().all, is: ["nil", "Optional(1)", "completed"])
    }

    @Test("calls the function only for the values that are needed")
    func needed() {
        let calls = Counter()
        let numbers = SignalProducer.unfold(0) { state -> (Int, Int)? in
            calls.increment()
            return (state, state + 1)
        }
        expect(numbers.take(first: 3).logged().all, is: ["0", "1", "2", "completed"])
        expect(calls.value, is: 3)
        let log = Log<String>()
        numbers.startDisposably { event, disposable in
            log.append(event.text)
            if event.value == 1 { disposable.dispose() }
        }
        expect(log.all, is: ["0", "1", "interrupted"])
        expect(calls.value, is: 5)
        let none = numbers.startWithSignal { signal, disposable in
            defer { disposable.dispose() }
            return signal.logged()
        }
        expect(none.all, is: ["interrupted"])
        expect(calls.value, is: 5)
    }

    @Test("sends any number of values on a small stack", .notUnderSanitizers)
    func iterative() {
        onSmallStack("unfold") {
            let producer = SignalProducer.unfold(0) { $0 < manyLevels ? ($0, $0 + 1) : nil }
            expect(producer.count().logged().all, is: ["\(manyLevels)", "completed"])
        }
    }

    @Test("releases each state once the next one has been created, and all but the initial one at the end")
    func releases() {
        let population = Population()
        let most = Locked(0)
        let producer = SignalProducer<Int, Never>.unfold((0, population.member())) { state in
            state.0 < 9 ? (state.0, (state.0 + 1, population.member())) : nil
        }
        producer.startWithNext { _ in most.withLock { $0 = max($0, population.alive) } }
        // The producer's initial state, and the states before and after a value.
        #expect(most.withLock { $0 } <= 3)
        expect(population.alive, is: 1)
        withExtendedLifetime(producer) {}
    }

    @Test("has the source's name")
    func name() { expect(SignalProducer.unfold(0) { ($0, $0) }.name, is: "unfold") }
}
