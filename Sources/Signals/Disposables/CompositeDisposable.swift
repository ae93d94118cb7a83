/// A collection of disposables that are disposed of together, in the reverse order of their addition.
public final class CompositeDisposable: Disposable {
    let list = DisposableList()

    /// Creates an empty composite.
    public convenience init() { self.init([]) }

    /// Creates a composite of the given disposables.
    public init(_ disposables: some Sequence<any Disposable>) {
        for disposable in disposables { _ = list.add(disposable) }
    }

    deinit { list.removeAll() }

    /// Whether this has been disposed of.
    public var isDisposed: Bool { list.isOver }

    /// Disposes of everything that was added and not removed, in the reverse order of addition.
    public func dispose() { list.dispose() }

    /// Adds a disposable.
    ///
    /// A disposable that has already been disposed of is not stored. If the composite has been disposed of, it disposes
    /// of the new disposable immediately.
    ///
    /// - Returns: A handle whose disposal removes the disposable without disposing of it, so that a long-lived
    ///   composite does not grow. `nil` if nothing was added.
    @discardableResult
    public func add(_ disposable: (any Disposable)?) -> (any Disposable)? { list.add(disposable) }

    /// Adds a closure to run on disposal.
    @discardableResult
    public func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { list.add(action) }

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
