extension Signal {
    /// Observes the signal with a closure that runs on the actor of the code that observes.
    ///
    /// Like ``observe(on:)`` with an ``ActorScheduler``, but the closure touches the actor's state as the code around it does, and the
    /// compiler checks it:
    ///
    ///     @MainActor final class Dashboard {
    ///         var lines: [String] = []
    ///
    ///         func follow(_ log: Signal<String, Never>) {
    ///             log.observeIsolated { event in
    ///                 if let line = event.value { self.lines.append(line) }
    ///             }
    ///         }
    ///     }
    ///
    /// The closure is called with every event in order, the terminal one too, never before `send` returns and never twice at a time.
    /// **One hop a batch**: what is sent while a hop to the actor is on its way is delivered by it, without a suspension in between; what is
    /// sent while a batch is delivered makes up the next one, and whatever else waits for the actor has its turn between the two. The buffer
    /// between has no bound, for a signal cannot slow down its senders.
    ///
    /// The closure may suspend: then the actor does other things, and the next call waits until the closure has returned.
    ///
    /// A closure without an actor is called by a task of the library's, on no thread in particular. Hops have the priority of the
    /// code that observes. One hop delivers events of several senders, so the closure runs without any sender's task-locals: put into
    /// the value what the closure needs.
    ///
    /// It may capture what is not `Sendable`, if nobody else uses it afterwards.
    ///
    /// - Parameter action: Released when the terminal event has been delivered, or on disposal.
    /// - Returns: A disposable that removes the observer and drops what is on its way. After its disposal no call begins; one that
    ///   had begun on another thread may finish. So once it is disposed of on the actor, nothing comes any more. It need not be kept. A signal
    ///   that has ended already sends one ``Event/interrupted``, as ever.
    @inlinable @discardableResult
    public func observeIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Event<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe { delivery.send($0) })
    }

    /// Calls `action`, on the actor of the code that observes, with each value as a success and the error as a failure.
    ///
    /// - Returns: As ``observeIsolated(_:)``, which says when and how it is called.
    @inlinable @discardableResult
    public func observeResultIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Result<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe { delivery.sendResult($0) })
    }
}

extension Signal where Failure == Never {
    /// Calls `action`, on the actor of the code that observes, with each value.
    ///
    ///     actor Statistics {
    ///         var total = 0
    ///
    ///         func count(_ requests: Signal<Int, Never>) {
    ///             requests.observeNextIsolated { self.total += $0 }
    ///         }
    ///     }
    ///
    /// Only for signals that cannot fail: for others say what is to happen with an error, with
    /// ``Signal/observeResultIsolated(_:)`` or ``Signal/observeIsolated(_:)``.
    ///
    /// - Returns: As ``Signal/observeIsolated(_:)``, which says when and how it is called.
    @inlinable @discardableResult
    public func observeNextIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, observe { delivery.sendValue($0) })
    }
}
