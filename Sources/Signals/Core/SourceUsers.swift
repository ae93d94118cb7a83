/// What needs the source of an operator that sends streams of the source's values, such as windows: the result, and
/// each stream that the operator has sent, until it ends or can no longer be observed.
///
/// It is also the lifetime of the source, which ends when nothing needs it any more.
@usableFromInline
package final class SourceUsers: Lifetime, @unchecked Sendable {
    // Sendable: `stop` is written before the source begins, and read once, by the thread that raises `gone`.

    private struct State {
        var sourceHasEnded = false
        var resultIsOver = false
        var streams = 0
    }

    private let state = Locked(State())
    @usableFromInline let gone = AtomicFlag()
    /// Stops the sources of a start.
    @exclusivity(unchecked) private var stop: (@Sendable () -> Void)?

    @usableFromInline
    package override init() { super.init() }

    /// Sets what stops the sources of a start. Call before they begin.
    func whenGone(_ stop: @escaping @Sendable () -> Void) { self.stop = stop }

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
        stop.take()?()
        end()
    }
}
