/// A stream of events that is in progress whether or not anybody observes it.
///
/// Observing has no side effects. Every observer sees the same events in the same order, from the moment at which it was
/// added: what was sent before is missed.
///
///     let (signal, input) = Signal<Int, Never>.pipe()
///     signal.map { $0 * 2 }.observeNext { print($0) }
///     input.sendNext(21)  // prints 42
///
/// **Threads**: events may be sent from any thread and any depth of calls. They are delivered on the sender's thread, one
/// at a time: see ``Contention`` for a sender that finds another one at work. A send from inside a delivery of the same
/// signal is queued behind the event in flight.
///
/// **Life**: a signal need not be retained. It lives while it is held *or* observed, and something can still send on it.
/// When its input is released without a terminal event, observers get ``Event/interrupted``.
@_fixed_layout
public final class Signal<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline package let core: Core<Value, Failure>

    /// The one handle of a core.
    @inlinable
    package init(core: Core<Value, Failure>) { self.core = core }

    /// Makes a signal and runs `generator` at once, on the calling thread.
    ///
    /// What the generator sends before it returns reaches nobody. It keeps the observer to send later; when the
    /// observer is released without having sent a terminal event, the signal is interrupted.
    ///
    ///     let ticks = Signal<Int, Never> { observer, lifetime in
    ///         let timer = startTimer { observer.sendNext($0) }
    ///         lifetime.observeEnded { timer.stop() }
    ///     }
    ///
    /// - Parameter generator: Gets the input, and a lifetime that ends after a terminal event has reached every
    ///   observer, or when nobody holds or observes the signal any more.
    @inlinable
    public convenience init(_ generator: (_ observer: Observer, _ lifetime: Lifetime) -> Void) {
        let core = Core<Value, Failure>(rootNamed: StreamName("signal"))
        let lifetime = core.makeLifetime()
        self.init(core: core)
        generator(Observer(core: core), lifetime)
    }

    deinit { core.releaseHandle() }
}
