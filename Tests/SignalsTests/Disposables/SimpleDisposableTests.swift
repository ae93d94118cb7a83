import ReactiveSignals
import TestSupport
import Testing

@Suite("SimpleDisposable")
struct SimpleDisposableTests {
    @Test("stays disposed of")
    func remembers() {
        let disposable = SimpleDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
    }
}
