import HotSignals

/// How long a test waits for a state before it fails: longer than a busy machine with a sanitizer needs for any step.
///
/// A test that passes never waits that long, because it waits for a state, not for a time. Scripts/check-waits rejects
/// other limits.
package let patience: Duration = .seconds(900)

/// The end of the patience of one wait. It moves while tests begin and end: whatever continues on Swift's pool waits
/// there behind all the tests that have yet to begin.
package struct Deadline: Sendable {
    private static let lastProgress = Locked(ContinuousClock.now)

    private let begin = ContinuousClock.now

    package init() {}

    /// Call when a test begins or ends.
    static func noteProgress() { lastProgress.withLock { $0 = .now } }

    package var hasPassed: Bool { remaining <= .zero }

    /// What is left at this moment.
    package var remaining: Duration {
        ContinuousClock.now.duration(to: max(begin, Self.lastProgress.withLock { $0 }) + patience)
    }
}
