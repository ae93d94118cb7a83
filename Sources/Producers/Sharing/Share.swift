/// For how long the starts of a shared producer share one start of its work.
public enum SharingPeriod: Sendable {
    /// For as long as there are any: the work is cancelled when the last of them is disposed of, and a later start does it anew.
    case observed
    /// For ever: the work is done once.
    case forever
}

extension SignalProducer {
    /// Lets starts share one start of this producer.
    ///
    /// A start that comes later gets the latest values first, then what comes, without a gap, twice the same or out of order.
    ///
    /// - Parameters:
    ///   - capacity: How many values are remembered. Traps if negative.
    ///   - period: For how long. With `.forever` this is ``replayLazily(upTo:)``.
    @inlinable
    public func share(replay capacity: Int = 0, while period: SharingPeriod) -> SignalProducer {
        require(capacity >= 0, "share(replay: \(capacity)): the capacity must not be negative")
        let name = derivedName("share")
        switch period {
        case .forever: return SignalProducer(name, replayLazily(upTo: capacity).work)
        case .observed:
            let sharing = Sharing(self, name, capacity: capacity)
            return SignalProducer(name) { _, sink in sharing.join(sink) }
        }
    }
}

/// Counts the starts that share a source, and lets go of it with the last of them.
@usableFromInline
@_fixed_layout
final class Sharing<Value: Sendable, Failure: Error>: Sendable {
    @frozen @usableFromInline
    struct State {
        @usableFromInline var source: ReplaySource<Value, Failure>?
        @usableFromInline var starts = 0

        @inlinable
        init() {}
    }

    @usableFromInline let producer: SignalProducer<Value, Failure>
    @usableFromInline let name: StreamName
    @usableFromInline let capacity: Int
    @usableFromInline let state = Locked(State())

    @inlinable
    init(_ producer: SignalProducer<Value, Failure>, _ name: StreamName, capacity: Int) {
        self.producer = producer
        self.name = name
        self.capacity = capacity
    }

    @inlinable
    func join(_ sink: ProducerSink<Value, Failure>) {
        let new = ReplaySource(producer, name, capacity: capacity)
        let source = state.withLock { state in
            let source = state.source ?? new
            state.source = source
            state.starts += 1
            return source
        }
        source.join(sink)
        sink.run.cleanUp { self.leave() }
        source.begin(for: sink.run)
    }

    @inlinable
    func leave() {
        // Released outside the lock, which cancels the work.
        let source = state.withLock { state in
            state.starts -= 1
            return state.starts == 0 ? state.source.take() : nil
        }
        withExtendedLifetime(source) {}
    }
}
