import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal")
struct SignalTests {
    @Test("runs its generator once, immediately, and drops events sent before that returns")
    func generator() {
        let runs = Counter()
        let kept = Log<Source.Observer>()
        let signal = Source { observer, _ in
            runs.increment()
            observer.sendNext(1)
            kept.append(observer)
        }
        expect(runs.value, is: 1)
        let log = signal.logged()
        let second = signal.logged()
        kept.all[0].sendNext(2)
        expect(log.all, is: ["2"])
        expect(second.all, is: ["2"])
        expect(runs.value, is: 1)
    }

    @Test("interrupts its observers if its generator releases the input")
    func generatorDrops() {
        let lifetimes = Log<Lifetime>()
        let signal = Source { _, lifetime in lifetimes.append(lifetime) }
        expect(signal.logged().all, is: ["interrupted"])
        #expect(lifetimes.all[0].hasEnded)
    }

    @Test("interrupts its observers if its generator ends it")
    func generatorEnds() {
        let ended = Counter()
        let signal = Source { observer, lifetime in
            lifetime.observeEnded { ended.increment() }
            observer.sendCompleted()
            #expect(lifetime.hasEnded)
            lifetime.observeEnded { ended.increment() }
        }
        expect(ended.value, is: 2)
        expect(signal.logged().all, is: ["interrupted"])
    }

