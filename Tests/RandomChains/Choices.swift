import TestSupport

/// The source of a case's choices: random numbers, or the bytes of a fuzzer.
///
/// Each choice takes one byte, so that a changed byte changes one choice. When no bytes are left, every choice is the
/// first one.
package struct Choices: Sendable {
    private var random: SplitMix64?
    private var bytes: ArraySlice<UInt8>

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        bytes = []
    }

    package init(bytes: some Sequence<UInt8>) {
        random = nil
        self.bytes = ArraySlice(bytes)
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        if random != nil { return random?.number(in: range) ?? range.lowerBound }
        return range.lowerBound + Int(bytes.popFirst() ?? 0) % range.count
    }

    /// True once in `count` times on average.
    mutating func once(in count: Int) -> Bool { number(in: 1...count) == count }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(in: 0...elements.count - 1)] }
}
