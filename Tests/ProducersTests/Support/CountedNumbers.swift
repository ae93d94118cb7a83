import TestSupport

/// The numbers from 0, which says how many have been asked for. It ends after very many, so that a source that nobody stops
/// fails a test and does not hang it.
struct CountedNumbers: Sequence, IteratorProtocol, Sendable {
    static let limit = 5_000

    let asked: Counter
    private var number = -1

    init(_ asked: Counter = Counter()) { self.asked = asked }

    mutating func next() -> Int? {
        asked.increment()
        number += 1
        return number < Self.limit ? number : nil
    }
}
