extension Signal {
    /// Observes the signal with a closure that runs on the actor of the observing code.
    ///
    /// Like ``observe(on:)`` with an ``ActorScheduler``, but the closure can access the actor's state like the code
    /// around it, and the compiler checks it:
    ///
    /// ```swift
    /// @MainActor final class Dashboard {
    ///     var lines: [String] = []
    ///
    ///     func follow(_ log: Signal<String, Never>) {
    ///         log.observeIsolated { event in
    ///             if let line = event.value { self.lines.append(line) }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Every event is delivered in order, including the terminal one. The closure never runs inside `send`, and never
    /// twice at the same time.
    ///
    /// **One hop per batch**: events sent while a hop to the actor is pending are delivered by that hop, without a
    /// suspension in between. Events sent while a batch is being delivered form the next batch, and other work of the
    /// actor can run between the two. The buffer is unbounded, because a signal cannot slow down its senders.
    ///
    /// The closure can suspend. The actor then runs other work, and the next call waits until the closure has returned.
    ///
    /// A closure without an actor is called by a task of the library, on an unspecified thread. Hops have the priority
    /// of the observing code. One hop can deliver events of several senders, so the closure runs without any sender's
    /// task-locals: include what the closure needs in the value.
    ///
    /// The closure can capture values that are not `Sendable`, if no other code uses them afterwards.
    ///
    /// - Parameters:
    ///   - action: Released after the terminal event has been delivered, or on disposal.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: A disposable that removes the observer and drops undelivered events. After disposal no call begins,
    ///   but a call that has begun on another thread can still finish. If you dispose on the actor, nothing is
    ///   delivered afterwards. You need not store it. A signal that has already ended sends one ``Event/interrupted``.
    @_alwaysEmitIntoClient @discardableResult
    public func observeIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Event<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe(file: file, line: line) { delivery.send($0) })
    }

    /// Calls `action`, on the actor of the observing code, with each value as a success and the error as a failure.
    ///
    /// - Returns: See ``observeIsolated(file:line:_:)``, which also describes how `action` is called.
    @_alwaysEmitIntoClient @discardableResult
    public func observeResultIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Result<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe(file: file, line: line) { delivery.sendResult($0) })
    }
}

extension Signal where Failure == Never {
    /// Calls `action`, on the actor of the observing code, with each value.
    ///
    /// ```swift
    /// actor Statistics {
    ///     var total = 0
    ///
    ///     func count(_ requests: Signal<Int, Never>) {
    ///         requests.observeNextIsolated { self.total += $0 }
    ///     }
    /// }
    /// ```
    ///
    /// Only for signals that cannot fail. For other signals use ``Signal/observeResultIsolated(file:line:_:)`` or
    /// ``Signal/observeIsolated(file:line:_:)``, which handle the error.
    ///
    /// - Returns: See ``Signal/observeIsolated(file:line:_:)``, which also describes how `action` is called.
    @_alwaysEmitIntoClient @discardableResult
    public func observeNextIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe(file: file, line: line) { delivery.sendValue($0) })
    }
}
