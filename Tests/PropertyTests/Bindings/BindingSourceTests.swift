import ReactiveSignals
import TestSupport
import Testing

/// A source of a user's own.
private struct Numbers: BindingSource {
    let values: [Int]

    var producer: SignalProducer<Int, Never> { SignalProducer(values) }
}

@Suite("Binding sources")
struct BindingSourceTests {
    /// What a source gives to a target.
    private func given(by source: some BindingSource<Int>) -> [Int] {
        let log = Log<Int>()
        let (lifetime, token) = Lifetime.make()
        BindingTarget<Int>(lifetime: lifetime) { log.append($0) } <~ source
        withExtendedLifetime(token) {}
        return log.all
    }

    @Test("are what cannot fail")
    func kinds() {
        expect(given(by: SignalProducer<Int, Never>([1, 2])), is: [1, 2])
        expect(given(by: Signal<Int, Never>.empty), is: [])
        expect(given(by: Property(value: 1)), is: [1])
        expect(given(by: MutableProperty(1)), is: [1])
    }

    @Test("may be a user's own")
    func own() {
        expect(given(by: Numbers(values: [1, 2, 3])), is: [1, 2, 3])
        expect(given(by: Gauge(7)), is: [7])
    }
}
