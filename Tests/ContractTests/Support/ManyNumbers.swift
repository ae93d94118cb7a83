import TestSupport

/// The numbers from 0, and how many have been asked for. It ends far out, so that a source that nobody stops fails the test.
struct ManyNumbers: Sequence, IteratorProtocol, Sendable {
    let asked = Counter()
    private var number = -1

    mutating func next() -> Int? {
        asked.increment()
        number += 1
        return number < 2_000 ? number : nil
    }
}
