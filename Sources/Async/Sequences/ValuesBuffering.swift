public import ColdProducers
public import HotSignals
public import ReactiveProperties

extension Signal {
    /// The values from the creation of an iterator on, as an async sequence.
    ///
    /// Like `observe(_:)`, but for a task that takes values at its own pace.
    ///
    /// ```marbles
    /// source                                  --1--2--3--------------|
    /// source.values(buffering: .newest(1))    --1---------3----------|
    /// ```
    ///
    /// Here the loop takes 10 seconds for each value. The 3 replaces the 2, which it has not taken.
    ///
    /// An error is thrown after the values that are kept, with the signal's error type. A completion or an interruption
    /// ends the sequence. Cancelling the task also ends it, and disposes of the observation. A signal that has already
    /// ended yields an empty sequence. For threads, cancellation, and several iterators see ``AsyncValues``.
    ///
    /// ```swift
    /// let (signal, input) = Signal<Int, Never>.pipe()
    /// var values = signal.values(buffering: .unbounded).makeAsyncIterator()
    /// input.sendNext(1)
    /// await values.next()  // 1
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", canSuspend: core.senders != nil)
        return AsyncValues(policy, suspending: core.senders, at: CodeLocation(file, line)) {
            self.observe(through: EventBufferSink($0), at: CodeLocation(file, line))
        }
    }
}

extension SignalProducer {
    /// The values as an async sequence: each iterator starts the producer separately.
    ///
    /// Like `start(_:)`, but for a task that takes values at its own pace.
    ///
    /// ```swift
    /// for try await line in tail(path).values(buffering: .newest(100)) { print(line) }
    /// ```
    ///
    /// The work begins when the iterator is created, on the thread that creates it. Values that it sends synchronously
    /// are kept, as far as the policy allows, before you can request the first one. For long synchronous work use
    /// ``/ColdProducers/SignalProducer/start(on:)``.
    ///
    /// An error is thrown after the values that are kept, with the producer's error type. A completion or an
    /// interruption ends the sequence. Cancelling the task also ends it and interrupts the work, and so does releasing
    /// the iterator, as `break` does. For threads and cancellation see ``AsyncValues``.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``events(buffering:file:line:)``, ``first(file:line:)``, ``collectAll(file:line:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Failure> {
        policy.check(in: "values", canSuspend: isSuspendable)
        return AsyncValues(policy, at: CodeLocation(file, line)) { buffer in
            start(at: CodeLocation(file, line), suspendedBy: buffer.senders, EventBufferSink(buffer))
        }
    }
}

extension PropertyProtocol {
    /// The value and its changes as an async sequence.
    ///
    /// Like ``/ReactiveProperties/PropertyProtocol/producer``, but for a task that takes values at its own pace. The
    /// first value is the one at the creation of the iterator.
    ///
    /// ```swift
    /// for await title in title.values(buffering: .newest(1)) { await window.show(title) }
    /// ```
    ///
    /// The sequence ends with the property. Cancelling the task or releasing the iterator disposes of the observation.
    /// For threads and cancellation see ``AsyncValues``.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Use `.newest(1)` if only the latest value matters. Traps
    ///     if it leaves no room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - SeeAlso: ``next(where:)``
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncValues<Value, Never> {
        policy.check(in: "values")
        return producer.values(buffering: policy, file: file, line: line)
    }
}
