extension Signal {
    /// The events as an async sequence, from the making of an iterator on: values, then how the signal ended.
    ///
    /// Like ``values(buffering:)``, but never throws: an error is an element, and so are completion and interruption.
    ///
    ///     signal                        --1--2--------X
    ///     events(buffering: .unbounded) --.next(1)--.next(2)--.error(X)--nil
    ///
    /// A signal that has ended already gives one ``Event/interrupted``. The cancellation of the task ends the sequence without a
    /// terminal event, and disposes of the observation. For threads, cancellation, and several iterators see ``AsyncValues``.
    ///
    /// - Parameter policy: What is kept for a consumer that is late; the terminal event is, in any case. Traps if it leaves no room
    ///   for a value.
    @inlinable
    public func events(buffering policy: BufferingPolicy) -> AsyncEvents<Value, Failure> {
        policy.check(in: "events")
        return AsyncEvents(policy) { self.observe(through: HandoverSink($0)) }
    }
}
