/// Who is notified of what waits for a gate, or in a queue of senders. Reached on slow paths only.
@usableFromInline
package enum WaitWatch {
    @usableFromInline package typealias Action = @Sendable (StreamWaiting) -> Void

    private static let watches = Locked<[ObjectIdentifier: [UInt64: Action]]>([:])
    private static let numbers = ProcessCounter()
    /// Whether anything is watched.
    private static let isInUse = HookSwitch()

    /// Notifies `action` of what begins to wait for `object`, until the result is disposed of, which retains `object`.
    package static func watch(_ object: any AnyObject & Sendable, _ action: @escaping Action) -> any Disposable {
        let (key, number) = (ObjectIdentifier(object), numbers.next())
        watches.withLock { watches in
            watches[key, default: [:]][number] = action
            isInUse.set(true)
        }
        return AnyDisposable {
            let former = watches.withLock { watches in
                let former = watches[key]?.removeValue(forKey: number)
                if watches[key]?.isEmpty == true { watches[key] = nil }
                isInUse.set(!watches.isEmpty)
                return former
            }
            // Released outside the lock.
            withExtendedLifetime((former, object)) {}
        }
    }

    /// Notifies that the caller begins to wait for `object`. Call without a lock.
    ///
    /// - Returns: What to pass to ``end(_:_:)``.
    static func begin(_ object: AnyObject, _ kind: StreamWaiting.Kind) -> [Action] {
        guard isInUse.isOn else { return [] }
        let actions = watches.withLock { $0[ObjectIdentifier(object)].map { Array($0.values) } ?? [] }
        for action in actions { action(.began(kind)) }
        return actions
    }

    /// Notifies that the caller has stopped waiting. Call without a lock.
    static func end(_ actions: [Action], _ kind: StreamWaiting.Kind) {
        for action in actions { action(.ended(kind)) }
    }
}
