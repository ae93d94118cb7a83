/// A collection of disposables that are disposed of together, in the reverse order of their addition.
public final class CompositeDisposable: Disposable {
    /// `nil` after disposal.
    private let parts: Locked<Parts?>

    /// Creates an empty composite.
    public convenience init() { self.init([]) }

    /// Creates a composite of the given disposables.
    public init(_ disposables: some Sequence<any Disposable>) {
        var parts = Parts()
        for disposable in disposables { _ = parts.append(disposable) }
        self.parts = Locked(parts)
    }

    /// Whether this has been disposed of.
    public var isDisposed: Bool { parts.withLock { $0 == nil } }

    /// Disposes of everything that was added and not removed, in the reverse order of addition.
    public func dispose() {
        guard let parts = parts.withLock({ $0.take() }) else { return }
        parts.disposeInReverse()
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
        guard let number = parts.withLock({ $0?.append(disposable) }) else {
            disposable.dispose()
            return nil
        }
        return AnyDisposable {
            // Returned from the closure, so that it is not released under the lock.
            _ = self.parts.withLock { $0?.remove(number) }
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

/// Disposables in the order of their addition, numbered so that each can be removed.
private struct Parts {
    /// In the order of the numbers. `nil` for a part that has been removed.
    private var places: [(number: UInt64, disposable: (any Disposable)?)] = []
    private var nextNumber: UInt64 = 0
    private var removals = 0

    mutating func append(_ disposable: any Disposable) -> UInt64 {
        let number = nextNumber
        nextNumber += 1
        // A composite of one is seldom made.
        if places.capacity == 0 { places.reserveCapacity(2) }
        places.append((number, disposable))
        return number
    }

    /// Returns the part that has been removed, for the caller to release. `nil` if it had been removed before.
    mutating func remove(_ number: UInt64) -> (any Disposable)? {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].number == number, let removed = places[low].disposable.take() else {
            return nil
        }
        removals += 1
        // Rarely enough that a removal costs no more than the search on average.
        if removals > places.count / 2 {
            places = places.filter { $0.disposable != nil }
            removals = 0
        }
        return removed
    }

    func disposeInReverse() {
        for place in places.reversed() { place.disposable?.dispose() }
    }
}
