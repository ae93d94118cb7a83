import HotSignals
import ReactiveSignals
import Synchronization
import TestSupport
import Testing

/// Contract 8 of the design: disposal from everywhere, and cancellation.
@Suite("Disposal", .watched)
struct DisposalContractTests {
    @Test(
        "8: an observer that disposes of itself, twice, gets nothing more", arguments: Entry.transparentAndSynchronous)
    func ownCallback(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source)
        let own = SerialDisposable()
        let recorder = Recorder()
        own.inner = result.observe { event in
            recorder.record(event)
            own.dispose()
            own.dispose()
        }
        let peer = result.recorded()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        #expect(recorder.events == [.next(1)])
        #expect(peer.events == [.next(1), .next(2), .next(3), entry.completion])
    }

    @Test("8: disposal before the values that are queued drops them", arguments: Entry.transparentAndSynchronous)
    func queuedValues(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let own = SerialDisposable()
        let recorder = Recorder()
        own.inner = entry.apply(source).observe { event in
            recorder.record(event)
            input.sendNext(2)
            own.dispose()
            input.sendNext(3)
        }
        input.sendNext(1)
        #expect(recorder.events == [.next(1)])
    }

    @Test("8: disposal in the terminal callback does no harm", arguments: Entry.table)
    func terminalCallback(_ entry: Entry) {
        let census = Census()
        for terminal in [Event<Int, TestError>.error(TestError()), .interrupted, .completed] {
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source, census.witness())
            let recorder = Recorder()
            let disposables = CompositeDisposable()
            let observe = { (witness: Witness) in
                result.observe { event in
                    witness.see(recorder.record(event))
                    guard event.isTerminating else { return }
                    disposables.dispose()
                }
            }
            disposables += observe(census.witness())
            let last = result.recorded()
            disposables += result.observe { _ in }
            input.send(terminal)
            recorder.ended.wait()
            last.ended.wait()
            #expect(recorder.terminals == 1)
            #expect(recorder.violations + last.violations == [])
        }
        census.waitUntilEmpty()
        #expect(census.alive == 0)
    }

    @Test(
        "8: a peer that is disposed of during a delivery does not get that event",
        arguments: Entry.transparentAndSynchronous)
    func peersCallback(_ entry: Entry) {
        for terminates in [false, true] {
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source)
            let peer = SerialDisposable()
            result.observe { event in
                if event.isTerminating == terminates { peer.dispose() }
            }
            let recorder = Recorder()
            peer.inner = result.observe { recorder.record($0) }
            let last = result.recorded()
            input.sendNext(1)
            input.sendCompleted()
            #expect(recorder.events == (terminates ? [.next(1)] : []))
            #expect(last.events == [.next(1), entry.completion])
            #expect(peer.inner?.isDisposed != false)
        }
    }

    @Test(
        "8: an observer that is added during a delivery gets the next event", arguments: Entry.transparentAndSynchronous
    )
    func addition(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source)
        let recorder = Recorder()
        let hasAdded = Atomic(false)
        result.observe { _ in
            if !hasAdded.exchange(true, ordering: .relaxed) {
                result.observe { recorder.record($0) }
                result.observe { _ in }?.dispose()
            }
        }
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        #expect(recorder.events == [.next(2), .next(3), entry.completion])
    }

    @Test(
        """
        8: disposal from another thread during a delivery does not wait for it, no call begins after it, and what was \
        captured goes when the gate has been left
        """,
        arguments: [Entry.plain] + Entry.transparentAndSynchronous)
    func otherThread(_ entry: Entry) {
        withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source)
            let census = Census()
            let (isDelivering, isDisposed) = (Moment("a delivery"), Moment("the disposal"))
            result.observe { event in
                guard event.value == 1 else { return }
                isDelivering.arrive()
                isDisposed.wait()
            }
            let recorder = Recorder()
            let releasedBy = Atomic<UInt>(0)
            let observe = { (witness: Witness) in
                result.observe { witness.see(recorder.record($0)) }
            }
            let disposable = observe(
                census.witness(onDeath: {
                    releasedBy.store(ThreadIdentity.current, ordering: .relaxed)
                    // The gate is free: this is delivered at once.
                    input.sendNext(7)
                }))
            let after = result.recorded()
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                    #expect(releasedBy.load(ordering: .relaxed) == ThreadIdentity.current)
                    #expect(after.values == [1, 7])
                } else {
                    isDelivering.wait()
                    disposable?.dispose()
                    #expect(disposable?.isDisposed == true)
                    isDisposed.arrive()
                }
            }
            #expect(recorder.events.isEmpty)
            #expect(census.alive == 0)
            input.sendCompleted()
        }
    }

    @Test("8: a call that has begun may finish, and keeps what it uses", arguments: Entry.transparentAndSynchronous)
    func disposalDuringTheCall(_ entry: Entry) {
        withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source)
            let census = Census()
            let (isDelivering, isDisposed) = (Moment("a delivery"), Moment("the disposal"))
            let observe = { (witness: Witness) in
                result.observe { _ in
                    isDelivering.arrive()
                    isDisposed.wait()
                    witness.see(())
                    #expect(census.alive == 1)
                }
            }
            let disposable = observe(census.witness())
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                    #expect(census.alive == 0)
                } else {
                    isDelivering.wait()
                    disposable?.dispose()
                    #expect(census.alive == 1)
                    isDisposed.arrive()
                }
            }
        }
    }

    @Test(
        "8: disposal races with sending: once what was in flight has passed, no call begins",
        arguments: Entry.transparentAndSynchronous)
    func disposalRaces(_ entry: Entry) { raceDisposal(entry, rounds: 100) }

    @Test("8: 2,500 rounds of that", arguments: Entry.raced)
    func manyDisposalRaces(_ entry: Entry) { raceDisposal(entry, rounds: manyRounds) }

    private func raceDisposal(_ entry: Entry, rounds: Int) {
        let census = Census()
        withThreads(4) { threads in
            for round in 0..<rounds {
                let (source, input) = Numbers.pipe()
                let result = entry.apply(source)
                let late = Count()
                threads.race { thread in
                    if thread < 2 {
                        for value in 0..<4 { input.sendNext(value) }
                        if thread == 0, round % 2 == 0 { input.sendCompleted() }
                    } else {
                        let isOver = Flag()
                        let witness = census.witness()
                        let disposable = result.observe { _ in
                            if isOver.isRaised { late.increment() }
                            witness.see(())
                        }
                        disposable?.dispose()
                        // A call that had begun before may still be about to look at the flag. This waits for it.
                        input.sendNext(-1)
                        isOver.raise()
                        input.sendNext(-2)
                        disposable?.dispose()
                        #expect(disposable?.isDisposed != false)
                    }
                }
                #expect(late.value == 0)
            }
        }
        #expect(census.alive == 0)
    }

    @Test("8: disposing of one subscription from eight threads removes it once", arguments: Entry.raced)
    func racingDisposals(_ entry: Entry) {
        let census = Census()
        withThreads(8) { threads in
            for _ in 0..<500 {
                let (source, input) = Numbers.pipe()
                let result = entry.apply(source, census.witness())
                let observe = { (witness: Witness) in result.observe { _ in witness.see(()) } }
                let disposable = observe(census.witness())
                let peer = result.recorded()
                threads.race { thread in
                    if thread % 2 == 0 { input.sendNext(thread) }
                    disposable?.dispose()
                }
                input.sendCompleted()
                peer.ended.wait()
                #expect(peer.violations == [])
            }
        }
        #expect(census.alive == 0)
    }

    @Test("8: what a disposed observer captured is released at once, and its peers go on", arguments: Entry.table)
    func release(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let census = Census()
        let result = entry.apply(source)
        let peer = result.recorded()
        let observe = { (witness: Witness) in result.observe { _ in witness.see(()) } }
        for _ in 0..<3 {
            let disposable = observe(census.witness())
            #expect(census.alive == 1)
            disposable?.dispose()
            #expect(census.alive == 0)
            disposable?.dispose()
        }
        input.sendNext(1)
        input.sendCompleted()
        peer.ended.wait()
        #expect(peer.events.last == entry.completion)
    }

    @Test("8: what an observer captured is released when its signal ends", arguments: Entry.table)
    func releaseAtTheEnd(_ entry: Entry) {
        for terminal in [Event<Int, TestError>.error(TestError()), .interrupted, .completed] {
            let (source, input) = Numbers.pipe()
            let census = Census()
            let result = entry.apply(source, census.witness())
            let observe = { (witness: Witness) in result.observe { _ in witness.see(()) } }
            let disposable = observe(census.witness())
            let end = result.recorded().ended
            input.send(terminal)
            end.wait()
            census.waitUntilEmpty()
            #expect(census.alive == 0, "though everything is still held")
            withExtendedLifetime((source, input, result, disposable)) {}
        }
    }

    @Test("8: with the last observer and the last handle gone, the source is let go of", arguments: Entry.table)
    func upstreamCancellation(_ entry: Entry) {
        for disposesFirst in [false, true] {
            let ended = Count()
            let kept = Locked<Numbers.Observer?>(nil)
            let census = Census()
            var disposable: (any Disposable)?
            do {
                let source = Numbers { observer, lifetime in
                    kept.withLock { $0 = observer }
                    lifetime.observeEnded { ended.increment() }
                }
                let result = entry.apply(source, census.witness())
                disposable = result.observe { _ in }
                if disposesFirst {
                    disposable?.dispose()
                    #expect(ended.value == 0, "it is held")
                }
            }
            if !disposesFirst {
                #expect(ended.value == 0, "it is observed")
                disposable?.dispose()
            }
            #expect(ended.value == 1)
            #expect(census.alive == 0)
            kept.withLock { $0 }?.sendNext(1)
            kept.withLock { $0 }?.sendCompleted()
            #expect(ended.value == 1)
        }
    }

    @Test("8: take-like operators cancel upstream the moment that the last value is through")
    func earlyEnd() {
        let takes: [@Sendable (Numbers) -> Numbers] = [
            { $0.take(first: 2) }, { $0.map { $0 }.take(first: 2).filter { _ in true } },
            { $0.take(while: { $0 < 2 }) }, { $0.take(first: 2).take(first: 5).map { $0 } },
            { Signal.zip($0, $0.take(first: 2)).map { $0.0 } },
        ]
        for take in takes {
            let ended = Count()
            let kept = Locked<Numbers.Observer?>(nil)
            let recorder: Recorder
            do {
                let source = Numbers { observer, lifetime in
                    kept.withLock { $0 = observer }
                    lifetime.observeEnded { ended.increment() }
                }
                recorder = take(source).recorded()
            }
            let input = kept.withLock { $0 }
            input?.sendNext(1)
            #expect(ended.value == 0)
            input?.sendNext(2)
            #expect(ended.value == 1, "in the same call")
            #expect(recorder.events.last == .completed)
            #expect(recorder.terminals == 1)
        }
    }

    @Test("8: when one input ends the result of several, the others are let go of", arguments: Joint.table)
    func cancellationOfOtherInputs(_ joint: Joint) {
        for failing in 0..<joint.inputCount {
            let ended = Count()
            let kept = Locked<[Numbers.Observer]>([])
            let recorder: Recorder
            do {
                let sources = (0..<joint.inputCount).map { _ in
                    Numbers { observer, lifetime in
                        kept.withLock { $0.append(observer) }
                        lifetime.observeEnded { ended.increment() }
                    }
                }
                recorder = joint.join(sources).recorded()
            }
            let inputs = kept.withLock { $0 }
            for input in inputs { input.sendNext(1) }
            #expect(ended.value == 0)
            withExtendedLifetime(inputs) { inputs[failing].sendError(TestError()) }
            #expect(ended.value == joint.inputCount)
            #expect(recorder.events.last == .error(TestError()))
        }
    }
}

/// A flag that a closure can capture.
private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .acquiring) }

    func raise() { flag.store(true, ordering: .releasing) }
}
