import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Sends its inputs, ends on request, and logs the calls.
private final class EchoMachine: StateMachine {
    enum Input: Sendable {
        case value(Int)
        case end(Event<Int, TestError>)
        case work(@Sendable () -> Void)
    }

    let core: Core<Int, TestError>
    let log: Log<String>

    init(core: Core<Int, TestError>, log: Log<String>) {
        self.core = core
        self.log = log
    }

    func handle(_ input: Input) {
        switch input {
        case .value(let value):
            log.append("handle \(value)")
            core.deliver(value)
        case .end(let event):
            log.append("handle end")
            core.deliver(event)
        case .work(let work): work()
        }
    }

    func clear() { log.append("clear") }

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
    @Test("handles inputs in order and delivers from inside handle")
    func handles() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { log.append($0.text) }
        machine.receive(.value(1))
        machine.receive(.value(2))
        expect(log.all, is: ["handle 1", "1", "handle 2", "2"])
        machine.core.sendEnd(.completed)
    }

    @Test("handles inputs received during a delivery after that delivery")
    func queues() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { event in
            log.append("begin \(event.text)")
            if let value = event.value, value < 3 { machine.receive(.value(value + 1)) }
            log.append("end \(event.text)")
        }
        machine.receive(.value(1))
        expect(
            log.all,
            is: [
                "handle 1", "begin 1", "end 1", "handle 2", "begin 2", "end 2", "handle 3", "begin 3", "end 3",
            ])
        machine.core.sendEnd(.completed)
    }

    @Test("clears once, after the terminal event, and handles no further inputs, even queued ones")
    func ends() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let log = Log<String>()
            let (result, machine) = EchoMachine.make(log)
            result.observe { event in
                log.append(event.text)
                machine.receive(.value(9))
            }
            machine.receive(.end(event))
            machine.receive(.value(2))
            machine.receive(.end(.interrupted))
            expect(log.all, is: ["handle end", event.text, "clear"])
        }
    }

    @Test("drops and releases queued inputs when it ends first")
    func dropsWaiting() {
        let population = Population()
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        result.observe { event in
            guard !event.isTerminating else { return }
            machine.receive(.end(.completed))
            machine.receive(.work { [member = population.member()] in member.touch() })
        }
        machine.receive(.value(1))
        expect(population.alive, is: 0)
        expect(log.all, is: ["handle 1", "handle end", "clear"])
    }

    @Test("clears when its result is disposed of and released, and handles no further inputs")
    func disposed() {
        let log = Log<String>()
        let machine = {
            let (result, machine) = EchoMachine.make(log)
            let disposable = result.observe { log.append($0.text) }
            machine.receive(.value(1))
            disposable?.dispose()
            expect(log.all, is: ["handle 1", "1"], "held")
            withExtendedLifetime(result) {}
            return machine
        }()
        expect(log.all, is: ["handle 1", "1", "clear"])
        machine.receive(.value(2))
        expect(log.all.count, is: 3)
    }

    @Test("handles one input at a time, and the inputs of each thread in order")
    func threads() {
        let log = Log<String>()
        let (result, machine) = EchoMachine.make(log)
        // Not atomic: guarded by the gate only.
        let state = SinkState([[Int](), []])
        onThreads(2, "StateMachine") { index in
            for number in 0..<1_000 { machine.receive(.work { state.value[index].append(number) }) }
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
