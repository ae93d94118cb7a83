/// A buffer of elements that are carried to another execution context in batches. Elements that are added while a hop
/// is pending go with that hop.
///
/// Protocol for the owner: ``add(_:)`` returns whether to start a hop. At its destination the hop calls ``take()``,
/// handles the batch, and gives it back with ``finish(_:)``, which returns whether to start another hop. So there is
/// one hop at a time, and those that add elements all the time cannot keep it: it handles what it has taken.
@frozen @usableFromInline
package struct Batches<Element: Sendable>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: [Element] = []
        /// The batch handled last, emptied, so that two buffers are reused forever, except those of a burst.
        @usableFromInline var spare: [Element] = []
        /// Whether a hop is pending, or its batch is being handled.
        @usableFromInline var isHopping = false
        /// Cancels the latest hop, which may already have arrived.
        @usableFromInline var hop: (any Disposable)?
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())

    @inlinable
    package init() {}

    /// Adds an element, unless stopped.
    ///
    /// - Parameter onlyIfFirst: Whether to add it only if that starts a hop.
    /// - Returns: Whether to start a hop.
    @_alwaysEmitIntoClient
    package func add(_ element: Element, onlyIfFirst: Bool = false) -> Bool {
        state.withLock { state in
            if state.isStopped || onlyIfFirst && state.isHopping { return false }
            state.pending.append(element)
            defer { state.isHopping = true }
            return !state.isHopping
        }
    }

    /// Stores the disposable of a hop, which is disposed of when this is stopped, or immediately if it has been
    /// stopped.
    @_alwaysEmitIntoClient
    package func keep(_ hop: (any Disposable)?) {
        let (isStopped, replaced) = state.withLock { state in
            guard !state.isStopped else { return (true, nil as (any Disposable)?) }
            defer { state.hop = hop }
            return (false, state.hop)
        }
        if isStopped { hop?.dispose() }
        // Released outside the lock.
        withExtendedLifetime(replaced) {}
    }

    /// Takes all pending elements.
    @_alwaysEmitIntoClient
    package func take() -> [Element] {
        state.withLock { state in
            var batch = state.spare
            state.spare = []
            swap(&batch, &state.pending)
            return batch
        }
    }

    /// Gives back a batch that has been handled.
    ///
    /// - Returns: Whether to start another hop.
    @_alwaysEmitIntoClient
    package func finish(_ batch: consuming [Element]) -> Bool {
        let handled = batch.count
        // Its elements, and the buffers of a burst, are released outside the lock.
        var (spare, other): ([Element], [Element]) = (batch, [])
        spare.removeAll(keepingCapacity: true)
        return state.withLock { state in
            state.isHopping = !state.pending.isEmpty
            // A burst is over when nothing or little has come while its last batch was handled.
            var limit = 64
            if state.isHopping {
                limit = max(limit, handled * 4)
            } else if state.pending.capacity > limit {
                swap(&state.pending, &other)
            }
            if spare.capacity <= limit { swap(&state.spare, &spare) }
            return state.isHopping
        }
    }

    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// The number of pending elements. A batch that is being handled does not count.
    package var count: Int { state.withLock { $0.pending.count } }

    /// Drops the pending elements, and every element added later.
    @_alwaysEmitIntoClient
    package func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer { state.pending = [] }
            return (pending: state.pending, hop: state.hop.take())
        }
        dropped.hop?.dispose()
    }
}
