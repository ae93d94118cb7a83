package import TestSupport

/// The numbers from 0. Counts how many have been requested. Ends after very many, so that a source that is not
/// stopped fails a test instead of hanging it.
package struct CountedNumbers: Sequence, IteratorProtocol, Sendable {
    package static let limit = 5_000

    package let asked: Counter
    private var number = -1

    package init(_ asked: Counter = Counter()) { self.asked = asked }

    package mutating func next() -> Int? {
        asked.increment()
        number += 1
        return number < Self.limit ? number : nil
    }
}
