extension SignalProducer {
    /// Makes a connection, through which any number of starts share one start of this producer.
    ///
    ///     let connection = request.multicast(replay: 1)
    ///     connection.producer.start { print($0) }
    ///     connection.producer.start { print($0) }
    ///     connection.connect()  // one request, whose answer both get
    ///
    /// - Parameter capacity: How many values are remembered for starts that come later. Traps if negative.
    @inlinable
    public func multicast(replay capacity: Int = 0) -> Connection<Value, Failure> {
        require(capacity >= 0, "multicast(replay: \(capacity)): the capacity must not be negative")
        return Connection(ReplaySource(self, derivedName("multicast"), capacity: capacity), derivedName("multicast"))
    }
}

/// What several starts share: see ``SignalProducer/multicast(replay:)``.
///
/// The work goes on until it ends, until what ``connect()`` returned is disposed of, or until nobody holds the connection, a
/// producer of it or a start of one.
@_fixed_layout
public final class Connection<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let source: ReplaySource<Value, Failure>
    @usableFromInline let name: StreamName

    @inlinable
    init(_ source: ReplaySource<Value, Failure>, _ name: StreamName) {
        self.source = source
        self.name = name
    }

    /// A producer whose starts share the work. They get nothing before ``connect()`` has been called.
    @inlinable
    public var producer: SignalProducer<Value, Failure> {
        SignalProducer(name, contention: source.producer.contention) { [source] _, sink in source.join(sink) }
    }

    /// Begins the work, unless it has begun.
    ///
    /// - Returns: What cancels the work, which interrupts all that share it; the same for every call.
    @inlinable @discardableResult
    public func connect() -> any Disposable { source.begin() }

    /// A producer whose first start begins the work.
    @inlinable
    public func autoconnect() -> SignalProducer<Value, Failure> {
        SignalProducer(name, contention: source.producer.contention) { [source] _, sink in
            source.join(sink)
            source.begin(for: sink.run)
        }
    }
}
