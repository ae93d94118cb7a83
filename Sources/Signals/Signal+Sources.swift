extension Signal {
    /// Creates a signal and the input that sends on it.
    ///
    /// - Parameters:
    ///   - contention: What a sender does while another thread is delivering an event of this signal.
    ///   - disposable: Disposed of when the signal ends.
    ///   - file: The file that `StreamGraph` shows.
    ///   - line: The line that `StreamGraph` shows.
    /// - Returns: The signal, which lives while it is retained or observed, and its input. The input does not keep the
    ///   signal alive. Releasing the input without a terminal event interrupts the signal.
    @inlinable
    public static func pipe(
        contention: Contention = .wait, disposable: (any Disposable)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> (output: Signal, input: Observer) {
        let core = Core<Value, Failure>(
            rootNamed: StreamName("pipe", madeAt: CodeLocation(file, line)), contention: contention)
        if let disposable { core.makeLifetime() += disposable }
        return (Signal(core: core), Observer(core: core))
    }

    /// Creates a signal with back-pressure, and the input that sends on it.
    ///
    /// Like ``pipe(contention:disposable:file:line:)``, but a consumer can suspend the senders while it has no room: an
    /// iterator of `values(buffering: .suspending(n))`, in the module ReactiveAsync. So between the senders and the
    /// slowest of these consumers, memory does not grow, and no value is lost.
    ///
    /// ```swift
    /// let (lines, input) = Signal<String, Never>.pipe(capacity: 64)
    /// let writer = Task {
    ///     for await line in lines.values(buffering: .suspending(64)) { print(line) }
    /// }
    /// await input.send("started")
    /// input.sendCompleted()
    /// await writer.value
    /// ```
    ///
    /// The signal itself is like any other: observers made of closures receive each value when it is sent, and never
    /// suspend a sender. Operators that pass on the signal's events as they come, such as `map` and `filter`, keep the
    /// connection between consumers and senders, and so do `observe(on:)`, `delay` and `collect(every:upTo:)`, which
    /// also suspend senders themselves. The others with a scheduler, inner streams or several inputs do not. The page
    /// of ``Signal/Sender`` says when there is room, and in which order senders go on.
    ///
    /// - Parameters:
    ///   - capacity: How many values may wait for a consumer beyond those that it buffers itself. With a greater
    ///     number, senders that are faster than their consumers are suspended less often. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - Returns: The signal, which lives while it is retained or observed, and its input. Releasing the input without
    ///   a terminal event interrupts the signal.
    @inlinable
    public static func pipe(
        capacity: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> (output: Signal, input: Sender) {
        require(capacity > 0, "pipe(capacity: \(capacity)): the capacity must be positive")
        let senders = SenderQueue(capacity: capacity)
        let core = Core<Value, Failure>(
            rootNamed: StreamName("pipe", madeAt: CodeLocation(file, line)), senders: senders)
        core.makeLifetime().observeEnded { senders.end() }
        return (Signal(core: core), Sender(core: core, senders))
    }

    /// A signal that never sends an event.
    @_alwaysEmitIntoClient
    public static var never: Signal { Signal(core: Core(rootNamed: StreamName("never"))) }

    /// A signal that has already completed. Its observers receive ``Event/interrupted``.
    @_alwaysEmitIntoClient
    public static var empty: Signal { Signal(core: Core(rootNamed: StreamName("empty"), isTerminated: true)) }
}

// Where nothing else determines the type of the values, as in `take(until: .never)`, there are none.
extension Signal where Value == Never {
    /// A signal that never sends an event.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static var never: Signal { .never }

    /// A signal that has already completed.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @_alwaysEmitIntoClient
    public static var empty: Signal { .empty }
}
