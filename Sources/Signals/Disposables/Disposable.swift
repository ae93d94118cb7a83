/// A start, an observation or a resource that can be cancelled or released, once.
public protocol Disposable: AnyObject, Sendable {
    /// Whether it has been disposed of, or there is nothing left to dispose of because the work has ended.
    var isDisposed: Bool { get }

    /// Cancels the work and releases its resources.
    ///
    /// Safe to call from any thread and any number of times; only the first call has an effect. Never waits for work in
    /// progress on another thread.
    func dispose()
}

extension Disposable {
    /// Adds this to a composite, which disposes of it when it is disposed of itself.
    ///
    /// - Returns: See `add(_:)` of ``CompositeDisposable``.
    @discardableResult
    public func add(to composite: CompositeDisposable) -> (any Disposable)? { composite.add(self) }

    /// Adds this to a bag, which disposes of it when the bag is released.
    @discardableResult
    public func add(to bag: ScopedDisposable<CompositeDisposable>) -> (any Disposable)? { bag.inner.add(self) }
}
