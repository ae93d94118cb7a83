/// A disposable that only records whether it has been disposed of.
public final class SimpleDisposable: Disposable {
    private let flag = AtomicFlag()

    /// Creates a disposable that has not been disposed of.
    public init() {}

    /// Whether ``dispose()`` has been called.
    public var isDisposed: Bool { flag.isRaised }

    /// Records the disposal.
    public func dispose() { flag.raise() }
}
