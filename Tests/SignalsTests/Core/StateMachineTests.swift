import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Sends the values of its source, runs those of the other stream, and logs the calls.
private final class EchoMachine: StateMachine {
    let core: Core<Int, TestError>
    let log: Log<String>

    init(core: Core<Int, TestError>, log: Log<String>) {
        self.core = core
        self.log = log
    }

    func receive(_ value: Int) {
        log.append("value \(value)")
        core.deliver(value)
    }

    func receiveEnd(_ termination: Termination<TestError>) {
        log.append("end")
        core.deliverEnd(termination)
    }

    func receiveOther(_ work: @Sendable () -> Void) { work() }

    func clear() { log.append("clear") }

    var input: SourceInput<EchoMachine> { SourceInput(self) }

    /// Creates a machine as an operator does: with its result, which clears the machine when it ends.
    static func make(_ log: Log<String>) -> (result: Source, machine: EchoMachine) {
        let core = Core<Int, TestError>(rootNamed: StreamName("echo"))
        let machine = EchoMachine(core: core, log: log)
        core.state = machine
        return (Signal(core: core), machine)
    }
}

@Suite("StateMachine")
struct StateMachineTests {
    @Test("handles inputs in order and delivers meanwhile")
    func handles() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { log.append($0.text) }
        machine.input.next(1)
        machine.input.next(2)
        expect(log.all, is: ["value 1", "1", "value 2", "2"])
        machine.core.sendEnd(.completed)
    }

    @Test("handles inputs received during a delivery after that delivery")
    func queues() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { event in
            log.append("begin \(event.text)")
            if let value = event.value, value < 3 { machine.input.next(value + 1) }
            log.append("end \(event.text)")
        }
        machine.input.next(1)
        expect(
            log.all,
            is: [
                "value 1", "begin 1", "end 1", "value 2", "begin 2", "end 2", "value 3", "begin 3", "end 3",
            ])
        machine.core.sendEnd(.completed)
    }

    @Test("clears once, after the terminal event, and handles no further inputs, even queued ones")
    func ends() {
        for termination in [Termination<TestError>.completed, .error(.first), .interrupted] {
            let log = Log<String>()
            let (result, machine) = EchoMachine.make(log)
            result.observe { event in
                log.append(event.text)
                machine.input.next(9)
            }
            machine.input.end(termination)
            machine.input.next(2)
            machine.input.end(.interrupted)
            let event: Event<Int, TestError> = termination.event()
            expect(log.all, is: ["end", event.text, "clear"])
        }
    }

    @Test("drops and releases queued inputs when it ends first")
    func dropsWaiting() {
        let population = Population()
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { event in
            guard !event.isTerminating else { return }
            machine.input.end(.completed)
            OtherInput(machine).next { [member = population.member()] in member.touch() }
        }
        machine.input.next(1)
        expect(population.alive, is: 0)
        expect(log.all, is: ["value 1", "end", "clear"])
    }

    @Test("clears when its result is disposed of and released, and handles no further inputs")
    func disposed() {
        let log = Log<String>()
        let machine = {
            let (result, machine) = EchoMachine.make(log)
            let disposable = result.observe { log.append($0.text) }
            machine.input.next(1)
            disposable?.dispose()
            expect(log.all, is: ["value 1", "1"], "held")
            withExtendedLifetime(result) {}
            return machine
        }()
        expect(log.all, is: ["value 1", "1", "clear"])
        machine.input.next(2)
        expect(log.all.count, is: 3)
    }

    @Test("handles one input at a time, and the inputs of each thread in order")
    func threads() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        // Not atomic: guarded by the gate only.
        let state = SinkState([[Int](), []])
        onThreads(2, "StateMachine") { index in
            for number in 0..<1_000 { OtherInput(machine).next { state.value[index].append(number) } }
        }
        expect(state.value, is: [Array(0..<1_000), Array(0..<1_000)])
        withExtendedLifetime(result) {}
    }

    @Test("ignores an event that it does not handle")
    func nothing() {
        let (source, input) = Source.pipe()
        let (other, otherInput) = Signal<Int, Never>.pipe()
        let log = source.withLatest(from: other).logged()
        otherInput.sendNext(1)
        otherInput.sendInterrupted()
        input.sendNext(2)
        expect(log.all, is: ["(2, 1)"])
    }

    @Test("hands over inputs if the result is busy on another thread and an input enqueues")
    func handsOver() {
        let source = Source.pipe(contention: .enqueue)
        let other = Signal<Int, Never>.pipe()
        let log = Log<String>()
        let stay = Log<@Sendable () -> Void>()
        source.output.withLatest(from: other.output).observe { event in
            if log.count == 0 { stay.all.first?() }
            log.append(event.text)
        }
        other.input.sendNext(10)
        let occupation = Occupation {
            stay.append($0)
            source.input.sendNext(1)
        }
        // This would deadlock if it waited for the result.
        other.input.sendNext(20)
        #expect(log.all.isEmpty)
        occupation.end()
        source.input.sendNext(2)
        expect(log.all, is: ["(1, 10)", "(2, 20)"])
    }
}
