/// Code that acts for a disposal, a `deinit` or an observation, and so must not wait for other threads nor do their work.
///
/// Inside a passive section a thread that finds a gate taken pushes its operation instead of waiting, also where the gate's contention
/// is `.wait`; and when it leaves a gate, it leaves there what other threads have pushed meanwhile. So `dispose()` returns whatever other
/// threads deliver, and never calls their observers, which might want a lock that the caller holds.
///
/// The section covers everything that is called in it, through any number of gates: an interruption that `materialize` turns into a value
/// does not wait either.
@usableFromInline
package enum PassiveSection {
    private static let flag = ThreadFlag()

    /// Whether the calling thread is in a passive section.
    package static var isCurrent: Bool { flag.isSet }

    /// Runs `body` as a passive section.
    @usableFromInline
    package static func run<Result>(_ body: () -> Result) -> Result {
        if flag.isSet { return body() }
        flag.set(true)
        defer { flag.set(false) }
        return body()
    }
}
