extension SignalProducer {
    /// Starts the work, and calls `action` with every event, on the actor of the code that starts it.
    ///
    /// Like ``start(_:)-((Event<Value,Failure>)->Void)``, but the closure touches the actor's state as the code around it does:
    ///
    ///     actor Index {
    ///         var pages: [Page] = []
    ///         var isComplete = false
    ///
    ///         func fill(from crawl: SignalProducer<Page, CrawlError>) {
    ///             crawl.startIsolated { event in
    ///                 switch event {
    ///                 case .next(let page): self.pages.append(page)
    ///                 case .completed: self.isComplete = true
    ///                 case .error, .interrupted: break
    ///                 }
    ///             }
    ///         }
    ///     }
    ///
    /// The work begins at once, on the thread of the caller; the events come later, in order, one hop a batch: see
    /// ``/HotSignals/Signal/observeIsolated(_:)`` in what concerns order, priorities, task-locals and captures.
    ///
    /// - Parameter action: Released when the terminal event has been delivered, or on disposal.
    /// - Returns: What cancels the work and drops what is on its way. Otherwise than with
    ///   ``start(_:)-((Event<Value,Failure>)->Void)`` no ``/HotSignals/Event/interrupted`` tells of it: after the disposal no call begins. It need not be kept.
    @inlinable @discardableResult
    public func startIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Event<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start { delivery.send($0) })
    }

    /// Starts the work, and calls `action`, on the actor of the code that starts it, with each value as a success and the error as a
    /// failure.
    ///
    /// - Returns: As ``startIsolated(_:)``, which says when and how it is called.
    @inlinable @discardableResult
    public func startWithResultIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Result<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start { delivery.sendResult($0) })
    }
}

extension SignalProducer where Failure == Never {
    /// Starts the work, and calls `action`, on the actor of the code that starts it, with each value.
    ///
    /// Only for producers that cannot fail: for others say what is to happen with an error, with
    /// ``SignalProducer/startWithResultIsolated(_:)`` or ``SignalProducer/startIsolated(_:)``.
    ///
    /// - Returns: As ``SignalProducer/startIsolated(_:)``, which says when and how it is called.
    @inlinable @discardableResult
    public func startWithNextIsolated(
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start { delivery.sendValue($0) })
    }
}
