/// Does the work for a key once for everyone who asks meanwhile, and can keep the result for those who ask later.
///
/// ```swift
/// let clock = TestScheduler()
/// let users = SingleFlight<Int, String, Never>(timeToLive: .seconds(60), maxEntries: 1_000, on: clock) { id in
///     SignalProducer(value: "user \(id)").on(starting: { print("loading \(id)") })
/// }
/// users.producer(for: 7).startWithNext { print($0) }
/// // prints loading 7
/// // prints user 7
/// users.producer(for: 7).startWithNext { print($0) }  // prints user 7
/// users.invalidate(7)
/// users.producer(for: 7).startWithNext { print($0) }
/// // prints loading 7
/// // prints user 7
/// ```
///
/// The first start for a key begins the work. Starts for the same key that come while it runs share it: they receive
/// all its values, and its terminal event. The work is cancelled when all of them have been disposed of.
///
/// **Results**: with a time to live, the values of work that has completed are kept, and later starts receive them
/// immediately. The time runs from the completion. Errors are kept only if you ask for that, interruptions never.
/// `first()` and `take(first: 1)` dispose of their start before the completion. If no other start waits, this cancels
/// the work, and nothing is kept: use `last()`.
///
/// **Memory**: a result has all values of its work, and at most `maxEntries` results are kept. When there are more, the
/// least recently started one is forgotten. Work in progress does not count, because its starts bound it. Expired
/// results are released by a timer, of which there is at most one.
///
/// **Keys**: `==` and `hash(into:)` are called outside the lock, so they may use this object. Equal keys with different
/// hash values are different keys.
///
/// **Threads**: the work begins on the thread of its first start. Each operation takes constant time. A sender that
/// never waits does not wait here either, but operators behind ``producer(for:)`` wait.
///
/// If the scheduler's clock goes backwards, results are kept until it has caught up.
@_fixed_layout
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline let flights: Flights<Key, Value, Failure>

    /// Creates an object that shares the work in progress, and keeps no results.
    ///
    /// - Parameter work: Creates the work for a key, when it begins.
    @_alwaysEmitIntoClient
    public init(_ work: @escaping @Sendable (Key) -> SignalProducer<Value, Failure>) {
        flights = Flights(
            StreamName("singleFlight"), FlightTable(.immediately, maxEntries: 0, keepsErrors: false), work: work)
    }

    /// Creates an object that shares the work in progress, and keeps results for a time.
    ///
    /// - Parameters:
    ///   - timeToLive: How long to keep a result, from its completion. Traps unless positive.
    ///   - maxEntries: How many results to keep. Traps unless positive.
    ///   - scheduler: Measures the time.
    ///   - keepsErrors: Whether an error is a result too, so that later starts fail with it until it expires.
    ///   - work: Creates the work for a key, when it begins.
    @_alwaysEmitIntoClient
    public init(
        timeToLive: Duration, maxEntries: Int, on scheduler: some DelayScheduler, keepsErrors: Bool = false,
        _ work: @escaping @Sendable (Key) -> SignalProducer<Value, Failure>
    ) {
        require(timeToLive > .zero, "SingleFlight(timeToLive: \(timeToLive)): the time to live must be positive")
        require(maxEntries > 0, "SingleFlight(maxEntries: \(maxEntries)): the number of entries must be positive")
        flights = Flights(
            StreamName("singleFlight"),
            FlightTable(.after(timeToLive, .init(scheduler)), maxEntries: maxEntries, keepsErrors: keepsErrors),
            work: work)
    }

    /// How many keys have work in progress or a kept result.
    @_alwaysEmitIntoClient
    public var count: Int { flights.table.count }

    /// A producer whose starts share the work for a key, or receive its result.
    ///
    /// - Parameter key: Looked up at each start.
    @_alwaysEmitIntoClient
    public func producer(for key: Key) -> SignalProducer<Value, Failure> {
        SignalProducer(StreamName("singleFlight")) { [flights] _, sink in flights.join(key, sink) }
    }

    /// Forgets the result for a key, so that the next start does the work again.
    ///
    /// Starts that share work in progress still receive its events. Later starts do not share it.
    @_alwaysEmitIntoClient
    public func invalidate(_ key: Key) { flights.forget(key) }

    /// Forgets the results for all keys: see ``invalidate(_:)``.
    @_alwaysEmitIntoClient
    public func invalidateAll() { flights.table.forgetAll() }
}
