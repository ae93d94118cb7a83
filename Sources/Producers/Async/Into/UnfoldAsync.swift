extension SignalProducer {
    /// A producer of the values that an async function makes of a state, until it returns `nil`.
    ///
    /// ```swift
    /// let pages = SignalProducer.unfold("/events" as String?) { path async throws(HTTPError) -> (Page, String?)? in
    ///     guard let path else { return nil }
    ///     let page = try await fetch(path)
    ///     return (page, page.next)
    /// }
    /// ```
    ///
    /// Use it to read an API page by page: the state is the position of the next page. Each start runs its own task,
    /// which begins with the same state. The function is called again when the previous value has been delivered to the
    /// observers. A consumer or an operator that says so suspends the task while it has no room:
    /// `values(buffering: .suspending(n))`, and ``SignalProducer/buffer(upTo:whenFull:on:)``. The page
    /// *Limits and failures* says which operators pass that on. One that delivers values later, such as
    /// ``SignalProducer/observe(on:)``, buffers them without a bound if nothing behind it suspends the task.
    ///
    /// A closure literal that throws must state its error type; otherwise the compiler infers `any Error`. A named
    /// function need not.
    ///
    /// **Termination**: completes when the function returns `nil`, and fails with the error that it throws. A thrown
    /// `CancellationError` interrupts. So does `nil` in a task that has been cancelled.
    ///
    /// **Threads**: events are sent on the threads on which the task runs.
    ///
    /// **Disposal** cancels the task and interrupts immediately. The result of a function that ignores cancellation is
    /// dropped, and the function is not called again.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - next: Returns a value and the next state, or `nil` to complete. Called on no actor, once at a time.
    @_alwaysEmitIntoClient
    public static func unfold<State: Sendable>(
        _ state: State, async next: @escaping @Sendable (State) async throws(Failure) -> (Value, State)?
    ) -> SignalProducer {
        SignalProducer(StreamName("unfold"), isSuspendable: true) { _, sink in
            TaskHead.run(into: sink) { head in
                var state = state
                do throws(Failure) {
                    while let (value, following) = try await next(state), head.next(value) {
                        state = following
                        if let senders = head.senders, await !senders.waitForRoom() { break }
                    }
                    head.end(Task.isCancelled ? .interrupted : .completed)
                } catch {
                    head.end(.thrown(error))
                }
            }
        }
    }
}

extension SignalProducer where Failure == Never {
    /// A producer of the values that an async function makes of a state, until it returns `nil`. Overload for a
    /// function that cannot fail: see ``SignalProducer/unfold(_:async:)-4x0or``.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - next: Returns a value and the next state, or `nil` to complete. Called on no actor, once at a time.
    @_alwaysEmitIntoClient
    public static func unfold<State: Sendable>(
        _ state: State, async next: @escaping @Sendable (State) async -> (Value, State)?
    ) -> SignalProducer {
        SignalProducer(StreamName("unfold"), isSuspendable: true) { _, sink in
            TaskHead.run(into: sink) { head in
                var state = state
                while let (value, following) = await next(state), head.next(value) {
                    state = following
                    if let senders = head.senders, await !senders.waitForRoom() { break }
                }
                head.end(Task.isCancelled ? .interrupted : .completed)
            }
        }
    }
}
