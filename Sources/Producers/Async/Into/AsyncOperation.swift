extension SignalProducer {
    /// A producer that calls an asynchronous function at each start, and sends what it returns or fails with what it throws.
    ///
    ///     let page = SignalProducer.async { () async throws(HTTPError) in try await fetch(url) }
    ///
    /// Like ``attempt(_:)-6042j``, but each start has a task of its own. A closure has to say what it throws, as the compiler
    /// takes it for `any Error` otherwise; a function is known, and one that throws nothing needs no words.
    ///
    /// **Ends**: completes after the value. A `CancellationError` that is thrown interrupts.
    ///
    /// **Disposal** cancels the task and interrupts at once. What a function still returns that does not heed the cancellation is
    /// dropped. It is not called if the start is disposed of before the task gets round to it.
    ///
    /// - Parameters:
    ///   - priority: That of the task. That of the task which starts the producer, if not given.
    ///   - operation: Called once a start, on no actor.
    @inlinable
    public static func async(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> SignalProducer {
        SignalProducer(StreamName("async")) { _, sink in
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
    /// A producer that calls an asynchronous function at each start, and sends what it returns: the form for one that cannot fail,
    /// see ``SignalProducer/async(priority:_:)-(_,()->Value)``.
    ///
    ///     let answer = SignalProducer.async { await oracle.ask(question) }
    ///
    /// - Parameters:
    ///   - priority: That of the task. That of the task which starts the producer, if not given.
    ///   - operation: Called once a start, on no actor.
    @inlinable
    public static func async(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Value
    ) -> SignalProducer {
        SignalProducer(StreamName("async")) { _, sink in
            TaskHead.run(into: sink, priority: priority) { head in
                if head.next(await operation()) { head.end(.completed) }
            }
        }
    }
}
