extension Signal {
    /// The values as an async sequence, from the making of an iterator on.
    ///
    /// Like `observe(_:)`, but for a task that takes the values when it has time for them.
    ///
    ///     signal                         --1--2--3--------|
    ///     values(buffering: .newest(1))  --1--------3-----nil   (the loop was busy when 2 came)
    ///
    /// An error is thrown, after the values that are kept; its type is the signal's. A completion or an interruption ends the
    /// sequence, as does the cancellation of the task, which disposes of the observation. A signal that has ended already is an
    /// empty sequence. For threads, cancellation, and several iterators see ``AsyncValues``.
    ///
    ///     let (signal, input) = Signal<Int, Never>.pipe()
    ///     var values = signal.values(buffering: .unbounded).makeAsyncIterator()
    ///     input.sendNext(1)
    ///     await values.next()  // 1
    ///
    /// - Parameters:
    ///   - policy: What is kept for a consumer that is late. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first()``, ``collectAll()``
    @inlinable
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", file: file, line: line)
        return AsyncValues(policy) { self.observe(through: HandoverSink($0)) }
    }
}
