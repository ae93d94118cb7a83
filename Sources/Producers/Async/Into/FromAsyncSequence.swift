extension SignalProducer {
    /// A producer of the elements of an async sequence.
    ///
    /// ```swift
    /// let lines = SignalProducer(handle.bytes.lines)
    /// ```
    ///
    /// Each start iterates the sequence from its beginning, in its own task. The next element is requested when the
    /// previous one has been delivered. A consumer or an operator that says so suspends the task while it has no room:
    /// `values(buffering: .suspending(n))`, and ``SignalProducer/buffer(upTo:whenFull:on:)``. The page
    /// *Limits and failures* says which operators pass that on. One that delivers values later, such as
    /// ``SignalProducer/observe(on:)``, buffers them without a bound if nothing behind it suspends the task.
    ///
    /// **Termination**: completes after the last element. An error that the sequence throws is sent. A thrown
    /// `CancellationError` interrupts. So does the end of a sequence whose task has been cancelled.
    ///
    /// **Threads**: events are sent on the threads on which the task runs.
    ///
    /// **Disposal** cancels the task and interrupts immediately, even if the sequence ignores cancellation. Elements
    /// that it still returns are dropped, and no more are requested after the first of them.
    ///
    /// - Parameter sequence: Its iterator is created in the task, and used only there.
    @inlinable
    public init<AsyncElements: AsyncSequence & Sendable>(
        _ sequence: AsyncElements
    ) where AsyncElements.Element == Value, AsyncElements.Failure == Failure {
        self.init(StreamName("asyncSequence"), isSuspendable: true) { _, sink in
            TaskHead.run(into: sink) { head in
                var iterator = sequence.makeAsyncIterator()
                do throws(Failure) {
                    while let element = try await iterator.next(isolation: nil), head.next(element) {
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
