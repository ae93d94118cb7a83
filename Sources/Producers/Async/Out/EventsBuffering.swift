public import HotSignals

extension SignalProducer {
    /// The events as an async sequence: each iterator starts the producer anew.
    ///
    /// Like ``values(buffering:)``, but never throws: how the work ended is the last element, and is never dropped. The cancellation of the
    /// task ends the sequence without it, and interrupts the work.
    ///
    ///     for await event in upload.events(buffering: .newest(1)) { progress.show(event) }
    ///
    /// - Parameter policy: What is kept for a consumer that is late; the terminal event is, in any case. Traps if it leaves no room
    ///   for a value.
    @inlinable
    public func events(buffering policy: BufferingPolicy) -> AsyncEvents<Value, Failure> {
        policy.check(in: "events")
        return AsyncEvents(policy) { handover in start { handover.receive($0) } }
    }
}
