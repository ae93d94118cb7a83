import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("merge")
struct MergeTests {
    @Test("sends the values of all inputs as they arrive")
    func interleaves() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let (c, inputC) = Source.pipe()
        let log = Source.merge(a, b, c).logged()
        inputA.sendNext(1)
        inputC.sendNext(2)
        inputB.sendNext(3)
        inputA.sendNext(4)
        expect(log.all, is: ["1", "2", "3", "4"])
    }

    @Test("completes when all inputs have completed")
    func completes() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.merge(with: b).logged()
        inputA.sendCompleted()
        inputB.sendNext(1)
        expect(log.all, is: ["1"])
        inputB.sendCompleted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("treats an interruption as a completion")
    func interrupted() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = a.merge(with: b).logged()
        inputA.sendInterrupted()
        inputB.sendNext(1)
        inputB.sendInterrupted()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("treats inputs that have already ended as completed")
    func ended() {
        let (a, inputA) = Source.pipe()
        let log = Source.merge(.empty, a, terminated(.error(.first))).logged()
        inputA.sendNext(1)
        inputA.sendCompleted()
        expect(log.all, is: ["1", "completed"])
        expect(Source.merge(.empty, .empty).logged().all, is: ["interrupted"])
    }

    @Test("fails as soon as one input fails, and releases the others")
    func fails() {
        let population = Population()
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log: Log<String> = {
            let member = population.member()
            return a.map { value in
                member.touch()
                return value
            }.merge(with: b).logged()
        }()
        inputA.sendNext(1)
        expect(population.alive, is: 1)
        inputB.sendError(.second)
        expect(population.alive, is: 0)
        inputA.sendNext(2)
        expect(log.all, is: ["1", "error second"])
    }

    @Test("interrupts its observers if the collection is empty")
    func nothing() {
        expect(Source.merge().logged().all, is: ["interrupted"])
        expect(Source.merge([Source]()).logged().all, is: ["interrupted"])
    }

    @Test("forwards the events of one signal, also if it is passed twice")
    func oneAndTwice() {
        let (a, input) = Source.pipe()
        let once = Source.merge([a]).logged()
        let twice = Source.merge(a, a).logged()
        input.sendNext(1)
        input.sendCompleted()
        expect(once.all, is: ["1", "completed"])
        expect(twice.all, is: ["1", "1", "completed"])
    }

    @Test("delivers events that an observer sends to another input in order")
    func reentrant() {
        let (a, inputA) = Source.pipe()
        let (b, inputB) = Source.pipe()
        let log = Log<String>()
        let result = a.merge(with: b)
        result.observe { event in
            if event.value == 1 {
                inputB.sendNext(2)
                inputB.sendCompleted()
                inputA.sendCompleted()
            }
            log.append(event.text)
        }
        let second = result.logged()
        inputA.sendNext(1)
        expect(log.all, is: ["1", "2", "completed"])
        expect(second.all, is: ["1", "2", "completed"])
    }

    @Test("releases its inputs when it is disposed of")
    func disposal() {
        let population = Population()
        let (a, input) = Source.pipe()
        let disposable = {
            let member = population.member()
            let source = a.map { value in
                member.touch()
                return value
            }
            return Source.merge(source, .never).observe { _ in }
        }()
        input.sendNext(1)
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
    }

    @Test("loses no values and delivers one at a time when its inputs send from different threads")
    func threads() {
        let pipes = (0..<4).map { _ in Source.pipe() }
        let log = Log<Int>()
        let inside = Counter()
        let overlaps = Counter()
        let ends = Log<String>()
        Source.merge(pipes.map(\.output)).observe { event in
            guard let value = event.value else { return ends.append(event.text) }
            let before = inside.value
            inside.increment()
            log.append(value)
            if inside.value != before + 1 { overlaps.increment() }
        }
        onThreads(4, "merge") { index in
            for value in 0..<500 { pipes[index].input.sendNext(index * 1_000 + value) }
            pipes[index].input.sendCompleted()
        }
        expect(overlaps.value, is: 0)
        expect(ends.all, is: ["completed"])
        for index in 0..<4 {
            #expect(log.all.filter { $0 / 1_000 == index } == (0..<500).map { index * 1_000 + $0 })
        }
    }

    @Test("enqueues if any input does: a sender that finds it busy does not wait")
    func enqueues() {
        let a = Source.pipe(contention: .enqueue)
        let b = Source.pipe()
        let log = Log<String>()
        let stay = Log<@Sendable () -> Void>()
        let result = a.output.merge(with: b.output)
        result.observe { event in
            if event.value == 1 { stay.all.first?() }
            log.append(event.text)
        }
        let occupation = Occupation {
            stay.append($0)
            a.input.sendNext(1)
        }
        b.input.sendNext(2)
        b.input.sendCompleted()
        #expect(log.all.isEmpty)
        occupation.end()
        expect(log.all, is: ["1", "2"])
        a.input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }
}
