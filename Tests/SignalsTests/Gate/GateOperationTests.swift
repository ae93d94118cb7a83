import HotSignals
import TestSupport
import Testing

@Suite("GateOperation")
struct GateOperationTests {
    @Test("runs a closure when performed, and releases it afterward")
    func deferredWork() {
        let population = Population()
        let gate = Gate(contention: .enqueue)
        let thread = ThreadIdentity.current
        let runs = Counter()
        #expect(gate.enter(thread))
        gate.push(
            DeferredWork { [member = population.member()] in
                member.touch()
                runs.increment()
            })
        expect(population.alive, is: 1)
        gate.leave(thread)
        expect(runs.value, is: 1)
        expect(population.alive, is: 0)
    }

    @Test("releases a value when performed, even if the operation itself is retained")
    func deferredRelease() {
        let population = Population()
        let gate = Gate(contention: .enqueue)
        let thread = ThreadIdentity.current
        let release = ReleaseOperation(population.member())
        #expect(gate.enter(thread))
        gate.push(release)
        expect(population.alive, is: 1)
        gate.leave(thread)
        expect(population.alive, is: 0)
        withExtendedLifetime(release) {}
    }

    /// More than an operation stores without a closure.
    private struct Large: Sendable {
        var padding: (Int, Int, Int) = (0, 0, 0)
        let member: Population.Member
    }

    @Test(
        "an event is delivered once and then released, and released if it is not delivered", arguments: [true, false])
    func event(isDelivered: Bool) {
        expectEvent(isDelivered) { $0 }
        expectEvent(isDelivered) { Large(member: $0) }
    }

    private func expectEvent<Value: Sendable>(_ isDelivered: Bool, _ make: (Population.Member) -> Value) {
        let population = Population()
        let core = Core<Value, Never>(rootNamed: StreamName("test"))
        let events = Counter()
        core.adopt(
            ActionSink(Core<Int, Never>(rootNamed: StreamName("other"))) { (_: Value) in _ = events.increment() })
        var operation: WaitingEvent? = WaitingEvent(.next(make(population.member())), to: core)
        expect(population.alive, is: 1)
        if isDelivered {
            let thread = ThreadIdentity.current
            #expect(core.gate.enter(thread))
            operation?.perform()
            core.gate.leave(thread)
        }
        operation = nil
        expect(population.alive, is: 0)
        // Releases the receiver.
        core.sendEnd(.completed)
        expect(events.value, is: isDelivered ? 1 : 0)
    }

    @Test("is abstract")
    func abstract() async {
        await #expect(processExitsWith: .failure) { GateOperation().perform() }
    }
}
