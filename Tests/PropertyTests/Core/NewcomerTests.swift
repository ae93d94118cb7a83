import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Properties that are derived in a closure that computes another one: from what is about to change.
///
/// The closures do not hold what they are derived from, which keeps them as long as they are observed.
@Suite("A property that is derived while another one is computed", .watched)
struct NewcomerTests {
    /// What the closures make.
    private let made = Locked<[Property<Int>]>([])
    private let log = Log<String>()

    /// Keeps a property, and observes it.
    private func make(_ property: Property<Int>) {
        property.signal.observeNext { [log] in log.append("event \($0)") }
        made.withLock { $0.append(property) }
    }

    /// Twice if it is observed there, for the value before and for the one after.
    @Test("and observed, is computed again when what it was derived from has changed, once", arguments: [true, false])
    func refreshed(isLateObserved: Bool) {
        let source = MutableProperty(1)
        let derived = source.map { [log, unowned source, late = Locked<Property<Int>?>(nil)] value in
            if late.withLock({ $0 }) == nil {
                // Later in the turn than this closure.
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

    @Test("and read there, has the former value, and the new one afterwards", arguments: [true, false])
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

    @Test("is not computed where nobody reads or observes it")
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

    @Test("is up to date in the events of the turn, and so is what is derived from it there", arguments: [true, false])
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
            // First, so that nothing has been read of it.
            let tenfold = newcomer.map { $0 * 10 }
            for value in [tenfold.value, newcomer.value] { values.append(value) }
        }
        let ofDerived = derived.signal.logged()
        source.value = 2
        expect(values.all, is: [20, 2])
        expect(log.all, is: isCombined ? ["event 2", "event 2"] : ["event 2"])
        expect(ofDerived.all, is: ["2"])
    }

    @Test("is not forgotten where it follows from something else as well", arguments: [true, false])
    func combined(isObserved: Bool) {
        let (source, other) = (MutableProperty(1), MutableProperty(0))
        let derived = source.map { [unowned source, unowned other] value in
            if value == 2 {
                make(source.map { $0 })
                make(source.combineLatest(with: other).map { $0.0 + $0.1 })
            }
            return value
        }
        // The combination is in the same part of the graph then.
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

    @Test("with a memory, takes part in the change that is computed")
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
}
