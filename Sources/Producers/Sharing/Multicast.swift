extension SignalProducer {
    /// Returns a connection, through which any number of starts share one run of the work.
    ///
    /// ```swift
    /// let connection = request.multicast(replay: 1)
    /// connection.producer.start { print($0) }
    /// connection.producer.start { print($0) }
    /// connection.connect()  // one request, whose answer both get
    /// ```
    ///
    /// - Parameters:
    ///   - capacity: How many of the latest values to store for later starts. Traps if negative.
    @_alwaysEmitIntoClient
    public func multicast(replay capacity: Int = 0) -> Connection<Value, Failure> {
        require(capacity >= 0, "multicast(replay: \(capacity)): the capacity must not be negative")
        return Connection(ReplaySource(self, derivedName("multicast"), capacity: capacity), derivedName("multicast"))
    }
}

/// Shares one run of a producer among several starts: see ``SignalProducer/multicast(replay:)``.
///
/// The work continues until it ends, until the disposable that ``connect()`` returned is disposed of, or until nothing
/// retains the connection, a producer of it or a start of one.
@_fixed_layout
public final class Connection<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let source: ReplaySource<Value, Failure>
    @usableFromInline let name: StreamName

    @_alwaysEmitIntoClient
    init(_ source: ReplaySource<Value, Failure>, _ name: StreamName) {
        self.source = source
        self.name = name
    }

    /// A producer whose starts share the work. They receive nothing before ``connect()`` has been called.
    @_alwaysEmitIntoClient
    public var producer: SignalProducer<Value, Failure> {
        SignalProducer(name, contention: source.producer.contention) { [source] _, sink in source.join(sink) }
    }

    /// Starts the work, unless it has been started.
    ///
    /// - Returns: A disposable that cancels the work, which interrupts every start that shares it. All calls return the
    ///   same one.
    @_alwaysEmitIntoClient @discardableResult
    public func connect() -> any Disposable { source.begin() }

    /// Returns a producer whose first start begins the work.
    @_alwaysEmitIntoClient
    public func autoconnect() -> SignalProducer<Value, Failure> {
        SignalProducer(name, contention: source.producer.contention) { [source] _, sink in
            source.join(sink)
            if !sink.start.isOver { source.begin() }
        }
    }
}
