import HotSignals
import ReactiveSignals
import TestSupport
import Testing

/// An object with a lifetime, which records the values it receives.
private final class Label: Sendable {
    private let token = Lifetime.Token()
    private let shown = Log<String>()

    var lifetime: Lifetime { Lifetime(token) }
    var all: [String] { shown.all }

    var text: BindingTarget<String> {
        BindingTarget(lifetime: lifetime) { [weak self] in self?.shown.append($0) }
    }
}

@Suite("Bindings", .watched)
struct BindingTests {
    // MARK: Sources

    @Test("the operator has lower precedence than the conditional operator in its source")
    func choice() {
        let (target, first, second) = (MutableProperty(0), MutableProperty(1), MutableProperty(2))
        for (isFirst, expected) in [(true, 1), (false, 2)] {
            let binding = target <~ isFirst ? first : second
            expect(target.value, is: expected)
            binding.dispose()
        }
    }

    @Test("to a signal sets each of its values from now on")
    func signal() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let target = MutableProperty(0)
        let log = target.logged()
        input.sendNext(1)
        let disposable = target <~ signal
        input.sendNext(2)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["0", "2", "2"])
        #expect(disposable.isDisposed, "the binding ends with its source")
    }

    @Test("a signal that is interrupted, or has ended, leaves the value unchanged")
    func interrupted() {
        let (signal, input) = Signal<Int, Never>.pipe()
        let target = MutableProperty(0)
        let disposable = target <~ signal
        input.sendNext(1)
        input.sendInterrupted()
        expect(target.value, is: 1)
        #expect(disposable.isDisposed)
        target <~ signal
        expect(target.value, is: 1)
    }

    @Test("to a producer starts it immediately, once per binding")
    func producer() {
        let starts = Counter()
        let producer = SignalProducer<Int, Never> { observer, _ in
            observer.sendNext(starts.increment())
            observer.sendCompleted()
        }
        let targets = [MutableProperty(0), MutableProperty(0)]
        for target in targets { target <~ producer }
        expect(targets.map(\.value), is: [1, 2])
    }

    @Test("to a property sets its value immediately, then each change")
    func property() {
        let (source, target) = (MutableProperty(1), MutableProperty(0))
        target <~ source.map { $0 * 10 }
        expect(target.value, is: 10)
        source.value = 2
        expect(target.value, is: 20)
        let other = MutableProperty(0)
        other <~ source
        expect(other.value, is: 2)
    }

    @Test("the target has the new value before its observers are notified")
    func visible() {
        let (source, target) = (MutableProperty(0), MutableProperty(0))
        target <~ source
        let log = Log<Int>()
        target.signal.observeNext { [weak source, weak target] _ in
            log.append(target?.value ?? -1)
            log.append(source?.value ?? -1)
        }
        source.value = 1
        expect(log.all, is: [1, 1])
    }

    // MARK: Optional targets

    @Test("a target of optional values accepts non-optional sources", arguments: 0..<4)
    func lifting(_ kind: Int) {
        let target = MutableProperty<Int?>(nil)
        let (signal, input) = Signal<Int, Never>.pipe()
        switch kind {
        case 0:
            target <~ signal
            input.sendNext(1)
        case 1: target <~ SignalProducer<Int, Never>(value: 1)
        case 2: target <~ Property(value: 1)
        default: target <~ MutableProperty(1)
        }
        expect(target.value, is: 1)
        input.sendCompleted()
    }

    @Test("a source of optional values sets nil, too")
    func optionals() {
        let (source, target) = (MutableProperty<Int?>(1), MutableProperty<Int?>(7))
        target <~ source
        expect(target.value, is: 1)
        source.value = nil
        #expect(target.value == nil)
    }

    @Test("with nil as target ends immediately, and keeps no producer running")
    func nilTarget() {
        let target: MutableProperty<Int>? = nil
        let disposals = Counter()
        let producer = SignalProducer<Int, Never>.never.on(disposed: { disposals.increment() })
        let disposable = target <~ producer
        #expect(disposable.isDisposed)
        #expect(disposals.value <= 1)
        let some: MutableProperty<Int>? = MutableProperty(0)
        some <~ Property(value: 3)
        expect(some?.value, is: 3)
    }

    // MARK: Operators

    @Test("the operator is right-associative, and has higher precedence than assignment")
    func precedence() {
        struct Chain: BindingTargetProvider, BindingSource {
            let property = MutableProperty(0)
            var bindingTarget: BindingTarget<Int> { property.bindingTarget }
            var producer: SignalProducer<Int, Never> { property.producer }
        }
        let (target, source) = (MutableProperty(0), MutableProperty(1))
        var disposable: any Disposable = SimpleDisposable()
        // This tests that the assignment includes the whole expression.
        // swift-format-ignore: NoAssignmentInExpressions
        disposable = target <~ source.map { -$0 }
        expect(target.value, is: -1)
        disposable.dispose()
        let chain = Chain()
        chain <~ source.map { $0 * 3 }
        target <~ chain
        expect(target.value, is: 3)
        let name = MutableProperty<String?>(nil)
        name <~ Property<String?>(value: nil).map { $0 ?? "none" }
        expect(name.value, is: "none")
    }

    @Test("a form enables its button when two password fields match")
    func form() {
        let (password, confirmation) = (MutableProperty(""), MutableProperty(""))
        let isEnabled = MutableProperty(false)
        isEnabled <~ password.combineLatest(with: confirmation).map { !$0.0.isEmpty && $0.0 == $0.1 }
        #expect(!isEnabled.value)
        password.value = "a"
        #expect(!isEnabled.value)
        confirmation.value = "a"
        #expect(isEnabled.value)
        confirmation.value = "b"
        #expect(!isEnabled.value)
    }

    // MARK: How they end

    @Test("a disposed binding releases its source, and sets no further value", arguments: [false, true])
    func dispose(isProperty: Bool) {
        let (signal, input) = Signal<Int, Never>.pipe()
        let disposals = Counter()
        let source = signal.on(disposed: { disposals.increment() })
        let target = MutableProperty(0)
        let disposable = if isProperty { target <~ Property(initial: 1, then: source) } else { target <~ source }
        input.sendNext(2)
        disposable.dispose()
        disposable.dispose()
        input.sendNext(3)
        expect(target.value, is: 2)
        _ = consume source
        #expect(disposable.isDisposed)
        input.sendCompleted()
        expect(disposals.value, is: 1)
    }

    @Test("ends with its target, which it does not retain, and interrupts a producer's work")
    func targetEnds() {
        let owner = Owner(0)
        weak let weakly = owner.property
        let (interruptions, disposals) = (Counter(), Counter())
        let producer = SignalProducer<Int, Never> { observer, lifetime in
            observer.sendNext(1)
            // Retains the observer, as releasing the last one interrupts the work.
            lifetime.observeEnded {
                disposals.increment()
                withExtendedLifetime(observer) {}
            }
        }.on(completed: { interruptions.increment() }, interrupted: { interruptions.increment() })
        let disposable = owner.property <~ producer
        expect(owner.property.value, is: 1)
        expect(disposals.value, is: 0)
        owner.release()
        #expect(weakly == nil)
        expect(disposals.value, is: 1)
        #expect(disposable.isDisposed)
    }

    @Test("ends with its source, which it does not retain if it is a property")
    func sourceEnds() {
        let (source, target) = (Owner(1), MutableProperty(0))
        weak let weakly = source.property
        let disposable = target <~ source.property
        source.release()
        #expect(weakly == nil)
        #expect(disposable.isDisposed)
        expect(target.value, is: 1)
    }

    @Test("to a derived property lasts even if that property is not held")
    func derivedSource() {
        let (source, target) = (MutableProperty(1), MutableProperty(0))
        target <~ source.map { $0 * 10 }.skipRepeats()
        source.value = 2
        expect(target.value, is: 20)
    }

    @Test("ends immediately when it is disposed of inside its own events", arguments: 0..<3)
    func disposedInside(_ place: Int) {
        let (source, target) = (MutableProperty(0), MutableProperty(-1))
        let disposable = SerialDisposable()
        if place == 0 { source.signal.observeNext { _ in disposable.dispose() } }
        let binding = target <~ source
        disposable.inner = binding
        if place == 1 { source.signal.observeNext { _ in disposable.dispose() } }
        if place == 2 { target.signal.observeNext { _ in disposable.dispose() } }
        source.set(1, 2)
        #expect(target.value == (place == 0 ? 0 : 1))
    }

    @Test("several sources can set one target, and each binding ends separately")
    func severalSources() {
        let (first, second, target) = (MutableProperty(1), MutableProperty(2), MutableProperty(0))
        let disposables = [target <~ first, target <~ second]
        expect(target.value, is: 2)
        first.value = 3
        expect(target.value, is: 3)
        disposables[0].dispose()
        first.value = 4
        second.value = 5
        expect(target.value, is: 5)
    }

    @Test("leaks nothing, whichever side is released first", arguments: [false, true], [false, true])
    func leaks(targetFirst: Bool, isBoundBothWays: Bool) {
        let population = Population()
        do {
            let (source, target) = (Owner<Population.Member?>(nil), Owner<Population.Member?>(nil))
            let member = population.member()
            target.property
                <~ source.property.map { value in
                    member.touch()
                    return value
                }
            if isBoundBothWays { source.property <~ target.property.skipRepeats { $0 === $1 } }
            if !isBoundBothWays { source.property.value = population.member() }
            #expect(target.property.value === source.property.value)
            if targetFirst {
                target.release()
                source.release()
            } else {
                source.release()
                target.release()
            }
        }
        expect(population.alive, is: 0)
    }

    @Test("a custom target receives values as long as it lives")
    func ownTarget() {
        let (signal, input) = Signal<String, Never>.pipe()
        let disposable: any Disposable
        do {
            let label = Label()
            let binding = label.text <~ signal
            disposable = binding
            input.sendNext("a")
            label.text <~ Property(value: "b")
            expect(label.all, is: ["a", "b"])
            #expect(!disposable.isDisposed)
        }
        #expect(disposable.isDisposed)
        input.sendNext("c")
    }

    // MARK: Sets from inside events, and threads

    @Test("delivers re-entrant sets in order, also through the binding")
    func nested() {
        let (source, target) = (MutableProperty(0), MutableProperty(0))
        let early = source.logged()
        target <~ source
        source.signal.observeNext { [weak source] value in if value < 3 { source?.value = value + 1 } }
        let log = target.logged()
        source.value = 1
        for log in [log, early] { expect(log.all, is: ["0", "1", "2", "3"]) }
    }

    @Test("two properties that are bound to each other settle at equal values")
    func bothWays() {
        let (first, second) = (MutableProperty(1), MutableProperty(2))
        first <~ second.skipRepeats()
        second <~ first.skipRepeats()
        expect(first.value, is: 2)
        expect(second.value, is: 2)
        first.value = 3
        expect(second.value, is: 3)
        second.value = 4
        expect(first.value, is: 4)
    }

    @Test("the target's value is its last event when threads set its sources")
    func race() {
        for _ in 0..<100 {
            let sources = [MutableProperty(0), MutableProperty(0)]
            let target = MutableProperty(0)
            let log = target.logged()
            for source in sources { target <~ source }
            onThreads(2, "binding") { thread in
                for number in 1...20 { sources[thread].value = thread * 100 + number }
            }
            expect(log.all.last, is: "\(target.value)")
            expect(log.count, is: 43)
            #expect([20, 120].contains(target.value))
        }
    }

    @Test("leaks nothing when disposal, the end of the target and sets race")
    func endRace() {
        for round in 0..<500 {
            let population = Population()
            do {
                let (source, target) = (MutableProperty(0), Owner(0))
                let member = population.member()
                let disposable =
                    target.property
                    <~ source.map { value in
                        member.touch()
                        return value
                    }
                onThreads(3, "end of a binding") { thread in
                    switch thread {
                    case 0: source.set(1, 2, 3)
                    case 1: if round % 2 == 0 { disposable.dispose() }
                    default: target.release()
                    }
                }
                #expect(disposable.isDisposed)
            }
            expect(population.alive, is: 0)
        }
    }
}
