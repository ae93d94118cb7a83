/// A collection of disposables that are disposed of together, the last one added first, as scopes unwind.
public final class CompositeDisposable: Disposable {
    private struct State {
        /// By the order of addition. Nil once disposed of.
        var entries: [UInt64: any Disposable]? = [:]
        var nextKey: UInt64 = 0
    }

    private let state: Locked<State>

    /// A composite without disposables.
    public convenience init() { self.init([]) }

    /// A composite of the given disposables.
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

    /// Disposes of everything that was added and not taken out, the last first.
    public func dispose() {
        let entries = state.withLock { $0.entries.take() }
        guard let entries else { return }
        for (_, disposable) in entries.sorted(by: { $0.key > $1.key }) { disposable.dispose() }
    }

    /// Adds a disposable. One that is disposed of already is not kept; a composite that is disposed of already disposes
    /// of it at once.
    ///
    /// - Returns: A handle whose disposal takes the disposable out again without disposing of it, so that a composite
    ///   that lives long does not grow. Nil if nothing was added.
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
            // Passed out, so that it is not released under the lock.
            _ = self.state.withLock { $0.entries?.removeValue(forKey: key) }
        }
    }

    /// Adds an action, to be run on disposal.
    @discardableResult
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { add(AnyDisposable(action)) }

    /// Adds a disposable. See `add(_:)`.
    @discardableResult
    public static func += (composite: CompositeDisposable, disposable: (any Disposable)?) -> (any Disposable)? {
        composite.add(disposable)
    }

    /// Adds an action, to be run on disposal.
    @discardableResult
    public static func += (
        composite: CompositeDisposable, action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        composite.add(action)
    }
}
