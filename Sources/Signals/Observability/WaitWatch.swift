/// The actions to call when something begins to wait for a gate, or in a queue of senders. Used on slow paths only.
@usableFromInline
package enum WaitWatch {
    /// Called when a wait begins. Returns what to call when it ends, or `nil`.
    @usableFromInline package typealias Action = @Sendable (StreamWaiting.Kind) -> Ending?
    @usableFromInline package typealias Ending = @Sendable () -> Void

    private struct State {
        var actions: [ObjectIdentifier: [UInt64: Action]] = [:]
        /// The threads that are calling actions.
        var callers: Set<UInt> = []
    }

    private static let state = Locked(State())
    private static let numbers = ProcessCounter()
    /// Whether anything is watched.
    private static let isInUse = HookSwitch()

    /// Calls `action` when something begins to wait for `object`, until the result is disposed of, which retains
    /// `object`.
    package static func watch(_ object: any AnyObject & Sendable, _ action: @escaping Action) -> any Disposable {
        let (key, number) = (ObjectIdentifier(object), numbers.next())
        state.withLock { state in
            state.actions[key, default: [:]][number] = action
            isInUse.set(true)
        }
        return AnyDisposable {
            let former = state.withLock { state in
                let former = state.actions[key]?.removeValue(forKey: number)
                if state.actions[key]?.isEmpty == true { state.actions[key] = nil }
                isInUse.set(!state.actions.isEmpty)
                return former
            }
            // Released outside the lock.
            withExtendedLifetime((former, object)) {}
        }
    }

    /// Notifies that the caller begins to wait for `object`. Call without a lock.
    ///
    /// A wait inside one of the actions is not reported. Otherwise a tap that sends into the stream on which it reports
    /// would call itself without an end.
    ///
    /// - Returns: What to pass to ``end(_:)``.
    static func begin(_ object: AnyObject, _ kind: StreamWaiting.Kind) -> [Ending] {
        let isRecorded = GraphHook.isOn.isOn
        guard isInUse.isOn || isRecorded else { return [] }
        let record = isRecorded ? [GraphHook.waits(for: object, kind)].compactMap { $0 } : []
        let thread = ThreadIdentity.current
        let actions = state.withLock { state -> [Action] in
            guard let actions = state.actions[ObjectIdentifier(object)], state.callers.insert(thread).inserted else {
                return []
            }
            return Array(actions.values)
        }
        if actions.isEmpty { return record }
        let endings = actions.compactMap { $0(kind) }
        state.withLock { _ = $0.callers.remove(thread) }
        return endings + record
    }

    /// Notifies that the caller has stopped waiting. Call without a lock.
    static func end(_ endings: [Ending]) {
        if endings.isEmpty { return }
        let thread = ThreadIdentity.current
        let isCaller = state.withLock { $0.callers.insert(thread).inserted }
        for ending in endings { ending() }
        if isCaller { state.withLock { _ = $0.callers.remove(thread) } }
    }
}
