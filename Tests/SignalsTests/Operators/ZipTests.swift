import ReactiveSignals
import TestSupport
import Testing

@Suite("zip")
struct ZipTests {
    @Test("pairs the first values, then the second ones, and so on")
    func pairs() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Signal<String, TestError>.pipe()
        let log = a.zip(with: b).logged()
        for value in 1...3 { inputA.sendNext(value) }
        #expect(log.all.isEmpty)
        inputB.sendNext("x")
        inputB.sendNext("y")
        #expect(log.all == [#"(1, "x")"#, #"(2, "y")"#])
        inputB.sendNext("z")
        inputB.sendNext("w")
        inputA.sendNext(4)
        #expect(log.all.suffix(2) == [#"(3, "z")"#, #"(4, "w")"#])
    }

    @Test("buffers the values of the input that is ahead, including around its ring")
    func buffers() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.zip(with: b).logged()
        var expected: [String] = []
        var sentA = 0
        var sentB = 0
        for ahead in [3, 2, 5, 0, 100, 7, 200] {
            while sentA < sentB + ahead {
                inputA.sendNext(sentA)
                sentA += 1
            }
            while sentB < sentA - ahead / 2 {
                inputB.sendNext(sentB)
                expected.append("(\(sentB), \(sentB))")
                sentB += 1
            }
        }
        expect(log.all, is: expected)
    }

    @Test("zips any number of types")
    func arities() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Signal<String, TestError>.pipe()
        let (c, inputC) = Signal<Bool, TestError>.pipe()
        let (d, inputD) = Signal<Int8, TestError>.pipe()
        let three = Signal.zip(a, b, c).logged()
        let four = Signal.zip(d, a, c, b).logged()
        let one = Signal.zip(a).logged()
        inputD.sendNext(4)
        inputC.sendNext(true)
        inputB.sendNext("x")
        inputB.sendNext("y")
        inputA.sendNext(1)
        inputA.sendNext(2)
        inputC.sendNext(false)
        #expect(three.all == [#"(1, "x", true)"#, #"(2, "y", false)"#])
        #expect(four.all == [#"(4, 1, true, "x")"#])
        expect(one.all.count, is: 2)
        inputD.sendCompleted()
        expect(four.all.last, is: "completed")
        expect(three.all.count, is: 2)
    }

    @Test("zips a collection into arrays in the collection's order")
    func collection() {
        let pipes = (0..<3).map { _ in Source.pipe() }
        let log = Source.zip(pipes.map(\.output)).logged()
        for index in [2, 0, 1, 2, 1, 0] { pipes[index].input.sendNext(index) }
        pipes[1].input.sendCompleted()
        expect(log.all, is: ["[0, 1, 2]", "[0, 1, 2]", "completed"])
        // Otherwise the optimizer releases the other inputs earlier, which interrupts.
        withExtendedLifetime(pipes) {}
    }

    @Test("interrupts its observers if the collection is empty")
    func empty() { expect(Source.zip([Source]()).logged().all, is: ["interrupted"]) }

    @Test("completes when an input completes whose values have all been paired")
    func completesAtCompletion() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.zip(with: b).logged()
        inputA.sendNext(1)
        inputB.sendNext(1)
        inputB.sendNext(2)
        inputA.sendCompleted()
        expect(log.all, is: ["(1, 1)", "completed"])
    }

    @Test("completes at once when an input completes without a value")
    func completesEmpty() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.zip(with: b).logged()
        inputB.sendNext(1)
        inputA.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("completes with the last pair when the values of a completed input are used up")
    func completesAtDrain() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.zip(with: b).logged()
        inputA.sendNext(1)
        inputA.sendNext(2)
        inputA.sendCompleted()
        #expect(log.all.isEmpty)
        inputB.sendNext(1)
        expect(log.all, is: ["(1, 1)"])
        inputB.sendNext(2)
        expect(log.all, is: ["(1, 1)", "(2, 2)", "completed"])
        inputB.sendNext(3)
        expect(log.all, is: ["(1, 1)", "(2, 2)", "completed"])
    }

    @Test("fails or is interrupted as soon as one input is")
    func fails() {
        for event in [Event<Int, TestError>.error(.second), .interrupted] {
            let (a, inputA) = Source.pipe()
            let (b, inputB) = Source.pipe()
            let log = a.zip(with: b).logged()
            inputA.sendNext(1)
            inputB.send(event)
            inputA.sendNext(2)
            expect(log.all, is: [event.text])
        }
    }

    @Test("interrupts its observers if an input has already ended")
    func ended() {
        let (a, input) = Source.pipe()
        expect(a.zip(with: Source.empty).logged().all, is: ["interrupted"])
        expect(Source.empty.zip(with: a).logged().all, is: ["interrupted"])
        withExtendedLifetime(input) {}
    }

    @Test("combined with itself, pairs each value with itself")
    func itself() {
        let (a, input) = Source.pipe()
        let log = a.zip(with: a).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["(1, 1)", "(2, 2)", "completed"])
    }

    @Test("delivers events that an observer sends to an input in order")
    func reentrant() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = Log<String>()
        a.zip(with: b).observe { event in
            log.append(event.text)
            guard let (value, _) = event.value, value < 3 else { return }
            inputA.sendNext(value + 1)
            inputB.sendNext(value + 1)
            if value == 2 { inputB.sendCompleted() }
        }
        inputA.sendNext(1)
        inputB.sendNext(1)
        expect(log.all, is: ["(1, 1)", "(2, 2)", "(3, 3)", "completed"])
    }

    @Test("releases its values when it ends or is disposed of")
    func releases() {
        for ending in [Event<Population.Member, TestError>.error(.first), .interrupted, .completed] {
            let population = Population()
            let (a, inputA) = Signal<Population.Member, TestError>.pipe()
            let (b, inputB) = Signal<Population.Member, TestError>.pipe()
            let result = a.zip(with: b)
            for _ in 0..<6 { inputA.sendNext(population.member()) }
            expect(population.alive, is: 6)
            inputB.sendNext(population.member())
            expect(population.alive, is: 5)
            inputB.send(ending)
            expect(population.alive, is: 0)
            withExtendedLifetime(result) {}
        }
        let population = Population()
        let (a, inputA) = Signal<Population.Member, TestError>.pipe()
        let (b, inputB) = Signal<Population.Member, TestError>.pipe()
        let disposable = a.zip(with: b).observe { _ in }
        inputA.sendNext(population.member())
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(inputB) {}
    }

    @Test("pairs correctly when its inputs send from different threads")
    func threads() {
        for _ in 0..<20 {
            let (a, inputA) = Source.pipe()
            let (b, inputB) = Source.pipe()
            let log = a.zip(with: b).logged()
            let inputs = [inputA, inputB]
            onThreads(2, "zip") { index in
                for value in 1...100 { inputs[index].sendNext(value) }
                inputs[index].sendCompleted()
            }
            #expect(log.all == (1...100).map { "(\($0), \($0))" } + ["completed"])
        }
    }
}
