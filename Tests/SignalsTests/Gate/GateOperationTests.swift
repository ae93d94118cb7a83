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
        let release = DeferredRelease(population.member())
        #expect(gate.enter(thread))
        gate.push(release)
        expect(population.alive, is: 1)
        gate.leave(thread)
        expect(population.alive, is: 0)
        withExtendedLifetime(release) {}
    }

    @Test("is abstract")
    func abstract() async {
        await #expect(processExitsWith: .failure) { GateOperation().perform() }
    }
}
