import ReactiveSignals
import TestSupport
import Testing

/// A custom source.
private struct Numbers: BindingSource {
    let values: [Int]

    var producer: SignalProducer<Int, Never> { SignalProducer(values) }
}

@Suite("Binding sources")
struct BindingSourceTests {
    /// The values that a source sends to a target.
    private func given(by source: some BindingSource<Int>) -> [Int] {
        let log = Log<Int>()
        let (lifetime, token) = Lifetime.make()
        BindingTarget<Int>(lifetime: lifetime) { log.append($0) } <~ source
        withExtendedLifetime(token) {}
        return log.all
    }

    @Test("include producers and signals that cannot fail, and properties")
    func kinds() {
        expect(given(by: SignalProducer<Int, Never>([1, 2])), is: [1, 2])
        expect(given(by: Signal<Int, Never>.empty), is: [])
        expect(given(by: Property(value: 1)), is: [1])
        expect(given(by: MutableProperty(1)), is: [1])
    }

    @Test("can be custom types")
    func own() {
        expect(given(by: Numbers(values: [1, 2, 3])), is: [1, 2, 3])
        expect(given(by: Gauge(7)), is: [7])
    }
}
