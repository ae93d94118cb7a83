extension SignalProducer {
    /// A producer that has a resource for as long as its work goes on.
    ///
    ///     let lines = SignalProducer.using(resource: open, release: { $0.close() }) { file in file.lines }
    ///
    /// - Parameters:
    ///   - resource: Acquires the resource, for each start.
    ///   - release: Releases it, exactly once: after the observer has seen the end, or when the start has been disposed of, and
    ///     after what the work had attached to its lifetime.
    ///   - producer: Makes the producer that uses it.
    @inlinable
    public static func using<Resource: Sendable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () -> Resource, release: @escaping @Sendable (Resource) -> Void,
        producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("using")) { run, sink in
            if run.isOver { return sink.finish(.interrupted) }
            let resource = resource()
            run.observeEnded { release(resource) }
            producer(resource).producer.begin(run, sink)
        }
    }

    /// A producer that has a resource for as long as its work goes on, and disposes of it then: see
    /// ``using(resource:release:producer:)``.
    @inlinable
    public static func using<Resource: Disposable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () -> Resource, producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        using(resource: resource, release: { $0.dispose() }, producer: producer)
    }
}
