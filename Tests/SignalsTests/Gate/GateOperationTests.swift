import HotSignals
import TestSupport
import Testing

/// Calls a closure for each value.
private struct ActionSink<Value: Sendable>: Sink {
    let action: @Sendable (Value) -> Void

    func next(_ value: Value) { action(value) }

    func end(_: Termination<Never>) {}

    var hasEnded: Bool { false }
}

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
            ActionSink { (_: Value) in _ = events.increment() })
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

    @Test("events of several types that use one object again arrive in order, and release what they held")
    func reuse() {
        let population = Population()
        let root = Core<Int, Never>(rootNamed: StreamName("root"))
        let small = Core<Population.Member, Never>(name: StreamName("small"), upstream: root)
        let large = Core<Large, Never>(name: StreamName("large"), upstream: root)
        let arrivals = Log<String>()
        small.adopt(
            ActionSink { member in
                member.touch()
                arrivals.append("small")
            })
        large.adopt(
            ActionSink { value in
                value.member.touch()
                arrivals.append("large \(value.padding.2)")
            })
        root.adopt(
            ActionSink { number in
                arrivals.append("\(number)")
                guard number > 0 else { return }
                // First, so that the gate has kept no other object yet.
                large.sendNext(Large(padding: (0, 0, number), member: population.member()))
                small.sendNext(population.member())
                root.sendNext(-number)
                small.sendNext(population.member())
            })
        for number in 1...3 {
            root.sendNext(number)
            expect(arrivals.all, is: ["\(number)", "large \(number)", "small", "\(-number)", "small"])
            expect(population.alive, is: 0)
            arrivals.removeAll()
        }
        for core: SignalCore in [small, large, root] { core.interrupt() }
    }

    @Test("is abstract")
    func abstract() async {
        await #expect(processExitsWith: .failure) { GateOperation().perform() }
    }
}
