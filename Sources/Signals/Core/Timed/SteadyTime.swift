/// The time since an operator began. It never decreases, even if the scheduler's clock is set back.
@frozen @usableFromInline
package struct SteadyTime: Sendable {
    /// The latest time that has been observed.
    @usableFromInline package internal(set) var now: Duration
    /// How far the clock has been set back.
    @usableFromInline var setBack: Duration

    @inlinable
    package init() {
        now = .zero
        setBack = .zero
    }

    /// Takes a reading of the clock. Two threads may take theirs in the wrong order, so time stands still if the clock
    /// seems to have been set back by less than a second. Otherwise, time goes on from where it was.
    ///
    /// A thread may also have been suspended for long since it read the clock. Only a reading that began when a later
    /// time was already known shows that the clock has been set back.
    ///
    /// - Parameter known: `nil` for the first reading. Then the time before the reading.
    /// - Returns: `false` if the caller has to read the clock again, without the lock.
    @inlinable
    package mutating func advance(to reading: Duration, known: inout Duration?) -> Bool {
        let time = reading + setBack
        if time > now {
            now = time
        } else if now - time > .seconds(1) {
            guard let before = known else {
                known = now
                return false
            }
            if before - time > .seconds(1) { setBack += before - time }
        }
        return true
    }
}
