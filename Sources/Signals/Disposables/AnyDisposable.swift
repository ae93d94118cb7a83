/// A disposable that runs a closure once.
///
/// ```swift
/// let disposable = AnyDisposable { connection.close() }
/// ```
///
/// The closure is released after it has run.
public final class AnyDisposable: Disposable {
    private enum State {
        case pending(@Sendable () -> Void)
        case wrapping(any Disposable)
        case disposed
    }

    private let state: Locked<State>

    /// Creates a disposable that runs `action` on disposal.
    public init(_ action: @escaping @Sendable () -> Void) { state = Locked(.pending(action)) }

    /// Creates a disposable that disposes of another one.
    public init(_ disposable: any Disposable) { state = Locked(.wrapping(disposable)) }

    /// Whether the closure has run, or the wrapped disposable has been disposed of.
    public var isDisposed: Bool {
        let wrapped: (any Disposable)? = state.withLock { state in
            if case .wrapping(let disposable) = state { disposable } else { nil }
        }
        if let wrapped { return wrapped.isDisposed }
        return state.withLock { state in
            if case .disposed = state { true } else { false }
        }
    }

    /// Runs the closure unless it has run.
    public func dispose() {
        // The action is taken out under the lock, and run and released outside it.
        let former = state.withLock { state in
            defer { state = .disposed }
            return state
        }
        switch former {
        case .pending(let action): action()
        case .wrapping(let disposable): disposable.dispose()
        case .disposed: break
        }
    }
}
