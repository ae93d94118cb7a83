import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Calls a closure when it is released, once.
private final class Farewell: Sendable {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) { self.say = say }

    deinit { say() }
}

/// What waits until closures and bodies are over, and on which thread it runs.
@Suite("After closures and bodies", .watched)
struct AfterwardsTests {
    /// The thread of the last event.
    private final class Place: Sendable {
        private let thread = Locked<UInt?>(nil)

        func note() { thread.withLock { $0 = ThreadIdentity.current } }

        var value: UInt? { thread.withLock { $0 } }
    }

    // MARK: What other threads leave

    @Test("a thread that sets performs nothing that others have left, because it may hold a lock")
    func othersElsewhere() {
        let (owner, other) = (Owner(0), MutableProperty(0))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let both = owner.property.combineLatest(with: other).map { pair in
            if pair.1 == 1 {
                inClosure.open()
                goOn.wait()
            }
            return pair.0 + pair.1
        }
        let log = both.signal.logged()
        let (place, setterPlace) = (Place(), Place())
        // With a memory, so that the end has to own the domain in which the other thread computes.
        let last = owner.property.zip(with: other).combineLatest(with: both).map { $0.1 }
        let observations = [last.signal.observeNext { _ in }, owner.property.signal.observeCompleted { place.note() }]
        let setter = TestThread("sets") {
            setterPlace.note()
            other.value = 1
        }
        inClosure.wait()
        owner.release()
        goOn.open()
        setter.join()
        #expect(becomesTrue { place.value != nil })
        #expect(place.value != setterPlace.value)
        expect(log.all, is: ["1"])
        for observation in observations { observation?.dispose() }
    }

    @Test("the end of a property waits for a computation on a thread of the library")
    func endElsewhere() {
        let (owner, other) = (Owner(0), MutableProperty(0))
        let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
        let slow = owner.property.map { value in
            if value == 1 {
                inClosure.open()
                goOn.wait()
            }
            return value
        }
        // Ends if the property does, so the end has to own its domain, in which the other one is being computed.
        let both = slow.combineLatest(with: other).map { $0.0 + $0.1 }
        let (place, setterPlace) = (Place(), Place())
        // Sends nothing but its end: otherwise the setter could be delivering, and the end be handed over to it.
        let quiet = slow.map { _ in 0 }.skipRepeats()
        let observations = [both.signal.observeNext { _ in }, quiet.signal.observeCompleted { place.note() }]
        let target = owner.property.bindingTarget
        let (output, input) = Signal<Int, Never>.pipe()
        target <~ output
        let setter = TestThread("sets") {
            setterPlace.note()
            input.sendNext(1)
        }
        inClosure.wait()
        owner.release()
        expect(place.value, is: nil)
        goOn.open()
        setter.join()
        #expect(becomesTrue { place.value != nil })
        #expect(place.value != setterPlace.value)
        for observation in observations { observation?.dispose() }
    }

