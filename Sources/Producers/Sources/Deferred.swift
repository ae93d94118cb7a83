extension SignalProducer {
    /// A producer that is created separately for each start.
    ///
    /// - Parameter make: Called when a start begins, on its thread.
    @_alwaysEmitIntoClient
    public static func deferred<Made: SignalProducerConvertible>(
        _ make: @escaping @Sendable () -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("deferred")) { start, sink in
            if start.isOver {
                sink.end(.interrupted)
            } else {
                make().producer.beginWork(of: start, into: sink)
            }
        }
    }

    /// Accepts leading-dot syntax: `deferred { isReady ? .empty : work }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func deferred(_ make: @escaping @Sendable () -> SignalProducer) -> SignalProducer { deferred(make) }
}
