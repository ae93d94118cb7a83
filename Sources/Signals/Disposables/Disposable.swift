/// Something that can be cancelled or cleaned up, once.
public protocol Disposable: AnyObject, Sendable {
    /// Whether it has been disposed of, or there is nothing left to dispose of because the work has ended by itself.
    var isDisposed: Bool { get }

    /// Cancels the work and releases what it held. From any thread, any number of times: only the first has an effect.
    ///
    /// Never waits for work that is under way on another thread.
    func dispose()
}

extension Disposable {
    /// Makes the composite dispose of this when it is disposed of.
    ///
    /// - Returns: As `add(_:)` of ``CompositeDisposable``.
    @discardableResult
    public func add(to composite: CompositeDisposable) -> (any Disposable)? { composite.add(self) }

    /// Makes the bag dispose of this when it is released.
    @discardableResult
    public func add(to bag: ScopedDisposable<CompositeDisposable>) -> (any Disposable)? { bag.inner.add(self) }
}
