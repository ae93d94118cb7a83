/// Room for what a memory row builds, made before it is measured.
final class Kept<Value> {
    private let values: UnsafeMutablePointer<Value>
    private let capacity: Int
    private var count = 0

    init(capacity: Int = 10_000) {
        values = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    func keep(_ value: Value) {
        precondition(count < capacity, "no room to keep more than \(capacity) values")
        (values + count).initialize(to: value)
        count += 1
    }

    subscript(index: Int) -> Value { values[index] }
}
