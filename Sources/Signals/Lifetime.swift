/// The time for which something lives: a signal, the start of a producer, an object.
///
/// Work that should not outlive it is attached to it.
public final class Lifetime: Sendable {
    /// Disposed of when the lifetime ends.
    private let disposables: CompositeDisposable

    @usableFromInline
    package init(_ disposables: CompositeDisposable) { self.disposables = disposables }

    /// A lifetime and the token that ends it.
    public static func make() -> (lifetime: Lifetime, token: Token) {
        let token = Token()
        return (Lifetime(token), token)
    }

    /// The lifetime that a token ends. It does not hold the token.
    public convenience init(_ token: Token) { self.init(token.disposables) }

    /// A lifetime that has ended.
    public static var empty: Lifetime {
        let disposables = CompositeDisposable()
        disposables.dispose()
        return Lifetime(disposables)
    }

    /// Whether the lifetime has ended.
    public var hasEnded: Bool { disposables.isDisposed }

    /// A signal that completes when the lifetime ends; interrupted, as any signal that has ended, if it has already.
    public var ended: Signal<Never, Never> {
        Signal { observer, lifetime in
            lifetime += observeEnded { observer.sendCompleted() }
        }
    }

    /// Runs `action` when the lifetime ends, at once if it has ended.
    ///
    /// Actions run in the reverse order of their addition, on the thread that ends the lifetime.
    ///
    /// - Returns: A disposable that forgets the action, or nil if it has run.
    @discardableResult
    public func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        disposables.add(action)
    }

    /// Disposes of `disposable` when the lifetime ends, at once if it has ended.
    ///
    /// - Returns: A disposable that forgets it without disposing of it, or nil if there is nothing to forget.
    @discardableResult
    public static func += (lifetime: Lifetime, disposable: (any Disposable)?) -> (any Disposable)? {
        lifetime.disposables.add(disposable)
    }

    /// Ends a lifetime when it is disposed of or released: an object keeps one to say how long it lives.
    public final class Token: Disposable {
        fileprivate let disposables = CompositeDisposable()

        /// A token whose lifetime has not ended.
        public init() {}

        deinit { disposables.dispose() }

        /// Whether the lifetime has ended.
        public var isDisposed: Bool { disposables.isDisposed }

        /// Ends the lifetime.
        public func dispose() { disposables.dispose() }
    }
}
