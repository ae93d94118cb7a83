import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// Properties that are derived in a closure that computes another one: from what is about to change.
@Suite("A property that is derived while its graph computes", .watched)
struct NewcomerTests {
    /// What the closures make.
    private let made = Locked<[Property<Int>]>([])
    private let log = Log<String>()

    private func make(_ property: Property<Int>) {
        property.signal.observeNext { [log] in log.append("event \($0)") }
        made.withLock { $0.append(property) }
    }

    @Test("is computed again when what it was derived from has changed, once")
    func refreshed() {
        let source = MutableProperty(1)
        // Later in the turn than the closure that derives from it.
        let late = source.map { $0 }.map { $0 * 10 }
        let derived = source.map { [log] value in
            if value == 2 {
                make(
                    late.map { value in
                        log.append("compute \(value)")
                        return value
                    })
            }
            return value
        }
        source.value = 2
        expect(log.all, is: ["compute 10", "compute 20", "event 20"])
        source.value = 3
        expect(log.all.suffix(2), is: ["compute 30", "event 30"])
        expect(derived.value, is: 3)
    }

    @Test("is up to date in the events of the turn, and so is what is derived from it there", arguments: [true, false])
    func derivedFrom(isJoined: Bool) {
        let (source, other) = (MutableProperty(1), MutableProperty(0))
        let others = (0..<5).map { number in other.map { $0 + number } }
        let derived = source.map { value in
            if value == 2 {
                make(source.map { $0 })
                // It has to wait for another turn then.
                if isJoined { make(source.combineLatest(with: other).map { $0.0 + $0.1 }) }
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
        source.value = 2
        expect(values.all, is: [20, 2])
        expect(derived.value, is: 2)
        withExtendedLifetime(others) {}
    }

    @Test("is not forgotten where the graph is joined to a larger one in the same turn")
    func joined() {
        let (source, other) = (MutableProperty(1), MutableProperty(0))
        let others = (0..<5).map { number in other.map { $0 + number } }
        let derived = source.map { value in
            if value == 2 {
                make(source.map { $0 })
                make(source.combineLatest(with: other).map { $0.0 + $0.1 })
            }
            return value
        }
        source.value = 2
        expect(made.withLock { $0 }.map(\.value), is: [2, 2])
        source.value = 3
        other.value = 10
        expect(made.withLock { $0 }.map(\.value), is: [3, 13])
        expect(derived.value, is: 3)
        withExtendedLifetime(others) {}
    }
}
