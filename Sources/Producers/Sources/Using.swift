extension SignalProducer {
    /// A producer that has a resource for as long as its work goes on.
    ///
    ///     let lines = SignalProducer.using(
    ///         resource: { () throws(FileError) in try File(path) }, release: { $0.close() }
    ///     ) { file in file.lines }
    ///
    /// - Parameters:
    ///   - resource: Acquires the resource, for each start. What it throws is sent as an error, and then there is nothing to
    ///     release.
    ///   - release: Releases it, exactly once: after the observer has seen the end, or when the start has been disposed of, and
    ///     after what the work had attached to its lifetime.
    ///   - producer: Makes the producer that uses it.
    @inlinable
    public static func using<Resource: Sendable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource, release: @escaping @Sendable (Resource) -> Void,
        producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("using")) { run, sink in
            if run.isOver { return sink.finish(.interrupted) }
            do throws(Failure) {
                let resource = try resource()
                run.observeEnded { release(resource) }
                producer(resource).producer.begin(run, sink)
            } catch {
                sink.finish(.error(error))
            }
        }
    }

    /// A producer that has a resource for as long as its work goes on, and whose release has to wait for something.
    ///
    ///     let rows = SignalProducer.using(resource: connect, release: { await $0.close() }) { connection in connection.rows }
    ///
    /// - Parameters:
    ///   - resource: Acquires the resource, for each start. What it throws is sent as an error, and then there is nothing to
    ///     release.
    ///   - release: Releases it, exactly once, in a task of its own that begins when the observer has seen the end or the start has
    ///     been disposed of. Nobody waits for it: another start may acquire its resource before this one is released.
    ///   - producer: Makes the producer that uses it.
    public static func using<Resource: Sendable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource,
        release: @escaping @Sendable (Resource) async -> Void, producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("using")) { run, sink in
            // The end may come on any thread.
            let surroundings = LibraryTask.captured
            using(
                resource: resource,
                release: { resource in LibraryTask.start(in: surroundings) { await release(resource) } },
                producer: producer
            ).begin(run, sink)
        }
    }

    /// A producer that has a resource for as long as its work goes on, and disposes of it then: see
    /// ``using(resource:release:producer:)-66tnj``.
    @inlinable
    public static func using<Resource: Disposable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource, producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        using(resource: resource, release: { $0.dispose() }, producer: producer)
    }
}
