extension FlattenStrategy {
    /// A strategy that suspends the outer stream while as many inner streams wait as may wait. Nothing is dropped.
    ///
    /// Only producers have operators that accept it, and only if their source can be suspended: see
    /// ``SignalProducer/buffer(upTo:whenFull:on:)``, which lists the sources, and the operators that may be
    /// in between.
    ///
    /// ```swift
    /// let (ids, continuation) = AsyncStream<Int>.makeStream()
    /// for id in 1...3 { continuation.yield(id) }
    /// continuation.finish()
    /// let pages = SignalProducer(ids).flatMap(.concat(waiting: 1, whenFull: .suspend)) { id in
    ///     SignalProducer.async { "page \(id)" }
    /// }
    /// print(await pages.collectAll() ?? [])  // prints ["page 1", "page 2", "page 3"]
    /// ```
    ///
    /// The source requests no further element while the number of inner streams is at the limit. It goes on when half
    /// of those that wait have started or, if none may wait, when one has ended. Inner streams of a single value, or of
    /// none, need not wait if no other stream comes first. What an operator makes of one element, and what a pulling
    /// source sends at the same time, may exceed the limit; it is not dropped either.
    ///
    /// A consumer or an operator downstream that suspends its source, such as
    /// ``SignalProducer/buffer(upTo:whenFull:on:)``, suspends the outer stream and those of the inner streams
    /// that can be suspended.
    @frozen
    public struct Suspending: Equatable, Sendable, CustomStringConvertible {
        /// The strategy without a limit.
        @usableFromInline let strategy: FlattenStrategy
        @usableFromInline let waiting: Int

        init(_ strategy: FlattenStrategy, waiting: Int) {
            self.strategy = strategy
            self.waiting = waiting
            HotSignals.require(waiting >= 0, "\(description): the number of waiting streams must not be negative")
        }

        /// Runs inner streams one at a time, in order, and lets at most `waiting` of them wait.
        ///
        /// - Parameters:
        ///   - waiting: The maximum number of waiting streams, without the one that runs. Traps if negative.
        ///   - overflow: `.suspend`. The operator traps if its source cannot be suspended.
        public static func concat(waiting: Int, whenFull overflow: Overflow.Suspending) -> Suspending {
            Suspending(.concat, waiting: waiting)
        }

        /// Runs at most `limit` inner streams at the same time, and lets at most `waiting` of them wait.
        ///
        /// - Parameters:
        ///   - limit: Traps unless positive.
        ///   - ordered: Whether values are sent in the order in which the streams arrived. The values that a stream
        ///     sends before its turn are buffered without a bound.
        ///   - waiting: The maximum number of waiting streams, without those that run. Traps if negative.
        ///   - overflow: `.suspend`. The operator traps if its source cannot be suspended.
        public static func concurrent(
            limit: Int, ordered: Bool = false, waiting: Int, whenFull overflow: Overflow.Suspending
        ) -> Suspending {
            Suspending(.concurrent(limit: limit, ordered: ordered), waiting: waiting)
        }

        /// Whether both are written in the same way, wherever that is.
        public static func == (one: Suspending, other: Suspending) -> Bool {
            one.strategy == other.strategy && one.waiting == other.waiting
        }

        /// The strategy as written in code, such as `.concat(waiting: 2, whenFull: .suspend)`.
        public var description: String {
            let queue = "waiting: \(waiting), whenFull: .suspend"
            return switch strategy.kind {
            case .concurrent(1): ".concat(\(queue))"
            case .concurrent(let limit): ".concurrent(limit: \(limit), \(queue))"
            case .ordered(let limit): ".concurrent(limit: \(limit), ordered: true, \(queue))"
            case .latest, .race, .throttle: "\(strategy)"
            }
        }

        /// Traps unless the source can be suspended.
        @usableFromInline
        func require(isSuspendable: Bool, for operation: StaticString) {
            HotSignals.require(
                isSuspendable,
                "\(operation) \(description): the source cannot be suspended; use one made of async code")
        }

        /// The room for the streams of one start.
        @usableFromInline
        func room(downstream: SenderQueue?) -> Room {
            let running = strategy.kind.limit
            let (limit, overflows) = running.addingReportingOverflow(waiting)
            if overflows { return Room(limit: .max, goingOnAt: .max - 1, downstream: downstream) }
            return Room(
                limit: limit, goingOnAt: waiting == 0 ? running - 1 : running + waiting / 2, downstream: downstream)
        }
    }
}
