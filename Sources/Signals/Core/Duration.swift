extension Duration {
    /// The duration in whole nanoseconds, as far as they go: 292 years.
    @inlinable
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (total, isStillTooLong) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
        if isTooLong || isStillTooLong { return seconds < 0 ? .min : .max }
        return Int(total)
    }
}
