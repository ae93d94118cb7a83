extension Duration {
    /// The duration in whole nanoseconds, clamped to the range of `Int`: about 292 years.
    @inlinable
    package var nanoseconds: Int { Int(clamping: attoseconds / 1_000_000_000) }

    /// The duration, but not less than zero, and at most a quarter of the greatest one: so sums with an instant and a
    /// leeway do not overflow.
    @inlinable
    package var limitedForSums: Duration { min(max(self, .zero), Duration(attoseconds: .max / 4)) }

    /// Creates a duration from attoseconds, clamped to the seconds that fit in 64 bits.
    package init(attosecondCount: Int128) {
        let (seconds, attoseconds) = attosecondCount.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        self.init(secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(attoseconds))
    }

    /// The smallest multiple of a positive interval that is greater than this duration, which is not negative.
    @usableFromInline
    package func nextMultiple(of interval: Duration) -> Duration {
        let (count, interval) = (attoseconds, interval.attoseconds)
        return Duration(attosecondCount: (count / interval + 1) * interval)
    }
}
