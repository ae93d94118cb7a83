/// A random number generator that returns the same numbers for the same seed in every version of Swift.
package struct SplitMix64: Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True once in `count` times on average.
    package mutating func once(in count: Int) -> Bool { number(in: 1...count) == 1 }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...elements.count - 1)]
    }
}
