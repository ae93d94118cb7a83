public import ColdProducers
public import HotSignals

/// The reason that a start behind a ``CircuitBreaker`` failed.
@frozen
public enum CircuitBreakerError<Failure: Error, Instant: Sendable>: Error {
    /// No work was done, because the breaker was open or a trial was running. The breaker admits the next trial at this
    /// instant, or earlier if the running trial ends before.
    case open(until: Instant)
    /// The work failed.
    case failed(Failure)
}

extension CircuitBreakerError: Equatable where Failure: Equatable, Instant: Equatable {}
extension CircuitBreakerError: Hashable where Failure: Hashable, Instant: Hashable {}

extension SignalProducer {
    /// Does the work only if a circuit breaker admits it, and tells the breaker how it ends.
    ///
    /// The breaker learns of a terminal event before the observer receives it, so a `retry` that follows finds the
    /// breaker in its new state. Values, completion and interruption are forwarded. A breaker that is open fails the
    /// start on its thread, and no work begins. Put `timeout` in front of the breaker, because work that does not end
    /// has no result.
    ///
    /// - Parameter breaker: See ``CircuitBreaker``.
    @_alwaysEmitIntoClient
    public func circuitBreaker<Instant>(
        _ breaker: CircuitBreaker<Failure, Instant>
    ) -> SignalProducer<Value, CircuitBreakerError<Failure, Instant>> {
        SignalProducer<Value, CircuitBreakerError<Failure, Instant>>(
            derivedName("circuitBreaker"), contention: contention, isSuspendable: isSuspendable
        ) { start, sink in
            if start.isOver { return sink.end(.interrupted) }
            switch breaker.admit() {
            case .refused(let until): sink.end(.error(.open(until: until)))
            case .admitted(let epoch, let trial):
                let passage = BreakerPassage(breaker, epoch, trial)
                start.addCleanup { passage.abandon() }
                beginWork(
                    of: start,
                    into: ProducerSink(start) { event in
                        switch event.pointee {
                        case .next(let value):
                            passage.hasValue.raise()
                            sink.next(value)
                        case .error(let error):
                            passage.end { breaker.fail(error, in: epoch) }
                            sink.end(.error(.failed(error)))
                        case .completed:
                            passage.end { breaker.succeed(in: epoch) }
                            sink.end(.completed)
                        case .interrupted:
                            passage.abandon()
                            sink.end(.interrupted)
                        }
                    })
            }
        }
    }
}

/// One admitted start: it reports one result.
@usableFromInline
@_fixed_layout
final class BreakerPassage<Failure: Error, Instant: InstantProtocol & Sendable>: Sendable
where Instant.Duration == Duration {
    @usableFromInline let breaker: CircuitBreaker<Failure, Instant>
    @usableFromInline let epoch: UInt
    @usableFromInline let trial: UInt
    @usableFromInline let hasValue = AtomicFlag()
    @usableFromInline let hasEnded = AtomicFlag()

    @_alwaysEmitIntoClient
    init(_ breaker: CircuitBreaker<Failure, Instant>, _ epoch: UInt, _ trial: UInt) {
        self.breaker = breaker
        self.epoch = epoch
        self.trial = trial
    }

    @_alwaysEmitIntoClient
    func end(_ report: () -> Void) {
        if hasEnded.raise() { report() }
    }

    @_alwaysEmitIntoClient
    func abandon() {
        end { if hasValue.isRaised { breaker.succeed(in: epoch) } else { breaker.abandon(trial: trial) } }
    }
}