    @Test("ends its lifetime after every observer has received the terminal event")
    func lifetimeIsLast() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let log = Log<String>()
            let inputs = Log<Source.Observer>()
            let signal = Source { observer, lifetime in
                inputs.append(observer)
                lifetime.observeEnded { log.append("ended") }
            }
            for _ in 0..<2 { signal.observe { log.append($0.text) } }
            inputs.all[0].send(event)
            expect(log.all, is: [event.text, event.text, "ended"])
        }
    }

    @Test("ends its lifetime silently when nothing retains or observes it")
    func silentEnd() {
        let ended = Counter()
        let inputs = Log<Source.Observer>()
        let log = Log<String>()
        var signal: Source? = Source { observer, lifetime in
            inputs.append(observer)
            lifetime.observeEnded { ended.increment() }
        }
        let disposable = signal?.observe { log.append($0.text) }
        signal = nil
        inputs.all[0].sendNext(1)
        expect(ended.value, is: 0, "observed")
        disposable?.dispose()
        expect(ended.value, is: 1)
        inputs.all[0].sendNext(2)
        inputs.all[0].sendCompleted()
        expect(log.all, is: ["1"])
        expect(ended.value, is: 1)
    }

    @Test("lives while it is retained, even without observers")
    func held() {
        let ended = Counter()
        let inputs = Log<Source.Observer>()
        do {
            let signal = Source { observer, lifetime in
                inputs.append(observer)
                lifetime.observeEnded { ended.increment() }
            }
            signal.observe { _ in }?.dispose()
            expect(ended.value, is: 0)
            let log = signal.logged()
            inputs.all[0].sendNext(1)
            expect(log.all, is: ["1"])
            signal.observe { _ in }?.dispose()
            expect(ended.value, is: 0)
            inputs.all[0].sendCompleted()
        }
        expect(ended.value, is: 1)
    }

    @Test("is interrupted once when its input is released, and not after a terminal event")
    func inputReleased() {
        for ends in [false, true] {
            let log: Log<String>
            do {
                let (signal, input) = Source.pipe()
                log = signal.logged()
                input.sendNext(1)
                if ends { input.sendCompleted() }
            }
            expect(log.all, is: ["1", ends ? "completed" : "interrupted"])
        }
    }

    @Test("is interrupted when its input is released, even if the signal is not retained")
    func inputReleasedLater() {
        var input: Source.Observer?
        let log: Log<String>
        do {
            let pipe = Source.pipe()
            input = pipe.input
            log = pipe.output.logged()
        }
        input?.sendNext(1)
        expect(log.all, is: ["1"])
        input = nil
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("delivers events in order to its observers in the order of their addition")
    func order() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        for name in ["a", "b", "c"] { signal.observe { log.append("\(name) \($0.text)") } }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["a 1", "b 1", "c 1", "a 2", "b 2", "c 2"])
    }

    @Test("delivers re-entrant values after the current event has reached every observer")
    func nested() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        signal.observe { event in
            if let value = event.value, value < 3 {
                input.sendNext(value + 1)
                input.sendNext(value + 10)
            }
            log.append("a \(event.text)")
        }
        signal.observe { log.append("b \($0.text)") }
        input.sendNext(2)
        expect(log.all, is: ["a 2", "b 2", "a 3", "b 3", "a 12", "b 12"])
        input.sendCompleted()
    }

    @Test("delivers a re-entrant terminal event after the values before it, and drops later events")
    func nestedTerminal() {
        for event in [Event<Int, TestError>.completed, .error(.second), .interrupted] {
            let (signal, input) = Source.pipe()
            let log = Log<String>()
            signal.observe { received in
                log.append("a \(received.text)")
                if received.value == 1 {
                    input.sendNext(2)
                    input.send(event)
                    input.sendNext(3)
                    input.sendCompleted()
                }
            }
            signal.observe { log.append("b \($0.text)") }
            input.sendNext(1)
            expect(log.all, is: ["a 1", "b 1", "a 2", "b 2", "a \(event.text)", "b \(event.text)"])
        }
    }

    @Test("drops events sent during its terminal event")
    func sendInsideTerminal() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        signal.observe { event in
            log.append(event.text)
            input.sendNext(9)
            input.sendError(.first)
        }
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("delivers many re-entrant values on a small stack", .notUnderSanitizers)
    func deepNesting() {
        onSmallStack("nested sends") {
            let (signal, input) = Source.pipe()
            let last = Locked(0)
            signal.observe { event in
                guard let value = event.value else { return }
                last.withLock { $0 = value }
                if value < manyLevels { input.sendNext(value + 1) }
            }
            input.sendNext(0)
            expect(last.withLock { $0 }, is: manyLevels)
            input.sendCompleted()
        }
    }

    @Test("never overlaps, reorders or loses events of several threads", arguments: [Contention.wait, .enqueue])
    func threads(contention: Contention) {
        let (signal, input) = Source.pipe(contention: contention)
        let log = Log<Int>()
        let other = Log<Int>()
        let isInside = Locked(false)
        let overlaps = Counter()
        signal.observe { event in
            let wasInside = isInside.withLock { inside in
                defer { inside = true }
                return inside
            }
            if wasInside { overlaps.increment() }
            if let value = event.value { log.append(value) }
            isInside.withLock { $0 = false }
        }
        signal.observe { if let value = $0.value { other.append(value) } }
        onThreads(4, "senders") { index in
            for value in 0..<1_000 { input.sendNext(index * 1_000 + value) }
        }
        expect(overlaps.value, is: 0)
        expect(log.all, is: other.all)
        for index in 0..<4 {
            #expect(log.all.filter { $0 / 1_000 == index } == (0..<1_000).map { index * 1_000 + $0 })
        }
    }

    @Test("ends once when several threads end it")
    func threadsEnd() {
        for _ in 0..<200 {
            let (signal, input) = Source.pipe()
            let log = signal.logged()
            onThreads(3, "enders") { index in
                switch index {
                case 0: input.sendCompleted()
                case 1: input.sendError(.first)
                default: input.sendInterrupted()
                }
                input.sendNext(index)
            }
            expect(log.all.last.map { ["completed", "error first", "interrupted"].contains($0) }, is: true)
            expect(log.all.count { Int($0) == nil }, is: 1)
        }
    }

    @Test("leaks nothing in a chain that is released, disposed of, or ended")
    func chains() {
        let population = Population()
        func chain(_ source: Source) -> Source {
            (0..<5).reduce(source) { signal, _ in
                let member = population.member()
                return signal.map { value in
                    member.touch()
                    return value
                }
            }
        }
        let (source, input) = Source.pipe()
        do { _ = chain(source) }
        expect(population.alive, is: 0)
        let disposable = chain(source).observe { _ in }
        expect(population.alive, is: 5)
        disposable?.dispose()
        expect(population.alive, is: 0)
        let held = chain(source)
        let middle = held.map { $0 }
        middle.observe { _ in }
        input.sendCompleted()
        expect(population.alive, is: 0)
        withExtendedLifetime((held, middle)) {}
    }

    @Test("releases its observers when its input is released last")
    func inputAndOutput() {
        let population = Population()
        var input: Source.Observer?
        do {
            let pipe = Source.pipe()
            input = pipe.input
            pipe.output.observe { [member = population.member()] _ in member.touch() }
        }
        expect(population.alive, is: 1)
        input = nil
        expect(population.alive, is: 0)
        withExtendedLifetime(input) {}
    }

    @Test("releases a value as soon as it has been delivered")
    func values() {
        let population = Population()
        let (signal, input) = Signal<Population.Member, Never>.pipe()
        signal.observe { _ in }
        input.sendNext(population.member())
        expect(population.alive, is: 0)
        signal.observe { event in
            if event.value != nil, population.alive < 2 { input.sendNext(population.member()) }
        }
        input.sendNext(population.member())
        expect(population.alive, is: 0)
        input.sendCompleted()
    }
}
