import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("flatMap and flatten of properties", .watched)
struct FlatMapTests {
    private static let strategies: [FlattenStrategy] = [.latest, .merge, .concat]

    @Test("immediately has the value of the property made for the current value", arguments: strategies)
    func initial(_ strategy: FlattenStrategy) {
        let made = Log<Int>()
        let inner = MutableProperty(10)
        let flat = MutableProperty(1).flatMap(strategy) { value in
            made.append(value)
            return inner.map { $0 + value }
        }
        expect(flat.value, is: 11)
        expect(made.all, is: [1])
    }

    @Test(".latest follows the newest property only")
    func latest() {
        let inners = [MutableProperty(0), MutableProperty(10)]
        let outer = MutableProperty(0)
        let flat = outer.flatMap(.latest) { inners[$0] }
        let log = flat.logged()
        inners[0].value = 1
        outer.value = 1
        inners[0].value = 2
        inners[1].value = 11
        outer.value = 0
        expect(log.all, is: ["0", "1", "10", "11", "2"])
        expect(flat.value, is: 2)
    }

    @Test(".merge follows all properties")
    func merge() {
        let inners = [MutableProperty(0), MutableProperty(10)]
        let outer = MutableProperty(0)
        let flat = outer.flatMap(.merge) { inners[$0] }
        let log = flat.logged()
        outer.value = 1
        inners[0].value = 1
        inners[1].value = 11
        expect(log.all, is: ["0", "10", "1", "11"])
    }

    @Test(".concat follows one property after another")
    func concat() {
        let (first, second) = (Owner(0), Owner(10))
        let outer = Owner(0)
        let flat = outer.property.flatMap(.concat) { [weak a = first.property, weak b = second.property] value in
            // Exists for as long as this closure is called.
            Property(value == 0 ? a! : b!)
        }
        let log = flat.logged()
        outer.property.value = 1
        second.property.value = 11
        first.property.value = 1
        expect(log.all, is: ["0", "1"])
        first.release()
        second.property.value = 12
        outer.release()
        second.release()
        expect(log.all, is: ["0", "1", "11", "12", "completed"])
    }

    @Test("ends when the outer property and the inner ones have ended", arguments: strategies, [false, true])
    func ends(_ strategy: FlattenStrategy, outerFirst: Bool) {
        let (outer, inner) = (Owner(0), Owner(1))
        let flat = outer.property.flatMap(strategy) { [weak property = inner.property] _ in Property(property!) }
        let log = flat.logged()
        if outerFirst { outer.release() } else { inner.release() }
        expect(log.all, is: ["1"])
        if outerFirst {
            inner.property.value = 2
            inner.release()
        } else {
            outer.release()
        }
        #expect(log.all == (outerFirst ? ["1", "2", "completed"] : ["1", "completed"]))
        #expect(flat.value == (outerFirst ? 2 : 1))
    }

    @Test("of constant properties ends immediately", arguments: strategies)
    func constant(_ strategy: FlattenStrategy) {
        let flat = Property(value: 1).flatMap(strategy) { Property(value: $0 * 10) }
        expect(flat.logged().all, is: ["10", "completed"])
    }

    @Test("flatten follows the properties that are its values", arguments: strategies)
    func flatten(_ strategy: FlattenStrategy) {
        let inners = [MutableProperty(0), MutableProperty(10)]
        let outer = MutableProperty(inners[0])
        let flat = outer.flatten(strategy)
        let log = flat.logged()
        outer.value = inners[1]
        inners[1].value = 11
        inners[0].value = 1
        switch strategy {
        case .merge: #expect(log.all == ["0", "10", "11", "1"])
        case .concat: #expect(log.all == ["0", "1"])
        default: #expect(log.all == ["0", "10", "11"])
        }
        withExtendedLifetime((outer, inners)) {}
    }

    @Test("does not retain the outer property, and releases everything with itself", arguments: strategies)
    func lifetimes(_ strategy: FlattenStrategy) {
        let population = Population()
        let (outer, inner) = (Owner(0), MutableProperty(1))
        weak let weakly = outer.property
        do {
            let member = population.member()
            let flat = outer.property.flatMap(strategy) { _ in
                inner.map { value in
                    member.touch()
                    return value
                }
            }
            outer.property.value = 1
            inner.value = 2
            expect(flat.value, is: 2)
            expect(population.alive, is: 1)
        }
        expect(population.alive, is: 0)
        outer.release()
        #expect(weakly == nil)
    }

