import ReactiveSignals
import TestSupport
import Testing

@Suite("Disposable")
struct DisposableTests {
    @Test("can be added to a composite")
    func composite() {
        let composite = CompositeDisposable()
        let kept = SimpleDisposable()
        let takenOut = SimpleDisposable()
        kept.add(to: composite)
        takenOut.add(to: composite)?.dispose()
        composite.dispose()
        #expect(kept.isDisposed)
        #expect(!takenOut.isDisposed)
        let late = SimpleDisposable()
        #expect(late.add(to: composite) == nil)
        #expect(late.isDisposed)
    }

    @Test("can be added to a bag, which disposes of it when the bag is released")
    func bag() {
        let disposable = SimpleDisposable()
        do {
            let bag = ScopedDisposable(CompositeDisposable())
            disposable.add(to: bag)
            #expect(!disposable.isDisposed)
            withExtendedLifetime(bag) {}
        }
        #expect(disposable.isDisposed)
    }
}
