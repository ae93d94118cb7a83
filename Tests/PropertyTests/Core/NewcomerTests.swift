import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Properties that a closure derives, while it computes another property, from a source that is about to change.
///
/// The closures do not retain their sources, because a source retains its derived properties while they are observed.
@Suite("A property that is derived during the computation of another one", .watched)
struct NewcomerTests {
    /// The properties that the closures create.
    private let made = Locked<[Property<Int>]>([])
    private let log = Log<String>()

    /// Stores and observes a property.
    private func make(_ property: Property<Int>) {
        property.signal.observeNext { [log] in log.append("event \($0)") }
        made.withLock { $0.append(property) }
    }

    /// It is computed twice if it is observed there: for the previous value and for the new one.
    @Test("is computed once more after its source has changed, if it is observed", arguments: [true, false])
    func refreshed(isLateObserved: Bool) {
        let source = MutableProperty(1)
        let derived = source.map { [log, unowned source, late = Locked<Property<Int>?>(nil)] value in
            if late.withLock({ $0 }) == nil {
                // Computed later in the propagation than this closure.
                let property = source.map { $0 }.map { $0 * 10 }
                late.withLock { $0 = property }
                if isLateObserved { property.signal.observeNext { _ in } }
            }
            if value == 2, let late = late.withLock({ $0 }) {
                make(
                    late.map { value in
                        log.append("compute \(value)")
                        return value
                    })
            }
            return value
        }
        let ofDerived = derived.signal.logged()
        source.value = 2
        expect(log.all, is: ["compute 10", "compute 20", "event 20"])
        expect(made.withLock { $0 }.map(\.value), is: [20])
        source.value = 3
        expect(log.all.suffix(2), is: ["compute 30", "event 30"])
        expect(ofDerived.all, is: ["2", "3"])
    }

    @Test("has the previous value when it is read there, and the new value afterwards", arguments: [true, false])
    func readInside(isKept: Bool) {
        let (source, other) = (MutableProperty(1), MutableProperty(5))
        let derived = source.map { [log, unowned source] value in
            if value == 2 {
                let base = isKept ? source.filter(initial: 0) { _ in true } : Property(source)
                let property = base.combineLatest(with: other).map { pair in
                    log.append("compute \(pair)")
                    return pair.0 * 10 + pair.1
                }
                log.append("read \(property.value) beside \(source.value)")
                made.withLock { $0.append(property) }
            }
            return value
        }
        let ofDerived = derived.signal.logged()
        source.value = 2
        expect(log.all, is: ["compute (1, 5)", "read 15 beside 1"])
        expect(made.withLock { $0 }.map(\.value), is: [25])
        other.value = 6
        expect(made.withLock { $0 }.map(\.value), is: [26])
        source.value = 3
        expect(made.withLock { $0 }.map(\.value), is: [36])
        expect(log.count, is: 5)
        expect(ofDerived.all, is: ["2", "3"])
    }

    @Test("is not computed unless it is read or observed")
    func untouched() {
        let source = MutableProperty(1)
        let derived = source.map { [log, unowned source] value in
            let property = source.map { value in
                log.append("compute \(value)")
                return value
            }
            made.withLock { $0.append(property) }
            return value
        }
        let ofDerived = derived.signal.logged()
        source.set(2, 3)
        expect(log.all, is: [])
        expect(made.withLock { $0 }.map(\.value), is: [3, 3, 3])
        expect(ofDerived.all, is: ["2", "3"])
    }

