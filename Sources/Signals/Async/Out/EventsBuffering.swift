extension Signal {
    /// The events as an async sequence, from the making of an iterator on: values, then how the signal ended.
    ///
    /// Like ``values(buffering:file:line:)``, but never throws: an error is an element, and so are completion and
    /// interruption.
    ///
    ///     signal                        --1--2--------X
    ///     events(buffering: .unbounded) --.next(1)--.next(2)--.error(X)--nil
    ///
    /// A signal that has ended already gives one ``Event/interrupted``. The cancellation of the task ends the sequence without a
    /// terminal event, and disposes of the observation. For threads, cancellation, and several iterators see ``AsyncValues``.
    ///
    /// - Parameters:
    ///   - policy: What is kept for a consumer that is late; the terminal event is, in any case. Traps if it leaves no
    ///     room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @inlinable
    public func events(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncEvents<Value, Failure> {
        policy.check(in: "events", file: file, line: line)
        return AsyncEvents(policy) { self.observe(through: HandoverSink($0)) }
    }
}
