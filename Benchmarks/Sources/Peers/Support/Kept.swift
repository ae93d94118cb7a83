/// Room for what a memory row builds, made before it is measured.
package final class Kept<Value> {
    private let values: UnsafeMutablePointer<Value>
    private let capacity: Int
    private var count = 0

    package init(capacity: Int = 10_000) {
        values = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    package func keep(_ value: Value) {
        precondition(count < capacity, "no room to keep more than \(capacity) values")
        (values + count).initialize(to: value)
        count += 1
    }

    package subscript(index: Int) -> Value { values[index] }
}
