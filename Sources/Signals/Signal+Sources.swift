extension Signal {
    /// Creates a signal and the input that sends on it.
    ///
    /// - Parameters:
    ///   - contention: What a sender does while another thread is delivering an event of this signal.
    ///   - disposable: Disposed of when the signal ends.
    /// - Returns: The signal, which lives while it is retained or observed, and its input. The input does not keep the
    ///   signal alive. Releasing the input without a terminal event interrupts the signal.
    @inlinable
    public static func pipe(
        contention: Contention = .wait, disposable: (any Disposable)? = nil
    ) -> (output: Signal, input: Observer) {
        let core = Core<Value, Failure>(rootNamed: StreamName("pipe"), contention: contention)
        if let disposable { core.makeLifetime() += disposable }
        return (Signal(core: core), Observer(core: core))
    }

    /// A signal that never sends an event.
    @inlinable
    public static var never: Signal { Signal(core: Core(rootNamed: StreamName("never"))) }

    /// A signal that has already completed. Its observers receive ``Event/interrupted``.
    @inlinable
    public static var empty: Signal { Signal(core: Core(rootNamed: StreamName("empty"), isTerminated: true)) }
}
