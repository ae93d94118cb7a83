import ReactiveSignals
import TestSupport
import Testing

@Suite("ScopedDisposable")
struct ScopedDisposableTests {
    @Test("disposes of its inner disposable when it is released")
    func released() {
        let inner = SimpleDisposable()
        do {
            let scoped = ScopedDisposable(inner)
            #expect(scoped.inner === inner)
            #expect(!scoped.isDisposed)
        }
        #expect(inner.isDisposed)
    }

    @Test("disposes of its inner disposable once, if explicitly disposed of before its release")
    func disposed() {
        let runs = Counter()
        do {
            let scoped = ScopedDisposable(AnyDisposable { runs.increment() })
            scoped.dispose()
            #expect(scoped.isDisposed)
            expect(runs.value, is: 1)
        }
        expect(runs.value, is: 1)
    }

    @Test("wraps a disposable of any type")
    func anyDisposable() {
        let inner = SimpleDisposable()
        do {
            let some: any Disposable = inner
            let scoped = ScopedDisposable(some)
            #expect(!scoped.isDisposed)
            let other = ScopedDisposable(some)
            other.dispose()
            #expect(scoped.isDisposed)
        }
        #expect(inner.isDisposed)
    }

    @Test("acts as a bag when it wraps a composite")
    func bag() {
        let log = Log<Int>()
        do {
            let bag = ScopedDisposable(CompositeDisposable())
            bag += AnyDisposable { log.append(1) }
            let handle = bag.inner.add { log.append(2) }
            bag += { log.append(3) }
            handle?.dispose()
            bag += nil as (any Disposable)?
        }
        expect(log.all, is: [3, 1])
    }
}
