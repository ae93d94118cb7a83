#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// A monotonic clock of the system, read without the conversions of the standard library's clocks.
@frozen @usableFromInline
package enum SystemClock: Sendable {
    /// The clock of `SuspendingClock`, which stops while the system sleeps.
    case suspending
    /// The clock of `ContinuousClock`, which does not.
    case continuous

    /// The time since some instant, the same one for each reading of a clock.
    @usableFromInline package var nanoseconds: Int {
        #if canImport(Darwin)
        let id = self == .suspending ? CLOCK_UPTIME_RAW : CLOCK_MONOTONIC_RAW
        #else
        let id = self == .suspending ? CLOCK_MONOTONIC : CLOCK_BOOTTIME
        #endif
        // A `timespec`, without its members: with whole-module optimization the compiler believes that one of its own
        // modules declares them, and asks for an import of it.
        var time: (seconds: Int64, nanoseconds: Int64) = (0, 0)
        withUnsafeMutableBytes(of: &time) {
            // Fails only for a clock that the system does not know. The bytes are not empty, so they have an address.
            _ = clock_gettime(id, $0.baseAddress!.assumingMemoryBound(to: timespec.self))
        }
        return Int(time.seconds &* 1_000_000_000 &+ time.nanoseconds)
    }
}

/// A scheduler whose `now` is a reading of a clock of the system.
package protocol SystemTimed: DelayScheduler {
    /// The clock, or `nil` if this scheduler uses another one.
    var systemClock: SystemClock? { get }
}