    @Test(
        "is up to date in the events of the propagation, and so are properties derived from it there",
        arguments: [true, false])
    func derivedFrom(isCombined: Bool) {
        let (source, other) = (MutableProperty(1), MutableProperty(0))
        let derived = source.map { [unowned source] value in
            if value == 2 {
                make(source.map { $0 })
                if isCombined { make(source.combineLatest(with: other).map { $0.0 + $0.1 }) }
            }
            return value
        }
        let values = Log<Int>()
        source.signal.observeNext { [made] _ in
            guard let newcomer = made.withLock({ $0.first }) else { return }
            // The first read, so that nothing of it has been computed.
            let tenfold = newcomer.map { $0 * 10 }
            for value in [tenfold.value, newcomer.value] { values.append(value) }
        }
        let ofDerived = derived.signal.logged()
        source.value = 2
        expect(values.all, is: [20, 2])
        expect(log.all, is: isCombined ? ["event 2", "event 2"] : ["event 2"])
        expect(ofDerived.all, is: ["2"])
    }

    @Test("is updated even if it has a second source", arguments: [true, false])
    func combined(isObserved: Bool) {
        let (source, other) = (MutableProperty(1), MutableProperty(0))
        let derived = source.map { [unowned source, unowned other] value in
            if value == 2 {
                make(source.map { $0 })
                make(source.combineLatest(with: other).map { $0.0 + $0.1 })
            }
            return value
        }
        // This places the combination in the same part of the graph.
        let both = derived.combineLatest(with: other)
        let logs = isObserved ? [both.signal.map { "\($0)" }.logged()] : []
        let ofDerived = derived.signal.logged()
        source.value = 2
        expect(made.withLock { $0 }.map(\.value), is: [2, 2])
        source.value = 3
        other.value = 10
        expect(made.withLock { $0 }.map(\.value), is: [3, 13])
        expect(log.all.sorted(), is: ["event 13", "event 2", "event 2", "event 3", "event 3"])
        for log in logs { expect(log.all, is: ["(2, 0)", "(3, 0)", "(3, 10)"]) }
        expect(ofDerived.all, is: ["2", "3"])
    }

    @Test("takes part in the current change if it is stateful")
    func withMemory() {
        let source = MutableProperty(1)
        let pairs = Locked<Property<(Int, Int)>?>(nil)
        let derived = source.map { [unowned source] value in
            if value == 2 {
                let made = source.combinePrevious(0)
                pairs.withLock { $0 = made }
            }
            return value
        }
        let ofDerived = derived.signal.logged()
        source.value = 2
        #expect(pairs.withLock { $0 }?.value ?? (-1, -1) == (1, 2))
        source.value = 3
        #expect(pairs.withLock { $0 }?.value ?? (-1, -1) == (2, 3))
        expect(ofDerived.all, is: ["2", "3"])
    }

    @Test("keep a set only until it has taken in many: then they wait for it")
    func many() {
        let root = MutableProperty(0)
        // Taken out in the end: observed properties retain their closures, and a source its observed properties.
        let source = Locked<MutableProperty<Int>?>(root)
        let (setter, enough) = (ThreadIdentity.current, 10 * ForeignWork.limit)
        let (linked, computed) = (Counter(), Counter())
        let (threads, properties) = (Log<TestThread>(), Log<Property<Int>>())
        @Sendable func observe() {
            guard let root = source.withLock({ $0 }) else { return }
            let derived = root.map { value -> Int in
                let isComputedBySet = value == 1 && ThreadIdentity.current == setter
                if isComputedBySet, computed.increment() < enough { observeElsewhere() }
                return value
            }
            properties.append(derived)
            derived.signal.observeNext { _ in }
            linked.increment()
        }
        @Sendable func observeElsewhere() {
            let before = linked.value
            let thread = TestThread("observer") { observe() }
            threads.append(thread)
            // It is linked now, or waits for the set.
            #expect(becomesTrue { linked.value > before || thread.isAsleep })
        }
        observe()
        root.value = 1
        #expect(computed.value <= ForeignWork.limit + 1)
        for thread in threads.all { thread.join() }
        #expect(properties.all.allSatisfy { $0.value == 1 })
        root.value = 2
        #expect(properties.all.allSatisfy { $0.value == 2 })
        let taken = source.withLock { $0.take() }
        withExtendedLifetime(taken) {}
        // Their closures hold these.
        properties.removeAll()
        threads.removeAll()
    }
}
