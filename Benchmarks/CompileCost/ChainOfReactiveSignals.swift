import ReactiveSignals

// Twenty operators, of those that both libraries have. The closures state their types: without that, the compiler gives up on
// OpenCombine's chain.
func chain(_ numbers: Signal<Int, Never>) -> Signal<String, Never> {
    numbers
        .map { (value: Int) -> Int in value + 1 }
        .filter { (value: Int) in value % 2 == 0 }
        .scan(0) { (sum: Int, value: Int) -> Int in sum + value }
        .skipRepeats()
        .compactMap { (value: Int) -> Int? in value > 10 ? value : nil }
        .take(first: 1_000)
        .skip(first: 2)
        .map { (value: Int) -> Double in Double(value) / 2 }
        .take(while: { (value: Double) in value < 1_000_000 })
        .skip(while: { (value: Double) in value < 20 })
        .collect(count: 4)
        .map { (values: [Double]) -> Double in values.reduce(0, +) }
        .filter { (value: Double) in value > 1 }
        .map { (value: Double) -> Int in Int(value) }
        .skipRepeats { (former: Int, value: Int) in former == value }
        .map { (value: Int) -> String in String(value) }
        .scan("") { (text: String, value: String) -> String in text + value }
        .map { (text: String) -> Int in text.count }
        .filter { (count: Int) in count < 100_000 }
        .map { (count: Int) -> String in "length " + String(count) }
}
