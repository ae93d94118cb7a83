/// A hot stream of events, in progress whether or not it is observed.
///
/// Observing has no side effects. All observers receive the same events in the same order. An observer misses the
/// events sent before it was added.
///
/// ```swift
/// let (signal, input) = Signal<Int, Never>.pipe()
/// signal.map { $0 * 2 }.observeNext { print($0) }
/// input.sendNext(21)  // prints 42
/// ```
///
/// **Threads**: any thread can send, at any call depth. Events are delivered on the sender's thread, one at a time. If
/// another thread is delivering an event, ``Contention`` determines what the sender does. A re-entrant send is queued
/// behind the current event.
///
/// **Lifetime**: you need not retain a signal. It lives while it is retained *or* observed, and something can still
/// send on it. If its input is released without a terminal event, observers receive ``Event/interrupted``.
@_fixed_layout
public final class Signal<Value: Sendable, Failure: Error>: Sendable {
    @usableFromInline package let core: Core<Value, Failure>

    /// Creates the only handle of a core.
    @inlinable
    package init(core: Core<Value, Failure>) { self.core = core }

    /// Creates a signal and runs `generator` immediately, on the calling thread.
    ///
    /// Events that the generator sends before it returns reach no observer. It must retain the observer to send later.
    /// If the observer is released before it has sent a terminal event, the signal is interrupted.
    ///
    /// ```swift
    /// let ticks = Signal<Int, Never> { observer, lifetime in
    ///     let timer = startTimer { observer.sendNext($0) }
    ///     lifetime.observeEnded { timer.stop() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - generator: Receives the input, and a lifetime that ends after a terminal event has reached every
    ///     observer, or when the signal is neither retained nor observed.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    @inlinable
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ generator: (_ observer: Observer, _ lifetime: Lifetime) -> Void
    ) {
        let core = Core<Value, Failure>(rootNamed: StreamName("signal", madeAt: CodeLocation(file, line)))
        let lifetime = core.makeLifetime()
        self.init(core: core)
        generator(Observer(core: core), lifetime)
    }

    deinit { core.releaseHandle() }
}
