import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contracts 1, 2, 6, 9, 12 and 13 of the design for several inputs and for schedulers. For all else, see
/// `OperatorContractTests`.
@Suite("Event contract", .watched)
struct EventContractTests {
    // MARK: 1, 2

    @Test(
        "1, 2: several inputs that send and end concurrently produce serial events and one terminal event",
        arguments: Joint.table)
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
                    expect(recorder.violations, is: [])
                    expect(recorder.terminals, is: 1)
                }
                expect(recorders[0].events, is: recorders[1].events, "the same for every observer")
            }
        }
    }

    // MARK: 6, CT-14, CT-17

    @Test("6: an error of one input ends the result at once and releases the others", arguments: Joint.table)
    func errorOfOneInput(_ joint: Joint) {
        for failing in 0..<joint.inputCount {
            let pipes = (0..<joint.inputCount).map { _ in Numbers.pipe() }
            let recorder = joint.join(pipes.map(\.output)).recorded()
            for pipe in pipes { pipe.input.sendNext(1) }
            let count = recorder.values.count
            #expect(count == (joint.isMerge ? joint.inputCount : 1))
            joint.fail(pipes.map(\.input), at: failing)
            for pipe in pipes { pipe.input.sendNext(2) }
            expect(recorder.events.count, is: count + 1)
            expect(recorder.events.last, is: .error(TestError()))
        }
    }

    // MARK: 9

    @Test("9: observe(on:) delivers events on its scheduler")
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
        expect(strangers.value, is: 0)
    }

    // MARK: 12, 13

    @Test("12: a given name replaces the derived one")
    func givenName() {
        for entry in Entry.table where entry.name == "named" {
            expect(entry.apply(Numbers.never.named("origin")).name, is: "a name")
        }
    }

    @Test("12: the name of an operator with several inputs lists their names in order", arguments: Joint.table)
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
        // Checked by the compiler for any value and error types.
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
