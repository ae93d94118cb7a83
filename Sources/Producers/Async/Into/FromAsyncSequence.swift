extension SignalProducer {
    /// A producer of the elements of an asynchronous sequence.
    ///
    ///     let lines = SignalProducer(handle.bytes.lines)
    ///
    /// Each start iterates the sequence anew, in a task of its own. The next element is awaited when the one before has been
    /// delivered, and that is all the back-pressure there is: an operator that passes values on later, such as
    /// ``SignalProducer/observe(on:)``, buffers them without a bound. See
    /// ``SignalProducer/init(pulling:maxConcurrent:file:line:_:)-3qovs`` for a bound.
    ///
    /// **Ends**: completes after the last element. What the sequence throws is sent as an error, but a `CancellationError`
    /// interrupts, as does the end of a sequence whose task has been cancelled.
    ///
    /// **Threads**: events come on the threads on which the task runs.
    ///
    /// **Disposal** cancels the task and interrupts at once, even where the sequence does not heed the cancellation: what it still
    /// comes up with is dropped, and after one more element it is no longer asked.
    ///
    /// - Parameter sequence: Its iterator is made in the task, and used by nobody else.
    @inlinable
    public init<S: AsyncSequence & Sendable>(_ sequence: S) where S.Element == Value, S.Failure == Failure {
        self.init(StreamName("asyncSequence")) { _, sink in
            TaskHead.run(into: sink) { head in
                var iterator = sequence.makeAsyncIterator()
                do throws(Failure) {
                    while let element = try await iterator.next(isolation: nil), head.next(element) {}
                    head.end(Task.isCancelled ? .interrupted : .completed)
                } catch {
                    head.end(.thrown(error))
                }
            }
        }
    }
}
