import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal: observe")
struct SignalObserveTests {
    @Test("adds a closure or an observer without side effects")
    func adds() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        #expect(signal.observe { log.append("closure \($0.text)") } != nil)
        #expect(signal.observe(Source.Observer(next: { log.append("observer \($0)") })) != nil)
        #expect(log.all.isEmpty)
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["closure 1", "observer 1", "closure completed"])
    }

    @Test("on a signal that has ended, sends one interruption and returns nil", arguments: 0..<4)
    func ended(kind: Int) {
        let signal: Source = [
            .empty, terminated(.completed), terminated(.error(.first)), terminated(.interrupted),
        ][kind]
        let log = Log<String>()
        #expect(signal.observe { log.append($0.text) } == nil)
        expect(log.all, is: ["interrupted"])
        #expect(signal.observe(Source.Observer { log.append($0.text) }) == nil)
        expect(log.all, is: ["interrupted", "interrupted"])
        let (target, input) = Source.pipe()
        let targetLog = target.logged()
        #expect(signal.observe(input) == nil)
        expect(targetLog.all, is: ["interrupted"])
    }

    @Test(
        "keeps an observer added during a delivery even if everything else releases the signal then", arguments: 0..<4)
    func replaced(order: Int) {
        let log = Log<String>()
        let input: Source.Observer
        do {
            let pipe = Source.pipe()
            input = pipe.input
            let (held, former) = (Locked<Source?>(pipe.output), Locked<(any Disposable)?>(nil))
            let observation = pipe.output.observe { event in
                guard event.value == 1 else { return }
                let leave = { former.withLock { $0.take() }?.dispose() }
                if order.isMultiple(of: 2) { leave() }
                do {
                    let signal = held.withLock { $0.take() }
                    if order < 2 {
                        signal?.observe { log.append($0.text) }
                    } else {
                        signal?.map { $0 }.observe { log.append($0.text) }
                    }
                }
                leave()
            }
            former.withLock { $0 = observation }
        }
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
    }

    @Test("observeNext receives only values")
    func next() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<Int>()
        let disposable = signal.observeNext { log.append($0) }
        input.sendNext(1)
        input.sendNext(2)
        disposable?.dispose()
        input.sendNext(3)
        input.sendCompleted()
        expect(log.all, is: [1, 2])
        #expect(signal.observeNext { log.append($0) } == nil)
        expect(log.all, is: [1, 2])
    }

    @Test("observeNext releases its closure when the signal ends")
    func nextEnds() {
        let population = Population()
        let (signal, input) = Signal<Int, Never>.pipe()
        let disposable = signal.observeNext { [member = population.member()] _ in member.touch() }
        input.sendInterrupted()
        expect(population.alive, is: 0)
        expect(disposable?.isDisposed, is: true)
    }

    @Test("observeError, observeCompleted and observeInterrupted each receive only their event, once")
    func terminals() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let (signal, input) = Source.pipe()
            let log = Log<String>()
            signal.observeError { log.append("error \($0)") }
            signal.observeCompleted { log.append("completed") }
            signal.observeInterrupted { log.append("interrupted") }
            input.sendNext(1)
            #expect(log.all.isEmpty)
            input.send(event)
            input.send(event)
            expect(log.all, is: [event.text])
        }
    }

    @Test("on a signal that has ended, only observeInterrupted runs")
    func terminalsOfEnded() {
        let log = Log<String>()
        let signal = terminated(.error(.first))
        signal.observeError { log.append("error \($0)") }
        signal.observeCompleted { log.append("completed") }
        signal.observeResult { log.append("\($0)") }
        #expect(log.all.isEmpty)
        #expect(signal.observeInterrupted { log.append("interrupted") } == nil)
        expect(log.all, is: ["interrupted"])
    }

    @Test("observeResult receives values and the error")
    func result() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let (signal, input) = Source.pipe()
            let log = Log<Result<Int, TestError>>()
            signal.observeResult { log.append($0) }
            input.sendNext(1)
            input.send(event)
            #expect(log.all == (event.error.map { [.success(1), .failure($0)] } ?? [.success(1)]))
        }
    }

    @Test("disposal removes only its observer, silently, and can be repeated")
    func disposing() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let disposable = signal.observe { log.append($0.text) }
        let other = signal.logged()
        input.sendNext(1)
        expect(disposable?.isDisposed, is: false)
        disposable?.dispose()
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1"])
        expect(other.all, is: ["1", "2", "completed"])
        disposable?.dispose()
    }

    @Test("its disposable is disposed of after the end, when dispose() does nothing")
    func disposedAfterEnd() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let disposable = signal.observe { log.append($0.text) }
        input.sendCompleted()
        expect(disposable?.isDisposed, is: true)
        disposable?.dispose()
        expect(log.all, is: ["completed"])
    }

    @Test("an observer added during a delivery misses that event and receives the next one, even if queued")
    func addedDuringDelivery() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let isFirst = OnceFlag()
        signal.observe { event in
            guard isFirst.raise() else { return }
            #expect(signal.observe { log.append("new \($0.text)") } != nil)
            input.sendNext(2)
            expect(event.value, is: 1)
        }
        signal.observe { log.append("old \($0.text)") }
        input.sendNext(1)
        expect(log.all, is: ["old 1", "old 2", "new 2"])
        input.sendCompleted()
        expect(log.all, is: ["old 1", "old 2", "new 2", "old completed", "new completed"])
    }

    @Test("an observer added during a delivery misses events queued before it")
    func addedBehindQueued() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let isFirst = OnceFlag()
        signal.observe { _ in
            guard isFirst.raise() else { return }
            input.sendNext(2)
            signal.observe { log.append($0.text) }
            input.sendNext(3)
        }
        input.sendNext(1)
        expect(log.all, is: ["3"])
        input.sendCompleted()
    }

    @Test("an observer added and disposed of during a delivery receives nothing, and is released after it")
    func addedAndDisposed() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let isFirst = OnceFlag()
        let log = Log<String>()
        signal.observe { _ in
            guard isFirst.raise() else { return }
            let disposable = signal.observe { [member = population.member()] event in
                member.touch()
                log.append(event.text)
            }
            expect(disposable?.isDisposed, is: false)
            disposable?.dispose()
            disposable?.dispose()
            expect(disposable?.isDisposed, is: true)
        }
        input.sendNext(1)
        expect(population.alive, is: 0)
        input.sendNext(2)
        #expect(log.all.isEmpty)
    }

    @Test("an observer added during a delivery, after a queued end, receives one interruption")
    func addedBehindEnd() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let isFirst = OnceFlag()
        signal.observe { _ in
            guard isFirst.raise() else { return }
            input.sendCompleted()
            signal.observe { [member = population.member()] event in
                member.touch()
                log.append(event.text)
            }
        }
        input.sendNext(1)
        expect(log.all, is: ["interrupted"])
        expect(population.alive, is: 0)
    }

    @Test("an observer added during a terminal event is interrupted at once")
    func addedInsideTerminal() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        signal.observe { event in
            log.append("old \(event.text)")
            #expect(signal.observe { log.append("new \($0.text)") } == nil)
        }
        signal.observe { log.append("other \($0.text)") }
        input.sendCompleted()
        expect(log.all, is: ["old completed", "new interrupted", "other completed"])
    }

    @Test("an observer removed by another one during a delivery does not receive that event")
    func removedByPeer() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let later = SerialDisposable()
        let earlier = signal.observe { log.append("earlier \($0.text)") }
        signal.observe { _ in
            later.dispose()
            earlier?.dispose()
        }
        later.inner = signal.observe { log.append("later \($0.text)") }
        let last = signal.logged()
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: ["earlier 1"])
        expect(last.all, is: ["1", "2"])
    }

    @Test("an observer removed by another one during the terminal event does not receive it")
    func removedDuringTerminal() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let later = SerialDisposable()
        signal.observe { _ in later.dispose() }
        later.inner = signal.observe { [member = population.member()] event in
            member.touch()
            log.append(event.text)
        }
        input.sendCompleted()
        #expect(log.all.isEmpty)
        expect(population.alive, is: 0)
    }

    @Test("an observer that removes itself finishes its call and receives no further one")
    func removesItself() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let own = SerialDisposable()
        own.inner = signal.observe { [member = population.member()] event in
            own.dispose()
            member.touch()
            expect(population.alive, is: 1, "kept until the call is over")
            log.append(event.text)
        }
        input.sendNext(1)
        expect(population.alive, is: 0)
        input.sendNext(2)
        expect(log.all, is: ["1"])
    }

    @Test("an observer that removes itself does not receive events that it sent before")
    func removesItselfAfterSending() {
        let (signal, input) = Source.pipe()
        let log = Log<String>()
        let own = SerialDisposable()
        own.inner = signal.observe { event in
            log.append(event.text)
            input.sendNext(2)
            own.dispose()
        }
        let other = signal.logged()
        input.sendNext(1)
        expect(log.all, is: ["1"])
        expect(other.all, is: ["1", "2"])
    }

    @Test("releases a disposed observer at once when no delivery is in progress")
    func releasedAtOnce() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let disposables = (0..<3).map { _ in
            signal.observe { [member = population.member()] _ in member.touch() }
        }
        input.sendNext(1)
        for (index, disposable) in disposables.enumerated() {
            disposable?.dispose()
            expect(population.alive, is: 2 - index)
        }
    }

    @Test("a deinit that runs because of a disposal can send events")
    func deinitSends() {
        let population = Population()
        let (signal, input) = Source.pipe()
        let log = signal.logged()
        let disposable = signal.observe { [member = population.member { input.sendNext(7) }] _ in member.touch() }
        disposable?.dispose()
        expect(log.all, is: ["7"])
        let own = SerialDisposable()
        own.inner = signal.observe { [member = population.member { input.sendNext(8) }] _ in
            member.touch()
            own.dispose()
        }
        input.sendNext(1)
        expect(log.all, is: ["7", "1", "8"])
        expect(population.alive, is: 0)
    }

    @Test("after disposal during another thread's delivery, at most the current call finishes, and nothing leaks")
    func disposalRace() {
        for _ in 0..<500 {
            let population = Population()
            let (signal, input) = Source.pipe()
            let calls = Counter()
            let atDisposal = Log<Int>()
            let begun = Latch("disposal race")
            let disposable = signal.observe { [member = population.member()] _ in
                calls.increment()
                member.touch()
                begun.open()
            }
            onThreads(2, "disposal") { index in
                if index == 0 {
                    for value in 0..<20 { input.sendNext(value) }
                } else {
                    begun.wait()
                    disposable?.dispose()
                    atDisposal.append(calls.value)
                }
            }
            #expect(calls.value <= atDisposal.all[0] + 1)
            expect(population.alive, is: 0)
        }
    }
}
