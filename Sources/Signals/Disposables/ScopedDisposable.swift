/// Disposes of its content when it is released.
///
/// ```swift
/// let bag = ScopedDisposable(CompositeDisposable())
/// bag += signal.observe { print($0) }
/// ```
public final class ScopedDisposable<Inner: Disposable>: Disposable {
    /// The content.
    public let inner: Inner

    /// Creates a disposable that disposes of `inner` in its `deinit`.
    public init(_ inner: Inner) { self.inner = inner }

    deinit { inner.dispose() }

    /// Whether ``inner`` has been disposed of.
    public var isDisposed: Bool { inner.isDisposed }

    /// Disposes of ``inner`` immediately.
    public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
    /// Creates a disposable that disposes of another one, of any type, in its `deinit`.
    public convenience init(_ inner: any Disposable) { self.init(AnyDisposable(inner)) }
}

extension ScopedDisposable where Inner == CompositeDisposable {
    /// Adds a disposable. See `add(_:)` of ``CompositeDisposable``.
    @discardableResult
    public static func += (scoped: ScopedDisposable, disposable: (any Disposable)?) -> (any Disposable)? {
        scoped.inner.add(disposable)
    }

    /// Adds a closure to run on disposal.
    @discardableResult
    public static func += (scoped: ScopedDisposable, action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        scoped.inner.add(action)
    }
}
