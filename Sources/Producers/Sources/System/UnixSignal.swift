extension SignalProducer where Value == Int32, Failure == Never {
    /// A producer of the UNIX signals that the process gets.
    ///
    ///     let shutdown = SignalProducer.unixSignal(SIGTERM, SIGINT)
    ///     shutdown.take(first: 1).startWithNext { _ in server.stop() }
    ///
    /// From the start on, the action that the process has for these signals is replaced: it is no longer ended by them. Each
    /// delivery is a value, the number of the signal, for every start that waits for it; any number of starts, of one signal
    /// and of several, go on at the same time. When the last start for a signal has been disposed of, the former action is in
    /// force again, unless somebody else has set one of their own meanwhile. Never completes.
    ///
    /// The kernel delivers an ordinary signal once, however often it was sent before it was delivered. A signal that every thread
    /// has blocked is not delivered at all. What is delivered waits until the observer gets round to it; of what all signals have
    /// left in the process's one pipe for them, beyond some sixteen thousand deliveries are lost.
    ///
    /// **Threads**: values come on a queue of the start's own, where anything may be done, unlike in a signal handler. An observer
    /// that does not return keeps nobody else from hearing of a signal.
    ///
    /// - Parameters:
    ///   - signals: At least one. Traps for a number that is no signal, for `SIGKILL` and `SIGSTOP`, which cannot be
    ///     had, and for those with which the processor reports a fault of the program, such as `SIGSEGV`: nothing could
    ///     go on after them. A start traps if the process has no descriptor left for the first one's pipe.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func unixSignal(
        _ signals: Int32..., file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer { unixSignal(signals, file: file, line: line) }

    /// A producer of the UNIX signals that the process gets: see ``unixSignal(_:file:line:)-(Int32...,_,_)``.
    ///
    /// - Parameters:
    ///   - signals: At least one. Several times the same is as once.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public static func unixSignal(
        _ signals: some Sequence<Int32>, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer {
        let signals = Set(signals)
        require(!signals.isEmpty, "unixSignal(): there must be at least one signal", file: file, line: line)
        for signal in signals {
            require(
                UnixSignals.canHear(signal), "unixSignal(\(signal)): there is no such signal, or it cannot be had",
                file: file, line: line)
        }
        let only = signals.count == 1 ? signals.first : nil
        let name = only.map { StreamName("unixSignal: #", argument: Int($0)) } ?? StreamName("unixSignal")
        return SignalProducer(name) { run, sink in
            guard let core = Core.head(of: sink) else { return }
            run += UnixSignals.shared.listen(to: signals) { core.sendNext($0) }
        }
    }
}
