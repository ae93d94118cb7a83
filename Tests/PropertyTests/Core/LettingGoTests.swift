import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Properties that are released at awkward moments. The values are objects, whose memory the address sanitizer
/// poisons when they are released.
@Suite("Releasing a property", .watched)
struct LettingGoTests {
    private let population = Population()

    private var member: Population.Member { population.member() }

    @Test("by an operator that ends during its event releases its values")
    func enough() {
        let source = MutableProperty(member)
        let log = Log<String>()
        do {
            let derived = source.map { [population] _ in population.member() }
            derived.signal.take(first: 1).observe { log.append($0.isTerminating ? "end" : "value") }
        }
        source.value = member
        source.value = member
        expect(log.all, is: ["value", "end"])
        do {
            let derived = source.map { [population] _ in population.member() }
            derived.producer.skip(first: 1).take(first: 1).startWithNext { _ in log.append("started") }
        }
        source.value = member
        source.value = member
        expect(log.all, is: ["value", "end", "started"])
        expect(population.alive, is: 1)
    }

    @Test("during its event leaves a start that was made there running", arguments: [true, false])
    func started(leavesFirst: Bool) {
        let source = MutableProperty(0)
        let log = Log<String>()
        do {
            let held = Locked<Property<Int>?>(source.map { $0 })
            let former = Locked<(any Disposable)?>(nil)
            let observation = held.withLock { $0 }?.producer.startWithNext { value in
                guard value == 1 else { return }
                let leave = { former.withLock { $0.take() }?.dispose() }
                if leavesFirst { leave() }
                held.withLock { $0.take() }?.producer.start { log.append($0.text) }
                leave()
            }
            former.withLock { $0 = observation }
        }
        source.value = 1
        source.value = 2
        expect(log.all, is: ["1", "2"])
    }

    @Test("by an observer of another property drops its pending event")
    func byOther() {
        let source = MutableProperty(member)
        let first = source.map { [population] _ in population.member() }
        let log = Log<String>()
        do {
            let second = source.map { [population] _ in population.member() }
            let observation = Locked<(any Disposable)?>(nil)
            // The property that is observed first sends first.
            first.signal.observeNext { _ in observation.withLock { $0 }?.dispose() }
            let disposable = second.signal.observeNext { _ in log.append("value") }
            observation.withLock { $0 = disposable }
        }
        source.value = member
        source.value = member
        expect(log.all, is: [])
        expect(population.alive, is: 2)
    }

    @Test("by an observer of a property bound to it delivers the pending event, then the end")
    func byTwin() {
        let (left, right) = (MutableProperty(member), Owner(member))
        left <~> right.property
        let log = Log<String>()
        right.property.signal.observe { event in
            if case .next(let member) = event { member.touch() }
            log.append(event.isTerminating ? "end" : "value")
        }
        left.signal.observeNext { _ in right.release() }
        left.value = member
        left.value = member
        expect(log.all, is: ["value", "end"])
        expect(population.alive, is: 1)
    }

    @Test(
        "in a closure that computes another property releases it after the change",
        arguments: [false, true], [false, true])
    func inTurn(isLate: Bool, isKept: Bool) {
        let (source, other) = (MutableProperty(0), MutableProperty(0))
        let dropped = Locked<(Property<Int>, any Disposable)?>(nil)
        let log = Log<Int>()
        let drop = {
            let member = member
            // Computed before the closure that releases it, or after that closure.
            let base = isLate ? source.map { $0 }.combineLatest(with: other).map(\.0) : source.map { $0 }
            let kept = isKept ? base.filter(initial: 0) { _ in true } : base
            let property = kept.map { value in
                member.touch()
                return value
            }
            let observation = property.signal.observeNext { log.append($0) } ?? AnyDisposable {}
            dropped.withLock { $0 = (property, observation) }
        }
        if !isLate { drop() }
        let derived = source.map { value in
            if value == 1 { dropped.withLock { $0.take() }?.1.dispose() }
            return value
        }
        let ofDerived = derived.signal.logged()
        if isLate { drop() }
        expect(population.alive, is: 1)
        source.set(1, 2)
        other.value = 1
        expect(population.alive, is: 0)
        expect(log.all, is: [])
        expect(ofDerived.all, is: ["1", "2"])
    }

    @Test("during its event does not wait for another thread's computation", arguments: [false, true])
    func whileComputing(isCombined: Bool) {
        let (source, other) = (MutableProperty(member), MutableProperty(0))
        let (inTurn, goOn) = (Latch("the computation"), Latch("the end of the disposal"))
        let slow = other.map { value in
            if value == 1 {
                inTurn.open()
                goOn.wait()
            }
            return value
        }
        let log = slow.signal.logged()
        let isDone = Counter()
        let thread = Locked<TestThread?>(nil)
        do {
            let base = isCombined ? source.combineLatest(with: other).map(\.0) : Property(source)
            let derived = base.map { [population] _ in population.member() }
            let observation = Locked<(any Disposable)?>(nil)
            let disposable = derived.signal.observe { event in
                guard case .next(let member) = event else { return }
                let computing = TestThread("computes") { other.value = 1 }
                thread.withLock { $0 = computing }
                inTurn.wait()
                observation.withLock { $0 }?.dispose()
                goOn.open()
                member.touch()
                isDone.increment()
            }
            observation.withLock { $0 = disposable }
        }
        source.value = member
        thread.withLock { $0 }?.join()
        expect(isDone.value, is: 1)
        expect(log.all, is: ["1"])
        source.value = member
        expect(isDone.value, is: 1)
        expect(population.alive, is: 1)
    }

    @Test("in the body of its source's modify releases its closure")
    func inBody() {
        let source = MutableProperty(0)
        let derived = Locked<Property<Int>?>(nil)
        do {
            let member = member
            let property = source.map { value in
                member.touch()
                return value
            }
            derived.withLock { $0 = property }
        }
        source.modify { value in
            let property = derived.withLock { $0.take() }
            withExtendedLifetime(property) {}
            value += 1
        }
        expect(population.alive, is: 0)
        expect(source.value, is: 1)
    }

    @Test("releases everything if all of its inputs have ended")
    func constants() {
        do {
            let pair = Property(value: member).combineLatest(with: Property(value: member))
            expect(pair.logged().all.last, is: "completed")
            expect(population.alive, is: 2)
        }
        expect(population.alive, is: 0)
    }

    @Test("releases a previous value while no lock is held, also during another thread's delivery", .watched)
    func formerValuesDuringDeliveries() {
        /// Reads a property when it is released, which would wait for a lock that this thread holds.
        final class Payload: Sendable {
            let whenReleased: @Sendable () -> Void

            init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }

            deinit { whenReleased() }
        }
        let released = Counter()
        let property = MutableProperty(Payload {})
        let derived = property.map { payload in Payload { withExtendedLifetime(payload) {} } }
        derived.signal.observeNext { _ in }
        onThreads(3, "setters") { _ in
            for _ in 0..<raceRounds {
                property.value = Payload { [weak property, weak derived] in
                    withExtendedLifetime((property?.value, derived?.value)) { _ in }
                    released.increment()
                }
            }
        }
        property.value = Payload {}
        expect(released.value, is: 3 * raceRounds)
    }
}
