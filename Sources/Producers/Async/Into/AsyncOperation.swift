extension SignalProducer {
    /// A producer that calls an async function at each start, and sends its result or fails with the error that it
    /// throws.
    ///
    /// ```swift
    /// let page = SignalProducer.async { () async throws(HTTPError) in try await fetch(url) }
    /// ```
    ///
    /// Like ``attempt(_:)-6042j``, but each start runs its own task. A closure literal that throws must state its error
    /// type; otherwise the compiler infers `any Error`. A named function need not.
    ///
    /// **Termination**: completes after the value. A thrown `CancellationError` interrupts.
    ///
    /// **Disposal** cancels the task and interrupts immediately. The result of a function that ignores cancellation is
    /// dropped. If the start is disposed of before the task runs, the function is not called.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task. By default, that of the task that starts the producer.
    ///   - operation: Called once per start, on no actor.
    @_alwaysEmitIntoClient
    public static func async(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> SignalProducer {
        SignalProducer(StreamName("async"), isSuspendable: true) { _, sink in
            TaskHead.run(into: sink, priority: priority) { head in
                do throws(Failure) {
                    if head.next(try await operation()) { head.end(.completed) }
                } catch {
                    head.end(.thrown(error))
                }
            }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// A producer that calls an async function at each start, and sends its result. Overload for a function that cannot
    /// fail: see ``SignalProducer/async(priority:_:)-(_,()->Value)``.
    ///
    /// ```swift
    /// let answer = SignalProducer.async { await oracle.ask(question) }
    /// ```
    ///
    /// - Parameters:
    ///   - priority: The priority of the task. By default, that of the task that starts the producer.
    ///   - operation: Called once per start, on no actor.
    @_alwaysEmitIntoClient
    public static func async(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Value
    ) -> SignalProducer {
        SignalProducer(StreamName("async"), isSuspendable: true) { _, sink in
            TaskHead.run(into: sink, priority: priority) { head in
                if head.next(await operation()) { head.end(.completed) }
            }
        }
    }
}
