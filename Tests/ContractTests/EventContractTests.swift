import HotSignals
import ReactiveSignals
import Synchronization
import TestSupport
import Testing

/// Contracts 1, 2, 3, 5, 6, 7, 9, 12 and 13 of the design: what observers see.
@Suite("Events", .watched)
struct EventContractTests {
    // MARK: 1, 2

    @Test(
        "1, 2: serial, and one terminal event with nothing after it, under 8 racing senders", arguments: Entry.table)
    func grammar(_ entry: Entry) { raceSenders(entry, rounds: 25, events: 20) }

    @Test("1, 2: 2,500 rounds of that", arguments: Entry.raced)
    func manyGrammarRaces(_ entry: Entry) { raceSenders(entry, rounds: manyRounds, events: 2) }

    private func raceSenders(_ entry: Entry, rounds: Int, events: Int) {
        withThreads(8) { threads in
            for round in 0..<rounds {
                let (source, input) = Numbers.pipe()
                let result = entry.apply(source)
                let recorders = [result.recorded(), result.recorded()]
                threads.race { thread in
                    for value in 0..<events { input.sendNext(thread * 100 + value) }
                    switch (thread + round) % 4 {
                    case 0: input.sendCompleted()
                    case 1: input.sendError(TestError())
                    case 2: input.sendInterrupted()
                    default: input.sendNext(-1)
                    }
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    #expect(recorder.violations == [])
                    #expect(recorder.terminals == 1)
                }
                #expect(recorders[0].events == recorders[1].events, "the same for every observer")
            }
        }
    }

    @Test("1, 2: the same with a sender and a terminal event at each input", arguments: Joint.table)
    func grammarOfSeveralInputs(_ joint: Joint) {
        withThreads(joint.inputCount * 2) { threads in
            for round in 0..<500 {
                let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
                let inputs = pipes.map(\.input)
                let result = joint.join(pipes.map(\.output))
                let recorders = [result.recorded(), result.recorded()]
                threads.race { thread in
                    let input = inputs[thread % inputs.count]
                    for value in 0..<3 { input.sendNext(thread * 100 + value) }
                    switch (thread + round) % 3 {
                    case 0: input.sendCompleted()
                    case 1: input.sendError(TestError())
                    default: input.sendInterrupted()
                    }
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    #expect(recorder.violations == [])
                    #expect(recorder.terminals == 1)
                }
                #expect(recorders[0].events == recorders[1].events, "the same for every observer")
            }
        }
    }

    @Test(
        "1: observing while the signal ends gives exactly one terminal event, in 2,500 rounds", arguments: Entry.raced)
    func lateObservers(_ entry: Entry) {
        withThreads(4) { threads in
            for _ in 0..<manyRounds {
                let (source, input) = Numbers.pipe()
                let result = entry.apply(source)
                let recorders = (0..<3).map { _ in Recorder() }
                threads.race { thread in
                    if thread == 3 {
                        input.sendNext(1)
                        input.sendCompleted()
                    } else {
                        result.observe { recorders[thread].record($0) }
                    }
                }
                for recorder in recorders {
                    recorder.ended.wait()
                    #expect(recorder.terminals == 1)
                    #expect(recorder.violations == [])
                }
            }
        }
    }

