import ReactiveSignals
import TestSupport
import Testing

/// The operations on a property that a user has written.
@Suite("A custom property", .watched)
struct PropertyProtocolTests {
    @Test("can be mapped to a property that ends with it")
    func map() {
        let gauge = Gauge(1)
        let derived = gauge.map { $0 * 10 }
        let log = derived.logged()
        gauge.set(2, 3)
        expect(derived.value, is: 30)
        gauge.end()
        expect(log.all, is: ["10", "20", "30", "completed"])
        expect(derived.value, is: 30)
    }

    @Test("can be combined with itself and with others")
    func combine() {
        let (gauge, other) = (Gauge(1), MutableProperty("a"))
        let both = gauge.combineLatest(with: other)
        let many = Property.combineLatest([gauge, gauge])
        let zipped = Property.zip(gauge, other)
        let log = both.logged()
        gauge.set(2)
        other.value = "b"
        #expect(log.all == [#"(1, "a")"#, #"(2, "a")"#, #"(2, "b")"#])
        expect(many.value, is: [2, 2])
        #expect(zipped.value == (2, "b"))
    }

    @Test("can be an inner property of flatMap", arguments: [FlattenStrategy.latest, .merge, .concat])
    func flatten(_ strategy: FlattenStrategy) {
        let (gauge, outer) = (Gauge(1), MutableProperty(10))
        let flat = outer.flatMap(strategy) { factor in gauge.map { $0 * factor } }
        let log = flat.logged()
        gauge.set(2)
        expect(log.all, is: ["10", "20"])
        expect(gauge.flatMap(strategy) { Property(value: $0) }.value, is: 2)
        expect(Property(value: gauge).flatten(strategy).value, is: 2)
    }

    @Test("supports boolean logic")
    func logic() {
        let gauge = Gauge(false)
        let (not, and, or) = (gauge.negate(), gauge.and(Property(value: true)), Property(value: false).or(gauge))
        expect([not.value, and.value, or.value], is: [true, false, false])
        gauge.set(true)
        expect([not.value, and.value, or.value], is: [false, true, true])
        #expect(Property.all([gauge, gauge]).value)
    }

    @Test("can be bound and viewed")
    func bind() {
        let (gauge, target) = (Gauge(1), MutableProperty(0))
        target <~ gauge
        gauge.set(2)
        expect(target.value, is: 2)
        let view = Property(gauge)
        gauge.set(3)
        expect(view.value, is: 3)
    }

    @Test("is retained only by views that capture it")
    func lifetime() {
        let logs: [Log<String>]
        let kept: Property<Int>
        do {
            let (held, free) = (Gauge(1), Gauge(1))
            kept = Property(capturing: held)
            let view = Property(free).map { $0 }
            logs = [kept.logged(), view.logged()]
            free.set(2)
            withExtendedLifetime(view) {}
        }
        expect(logs.map(\.all), is: [["1"], ["1", "2", "completed"]])
        withExtendedLifetime(kept) {}
    }

    @Test("is released with its last user, and leaks nothing")
    func leaks() {
        let population = Population()
        let gauge = Gauge(1)
        do {
            let member = population.member()
            let derived = gauge.map { value in
                member.touch()
                return value
            }
            let disposable = derived.combineLatest(with: gauge).producer.start { _ in member.touch() }
            gauge.set(2)
            disposable.dispose()
        }
        expect(population.alive, is: 0)
        gauge.set(3)
        expect(gauge.value, is: 3)
    }

    @Test("derived properties are computed once per change, and never mix old and new values")
    func glitch() {
        let gauge = Gauge(0)
        let view = Property(gauge)
        let computations = Counter()
        let pairs = view.map { $0 }.combineLatest(with: view.map { $0 }).map { pair in
            computations.increment()
            return pair.0 == pair.1
        }
        let log = pairs.logged()
        gauge.set(1, 2, 3)
        expect(computations.value, is: 4)
        expect(log.all, is: ["true", "true", "true", "true"])
    }
}
