import ReactiveSignals
import TestSupport
import Testing

@Suite("combineLatest")
struct CombineLatestTests {
    @Test("sends once all inputs have sent, then whenever one sends")
    func combines() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Signal<String, TestError>.pipe()
        let log = a.combineLatest(with: b).logged()
        inputA.sendNext(1)
        inputA.sendNext(2)
        #expect(log.all.isEmpty)
        inputB.sendNext("x")
        inputB.sendNext("y")
        inputA.sendNext(3)
        #expect(log.all == [#"(2, "x")"#, #"(2, "y")"#, #"(3, "y")"#])
    }

    @Test("combines any number of types")
    func arities() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Signal<String, TestError>.pipe()
        let (c, inputC) = Signal<Bool, TestError>.pipe()
        let (d, inputD) = Signal<Int8, TestError>.pipe()
        let (e, inputE) = Signal<Double, TestError>.pipe()
        let three = Signal.combineLatest(a, b, c).logged()
        let five = Signal.combineLatest(d, a, c, e, b).logged()
        let one = Signal.combineLatest(a).logged()
        inputD.sendNext(4)
        inputC.sendNext(true)
        inputB.sendNext("x")
        inputE.sendNext(0.5)
        inputA.sendNext(1)
        inputA.sendNext(2)
        inputC.sendNext(false)
        #expect(three.all == [#"(1, "x", true)"#, #"(2, "x", true)"#, #"(2, "x", false)"#])
        #expect(
            five.all == [
                #"(4, 1, true, 0.5, "x")"#, #"(4, 2, true, 0.5, "x")"#, #"(4, 2, false, 0.5, "x")"#,
            ])
        expect(one.all.count, is: 2)
    }

    @Test("combines a collection into arrays in the collection's order")
    func collection() {
        let pipes = (0..<3).map { _ in Source.pipe() }
        let log = Source.combineLatest(pipes.map(\.output)).logged()
        for index in [2, 0, 1, 2] { pipes[index].input.sendNext(index) }
        pipes[0].input.sendNext(9)
        for pipe in pipes { pipe.input.sendCompleted() }
        expect(log.all, is: ["[0, 1, 2]", "[0, 1, 2]", "[9, 1, 2]", "completed"])
    }

    @Test("interrupts its observers if the collection is empty")
    func empty() { expect(Source.combineLatest([Source]()).logged().all, is: ["interrupted"]) }

    @Test("completes only when all inputs have completed, even if one completes without a value")
    func completes() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.combineLatest(with: b).logged()
        inputA.sendCompleted()
        inputB.sendNext(1)
        #expect(log.all.isEmpty)
        inputB.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    /// Calls a closure when it is released.
    private final class Releasing: Sendable {
        let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void = {}) { self.action = action }

        deinit { action() }
    }

    @Test("sends nothing more if the release of the value that a new one replaces ends the result")
    func releasedValue() {
        let (a, inputA) = Signal<Releasing, Never>.pipe()
        let (b, inputB) = Signal<Releasing, Never>.pipe()
        let count = Counter()
        let observation = Locked<(any Disposable)?>(nil)
        observation.withLock { $0 = a.combineLatest(with: b).observeNext { _ in count.increment() } }
        inputA.sendNext(Releasing { observation.withLock { $0.take() }?.dispose() })
        inputB.sendNext(Releasing())
        expect(count.value, is: 1)
        inputA.sendNext(Releasing())
        expect(count.value, is: 1)
        inputA.sendNext(Releasing())
        inputB.sendNext(Releasing())
        expect(count.value, is: 1)
    }

    @Test("keeps the last value of an input that has completed")
    func goesOn() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.combineLatest(with: b).logged()
        inputA.sendNext(1)
        inputA.sendCompleted()
        inputB.sendNext(2)
        inputB.sendNext(3)
        inputB.sendCompleted()
        expect(log.all, is: ["(1, 2)", "(1, 3)", "completed"])
    }

    @Test("fails or is interrupted as soon as one input is, and releases the others")
    func fails() {
        for event in [Event<Int, TestError>.error(.second), .interrupted] {
            let population = Population()
            let (a, inputA) = Source.pipe()
            let (b, inputB) = Source.pipe()
            let log: Log<String> = {
                let member = population.member()
                return a.map { value in
                    member.touch()
                    return value
                }.combineLatest(with: b).logged()
            }()
            inputA.sendNext(1)
            expect(population.alive, is: 1)
            inputB.send(event)
            expect(population.alive, is: 0)
            inputA.sendNext(2)
            expect(log.all, is: [event.text])
        }
    }

    @Test("interrupts its observers if an input has already ended")
    func ended() {
        let (a, input) = Source.pipe()
        expect(a.combineLatest(with: Source.empty).logged().all, is: ["interrupted"])
        expect(Source.empty.combineLatest(with: a).logged().all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("combined with itself, pairs the new value with the old one, then with itself")
    func itself() {
        let (a, input) = Source.pipe()
        let log = a.combineLatest(with: a).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["(1, 1)", "(2, 1)", "(2, 2)", "completed"])
    }

    @Test("delivers events that an observer sends to an input in order")
    func reentrant() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = Log<String>()
        a.combineLatest(with: b).observe { event in
            log.append(event.text)
            guard let (first, second) = event.value, second < 3 else { return }
            inputB.sendNext(second + 1)
            expect(first, is: 1)
        }
        inputA.sendNext(1)
        inputB.sendNext(1)
        inputA.sendCompleted()
        inputB.sendCompleted()
        expect(log.all, is: ["(1, 1)", "(1, 2)", "(1, 3)", "completed"])
    }

    @Test("can be ended by its own observer during a delivery")
    func endsInside() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = Log<String>()
        a.combineLatest(with: b).observe { event in
            log.append(event.text)
            if !event.isTerminating {
                inputA.sendError(.first)
                inputB.sendNext(9)
            }
        }
        inputA.sendNext(1)
        inputB.sendNext(1)
        expect(log.all, is: ["(1, 1)", "error first"])
    }

    @Test("releases its values when it ends or is disposed of")
    func releases() {
        for ending in [Event<Population.Member, TestError>.error(.first), .interrupted, .completed] {
            let population = Population()
            let (a, inputA) = Signal<Population.Member, TestError>.pipe()
            let (b, inputB) = Signal<Population.Member, TestError>.pipe()
            let result = a.combineLatest(with: b)
            inputA.sendNext(population.member())
            inputA.sendNext(population.member())
            expect(population.alive, is: 1)
            inputB.sendNext(population.member())
            expect(population.alive, is: 2)
            inputA.send(ending)
            inputB.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (a, inputA) = Signal<Population.Member, TestError>.pipe()
        let (b, inputB) = Signal<Population.Member, TestError>.pipe()
        let disposable = a.combineLatest(with: b).observe { _ in }
        inputA.sendNext(population.member())
        disposable?.dispose()
        expect(population.alive, is: 0)
        inputA.sendNext(population.member())
        inputB.sendNext(population.member())
        expect(population.alive, is: 0)
    }

    @Test("changes one input at a time when inputs send from different threads")
    func threads() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = Log<[Int]>()
        let ends = Log<String>()
        a.combineLatest(with: b).observe { event in
            if let (first, second) = event.value { log.append([first, second]) } else { ends.append(event.text) }
        }
        let inputs = [inputA, inputB]
        onThreads(2, "combineLatest") { index in
            for value in 1...1_000 { inputs[index].sendNext(value) }
            inputs[index].sendCompleted()
        }
        expect(log.all.last, is: [1_000, 1_000])
        expect(ends.all, is: ["completed"])
        let sums = log.all.map { $0[0] + $0[1] }
        #expect(zip(sums, sums.dropFirst()).allSatisfy { $1 == $0 + 1 }, "one input changes at a time")
    }
}
