extension SignalProducer {
    /// A producer that holds a resource while its work runs.
    ///
    /// ```swift
    /// let lines = SignalProducer.using(
    ///     resource: { () throws(FileError) in try File(path) }, release: { $0.close() }
    /// ) { file in file.lines }
    /// ```
    ///
    /// - Parameters:
    ///   - resource: Acquires the resource, once per start. An error that it throws is sent, and there is nothing to
    ///     release.
    ///   - release: Releases the resource exactly once: after the observer has received the terminal event or the start
    ///     has been disposed of, and after everything that the work attached to its lifetime has been disposed of. If an
    ///     operator downstream, such as `timeout`, ends the result on another thread, the release does not wait for a
    ///     closure of the work that is still running.
    ///   - producer: Creates the producer that uses the resource.
    @_alwaysEmitIntoClient
    public static func using<Resource: Sendable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource, release: @escaping @Sendable (Resource) -> Void,
        producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("using")) { start, sink in
            if start.isOver { return sink.end(.interrupted) }
            do throws(Failure) {
                let resource = try resource()
                // First, because the start may have ended meanwhile, and the resource is then released at once.
                let work = producer(resource).producer
                start.observeEnded { release(resource) }
                if start.isOver { return sink.end(.interrupted) }
                work.beginWork(of: start, into: sink)
            } catch {
                sink.end(.error(error))
            }
        }
    }

    /// A producer that holds a resource while its work runs, and releases it asynchronously.
    ///
    /// ```swift
    /// let rows = SignalProducer.using(resource: connect, release: { await $0.close() }) { connection in
    ///     connection.rows
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - resource: Acquires the resource, once per start. An error that it throws is sent, and there is nothing to
    ///     release.
    ///   - release: Releases the resource exactly once, in its own task, which begins when the observer has received
    ///     the terminal event or the start has been disposed of. Nothing waits for the task: another start can acquire
    ///     its resource before this one is released.
    ///   - producer: Creates the producer that uses the resource.
    @_alwaysEmitIntoClient
    public static func using<Resource: Sendable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource,
        release: @escaping @Sendable (Resource) async -> Void, producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        SignalProducer(StreamName("using")) { start, sink in
            // Captured here, because the start may end on any thread.
            let taskContext = LibraryTask.captured
            using(
                resource: resource,
                release: { resource in ReleaseTask.start(in: taskContext) { await release(resource) } },
                producer: producer
            ).beginWork(of: start, into: sink)
        }
    }

    /// A producer that holds a resource while its work runs, and then disposes of it: see
    /// ``using(resource:release:producer:)-66tnj``.
    @_alwaysEmitIntoClient
    public static func using<Resource: Disposable, Made: SignalProducerConvertible>(
        resource: @escaping @Sendable () throws(Failure) -> Resource, producer: @escaping @Sendable (Resource) -> Made
    ) -> SignalProducer where Made.Value == Value, Made.Failure == Failure {
        using(resource: resource, release: { $0.dispose() }, producer: producer)
    }
}

extension SignalProducer {
    /// Accepts leading-dot syntax: `using(resource: open, release: close) { .init($0.lines) }`.
    @_documentation(visibility: internal)  // The same operator. The compiler needs a type to look up the member in.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func using<Resource: Sendable>(
        resource: @escaping @Sendable () throws(Failure) -> Resource, release: @escaping @Sendable (Resource) -> Void,
        producer: @escaping @Sendable (Resource) -> SignalProducer
    ) -> SignalProducer {
        using(resource: resource, release: release, producer: producer)
    }

    /// Accepts leading-dot syntax.
    @_documentation(visibility: internal)  // The same operator.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func using<Resource: Sendable>(
        resource: @escaping @Sendable () throws(Failure) -> Resource,
        release: @escaping @Sendable (Resource) async -> Void,
        producer: @escaping @Sendable (Resource) -> SignalProducer
    ) -> SignalProducer {
        using(resource: resource, release: release, producer: producer)
    }

    /// Accepts leading-dot syntax.
    @_documentation(visibility: internal)  // The same operator.
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static func using<Resource: Disposable>(
        resource: @escaping @Sendable () throws(Failure) -> Resource,
        producer: @escaping @Sendable (Resource) -> SignalProducer
    ) -> SignalProducer {
        using(resource: resource, producer: producer)
    }
}

/// The task of an asynchronous release, for code that is inlined.
@usableFromInline
enum ReleaseTask {
    @usableFromInline
    static func start(in taskContext: TaskContext?, _ release: @escaping @Sendable () async -> Void) {
        LibraryTask.start(in: taskContext, release)
    }
}
