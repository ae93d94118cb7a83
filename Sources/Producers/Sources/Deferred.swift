extension SignalProducer {
    /// A producer that is made anew for each start.
    ///
    /// - Parameter make: Called when a start begins, on its thread.
    @inlinable
    public static func deferred<Made: SignalProducerConvertible>(
        _ make: @escaping @Sendable () -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("deferred")) { run, sink in
            if run.isOver { sink.finish(.interrupted) } else { make().producer.begin(run, sink) }
        }
    }
}
