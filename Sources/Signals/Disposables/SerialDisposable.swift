/// Holds one disposable at a time; setting another disposes of the former.
public final class SerialDisposable: Disposable {
    private struct State {
        var inner: (any Disposable)?
        var isDisposed = false
    }

    private let state: Locked<State>

    /// A serial disposable that holds `inner`.
    public init(_ inner: (any Disposable)? = nil) { state = Locked(State(inner: inner)) }

    /// Whether this has been disposed of, whatever became of the disposables that it held.
    public var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// The disposable that is held.
    ///
    /// Setting it disposes of the former, even if it is the same, and once this one is disposed of, of the new one at
    /// once.
    public var inner: (any Disposable)? {
        get { state.withLock { $0.inner } }
        set {
            let superseded = state.withLock { state -> (any Disposable)? in
                if state.isDisposed { return newValue }
                defer { state.inner = newValue }
                return state.inner
            }
            superseded?.dispose()
        }
    }

    /// Disposes of what is held now, and of what is set from now on.
    public func dispose() {
        let inner = state.withLock { state in
            state.isDisposed = true
            return state.inner.take()
        }
        inner?.dispose()
    }
}
