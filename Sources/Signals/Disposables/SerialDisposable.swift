/// Holds one disposable at a time, and disposes of it when another one replaces it.
public final class SerialDisposable: Disposable {
    private struct State {
        var inner: (any Disposable)?
        var isDisposed = false
    }

    private let state: Locked<State>

    /// Creates a serial disposable that holds `inner`.
    public init(_ inner: (any Disposable)? = nil) { state = Locked(State(inner: inner)) }

    /// Whether this has been disposed of, regardless of the disposables it has held.
    public var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// The current disposable.
    ///
    /// Setting it disposes of the previous one, even if it is the same object. After this has been disposed of, setting
    /// it disposes of the new one immediately.
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

    /// Disposes of the current disposable, and of any that is set later.
    public func dispose() {
        let inner = state.withLock { state in
            state.isDisposed = true
            return state.inner.take()
        }
        inner?.dispose()
    }
}
