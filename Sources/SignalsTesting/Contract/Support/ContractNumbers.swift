/// The numbers from 0, and how many have been asked for. It ends far out, so that a source that nobody stops is found.
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
