public import ColdProducers
public import HotSignals

extension Signal {
    /// The events from the creation of an iterator on, as an async sequence: the values, then the terminal event.
    ///
    /// Like ``values(buffering:file:line:)``, but never throws: an error is an element, and so are completion and
    /// interruption.
    ///
    /// ```marbles
    /// source                                  --1--2--------X
    /// source.events(buffering: .unbounded)    --<NEXT1>---<NEXT2>---<ERRORX>--|
    /// ```
    ///
    /// Here the loop takes 10 seconds for each event.
    ///
    /// A signal that has already ended yields one ``/HotSignals/Event/interrupted``. Cancelling the task ends the
    /// sequence without a terminal event, and disposes of the observation. For threads, cancellation, and several
    /// iterators see ``AsyncValues``.
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. The terminal event is always kept. Traps if it leaves no
    ///     room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func events(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncEvents<Value, Failure> {
        policy.check(in: "events", canSuspend: core.senders != nil)
        return AsyncEvents(policy, suspending: core.senders, at: CodeLocation(file, line)) {
            self.observe(through: EventBufferSink($0), at: CodeLocation(file, line))
        }
    }
}

extension SignalProducer {
    /// The events as an async sequence: each iterator starts the producer separately.
    ///
    /// Like ``values(buffering:file:line:)``, but never throws: the terminal event is the last element, and is never
    /// dropped. If the task is cancelled, the sequence ends without it, and the work is interrupted.
    ///
    /// ```swift
    /// for await event in upload.events(buffering: .newest(1)) { progress.show(event) }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What to keep while the consumer is behind. The terminal event is always kept. Traps if it leaves no
    ///     room for a value.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    @_alwaysEmitIntoClient
    public func events(
        buffering policy: BufferingPolicy, file: StaticString = #fileID, line: UInt = #line
    ) -> AsyncEvents<Value, Failure> {
        policy.check(in: "events", canSuspend: isSuspendable)
        return AsyncEvents(policy, at: CodeLocation(file, line)) { buffer in
            start(at: CodeLocation(file, line), suspendedBy: buffer.senders, EventBufferSink(buffer))
        }
    }
}
