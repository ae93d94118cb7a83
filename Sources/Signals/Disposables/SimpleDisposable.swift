/// A disposable that only remembers that it was disposed of.
public final class SimpleDisposable: Disposable {
    private let flag = AtomicFlag()

    /// A disposable that has not been disposed of.
    public init() {}

    /// Whether ``dispose()`` has been called.
    public var isDisposed: Bool { flag.isRaised }

    /// Raises the flag.
    public func dispose() { flag.raise() }
}
