public import ColdProducers
public import HotSignals

extension Signal {
    /// The values from the creation of an iterator on, as an async sequence that reports what its consumer has missed.
    ///
    /// Like ``values(buffering:file:line:)``, but a consumer that was too slow is told in the sequence how many values
    /// were dropped, and where. For clients that load the current state again after a gap.
    ///
    /// ```swift
    /// let (changes, input) = Signal<String, Never>.pipe()
    /// var updates = changes.values(buffering: .newest(2), lag: .report).makeAsyncIterator()
    /// for change in ["a", "b", "c", "d", "e"] { input.sendNext(change) }
    /// await updates.next()  // .lagged(3)
    /// await updates.next()  // .value("d")
    /// await updates.next()  // .value("e")
    /// ```
    ///
    /// With ``BufferingPolicy/newest(_:)`` the gap comes before the values that are kept, and with
    /// ``BufferingPolicy/oldest(_:)`` after them. A gap needs no room in the buffer. For the end, cancellation, threads
    /// and several iterators see ``AsyncReportingValues``.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - lag: `.report`.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, lag: LagPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncReportingValues<Value, Failure> {
        policy.check(in: "values", canSuspend: core.senders != nil)
        return AsyncReportingValues {
            AsyncValues(policy, suspending: self.core.senders, at: CodeLocation(file, line)) { buffer in
                self.observe(through: NumberingSink(EventBufferSink(buffer)), at: CodeLocation(file, line))
            }
        }
    }
}

extension SignalProducer {
    /// The values as an async sequence that reports what its consumer has missed: each iterator starts the producer
    /// separately.
    ///
    /// Like ``values(buffering:file:line:)``, but a consumer that was too slow is told in the sequence how many values
    /// were dropped, and where.
    ///
    /// ```swift
    /// let numbers = SignalProducer([1, 2, 3, 4, 5])
    /// var kept = numbers.values(buffering: .oldest(2), lag: .report).makeAsyncIterator()
    /// await kept.next()  // .value(1)
    /// await kept.next()  // .value(2)
    /// await kept.next()  // .lagged(3)
    /// ```
    ///
    /// For the end, cancellation and threads see ``AsyncReportingValues``.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. Traps if it leaves no room for a value.
    ///   - lag: `.report`.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func values(
        buffering policy: BufferingPolicy, lag: LagPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncReportingValues<Value, Failure> {
        policy.check(in: "values", canSuspend: isSuspendable)
        return AsyncReportingValues {
            AsyncValues(policy, at: CodeLocation(file, line)) { buffer in
                start(
                    at: CodeLocation(file, line), suspendedBy: buffer.senders, NumberingSink(EventBufferSink(buffer)))
            }
        }
    }
}
