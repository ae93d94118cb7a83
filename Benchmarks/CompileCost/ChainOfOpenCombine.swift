import OpenCombine

// The chain of ChainOfReactiveSignals.swift.
func chain(_ numbers: PassthroughSubject<Int, Never>) -> some Publisher {
    numbers
        .map { (value: Int) -> Int in value + 1 }
        .filter { (value: Int) in value % 2 == 0 }
        .scan(0) { (sum: Int, value: Int) -> Int in sum + value }
        .removeDuplicates()
        .compactMap { (value: Int) -> Int? in value > 10 ? value : nil }
        .prefix(1_000)
        .dropFirst(2)
        .map { (value: Int) -> Double in Double(value) / 2 }
        .prefix(while: { (value: Double) in value < 1_000_000 })
        .drop(while: { (value: Double) in value < 20 })
        .collect(4)
        .map { (values: [Double]) -> Double in values.reduce(0, +) }
        .filter { (value: Double) in value > 1 }
        .map { (value: Double) -> Int in Int(value) }
        .removeDuplicates { (former: Int, value: Int) in former == value }
        .map { (value: Int) -> String in String(value) }
        .scan("") { (text: String, value: String) -> String in text + value }
        .map { (text: String) -> Int in text.count }
        .filter { (count: Int) in count < 100_000 }
        .map { (count: Int) -> String in "length " + String(count) }
}
