/// Code that acts for a disposal, a `deinit` or an observation, and so must not wait for other threads or do their
/// work.
///
/// Inside a passive section, a thread that finds a gate taken pushes its operation instead of waiting, even if the
/// gate's contention is `.wait`. When it leaves a gate, it leaves the operations that other threads have pushed
/// meanwhile in the inbox. So `dispose()` returns regardless of what other threads deliver. It never calls their
/// observers, which might want a lock that the caller holds.
///
/// The section covers everything that is called inside it, through any number of gates. For example, an interruption
/// that `materialize` turns into a value does not wait either.
@usableFromInline
package enum PassiveSection {
    private static let flag = ThreadFlag()

    /// Says whether the calling thread is in a section of another module that is passive, too.
    private final class Other: Sendable {
        let isCurrent: @Sendable () -> Bool

        init(_ isCurrent: @escaping @Sendable () -> Bool) { self.isCurrent = isCurrent }
    }

    private static let other = HookObject<Other>()

    /// Makes the sections of another module passive. Call once, before the first of them begins.
    package static func include(_ isCurrent: @escaping @Sendable () -> Bool) { other.set(Other(isCurrent)) }

    /// Whether the calling thread is in a passive section.
    package static var isCurrent: Bool { flag.isSet || other.object?.isCurrent() == true }

    /// Runs `body` as a passive section.
    @usableFromInline
    package static func run<Result>(_ body: () -> Result) -> Result {
        if flag.isSet { return body() }
        flag.set(true)
        defer { flag.set(false) }
        return body()
    }
}
