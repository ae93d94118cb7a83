/// The numbers from 0, with a count of those requested. Finite but long, so that a source that is not stopped is
/// detected.
package struct ContractNumbers: Sequence, IteratorProtocol, Sendable {
    package let asked = ContractCount()
    private var number = -1

    package init() {}

    package mutating func next() -> Int? {
        asked.increment()
        number += 1
        return number < 2_000 ? number : nil
    }
}