    @Test("a body does not deliver what other threads send, whose observers can set properties")
    func sendsOfOthers() async throws {
        try await #require(processExitsWith: .success) {
            let (property, other) = (MutableProperty(0), MutableProperty(0))
            let (output, input) = Signal<Int, Never>.pipe(contention: .enqueue)
            let (inside, goOn) = (Latch("the event"), Latch("to go on"))
            output.observeNext { value in
                if value == 5 {
                    other.value = value
                } else {
                    inside.open()
                    goOn.wait()
                }
            }
            let thread = TestThread("modifies") {
                property.modify { value in
                    input.sendNext(1)
                    value = 1
                }
            }
            inside.wait()
            input.sendNext(5)
            goOn.open()
            thread.join()
            #expect(becomesTrue { other.value == 5 })
        }
    }

    // MARK: What the thread itself leaves

    @Test("what a closure leaves, while threads that set its sources wait, comes when they no longer do")
    func whileRootsWait() async throws {
        try await #require(processExitsWith: .success) {
            let (first, second, owner) = (MutableProperty(0), MutableProperty(0), Owner(0))
            let count = Counter()
            owner.property.signal.observeCompleted { first.value = -1 }
            let slow = first.combineLatest(with: second).map { pair in
                let number = count.increment()
                // Overtakes eight attempts, each of which computes twice.
                if number <= 16 { TestThread("sets") { first.value = number }.join() }
                if number == 17 { owner.release() }
                return pair.0 + pair.1
            }
            let observation = slow.signal.observeNext { _ in }
            #expect(first.value == -1)
            #expect(count.value >= 17)
            observation?.dispose()
        }
    }

    @Test("the end of a property that a body releases comes after the event of the body")
    func order() {
        let (property, owner, log) = (MutableProperty(0), Owner(0), Log<String>())
        property.signal.observeNext { log.append("\($0)") }
        owner.property.signal.observeCompleted {
            log.append("ended")
            property.value = 2
        }
        property.modify { value in
            owner.release()
            value = 1
        }
        expect(log.all, is: ["1", "ended", "2"])
    }

    // MARK: Values that are dropped

    /// How a value is dropped whose release sets a property.
    enum Drop: String, CaseIterable, Codable, Sendable { case read, observed, compared, thrown }

    @Test("the release of a value that is dropped in a body can set a property", arguments: Drop.allCases)
    func drops(_ drop: Drop) async throws {
        try await #require(processExitsWith: .success) { [drop] in
            let (source, other, set) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
            let boxed = source.map { _ in Farewell { set.modify { $0 += 1 } } }
            switch drop {
            case .read:
                _ = boxed.value
                source.value = 1
                other.modify { _ in _ = boxed.value }
            case .observed:
                _ = boxed.value
                source.value = 1
                other.modify { _ in boxed.signal.observeNext { _ in }?.dispose() }
            case .compared:
                // Each identity is equal, and only the first one is kept.
                let unique = source.uniqueValues { _ in Identity(Farewell { set.modify { $0 += 1 } }) }
                source.value = 1
                withExtendedLifetime(unique) {}
            case .thrown:
                let boxes = (0..<2).map { _ in MutableProperty<Farewell?>(nil) }
                try? Property.transaction(boxes[0], boxes[1]) { (one: inout Farewell?, _) throws(TestError) in
                    // Sets what the transaction changes.
                    one = Farewell {
                        boxes[0].value = nil
                        set.modify { $0 += 1 }
                    }
                    throw .first
                }
            }
            #expect(set.value >= 1)
        }
    }

    /// Equal to each other one.
    private struct Identity: Hashable, Sendable {
        let farewell: Farewell

        init(_ farewell: Farewell) { self.farewell = farewell }

        static func == (left: Identity, right: Identity) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    @Test("the release of what a change discards, when it begins again, can set the property that changes")
    func discards() async throws {
        try await #require(processExitsWith: .success) {
            let (first, second, third) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
            let hasSet = AtomicFlag()
            let boxed = first.map { value in
                Farewell { if value == 1, hasSet.raise() { first.value = 10 } }
            }
            // Higher than what is observed later.
            let (inClosure, goOn) = (Latch("the computation"), Latch("to go on"))
            let high = first.map { $0 }.map { $0 }.map { $0 }.combineLatest(with: third).map { pair in
                if pair.0 == 1 {
                    inClosure.open()
                    goOn.wait()
                }
                return pair.0
            }
            let observations = Log<any Disposable>()
            for observation in [boxed.signal.observeNext { _ in }, high.signal.observeNext { _ in }] {
                if let observation { observations.append(observation) }
            }
            let thread = TestThread("sets") { first.value = 1 }
            inClosure.wait()
            let (isComputing, mayReturn) = (Latch("the newcomer"), Latch("to return"))
            let newcomer = boxed.combineLatest(with: second).map { pair in
                if pair.1 == 1 {
                    isComputing.open()
                    mayReturn.wait()
                }
                return pair.1
            }
            if let observation = newcomer.signal.observeNext({ _ in }) { observations.append(observation) }
            let other = TestThread("computes the newcomer") { second.value = 1 }
            isComputing.wait()
            goOn.open()
            thread.waitUntilAsleep()
            mayReturn.open()
            other.join()
            thread.join()
            #expect(first.value == 10)
            for observation in observations.all { observation.dispose() }
        }
    }
}