    @Test("continues while it is observed, even if it is not held", arguments: strategies)
    func observedOnly(_ strategy: FlattenStrategy) {
        let population = Population()
        let (outer, inner) = (MutableProperty(0), MutableProperty(1))
        let log = Log<String>()
        let disposable = {
            let member = population.member()
            return outer.flatMap(strategy) { _ in
                member.touch()
                return inner
            }.map { $0 * 10 }.producer.start { log.append($0.text) }
        }()
        inner.value = 2
        expect(log.all, is: ["10", "20"])
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0)
    }

    @Test("an inner property that derives from the outer one has its new value")
    func ofItself() {
        let outer = MutableProperty(1)
        let flat = outer.flatMap(.latest) { [weak outer] value in
            // Exists for as long as this closure is called.
            outer!.map { $0 * 10 + value }
        }
        let log = flat.logged()
        outer.set(2, 3)
        expect(flat.value, is: 33)
        expect(log.all.last, is: "33")
    }

    @Test("delivers re-entrant sets in order")
    func nested() {
        let inners = [MutableProperty(0), MutableProperty(10)]
        let outer = MutableProperty(0)
        let flat = outer.flatMap(.latest) { inners[$0] }
        let observer = flat.signal.observeNext { [weak outer] value in
            if value == 1 { outer?.value = 1 }
            if value == 10 { inners[1].value = 11 }
        }
        let log = flat.logged()
        inners[0].value = 1
        expect(log.all, is: ["0", "1", "10", "11"])
        expect(flat.value, is: 11)
        observer?.dispose()
    }

    @Test("obeys the identity laws: flatMap of a constant, and flatMap to constants", arguments: strategies)
    func laws(_ strategy: FlattenStrategy) {
        let source = MutableProperty(1)
        let derive = { @Sendable (value: Int) in source.map { $0 + value } }
        let identity = source.flatMap(strategy) { Property(value: $0) }
        let left = Property(value: 5).flatMap(strategy, derive)
        let logs = [identity.logged(), left.logged()]
        source.set(2, 3)
        expect(logs.map(\.all), is: [["1", "2", "3"], ["6", "7", "8"]])
    }

    @Test("has the newest value when threads set outer and inner properties")
    func race() {
        for _ in 0..<200 {
            let inners = (0..<3).map { MutableProperty($0 * 100) }
            let outer = MutableProperty(0)
            let flat = outer.flatMap(.latest) { inners[$0] }
            let log = flat.logged()
            onThreads(4, "flatMap") { thread in
                for number in 1...10 {
                    if thread == 3 { outer.value = number % 3 } else { inners[thread].value = thread * 100 + number }
                }
            }
            expect(flat.value, is: inners[outer.value].value)
            expect(log.all.last, is: "\(flat.value)")
        }
    }

    @Test("of a property whose event is being delivered calls the closure once per value", arguments: strategies)
    func duringDelivery(_ strategy: FlattenStrategy) {
        let outer = MutableProperty(0, contention: .enqueue)
        let inners = (0..<3).map { MutableProperty($0 * 10, contention: .enqueue) }
        let (isInside, canGoOn) = (Latch("no event is delivered"), Latch("the observer may not go on"))
        // Both events are being delivered: that of the outer property, and that of the inner one.
        let observations = [
            inners[1].signal.observeNext { if $0 == 11 { outer.value = 1 } },
            outer.signal.observeNext {
                if $0 != 1 { return }
                isInside.open()
                canGoOn.wait()
            },
        ]
        let setter = TestThread("sets") { inners[1].value = 11 }
        isInside.wait()
        let made = Log<Int>()
        let flat = outer.flatMap(strategy) { value in
            made.append(value)
            return inners[value]
        }
        let log = flat.signal.logged()
        expect(flat.value, is: 11)
        expect(made.all, is: [1])
        // Set while the events are still being delivered.
        inners[1].value = 12
        if strategy != .concat { outer.value = 2 }
        canGoOn.open()
        setter.join()
        waitUntilDrained()
        expect(made.all, is: strategy == .concat ? [1] : [1, 2])
        // With `.latest` the outer property has changed before the inner one sends its value.
        expect(log.all.sorted(), is: strategy == .merge ? ["12", "20"] : [strategy == .concat ? "12" : "20"])
        for observation in observations { observation?.dispose() }
    }

    @Test("has the operator's name")
    func name() {
        let outer = MutableProperty(1)
        expect(outer.flatMap(.latest) { Property(value: $0) }.signal.name, is: "[property] -flatMap:")
        expect(MutableProperty(outer).flatten(.latest).signal.name, is: "[property] -flatten:")
    }
}
