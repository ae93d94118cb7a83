extension SignalProducer {
    /// Starts the work, and calls `action` with every event, on the actor of the starting code.
    ///
    /// Like ``start(file:line:_:)``, but the closure can access the actor's state like the code
    /// around it:
    ///
    /// ```swift
    /// actor Index {
    ///     var pages: [Page] = []
    ///     var isComplete = false
    ///
    ///     func fill(from crawl: SignalProducer<Page, CrawlError>) {
    ///         crawl.startIsolated { event in
    ///             switch event {
    ///             case .next(let page): self.pages.append(page)
    ///             case .completed: self.isComplete = true
    ///             case .error, .interrupted: break
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The work begins immediately, on the caller's thread. The events are delivered later, in order, with one hop per
    /// batch. For order, priorities, task-locals and captures see ``/HotSignals/Signal/observeIsolated(file:line:_:)``.
    ///
    /// - Parameters:
    ///   - action: Released after the terminal event has been delivered, or on disposal.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: A disposable that cancels the work and drops undelivered events. Unlike with
    ///   ``start(file:line:_:)``, no ``/HotSignals/Event/interrupted`` is delivered: no call
    ///   begins after disposal. You need not store it.
    @_alwaysEmitIntoClient @discardableResult
    public func startIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Event<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start(file: file, line: line) { delivery.send($0) })
    }

    /// Starts the work, and calls `action`, on the actor of the starting code, with each value as a success and the
    /// error as a failure.
    ///
    /// - Returns: See ``startIsolated(file:line:_:)``, which also describes how `action` is called.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithResultIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Result<Value, Failure>) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start(file: file, line: line) { delivery.sendResult($0) })
    }
}

extension SignalProducer where Failure == Never {
    /// Starts the work, and calls `action`, on the actor of the starting code, with each value.
    ///
    /// Only for producers that cannot fail. For other producers use
    /// ``SignalProducer/startWithResultIsolated(file:line:_:)`` or ``SignalProducer/startIsolated(file:line:_:)``,
    /// which handle the error.
    ///
    /// - Returns: See ``SignalProducer/startIsolated(file:line:_:)``, which also describes how `action` is called.
    @_alwaysEmitIntoClient @discardableResult
    public func startWithNextIsolated(
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) (Value) async -> Void
    ) -> any Disposable {
        let delivery = IsolatedDelivery(action)
        return IsolatedObservation(delivery, start(file: file, line: line) { delivery.sendValue($0) })
    }
}