    @Test("1: after its end a signal answers an observer with interrupted and nil", arguments: Entry.table)
    func observingTheEnd(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source)
        let first = result.recorded()
        input.sendCompleted()
        first.ended.wait()
        for ended in [result] + (entry.isAsynchronous ? [] : [entry.apply(source)]) {
            let recorder = Recorder()
            let disposable = ended.observe { recorder.record($0) }
            #expect(disposable == nil)
            #expect(recorder.terminals == 1)
        }
        #expect(result.recorded().events == [.interrupted])
    }

    @Test("2: an observer needs no synchronisation", arguments: Entry.table)
    func unsynchronisedObserver(_ entry: Entry) {
        withThreads(4) { threads in
            for _ in 0..<20 {
                let (source, input) = Numbers.pipe()
                let result = entry.apply(source)
                // Plain variables: the thread sanitizer sees every race.
                let (plain, counted) = (PlainCounter(), Count())
                let ended = Moment("the end")
                result.observe { event in
                    plain.number += 1
                    counted.increment()
                    if event.isTerminating { ended.arrive() }
                }
                threads.race { thread in
                    for value in 0..<50 { input.sendNext(thread * 100 + value) }
                }
                input.sendCompleted()
                ended.wait()
                #expect(plain.number == counted.value)
            }
        }
    }

    @Test("2: each sender's order is kept and nothing is lost", arguments: Entry.transparent)
    func order(_ entry: Entry) {
        withThreads(8) { threads in
            let (source, input) = Numbers.pipe()
            let recorder = entry.apply(source).recorded()
            threads.race { thread in
                for value in 0..<500 { input.sendNext(thread * 1_000 + value) }
            }
            input.sendCompleted()
            recorder.ended.wait()
            for thread in 0..<8 {
                #expect(recorder.values.filter { $0 / 1_000 == thread } == (0..<500).map { thread * 1_000 + $0 })
            }
            #expect(recorder.violations == [])
        }
    }

    @Test(
        "2: a sender waits for the event in flight, and its own is handled when it returns",
        arguments: [Entry.plain] + Entry.transparentAndSynchronous)
    func waiting(_ entry: Entry) {
        withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = entry.apply(source)
            let recorder = Recorder()
            let isDelivering = Moment("the first event")
            let isAboutToSend = Moment("the second sender")
            let sender = Locked<ThreadPath?>(nil)
            result.observe { event in
                if event == .next(1) {
                    isDelivering.arrive()
                    isAboutToSend.wait()
                    // What it waits for now is this delivery.
                    sender.withLock { $0 }?.waitUntilAsleep()
                }
                recorder.record(event)
            }
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                } else {
                    isDelivering.wait()
                    #expect(recorder.values == [])
                    sender.withLock { $0 = .current }
                    isAboutToSend.arrive()
                    input.sendNext(2)
                    #expect(recorder.values == [1, 2])
                }
            }
        }
    }

    // MARK: 3

    @Test(
        "3: values sent from inside a delivery follow it, in one order for all observers", arguments: Entry.transparent)
    func reentrantValues(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source)
        let first = result.recorded()
        result.observe { event in
            guard let value = event.value, value <= 50 else { return }
            // Two each time, so that queues have more than one in them.
            if value < 50 { input.sendNext(value + 1) } else { input.sendCompleted() }
            input.sendNext(1_000 + value)
        }
        let last = result.recorded()
        input.sendNext(0)
        first.ended.wait()
        last.ended.wait()
        if entry.isAsynchronous {
            #expect(first.values.filter { $0 <= 50 } == Array(0...50))
        } else {
            let expected = (0..<50).flatMap { [$0, 999 + $0] }.filter { $0 != 999 } + [50, 1_049]
            #expect(first.events == expected.map { .next($0) } + [entry.completion])
        }
        #expect(last.events == first.events)
        #expect(first.violations + last.violations == [])
    }

    @Test(
        "3: all that was sent from inside has been delivered when the outer send returns", arguments: Entry.synchronous)
    func reentrantReturns(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let hasEnded = Count()
        source.observe { event in
            guard let value = event.value else { return }
            if value < 10 { input.sendNext(value + 1) } else { input.sendCompleted() }
        }
        entry.apply(source).observe { event in
            if event.isTerminating { hasEnded.increment() }
        }
        input.sendNext(0)
        #expect(hasEnded.value == 1)
    }

    @Test(
        "3: a terminal event sent from inside a delivery reaches all after it, and drops what is sent later",
        arguments: Entry.table)
    func reentrantTerminal(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        source.observe { event in
            guard event.value == 4 else { return }
            input.sendCompleted()
            input.sendNext(99)
            input.sendError(TestError())
        }
        let result = entry.apply(source)
        let recorders = [result.recorded(), result.recorded()]
        for value in 1...6 { input.sendNext(value) }
        for recorder in recorders {
            recorder.ended.wait()
            #expect(recorder.terminals == 1)
            #expect(recorder.events.last == entry.endAfterFour)
            #expect(!recorder.values.contains(99))
            #expect(recorder.violations == [])
            if entry.isTransparent { #expect(recorder.values == [1, 2, 3, 4]) }
        }
        #expect(recorders[0].events == recorders[1].events)
    }

    // MARK: 5

    @Test("5: the operator's closures may use the signal that calls them", arguments: Entry.transparent)
    func callingOut(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let budget = Count()
        let witness = Census().witness(onCall: {
            budget.increment()
            guard budget.value <= 20 else { return }
            source.map { $0 }.observe { _ in }?.dispose()
            input.sendNext(budget.value)
        })
        let recorder = entry.apply(source, witness).recorded()
        input.sendNext(0)
        input.sendCompleted()
        recorder.ended.wait()
        #expect(recorder.violations == [])
        // Some call their closure once, and one without closures calls nothing.
        #expect(witness.calls == 0 ? recorder.values == [0] : recorder.values.count > (witness.calls == 1 ? 0 : 10))
    }

    // MARK: 6, CT-14, CT-17

    @Test("6: errors and interruptions pass at once, and only once", arguments: Entry.table)
    func exceptions(_ entry: Entry) {
        for (terminal, expected) in [
            (Event<Int, TestError>.error(TestError()), entry.error), (.interrupted, entry.interruption),
        ] {
            let (source, input) = Numbers.pipe()
            let recorder = entry.apply(source).recorded()
            input.sendNext(1)
            input.send(terminal)
            if !entry.isAsynchronous { #expect(recorder.events.last == expected, "before the send returns") }
            recorder.ended.wait()
            input.sendCompleted()
            #expect(recorder.events.last == expected)
            #expect(recorder.terminals == 1)
            #expect(recorder.violations == [])
        }
    }

    @Test("6: the closures of an operator are not called for terminal events", arguments: Entry.table)
    func closuresSeeValuesOnly(_ entry: Entry) {
        for terminal in Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let witness = Census().witness()
            let recorder = entry.apply(source, witness).recorded()
            input.send(terminal.event)
            recorder.ended.wait()
            #expect((witness.calls > 0) == entry.terminalsSeen.contains(terminal))
        }
    }

    @Test("6: an error of one input ends the result at once and lets go of the others", arguments: Joint.table)
    func errorOfOneInput(_ joint: Joint) {
        for failing in 0..<joint.inputCount {
            let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
            let recorder = joint.join(pipes.map(\.output)).recorded()
            for pipe in pipes { pipe.input.sendNext(1) }
            let count = recorder.values.count
            #expect(count == (joint.isMerge ? joint.inputCount : 1))
            pipes[failing].input.sendError(TestError())
            for pipe in pipes { pipe.input.sendNext(2) }
            #expect(recorder.events.count == count + 1)
            #expect(recorder.events.last == .error(TestError()))
        }
    }

    // MARK: 7

    @Test("7: applying and observing run nothing, and generators run once", arguments: Entry.table)
    func noSideEffects(_ entry: Entry) {
        let generated = Count()
        let kept = Locked<Numbers.Observer?>(nil)
        let source = Numbers { observer, _ in
            generated.increment()
            kept.withLock { $0 = observer }
        }
        let witness = Census().witness()
        let result = entry.apply(source.on(event: { _ in witness.see(()) }), witness)
        for _ in 0..<3 { result.observe { _ in }?.dispose() }
        #expect(witness.calls == 0)
        #expect(generated.value == 1)
        let recorder = result.recorded()
        kept.withLock { $0 }?.sendNext(1)
        kept.withLock { $0 }?.sendCompleted()
        recorder.ended.wait()
        #expect(recorder.events.last == entry.completion, "the signal has survived it")
        #expect(generated.value == 1)
    }

    @Test("7: an operator works once an event, however many observe its result", arguments: Entry.table)
    func sharedWork(_ entry: Entry) {
        let calls = [1, 5].map { observers in
            let (source, input) = Numbers.pipe()
            let witness = Census().witness()
            let result = entry.apply(source, witness)
            let recorders = (0..<observers).map { _ in result.recorded() }
            for value in 0..<3 { input.sendNext(value) }
            input.sendCompleted()
            for recorder in recorders { recorder.ended.wait() }
            return witness.calls
        }
        // How many values are superseded before their turn is a matter of threads.
        if !entry.mayCoalesce { #expect(calls[0] == calls[1]) }
        #expect(calls.max()! <= 3 || !entry.terminalsSeen.isEmpty, "once a value")
    }

    // MARK: 9

    @Test("9: events stay on the sender's thread", arguments: Entry.synchronous)
    func thread(_ entry: Entry) {
        withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let sender = Atomic<UInt>(0)
            let strangers = Count()
            entry.apply(source).observe { _ in
                if ThreadIdentity.current != sender.load(ordering: .relaxed) { strangers.increment() }
            }
            for turn in 0..<6 {
                threads.race { thread in
                    guard thread == turn % 2 else { return }
                    sender.store(ThreadIdentity.current, ordering: .relaxed)
                    input.sendNext(turn)
                }
            }
            sender.store(ThreadIdentity.current, ordering: .relaxed)
            input.sendCompleted()
            #expect(strangers.value == 0)
        }
    }

    @Test("9: a scheduler that is given is where events arrive")
    func scheduler() {
        let (source, input) = Numbers.pipe()
        let scheduler = QueueScheduler(name: "contract")
        let strangers = Count()
        let ended = Moment("the end")
        source.observe(on: scheduler).map { $0 }.observe { event in
            if CurrentScheduler.value !== scheduler { strangers.increment() }
            if event.isTerminating { ended.arrive() }
        }
        for value in 0..<10 { input.sendNext(value) }
        input.sendCompleted()
        ended.wait()
        #expect(strangers.value == 0)
    }

    // MARK: 12, 13

    @Test("12: the name says what the operator was applied to", arguments: Entry.table)
    func name(_ entry: Entry) {
        let (source, input) = Numbers.pipe()
        let result = entry.apply(source.named("origin"))
        if entry.name == "named" {
            #expect(result.name == "a name")
        } else if entry.isIdentity {
            #expect(["origin", "[origin] -producer"].contains(result.name))
        } else {
            #expect(result.name.contains("origin") || entry.isAnonymous)
            #expect(result.name.contains(entry.name) || entry.name == "autoconnect")
        }
        #expect(result.description == result.name)
        #expect(result.named("renamed").map { $0 }.name.contains("renamed"))
        withExtendedLifetime(input) {}
    }

    @Test("12: the name of several inputs has all of theirs in order", arguments: Joint.table)
    func nameOfSeveralInputs(_ joint: Joint) {
        let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
        let names = (0..<joint.inputCount).map { "input \($0)" }
        for (pipe, name) in zip(pipes, names) { pipe.output.named(name) }
        let name = joint.join(pipes.map(\.output)).name
        if joint.isAnonymous {
            #expect(name.contains(joint.name))
        } else {
            let isOfProducers = joint.form.hasPrefix("SignalProducer")
            let inputs = names.map { isOfProducers ? "[\($0)] -producer" : $0 }.joined(separator: ", ")
            #expect(name.contains("\(joint.name) (\(inputs))"))
        }
    }

    @Test("13: every public type is Sendable")
    func sendable() {
        // The compiler checks it: values of any types, and errors of any type.
        func check<Value: Sendable, Failure: Error>(_: Value.Type, _: Failure.Type) {
            requireSendable(Signal<Value, Failure>.self)
            requireSendable(Signal<Value, Failure>.Observer.self)
            requireSendable(Event<Value, Failure>.self)
        }
        check(Int.self, TestError.self)
        requireSendable(Lifetime.self)
        requireSendable(Lifetime.Token.self)
        requireSendable(Contention.self)
        requireSendable((any Disposable).self)
        requireSendable(SimpleDisposable.self)
        requireSendable(AnyDisposable.self)
        requireSendable(CompositeDisposable.self)
        requireSendable(SerialDisposable.self)
        requireSendable(ScopedDisposable<AnyDisposable>.self)
        requireSendable((any Scheduler).self)
        requireSendable(ImmediateScheduler.self)
        requireSendable(QueueScheduler.self)
        requireSendable(TrampolineScheduler.self)
    }

    private func requireSendable<Type: Sendable>(_: Type.Type) {}
}

/// A number without any protection.
private final class PlainCounter: @unchecked Sendable {
    // Sendable: as the contract says that observers are called one at a time.
    var number = 0
}
