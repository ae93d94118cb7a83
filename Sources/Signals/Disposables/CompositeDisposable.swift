/// A collection of disposables that are disposed of together, in the reverse order of their addition.
public final class CompositeDisposable: Disposable {
    private struct State {
        /// Keyed by the order of addition. `nil` after disposal.
        var entries: [UInt64: any Disposable]? = [:]
        var nextKey: UInt64 = 0
    }

    private let state: Locked<State>

    /// Creates an empty composite.
    public convenience init() { self.init([]) }

    /// Creates a composite of the given disposables.
    public init(_ disposables: some Sequence<any Disposable>) {
        var initial = State()
        for disposable in disposables {
            initial.entries?[initial.nextKey] = disposable
            initial.nextKey += 1
        }
        state = Locked(initial)
    }

    /// Whether this has been disposed of.
    public var isDisposed: Bool { state.withLock { $0.entries == nil } }

    /// Disposes of everything that was added and not removed, in the reverse order of addition.
    public func dispose() {
        let entries = state.withLock { $0.entries.take() }
        guard let entries else { return }
        for (_, disposable) in entries.sorted(by: { $0.key > $1.key }) { disposable.dispose() }
    }

    /// Adds a disposable.
    ///
    /// A disposable that has already been disposed of is not stored. If the composite has been disposed of, it disposes
    /// of the new disposable immediately.
    ///
    /// - Returns: A handle whose disposal removes the disposable without disposing of it, so that a long-lived
    ///   composite does not grow. `nil` if nothing was added.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable, !disposable.isDisposed else { return nil }
        let key: UInt64? = state.withLock { state in
            guard state.entries != nil else { return nil }
            defer { state.nextKey += 1 }
            state.entries?[state.nextKey] = disposable
            return state.nextKey
        }
        guard let key else {
            disposable.dispose()
            return nil
        }
        return AnyDisposable {
            // Returned from the closure, so that it is not released under the lock.
            _ = self.state.withLock { $0.entries?.removeValue(forKey: key) }
        }
    }

    /// Adds a closure to run on disposal.
    @discardableResult
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { add(AnyDisposable(action)) }

    /// Adds a disposable. See `add(_:)`.
    @discardableResult
    public static func += (composite: CompositeDisposable, disposable: (any Disposable)?) -> (any Disposable)? {
        composite.add(disposable)
    }

    /// Adds a closure to run on disposal.
    @discardableResult
    public static func += (
        composite: CompositeDisposable, action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        composite.add(action)
    }
}
