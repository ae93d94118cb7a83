import ReactiveSignals
import TestSupport
import Testing

@Suite("SimpleDisposable")
struct SimpleDisposableTests {
    @Test("remembers that it was disposed of, however often")
    func remembers() {
        let disposable = SimpleDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed)
    }
}
