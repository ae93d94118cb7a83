public import HotSignals

extension SignalProducer {
    /// The events as an async sequence: each iterator starts the producer anew.
    ///
    /// Like ``values(buffering:file:line:)``, but never throws: how the work ended is the last element, and is never
    /// dropped. The cancellation of the task ends the sequence without it, and interrupts the work.
    ///
    ///     for await event in upload.events(buffering: .newest(1)) { progress.show(event) }
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
        return AsyncEvents(policy) { handover in start { handover.receive($0) } }
    }
}
