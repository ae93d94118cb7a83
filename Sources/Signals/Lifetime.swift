/// The lifetime of a signal, a start of a producer, or an object.
///
/// Attach the work and resources that must not outlive it, with ``observeEnded(_:)`` or `+=`. Use `take(during:)` to
/// complete a stream when it ends.
public class Lifetime: @unchecked Sendable {
    // Sendable: `word`, the only state, is atomic. The class is not final because `Start` inherits from it. With
    // a second subclass, the compiler would no longer put starts on the stack.

    /// The address of the ``DisposableList`` to dispose of at the end, with one retained reference, or 0 until
    /// something is added. One bit is set at the end, and another if the list belongs to a token.
    private final let word: AtomicWord

    private static let endedBit: UInt = 1
    private static let borrowedBit: UInt = 2

    /// Creates a lifetime that ends with ``end()``.
    package init() { word = AtomicWord(0) }

    /// Creates a lifetime that ends when `disposables` is disposed of or released.
    private init(_ disposables: CompositeDisposable) {
        word = AtomicWord(UInt(bitPattern: Unmanaged.passRetained(disposables.list).toOpaque()) | Self.borrowedBit)
    }

    /// Begins another lifetime. Call only if nothing else refers to this object.
    package final func renew() { Self.release(word.exchange(0)) }

    deinit { Self.release(word.loadLast()) }

    private static func release(_ word: UInt) {
        guard let list = list(in: word) else { return }
        if word & borrowedBit == 0 { list._withUnsafeGuaranteedRef { $0.removeAll() } }
        list.release()
    }

    private static func list(in word: UInt) -> Unmanaged<DisposableList>? {
        UnsafeRawPointer(bitPattern: word & ~(endedBit | borrowedBit)).map { .fromOpaque($0) }
    }

    /// What to dispose of at the end, or `nil` if the lifetime ended without anything.
    private final var list: DisposableList? {
        while true {
            let seen = word.load()
            if let present = Self.list(in: seen) { return present.takeUnretainedValue() }
            if seen & Self.endedBit != 0 { return nil }
            let made = Unmanaged.passRetained(DisposableList())
            if word.compareExchangeReleasing(from: 0, to: UInt(bitPattern: made.toOpaque())) {
                return made.takeUnretainedValue()
            }
            made.release()
        }
    }

    /// Ends the lifetime, unless it has already ended.
    package final func end() {
        Self.list(in: word.set(Self.endedBit))?._withUnsafeGuaranteedRef { $0.dispose() }
    }

    /// Creates a lifetime and the token that ends it.
    public static func make() -> (lifetime: Lifetime, token: Token) {
        let token = Token()
        return (Lifetime(token), token)
    }

    /// Creates the lifetime that a token ends. It does not retain the token.
    public convenience init(_ token: Token) { self.init(token.disposables) }

    /// A lifetime that has already ended.
    public static var empty: Lifetime {
        let lifetime = Lifetime()
        lifetime.end()
        return lifetime
    }

    /// Whether the lifetime has ended.
    public final var hasEnded: Bool {
        let seen = word.load()
        if seen & Self.endedBit != 0 { return true }
        return Self.list(in: seen)?._withUnsafeGuaranteedRef { $0.isOver } ?? false
    }

    /// A signal that completes when the lifetime ends. If the lifetime has already ended, observers receive
    /// `interrupted`.
    public final var ended: Signal<Never, Never> {
        Signal { observer, lifetime in
            lifetime += observeEnded { observer.sendCompleted() }
        }
    }

    /// Runs `action` when the lifetime ends, or immediately if it has ended.
    ///
    /// Actions run in the reverse order of their addition, on the thread that ends the lifetime.
    ///
    /// - Returns: A disposable that removes the action, or `nil` if the action has run.
    @discardableResult
    public final func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        guard let list else {
            action()
            return nil
        }
        return list.add(action)
    }

    /// Disposes of `disposable` when the lifetime ends, or immediately if it has ended.
    ///
    /// - Returns: A disposable that removes `disposable` without disposing of it, or `nil` if nothing was added.
    @discardableResult
    public static func += (lifetime: Lifetime, disposable: (any Disposable)?) -> (any Disposable)? {
        guard let list = lifetime.list else {
            disposable?.dispose()
            return nil
        }
        return list.add(disposable)
    }

    /// Ends a lifetime when it is disposed of or released.
    ///
    /// Store a token in an object to tie streams to the lifetime of that object.
    public final class Token: Disposable {
        fileprivate let disposables = CompositeDisposable()

        /// Creates a token whose lifetime has not ended.
        public init() {}

        deinit { disposables.dispose() }

        /// Whether the lifetime has ended.
        public var isDisposed: Bool { disposables.isDisposed }

        /// Ends the lifetime.
        public func dispose() { disposables.dispose() }
    }
}
