/// What a ``CompositeDisposable`` or a ``Lifetime`` disposes of, in the order of addition.
///
/// Each addition is a part, which is also the handle that removes it. Parts retain the list, so its owner calls
/// ``dispose()`` or ``removeAll()`` in the end.
final class DisposableList: Sendable {
    private struct State {
        var newest: Part?
        var isOver = false
    }

    private let state = Locked(State())

    /// Whether parts can no longer be added or removed.
    var isOver: Bool { state.withLock { $0.isOver } }

    func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
        guard let disposable, !disposable.isDisposed else { return nil }
        return add(Part(.disposable(disposable), of: self))
    }

    func add(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { add(Part(.action(action), of: self)) }

    /// - Returns: `nil` if the list is over. Then the part has been disposed of.
    private func add(_ part: Part) -> (any Disposable)? {
        let isAdded = state.withLock { state in
            if state.isOver { return false }
            state.newest?.newer = .passUnretained(part)
            part.older = state.newest
            part.isIn = true
            state.newest = part
            return true
        }
        if isAdded { return part }
        part.takeContent().dispose()
        return nil
    }

    /// Disposes of all parts, the newest first.
    func dispose() { takeParts { $0.dispose() } }

    /// Releases all parts.
    func removeAll() { takeParts { _ in } }

    private func takeParts(_ body: (Part.Content) -> Void) {
        var next = state.withLock { state in
            state.isOver = true
            return state.newest.take()
        }
        // No longer guarded by the lock: see `remove`. One by one, so that releasing the first does not release all.
        while let part = next {
            next = part.older.take()
            body(part.takeContent())
        }
    }

    /// - Returns: What the part contains, for the caller to release.
    private func remove(_ part: Part) -> Part.Content {
        state.withLock { state in
            guard !state.isOver, part.isIn else { return .nothing }
            let older = part.older.take()
            older?.newer = part.newer
            if let newer = part.newer {
                newer._withUnsafeGuaranteedRef { $0.older = older }
            } else {
                state.newest = older
            }
            part.isIn = false
            return part.takeContent()
        }
    }

    final class Part: Disposable, @unchecked Sendable {
        // Sendable: the lock of the list guards the variables. When the list is over, they are for the thread that has
        // ended it, and those of a part that it refuses for the thread that adds it.

        enum Content: Sendable {
            case disposable(any Disposable)
            case action(@Sendable () -> Void)
            case nothing

            func dispose() {
                switch self {
                case .disposable(let disposable): disposable.dispose()
                case .action(let action): action()
                case .nothing: break
                }
            }
        }

        private let list: DisposableList
        private var content: Content
        fileprivate var older: Part?
        fileprivate var newer: Unmanaged<Part>?
        fileprivate var isIn = false

        fileprivate init(_ content: Content, of list: DisposableList) {
            self.content = content
            self.list = list
        }

        fileprivate func takeContent() -> Content {
            let taken = content
            content = .nothing
            return taken
        }

        var isDisposed: Bool { list.state.withLock { $0.isOver || !isIn } }

        /// Removes the part without disposing of it.
        func dispose() { _ = list.remove(self) }
    }
}
