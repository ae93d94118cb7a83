extension SignalProducer: CustomStringConvertible {
    /// What the producer is and the operators that made it: `[[[request] -retry: 3] -timeout: 5.0 seconds] -filter:`.
    ///
    /// Built on request: a name costs nothing per event.
    public var name: String { streamName.description }

    /// The same as ``name``.
    public var description: String { name }

    /// The same producer under another name.
    public func named(_ name: String) -> SignalProducer {
        SignalProducer(StreamName(label: name), work, contention: contention, isSuspendable: isSuspendable)
    }
}
