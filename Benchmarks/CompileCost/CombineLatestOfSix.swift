import ReactiveSignals

func combine(
    _ a: Signal<Int, Never>, _ b: Signal<String, Never>, _ c: Signal<Double, Never>, _ d: Signal<Bool, Never>,
    _ e: Signal<[Int], Never>, _ f: Signal<Character, Never>
) -> Signal<String, Never> {
    Signal.combineLatest(a, b, c, d, e, f).map { a, b, c, d, e, f in
        "\(a + e.count) \(b) \(c * 2) \(d ? "yes" : "no") \(f)"
    }
}
