import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An object whose property a binding sets.
private final class Window: Sendable {
    private let current = Locked("")
    let sets = Counter()

    var title: String {
        get { current.withLock { $0 } }
        set {
            sets.increment()
            current.withLock { $0 = newValue }
        }
    }
}

@Suite("Binding targets", .watched)
struct BindingTargetTests {
    @Test("consume values on the sending thread, until the lifetime ends")
    func direct() {
        let (lifetime, token) = Lifetime.make()
        let (signal, input) = Signal<Int, Never>.pipe()
        let log = Log<Int>()
        let target = BindingTarget<Int>(lifetime: lifetime) { log.append($0) }
        let disposable = target <~ signal
        input.sendNext(1)
        token.dispose()
        input.sendNext(2)
        expect(log.all, is: [1])
        #expect(disposable.isDisposed)
        target <~ Property(value: 3)
        expect(log.all, is: [1], "a target whose lifetime has ended takes nothing")
        input.sendCompleted()
    }

    @Test("consume values on a scheduler, and drop pending values when the lifetime ends")
    func scheduler() {
        let scheduler = TestScheduler()
        let (lifetime, token) = Lifetime.make()
        let log = Log<Int>()
        let source = MutableProperty(1)
        BindingTarget(on: scheduler, lifetime: lifetime) { log.append($0) } <~ source
        source.value = 2
        expect(log.all, is: [])
        scheduler.advance()
        expect(log.all, is: [1, 2])
        source.value = 3
        token.dispose()
        scheduler.run()
        expect(log.all, is: [1, 2])
    }

    @Test("drop pending values of direct calls on a scheduler when the lifetime ends")
    func schedulerByHand() {
        let scheduler = TestScheduler()
        let (lifetime, token) = Lifetime.make()
        let log = Log<Int>()
        let target = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { log.append($0) }
        target.action(1)
        expect(log.all, is: [])
        scheduler.advance()
        target.action(2)
        token.dispose()
        scheduler.run()
        expect(log.all, is: [1])
    }

    @Test("set a property of an object on a scheduler, without retaining the object")
    func keyPath() {
        let scheduler = TestScheduler()
        let (lifetime, token) = Lifetime.make()
        let source = MutableProperty("a")
        weak var weakly: Window?
        do {
            let window = Window()
            weakly = window
            BindingTarget(on: scheduler, lifetime: lifetime, object: window, keyPath: \.title) <~ source
            expect(window.title, is: "")
            scheduler.advance()
            expect(window.title, is: "a")
            source.set("b", "c")
            scheduler.advance()
            expect(window.title, is: "c")
            expect(window.sets.value, is: 3)
            source.value = "d"
        }
        #expect(weakly == nil)
        scheduler.run()
        token.dispose()
    }

    @Test("set a property of an object on the thread that sends, without retaining the object")
    func keyPathWithoutScheduler() {
        let (lifetime, token) = Lifetime.make()
        let source = MutableProperty("a")
        weak var weakly: Window?
        do {
            let window = Window()
            weakly = window
            BindingTarget(lifetime: lifetime, object: window, keyPath: \.title) <~ source
            source.value = "b"
            expect(window.title, is: "b")
        }
        #expect(weakly == nil)
        source.value = "c"
        token.dispose()
    }

    @Test("are set immediately on an immediate scheduler")
    func immediate() {
        let (lifetime, token) = Lifetime.make()
        let window = Window()
        BindingTarget(on: ImmediateScheduler(), lifetime: lifetime, object: window, keyPath: \.title)
            <~ Property(value: "a")
        expect(window.title, is: "a")
        withExtendedLifetime(token) {}
    }

    @Test("are their own targets")
    func itself() {
        let (lifetime, token) = Lifetime.make()
        let log = Log<Int>()
        let target = BindingTarget<Int>(lifetime: lifetime) { log.append($0) }
        target.bindingTarget.bindingTarget.action(1)
        expect(log.all, is: [1])
        #expect(!target.bindingTarget.lifetime.hasEnded)
        token.dispose()
        #expect(target.bindingTarget.lifetime.hasEnded)
    }

    @Test("of a property lives as long as the property, and sets it")
    func ofProperty() {
        let owner = Owner(0)
        let target = owner.property.bindingTarget
        target.action(1)
        expect(owner.property.value, is: 1)
        #expect(!target.lifetime.hasEnded)
        let (signal, producer) = (owner.property.signal, owner.property.producer)
        let log = signal.logged()
        owner.release()
        #expect(target.lifetime.hasEnded)
        // A late call has no effect.
        target.action(2)
        expect(log.all, is: ["completed"])
        let late = Log<String>()
        producer.start { late.append($0.text) }
        expect(late.all, is: ["1", "completed"])
    }

    @Test("nil is a target whose lifetime has ended")
    func nothing() {
        let none: BindingTarget<Int>? = nil
        #expect(none.bindingTarget.lifetime.hasEnded)
        #expect((none <~ MutableProperty(1)).isDisposed)
        let log = Log<Int>()
        let (lifetime, token) = Lifetime.make()
        let some: BindingTarget<Int>? = BindingTarget(lifetime: lifetime) { log.append($0) }
        some <~ MutableProperty(1)
        expect(log.all, is: [1])
        withExtendedLifetime(token) {}
    }

    @Test("release their action when the binding ends")
    func releases() {
        for end in 0..<3 {
            let population = Population()
            let source = Owner(0)
            let (lifetime, token) = Lifetime.make()
            let disposable = {
                let member = population.member()
                return BindingTarget<Int>(lifetime: lifetime) { _ in member.touch() } <~ source.property
            }()
            expect(population.alive, is: 1)
            switch end {
            case 0: disposable.dispose()
            case 1: token.dispose()
            default: source.release()
            }
            expect(population.alive, is: 0, "end \(end)")
            withExtendedLifetime((token, source)) {}
        }
    }

    @Test("drop pending values on the scheduler when the binding is disposed of")
    func disposedWhileScheduled() {
        let scheduler = TestScheduler()
        let source = MutableProperty(0)
        let (lifetime, token) = Lifetime.make()
        let log = Log<Int>()
        let binding = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { log.append($0) } <~ source
        scheduler.advance()
        source.value = 1
        binding.dispose()
        scheduler.advance()
        expect(log.all, is: [0])
        let second = BindingTarget<Int>(on: scheduler, lifetime: lifetime) { log.append($0) } <~ source
        token.dispose()
        scheduler.advance()
        expect(log.all, is: [0])
        #expect(second.isDisposed)
    }
}
