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
    @inlinable
    package mutating func advance(to reading: Duration) {
        let time = reading + setBack
        if time > now {
            now = time
        } else if now - time > .seconds(1) {
            setBack += now - time
        }
    }
}
