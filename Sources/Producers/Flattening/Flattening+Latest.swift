import HotSignals

// What is special about `.latest`: the last stream to start is the chosen one.
extension Flattening {
    /// Call only under the lock. Makes `number` the stream that counts, or none if it is 0. Returns the subscription of
    /// the previous one.
    @inlinable
    func supersede(by number: UInt = 0, _ state: inout State) -> Subscription? {
        let former = chosen.exchange(number)
        guard former != 0 else { return nil }
        state.active = 0
        return removeSubscription(of: former, &state)
    }

    /// Sends a value unless another stream has been chosen.
    @inlinable @inline(__always)
    func sendIfLatest(_ value: Value, from number: UInt) {
        // Checked as the owner of the gate: once another stream has been chosen, no value of this one is delivered.
        // Does not use `perform`, because its closure would allocate for each value.
        let thread = ThreadIdentity.current
        if core.gate.enter(thread) {
            if chosen.load() == number { core.deliver(value) }
            core.gate.leave(thread)
        } else {
            sendLater(value, from: number)
        }
    }

    @inlinable @inline(never)
    func sendLater(_ value: Value, from number: UInt) {
        core.perform { [self] in
            if chosen.load() == number { core.deliver(value) }
        }
    }
}
