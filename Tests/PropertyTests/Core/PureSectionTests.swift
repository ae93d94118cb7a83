import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// What bodies of `modify` and closures that compute may do, and what follows when they have returned. Threads that do
/// it at the same time neither wait for each other for ever, nor trap.
@Suite("Bodies and closures", .watched)
struct PureSectionTests {
    private static let rounds = 200

    /// Runs threads that set properties to 0, 1, 2, ... .
    private func set(_ properties: [MutableProperty<Int>], rounds: Int = rounds) {
        onThreads(properties.count, "setters") { number in
            for round in 0..<rounds { properties[number].value = round * 3 + number }
        }
    }

    // MARK: What traps at the first try

    /// What a body does that two threads run for each other's property, or for a chain of them.
    enum Body: String, CaseIterable, Codable, Sendable { case sets, setsThroughObserver, links, sends }

    @Test("that set properties of each other's bodies trap at the first try", arguments: Body.allCases)
    func bodies(_ body: Body) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [body] in
            let (first, second, third) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
            let (output, input) = Signal<Int, Never>.pipe()
            output.observeNext { third.value = $0 }
            second.signal.observeNext { third.value = $0 }
            first.modify { value in
                switch body {
                case .sets: third.value = 1
                case .setsThroughObserver: second.value = 1
                case .links: second <~> third
                case .sends: input.sendNext(1)
                }
                value += 1
            }
            fatalError("It has returned.")
        }
        let message = "a property was set in the body of modify, withValue or transaction of another one"
        #expect(result.message.contains(message), "\(result.message)")
    }

    @Test(
        "trap if they observe what is derived from their property, whether it has been computed or not",
        arguments: [false, true])
    func observesDerived(isComputed: Bool) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [isComputed] in
            let root = MutableProperty(0)
            let derived = root.map { $0 + 1 }
            if isComputed { _ = derived.value }
            root.modify { value in
                derived.signal.observeNext { _ in }
                value = 1
            }
            fatalError("It has returned.")
        }
        #expect(result.message.contains("body of its own modify"), "\(result.message)")
    }

    // MARK: What is allowed

    @Test("run nothing that another thread adds to a TrampolineScheduler meanwhile")
    func trampoline() {
        let (root, other) = (MutableProperty(0), MutableProperty(0))
        let scheduler = TrampolineScheduler()
        root.modify { value in
            scheduler.schedule { TestThread("other") { scheduler.schedule { other.value = 1 } }.join() }
            value = 1
        }
        waitUntilDrained()
        expect([root.value, other.value], is: [1, 1])
    }

    @Test("can observe what another thread computes")
    func observes() {
        let roots = [MutableProperty(0), MutableProperty(0)]
        let slow = roots.map { root in root.map { $0 } }
        let observations = slow.map { $0.signal.observeNext { _ in } }
        let next = roots.map { root in root.map { $0 + 1 } }
        onThreads(4, "bodies and setters") { number in
            let root = roots[number % 2]
            for round in 0..<Self.rounds {
                if number < 2 {
                    root.modify { value in
                        next[1 - number].signal.observeNext { _ in }?.dispose()
                        value = round
                    }
                } else {
                    root.value = round
                }
            }
        }
        for number in 0..<2 { expect(slow[number].value, is: roots[number].value) }
        for observation in observations { observation?.dispose() }
    }

    @Test("can observe what they are computed from, and derive from it")
    func observesOwnSource() {
        let source = MutableProperty(0)
        let next = source.map { $0 + 1 }
        let derived = source.map { value in
            if value == 1 { next.signal.observeNext { _ in }?.dispose() }
            return value + source.filter(initial: 0) { $0.isMultiple(of: 2) }.value
        }
        let log = Log<Int>()
        // Its closure retains the source: only the disposal ends that.
        let observation = derived.signal.observeNext { log.append($0) }
        source.value = 1
        expect(log.count, is: 1)
        let flat = source.flatMap(.latest) { _ in source.filter(initial: 0) { $0.isMultiple(of: 2) } }
        source.set(2, 3)
        expect(flat.value, is: 0)
        observation?.dispose()
    }

    @Test("can read what observers set", arguments: 0..<3)
    func readsWhatObserversSet(_ round: Int) {
        let (first, second, third) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        let sums = [
            first.map { $0 &+ third.value &+ second.value }, second.map { $0 &+ first.value &+ third.value },
        ]
        let both = sums[0].combineLatest(with: sums[1])
        let observations = [
            sums[0].signal.observeNext { _ in
                third.value = 1
                _ = (sums[1].value, both.value)
            },
            sums[1].signal.observeNext { _ in
                third.value = 2
                _ = sums[0].value
            },
            both.signal.observeNext { _ in _ = third.value },
            third.signal.observeNext { _ in _ = both.value },
        ]
        set([first, second])
        expect([first.value, second.value], is: [3 * Self.rounds - 3, 3 * Self.rounds - 2])
        for observation in observations { observation?.dispose() }
    }

    @Test("wait for each other if observers set each other's properties", arguments: [Contention.wait, .enqueue])
    func observersSet(contention: Contention) {
        let roots = (0..<2).map { _ in MutableProperty(0, contention: contention) }
        let mapped = roots.map { root in root.map { $0 } }
        let count = Counter()
        let both = mapped[0].combineLatest(with: mapped[1])
        let observations = [
            mapped[0].signal.observeNext { if $0 > 0 { roots[1].value = -$0 } },
            mapped[1].signal.observeNext { if $0 > 0 { roots[0].value = -$0 } },
            both.signal.observeNext { _ in count.increment() },
        ]
        onThreads(2, "setters") { number in for round in 1...Self.rounds { roots[number].value = round } }
        #expect(becomesTrue { count.value == 4 * Self.rounds })
        for observation in observations { observation?.dispose() }
    }

    @Test("are computed while bindings come and go in observers")
    func binds() {
        let roots = (0..<3).map { _ in MutableProperty(0) }
        let difference = roots[0].combineLatest(with: roots[1]).map { $0 &- $1 }
        let observations = [
            roots[0].signal.observeNext { if $0 % 7 == 1 { (roots[1] <~> roots[2]).dispose() } },
            roots[1].signal.observeNext { if $0 % 7 == 3 { (roots[0] <~> roots[2]).dispose() } },
            difference.signal.observeNext { _ in },
        ]
        set(roots)
        expect(difference.value, is: roots[0].value &- roots[1].value)
        for observation in observations { observation?.dispose() }
    }

    // MARK: What follows

    @Test("can release a property, which ends when they have returned", arguments: [false, true])
    func releases(isBody: Bool) {
        let (owner, other) = (Owner(0), MutableProperty(0))
        let log = owner.property.map { $0 }.signal.logged()
        if isBody {
            other.modify { value in
                owner.release()
                value = log.count
            }
            expect(other.value, is: 0)
        } else {
            let derived = owner.property.map { value in
                if value == 1 { owner.release() }
                return value
            }
            let ofDerived = derived.signal.logged()
            let (output, input) = Signal<Int, Never>.pipe()
            owner.property <~ output
            input.sendNext(1)
            expect(ofDerived.all, is: ["1", "completed"])
        }
        expect(log.all.last, is: "completed")
    }

    @Test("can end a link, which the properties leave")
    func unlinks() {
        let (left, right, other) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        let link = left <~> right
        other.modify { _ in link.dispose() }
        left.value = 1
        expect([left.value, right.value], is: [1, 0])
        let second = left <~> right
        let derived = left.map { value in
            if value == 5 { second.dispose() }
            return value
        }
        let log = derived.signal.logged()
        left.value = 5
        left.value = 6
        expect([left.value, right.value], is: [6, 5])
        expect(log.all.suffix(2), is: ["5", "6"])
    }
}
