#if Explore
/// The memory orderings that a load, a store or an exchange can have.
package enum ExploredOrdering {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self == .acquiring || self == .acquiringAndReleasing || self == .sequentiallyConsistent }
    var releases: Bool { self == .releasing || self == .acquiringAndReleasing || self == .sequentiallyConsistent }
}

/// A word that threads share. Each access is a step of the exploration.
///
/// It keeps the stores that a thread may still read. Normally a load returns the last one. With weak memory, it returns
/// any store that the orderings allow: none older than what the thread has read or written there, or than what it has
/// acquired, and for a sequentially consistent load none older than the last sequentially consistent store. A
/// read-modify-write reads the last store, as on every machine.
///
/// Outside an execution it is a plain word, guarded by one lock for all words.
package final class ExploredWord: @unchecked Sendable {
    // Sendable: only one thread of an execution runs at a time, and accesses outside an execution are locked.

    private struct Store {
        let value: UInt
        /// What an acquiring load of this store learns. `nil` after a relaxed store.
        let released: Knowledge?
    }

    private var stores: [Store]
    /// The number of the first element of ``stores``.
    private var first: Int32 = 0
    private var lastInOrder: Int32 = 0
    /// The number of the execution to which the stores belong.
    private var adopter = 0
    let place: Place

    package init(_ initial: UInt) {
        stores = [Store(value: initial, released: nil)]
        place = Place()
    }

    private var last: Int32 { first + Int32(stores.count) - 1 }
    private var latest: Store { stores[stores.count - 1] }

    /// The last value. Reading it is not a step.
    package var peek: UInt { latest.value }

    package func load(_ ordering: ExploredOrdering, _ site: @autoclosure () -> Site? = nil) -> UInt {
        let ordering = Weakening.apply(to: ordering, of: .load, at: site())
        guard let (thread, execution) = ExploredThread.active else { return outside { latest.value } }
        thread.step(.access(place, isWrite: false))
        adopt(execution)
        var chosen = last
        if execution.hasWeakMemory, thread.staleReads < execution.staleReadLimit {
            var oldest = max(thread.knowledge.view[place.slot], first)
            if ordering == .sequentiallyConsistent { oldest = max(oldest, lastInOrder) }
            oldest = max(oldest, last - 3)
            if oldest < last {
                let age = execution.choose(among: Int(last - oldest) + 1, .read)
                if age > 0 { thread.staleReads += 1 }
                chosen = last - Int32(age)
            }
        }
        let store = stores[Int(chosen - first)]
        thread.knowledge.view[place.slot] = max(thread.knowledge.view[place.slot], chosen)
        if ordering.acquires, let released = store.released { thread.knowledge.join(released) }
        return store.value
    }

    package func store(_ value: UInt, _ ordering: ExploredOrdering, _ site: @autoclosure () -> Site? = nil) {
        let ordering = Weakening.apply(to: ordering, of: .store, at: site())
        guard let (thread, execution) = ExploredThread.active else {
            return outside { stores = [Store(value: value, released: nil)] }
        }
        thread.step(.access(place, isWrite: true))
        adopt(execution)
        append(value, ordering, thread, continuing: nil, execution)
    }

    /// Replaces the value with the result of `change`, or keeps it if the result is `nil`. Returns the former value.
    @discardableResult
    package func modify(
        _ ordering: ExploredOrdering, _ site: @autoclosure () -> Site? = nil, _ change: (UInt) -> UInt?
    ) -> UInt {
        let ordering = Weakening.apply(to: ordering, of: .modification, at: site())
        guard let (thread, execution) = ExploredThread.active else {
            return outside {
                let former = latest.value
                if let value = change(former) { stores = [Store(value: value, released: nil)] }
                return former
            }
        }
        thread.step(.access(place, isWrite: true))
        adopt(execution)
        let former = latest
        thread.knowledge.view[place.slot] = last
        if let value = change(former.value) {
            if ordering.acquires, let released = former.released { thread.knowledge.join(released) }
            // Whatever the previous store released is also released by this one.
            append(value, ordering, thread, continuing: former.released, execution)
        }
        return former.value
    }

    private func append(
        _ value: UInt, _ ordering: ExploredOrdering, _ thread: ExploredThread, continuing former: Knowledge?,
        _ execution: Execution
    ) {
        var released = former
        let number = last + 1
        thread.knowledge.view[place.slot] = number
        if ordering.releases {
            released = released ?? Knowledge()
            released?.join(thread.knowledge)
        }
        stores.append(Store(value: value, released: released))
        if ordering == .sequentiallyConsistent { lastInOrder = number }
        thread.tick()
        let kept = execution.hasWeakMemory ? 4 : 1
        if stores.count > kept {
            first += Int32(stores.count - kept)
            stores.removeFirst(stores.count - kept)
        }
    }

    /// Discards the stores of an earlier execution, except for the last value.
    private func adopt(_ execution: Execution) {
        place.enter(execution)
        if adopter != execution.number {
            adopter = execution.number
            stores = [Store(value: latest.value, released: nil)]
            first = 0
            lastInOrder = 0
            execution.note(self)
        }
    }

    /// Makes the last store visible to a thread.
    func flush(_ thread: ExploredThread) { thread.knowledge.view[place.slot] = last }

    private func outside<Result>(_ body: () -> Result) -> Result {
        Outside.lock()
        defer { Outside.unlock() }
        return body()
    }
}
#endif
