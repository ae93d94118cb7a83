import ReactiveSignals
import TestSupport
import Testing

@Suite("AnyDisposable")
struct AnyDisposableTests {
    @Test("runs its action once")
    func once() {
        let runs = Counter()
        let disposable = AnyDisposable { runs.increment() }
        #expect(!disposable.isDisposed)
        expect(runs.value, is: 0)
        disposable.dispose()
        disposable.dispose()
        #expect(disposable.isDisposed)
        expect(runs.value, is: 1)
    }

    @Test("does not run its action when it is only released")
    func released() {
        let runs = Counter()
        do { _ = AnyDisposable { runs.increment() } }
        expect(runs.value, is: 0)
    }

    @Test("is already disposed of inside its action, and can be disposed of again there")
    func inside() {
        let log = Log<Bool>()
        let serial = SerialDisposable()
        let disposable = AnyDisposable {
            log.append(serial.inner?.isDisposed ?? false)
            serial.inner?.dispose()
        }
        serial.inner = disposable
        disposable.dispose()
        expect(log.all, is: [true])
    }

    @Test("releases its action as soon as the action has run")
    func releases() {
        let population = Population()
        let disposable = AnyDisposable { [member = population.member()] in member.touch() }
        expect(population.alive, is: 1)
        disposable.dispose()
        expect(population.alive, is: 0)
    }

    @Test("disposes of the disposable that it wraps, and is disposed of when that is")
    func wraps() {
        let inner = SimpleDisposable()
        let disposable = AnyDisposable(inner)
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(inner.isDisposed)
        #expect(disposable.isDisposed)

        let other = SimpleDisposable()
        let wrapper = AnyDisposable(other)
        other.dispose()
        #expect(wrapper.isDisposed)
        wrapper.dispose()
        #expect(wrapper.isDisposed)
    }

    @Test("runs its action once when several threads dispose of it")
    func threads() {
        for _ in 0..<200 {
            let runs = Counter()
            let disposable = AnyDisposable { runs.increment() }
            onThreads(2, "AnyDisposable") { _ in disposable.dispose() }
            expect(runs.value, is: 1)
        }
    }
}
