/// A disposable that runs an action, once.
///
///     let disposable = AnyDisposable { connection.close() }
///
/// The action is released as soon as it has run.
public final class AnyDisposable: Disposable {
    private enum State {
        case pending(@Sendable () -> Void)
        case wrapping(any Disposable)
        case disposed
    }

    private let state: Locked<State>

    /// A disposable that runs `action` when it is disposed of.
    public init(_ action: @escaping @Sendable () -> Void) { state = Locked(.pending(action)) }

    /// A disposable that disposes of another.
    public init(_ disposable: any Disposable) { state = Locked(.wrapping(disposable)) }

    /// Whether the action has been run, or what is wrapped is disposed of.
    public var isDisposed: Bool {
        let wrapped: (any Disposable)? = state.withLock { state in
            if case .wrapping(let disposable) = state { disposable } else { nil }
        }
        if let wrapped { return wrapped.isDisposed }
        return state.withLock { state in
            if case .disposed = state { true } else { false }
        }
    }

    /// Runs the action if it has not been run.
    public func dispose() {
        // Taken out under the lock, run and released outside it.
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
