extension Duration {
    /// The duration in whole nanoseconds, clamped to the range of `Int`: about 292 years.
    @_alwaysEmitIntoClient
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (total, isStillTooLong) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
        if isTooLong || isStillTooLong { return seconds < 0 ? .min : .max }
        return Int(total)
    }

    /// The exact duration in attoseconds.
    package var attosecondCount: Int128 {
        let (seconds, attoseconds) = components
        return Int128(seconds) * 1_000_000_000_000_000_000 + Int128(attoseconds)
    }

    /// Creates a duration from attoseconds, clamped to the seconds that fit in 64 bits.
    package init(attosecondCount: Int128) {
        let (seconds, attoseconds) = attosecondCount.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        self.init(secondsComponent: Int64(clamping: seconds), attosecondsComponent: Int64(attoseconds))
    }

    /// The smallest multiple of a positive interval that is greater than this duration, which is not negative.
    @usableFromInline
    package func nextMultiple(of interval: Duration) -> Duration {
        let (count, interval) = (attosecondCount, interval.attosecondCount)
        return Duration(attosecondCount: (count / interval + 1) * interval)
    }
}
