/// What needs the source of an operator that sends streams of the source's values, such as windows: the result, and
/// each stream that the operator has sent, until it ends or can no longer be observed.
///
/// The source is stopped when nothing needs it any more.
@usableFromInline
package final class SourceUsers: @unchecked Sendable {
    // Sendable: `sources` and `lifetime` are written before the source begins, and read once, by the thread that raises
    // `gone`.

    private struct State {
        var sourceHasEnded = false
        var resultIsOver = false
        var streams = 0
    }

    private let state = Locked(State())
    @usableFromInline let gone = AtomicFlag()
    /// The sources of a start.
    // No closure: then the compiler would no longer put starts on the stack.
    @exclusivity(unchecked) private var sources: SharedSources?
    /// The lifetime of the source of a signal.
    @exclusivity(unchecked) private var lifetime: Lifetime?

    @usableFromInline
    package init() {}

    /// Sets the sources of a start. Call before they begin.
    func stopWhenGone(_ sources: SharedSources) { self.sources = sources }

    /// Creates a lifetime that ends when nothing needs the source of a signal. Call before that is observed.
    @usableFromInline
    package func makeLifetime() -> Lifetime {
        let made = Lifetime()
        lifetime = made
        return made
    }

    /// Whether nothing needs the source any more.
    @_alwaysEmitIntoClient package var areGone: Bool { gone.isRaised }

    /// Adds a stream. Call only while the operator handles a value.
    @usableFromInline
    package func add() { state.withLock { $0.streams += 1 } }

    /// Removes a stream. Call once per stream.
    @usableFromInline
    package func remove() {
        let isLast = state.withLock { state in
            state.streams -= 1
            return state.resultIsOver && state.streams == 0
        }
        if isLast { leave() }
    }

    /// Notes that the source has ended. Streams need it no longer: it is cleaned up with the result, before they end.
    @usableFromInline
    package func endSource() { state.withLock { $0.sourceHasEnded = true } }

    /// Notes that the result has ended, or is about to.
    ///
    /// - Returns: Whether streams remain that need the source.
    @usableFromInline @discardableResult
    package func endResult() -> Bool {
        let remain = state.withLock { state in
            state.resultIsOver = true
            return state.streams > 0 && !state.sourceHasEnded
        }
        if !remain { leave() }
        return remain
    }

    private func leave() {
        guard gone.raise() else { return }
        sources.take()?.stop()
        lifetime.take()?.end()
    }
}
