/// What waits to be carried over to somewhere else, batch by batch: what is added while a hop is on its way goes with it.
///
/// The protocol of its owner: ``add(_:)`` says that a hop is to be made. At its destination the hop calls ``take()``, handles the batch, and
/// gives it back with ``finish(_:)``, which says whether another hop is to be made. So there is one hop at a time.
@frozen @usableFromInline
package struct Batches<Element: Sendable>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var pending: [Element] = []
        /// The batch handled last, emptied, so that two buffers serve for ever.
        @usableFromInline var spare: [Element] = []
        /// Whether a hop is on its way, or its batch is being handled.
        @usableFromInline var isHopping = false
        /// What keeps a hop that was made lately from arriving. It may have arrived already.
        @usableFromInline var hop: (any Disposable)?
        @usableFromInline var isStopped = false

        @inlinable
        init() {}
    }

    @usableFromInline let state = Locked(State())

    @inlinable
    package init() {}

    /// Adds an element, unless this is stopped.
    ///
    /// - Returns: Whether a hop is to be made.
    @inlinable
    package func add(_ element: Element) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.pending.append(element)
            defer { state.isHopping = true }
            return !state.isHopping
        }
    }

    /// Adds an element if that begins a hop.
    ///
    /// - Returns: Whether it has been added, and a hop is to be made.
    @inlinable
    package func addAsFirst(_ element: Element) -> Bool {
        state.withLock { state in
            guard !state.isStopped, !state.isHopping else { return false }
            state.pending.append(element)
            state.isHopping = true
            return true
        }
    }

    /// Keeps what has been returned for a hop, to dispose of it when this is stopped, at once if it is.
    @inlinable
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

    /// Everything that waits.
    @inlinable
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
    /// - Returns: Whether another hop is to be made.
    @inlinable
    package func finish(_ batch: consuming [Element]) -> Bool {
        // Its elements go outside the lock.
        var spare = batch
        spare.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&state.spare, &spare)
            state.isHopping = !state.pending.isEmpty
            return state.isHopping
        }
    }

    /// Drops what waits, and what is added from now on.
    @inlinable
    package func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer { state.pending = [] }
            return (pending: state.pending, hop: state.hop.take())
        }
        dropped.hop?.dispose()
    }
}
