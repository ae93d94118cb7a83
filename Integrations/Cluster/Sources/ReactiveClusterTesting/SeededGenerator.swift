/// Random numbers that are the same for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether an event of a probability happens.
    public mutating func happens(_ probability: Double) -> Bool {
        probability > 0 && Double(next() >> 11) * 0x1p-53 < probability
    }

    /// A random duration, in whole microseconds.
    public mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        let (lower, upper) = (range.lowerBound / .microseconds(1), range.upperBound / .microseconds(1))
        return .microseconds(Int64(lower + (upper - lower) * Double(next() >> 11) * 0x1p-53))
    }
}
