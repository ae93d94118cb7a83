import HotSignals

extension SignalProducer {
    /// Divides the values between two producers: those that pass a test, and the others.
    ///
    /// ```swift
    /// let (valid, invalid) = requests.partition { $0.isValid }
    /// let responses = valid.flatMap(.concurrent(limit: 4)) { handle($0) }
    ///     .merge(with: invalid.map { Response(rejecting: $0) })
    /// ```
    ///
    /// Like ``/HotSignals/Signal/partition(_:)`` of signals, with one run of this producer's work for both streams. The
    /// work begins when both have been started, so neither misses a value, even if the work is synchronous. Buffers
    /// nothing.
    ///
    /// - Important: A start of one stream waits for a start of the other. Start both, for example with
    ///   ``merge(with:)-7ot0i``. In `matches.concat(others)`, `matches` would wait permanently. If only one stream is
    ///   needed, use ``filter(_:)``.
    ///
    /// Several starts are paired in order, and each pair runs the work separately. If several threads start the
    /// streams, a pair can have starts of two threads: to prevent that, call this method in ``deferred(_:)``. Disposing
    /// of one start of a pair does not affect the other; disposing of both cancels the work. A start that is still
    /// waiting when the last copy of both producers is released is interrupted.
    ///
    /// - Parameter isMatch: Called once per value.
    /// - Returns: The values for which `isMatch` returns `true`, and the others.
    @_alwaysEmitIntoClient
    public func partition(
        _ isMatch: @escaping @Sendable (Value) -> Bool
    ) -> (matches: SignalProducer, others: SignalProducer) {
        let values: SignalProducer<(Bool, Value), Failure> = derive("partition:") {
            MapSink(transform: { (isMatch($0), $0) }, downstream: $0)
        }
        let partition = Partition(values)
        return (
            SignalProducer(values.derivedName("matches"), contention: contention) { _, sink in
                partition.join(sink, takesMatches: true)
            },
            SignalProducer(values.derivedName("others"), contention: contention) { _, sink in
                partition.join(sink, takesMatches: false)
            }
        )
    }
}

/// Pairs the starts of the two streams.
///
/// Retained by the two producers, and not by their starts: when it is released, no further start is possible, and those
/// that wait are interrupted.
@usableFromInline
@_fixed_layout
final class Partition<Value: Sendable, Failure: Error>: Sendable {
    /// One run of the work, and the starts that share it.
    @usableFromInline
    @_fixed_layout
    final class Pair: Sendable {
        @usableFromInline let source: ReplaySource<(Bool, Value), Failure>
        /// The start that came first, and its stream.
        @usableFromInline let first: Start
        @usableFromInline let takesMatches: Bool
        /// The number of starts that have joined the source. The last one begins the work, so that none misses a value.
        @usableFromInline let joined = Locked(0)
        /// The number of starts that have not ended.
        @usableFromInline let running = Locked(2)

        @_alwaysEmitIntoClient
        init(_ source: ReplaySource<(Bool, Value), Failure>, first: Start, takesMatches: Bool) {
            self.source = source
            self.first = first
            self.takesMatches = takesMatches
        }
    }

    @usableFromInline let producer: SignalProducer<(Bool, Value), Failure>
    /// The pairs whose second start has not come, all with first starts of the same stream.
    @usableFromInline let waiting = Locked<[Pair]>([])

    @_alwaysEmitIntoClient
    init(_ producer: SignalProducer<(Bool, Value), Failure>) { self.producer = producer }

    @inlinable
    deinit {
        let pairs = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for pair in pairs { pair.first.dispose() }
    }

    @_alwaysEmitIntoClient
    func join(_ sink: ProducerSink<Value, Failure>, takesMatches: Bool) {
        if sink.start.isOver { return sink.end(.interrupted) }
        let new = Pair(
            ReplaySource(producer, producer.streamName, capacity: 0), first: sink.start,
            takesMatches: takesMatches)
        let former = waiting.withLock { waiting -> Pair? in
            let position = waiting.firstIndex { $0.takesMatches != takesMatches && !$0.first.isOver }
            if let position { return waiting.remove(at: position) }
            waiting.append(new)
            return nil
        }
        let pair = former ?? new
        let half = PartitionSink(takesMatches: takesMatches, downstream: sink)
        pair.source.join(ProducerSink(erasing: half, sink.start))
        // Does not retain this object.
        sink.start.addCleanup { [waiting] in Self.leave(pair, waiting) }
        let isLast = pair.joined.withLock { joined in
            joined += 1
            return joined == 2
        }
        // If both starts are over, so is that of the source, and no work begins.
        if isLast { pair.source.begin() }
    }

    @_alwaysEmitIntoClient
    static func leave(_ pair: Pair, _ waiting: Locked<[Pair]>) {
        waiting.withLock { waiting in
            if let position = waiting.firstIndex(where: { $0 === pair }) { waiting.remove(at: position) }
        }
        let isLast = pair.running.withLock { running in
            running -= 1
            return running == 0
        }
        // Releasing the source would cancel it too late if a start is still beginning the work, which retains it.
        if isLast { pair.source.start.dispose() }
    }
}
