import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("partition(_:) of producers")
struct PartitionTests {
    @Test("divides the values of one run of synchronous work between two starts, in either order")
    func synchronous() {
        let starts = Counter()
        let source = Numbers([1, 2, 3, 4]).on(starting: { starts.increment() })
        let (matches, others) = source.partition { $0 % 2 == 0 }
        let first = matches.logged()
        expect(starts.value, is: 0)
        let second = others.logged()
        expect(starts.value, is: 1)
        expect(first.all, is: ["2", "4", "completed"])
        expect(second.all, is: ["1", "3", "completed"])
        let third = others.logged()
        let fourth = matches.logged()
        expect(starts.value, is: 2)
        expect(third.all, is: ["1", "3", "completed"])
        expect(fourth.all, is: ["2", "4", "completed"])
    }

    @Test("loses no value when both streams are merged, and tests each value once")
    func merged() {
        let tested = Log<Int>()
        let (matches, others) = Numbers(1...4).partition { value in
            tested.append(value)
            return value > 2
        }
        expect(matches.map { $0 * 10 }.merge(with: others).logged().all, is: ["1", "2", "30", "40", "completed"])
        expect(tested.all, is: [1, 2, 3, 4])
    }

    @Test("ends both streams with the source", arguments: terminals)
    func ends(terminal: Event<Int, TestError>) {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let (first, second) = (matches.logged(), others.logged())
        for value in 1...2 { manual.input?.sendNext(value) }
        manual.input?.send(terminal)
        expect(first.all, is: ["2", terminal.text])
        expect(second.all, is: ["1", terminal.text])
        expect(manual.disposals.value, is: 1)
    }

    @Test("continues for one start when the other is disposed of, and cancels the work with the last")
    func disposal() {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let (first, second) = (matches.startLogged(), others.startLogged())
        for value in 1...2 { manual.input?.sendNext(value) }
        first.disposable.dispose()
        for value in 1...2 { manual.input?.sendNext(value) }
        expect(manual.disposals.value, is: 0)
        second.disposable.dispose()
        expect(manual.disposals.value, is: 1)
        expect(first.log.all, is: ["2", "interrupted"])
        expect(second.log.all, is: ["1", "1", "interrupted"])
        manual.release()
    }

    @Test("pairs starts in order, and runs the work once per pair")
    func pairs() {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let first = (0..<3).map { _ in matches.logged() }
        expect(manual.starts.value, is: 0)
        for number in 0..<3 {
            let other = others.logged()
            expect(manual.starts.value, is: number + 1)
            manual.input?.sendNext(1)
            manual.input?.sendNext(number + 2)
            manual.input?.sendCompleted()
            expect(other.all, is: ["1", "completed"])
            expect(first[number].all, is: ["\(number + 2)", "completed"])
        }
    }

    @Test("does not pair a start with one that was disposed of while it waited")
    func disposedWhileWaiting() {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let gone = matches.startLogged()
        let waiting = matches.logged()
        gone.disposable.dispose()
        expect(gone.log.all, is: ["interrupted"])
        let other = others.logged()
        manual.input?.sendNext(2)
        manual.input?.sendCompleted()
        expect(waiting.all, is: ["2", "completed"])
        expect(other.all, is: ["completed"])
        expect(manual.starts.value, is: 1)
    }

    @Test("begins no work for a start that is already disposed of")
    func notBegun() {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let log = matches.startWithSignal { signal, disposable in
            defer { disposable.dispose() }
            return signal.logged()
        }
        expect(log.all, is: ["interrupted"])
        let waiting = others.startLogged()
        expect(manual.starts.value, is: 0)
        waiting.disposable.dispose()
        expect(waiting.log.all, is: ["interrupted"])
    }

    @Test("stops endless synchronous work when both starts have ended")
    func endless() {
        let asked = Counter()
        let (matches, others) = Numbers(CountedNumbers(asked)).partition { $0 % 2 == 0 }
        let first = matches.take(first: 2).logged()
        let second = others.take(first: 3).logged()
        expect(first.all, is: ["0", "2", "completed"])
        expect(second.all, is: ["1", "3", "5", "completed"])
        expect(asked.value, is: 6)
    }

    @Test("a start inside the interruption of a waiting start waits for another start")
    func insideEnd() {
        let manual = Manual()
        let (matches, others) = manual.producer.partition { $0 > 1 }
        let log = Log<String>()
        let disposable = matches.start { event in
            log.append(event.text)
            others.start { log.append("other \($0.text)") }
        }
        disposable.dispose()
        expect(manual.starts.value, is: 0)
        let second = matches.logged()
        expect(manual.starts.value, is: 1)
        manual.input?.sendNext(1)
        manual.input?.sendCompleted()
        expect(log.all, is: ["interrupted", "other 1", "other completed"])
        expect(second.all, is: ["completed"])
    }

    @Test("interrupts a waiting start when both streams have been released")
    func released() {
        let population = Population()
        let log = {
            let member = population.member()
            let (matches, others) = Numbers.never.map { member.through($0) }.partition { $0 > 1 }
            let log = matches.logged()
            expect(log.all, is: [])
            withExtendedLifetime(others) {}
            return log
        }()
        expect(log.all, is: ["interrupted"])
        expect(population.alive, is: 0)
    }

    @Test("holds nothing once both starts have ended")
    func releases() {
        for terminal in terminals {
            let population = Population()
            let manual = Manual()
            let disposables = {
                let member = population.member()
                let (matches, others) = manual.producer.partition { member.through($0 > 1) }
                return [matches.start { _ in member.touch() }, others.start { _ in member.touch() }]
            }()
            expect(population.alive, is: 1)
            manual.input?.send(terminal)
            manual.release()
            expect(population.alive, is: 0)
            withExtendedLifetime(disposables) {}
        }
    }

    @Test("runs the work once for starts on two threads")
    func race() {
        for _ in 0..<200 {
            let manual = Manual()
            let (matches, others) = manual.producer.partition { $0 > 1 }
            let logs = [Log<String>(), Log<String>()]
            onThreads(2, "starting") { index in
                let stream = index == 0 ? matches : others
                stream.start { logs[index].append($0.text) }
            }
            expect(manual.starts.value, is: 1)
            for value in 1...2 { manual.input?.sendNext(value) }
            manual.input?.sendCompleted()
            expect(logs[0].all, is: ["2", "completed"])
            expect(logs[1].all, is: ["1", "completed"])
        }
    }

    @Test("has the operator's name")
    func name() {
        let (matches, others) = Numbers.never.partition { _ in true }
        expect(matches.name, is: "[[never] -partition:] -matches")
        expect(others.name, is: "[[never] -partition:] -others")
    }
}
