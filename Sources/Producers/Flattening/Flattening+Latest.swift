import HotSignals

// What is special about `.latest`: the last stream to start is the chosen one.
extension Flattening {
    /// Call only under the lock. Makes `number` the stream that counts, or none if it is 0. Returns the start of
    /// the previous one.
    @_alwaysEmitIntoClient
    func supersede(by number: UInt = 0, _ state: inout State) -> Start? {
        let former = chosen.exchange(number)
        guard former != 0 else { return nil }
        state.active = 0
        return state.starts.remove(former)
    }

    /// Implements ``sendAtOnce(_:)`` for `.latest`.
    @_alwaysEmitIntoClient
    func sendAtOnceIfLatest(_ value: Value) -> Bool {
        var superseded: Start?
        let number = state.withLock { state -> UInt in
            guard state.isIdle else { return 0 }
            state.last += 1
            superseded = supersede(by: state.last, &state)
            return state.last
        }
        if number == 0 { return false }
        superseded?.dispose()
        sendIfLatest(value, from: number)
        return true
    }

    /// Sends a value unless another stream has been chosen.
    @_alwaysEmitIntoClient @inline(__always)
    func sendIfLatest(_ value: Value, from number: UInt) {
        // Does not use `perform`, because its closure would allocate for each value.
        if !core.sendNext(value, if: { chosen.load() == number }) { sendLater(value, from: number) }
    }

    @_alwaysEmitIntoClient @inline(never)
    func sendLater(_ value: Value, from number: UInt) {
        core.perform { [self] in
            if chosen.load() == number { core.deliver(value) }
        }
    }
}
