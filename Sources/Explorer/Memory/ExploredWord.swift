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

    private var latest: Store
    /// The stores before the last one, oldest first. Empty without weak memory.
    private var older: [Store] = []
    /// The number of the last store.
    private var last: Int32 = 0
    private var lastInOrder: Int32 = 0
    /// The number of the execution to which the stores belong.
    private var adopter = 0
    let place: Place

    package init(_ initial: UInt) {
        latest = Store(value: initial, released: nil)
        place = Place()
    }

    /// The last value. Reading it is not a step.
    package var peek: UInt { latest.value }

    package func load(_ ordering: ExploredOrdering, _ site: @autoclosure () -> Site? = nil) -> UInt {
        let ordering = Weakening.apply(to: ordering, of: .load, at: site())
        guard let (thread, execution) = ExploredThread.active else { return outside { latest.value } }
        thread.step(.access(place, isWrite: false))
        adopt(execution)
        var age = 0
        if execution.hasWeakMemory, thread.staleReads < execution.staleReadLimit {
            var oldest = max(thread.knowledge.view[place.slot], last - Int32(older.count))
            if ordering == .sequentiallyConsistent { oldest = max(oldest, lastInOrder) }
            if oldest < last {
                age = execution.choose(among: Int(last - oldest) + 1, .read)
                if age > 0 { thread.staleReads += 1 }
            }
        }
        let store = age == 0 ? latest : older[older.count - age]
        if execution.isWeak {
            thread.knowledge.view[place.slot] = max(thread.knowledge.view[place.slot], last - Int32(age))
        }
        if ordering.acquires, let released = store.released { thread.knowledge.join(released) }
        return store.value
    }

    package func store(_ value: UInt, _ ordering: ExploredOrdering, _ site: @autoclosure () -> Site? = nil) {
        let ordering = Weakening.apply(to: ordering, of: .store, at: site())
        guard let (thread, execution) = ExploredThread.active else {
            return outside { latest = Store(value: value, released: nil) }
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
                if let value = change(former) { latest = Store(value: value, released: nil) }
                return former
            }
        }
        thread.step(.access(place, isWrite: true))
        adopt(execution)
        let former = latest
        if execution.isWeak { thread.knowledge.view[place.slot] = last }
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
        last += 1
        if execution.isWeak { thread.knowledge.view[place.slot] = last }
        if ordering.releases {
            if released == nil { released = thread.knowledge } else { released?.join(thread.knowledge) }
        }
        if execution.hasWeakMemory {
            older.append(latest)
            if older.count > 3 { older.removeFirst() }
        }
        latest = Store(value: value, released: released)
        if ordering == .sequentiallyConsistent { lastInOrder = last }
        thread.tick()
    }

    /// Discards the stores of an earlier execution, except for the last value.
    private func adopt(_ execution: Execution) {
        place.enter(execution)
        if adopter != execution.number {
            adopter = execution.number
            latest = Store(value: latest.value, released: nil)
            older = []
            last = 0
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
