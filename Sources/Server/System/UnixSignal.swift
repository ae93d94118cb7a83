extension SignalProducer where Value == Int32, Failure == Never {
    /// A producer of the UNIX signals that the process receives.
    ///
    /// ```swift
    /// let shutdown = SignalProducer.unixSignal(SIGTERM, SIGINT)
    /// shutdown.take(first: 1).startWithNext { _ in server.stop() }
    /// ```
    ///
    /// From the start on, the process's action for these signals is replaced: they no longer terminate the process.
    /// Each delivery sends the number of the signal to every start that observes it. Any number of starts, for the same
    /// or for different signals, can run at the same time. When the last start for a signal has been disposed of, the
    /// previous action is restored, unless other code has replaced it in the meantime. Never completes.
    ///
    /// The kernel delivers an ordinary signal once, even if it was sent several times before its delivery. A signal
    /// that every thread blocks is not delivered. Deliveries are queued until the observer can receive them. The
    /// process has one pipe for the deliveries of all signals: beyond about sixteen thousand in the pipe, deliveries
    /// are lost.
    ///
    /// **Threads**: values are sent on the start's own queue, where you can call anything, unlike in a signal handler.
    /// An observer that does not return does not affect other starts.
    ///
    /// - Parameters:
    ///   - signals: At least one. Traps for a number that is not a signal, for `SIGKILL` and `SIGSTOP`, which cannot be
    ///     caught, and for the signals that report a fault of the program, such as `SIGSEGV` and `SIGABRT`,
    ///     because the program cannot continue after them. The first start traps if the process has no descriptor left
    ///     for its pipe.
    public static func unixSignal(_ signals: Int32...) -> SignalProducer { unixSignal(signals) }

    /// A producer of the UNIX signals that the process gets: see ``unixSignal(_:)-(Int32...)``.
    ///
    /// - Parameters:
    ///   - signals: At least one. Duplicates are ignored.
    public static func unixSignal(_ signals: some Sequence<Int32>) -> SignalProducer {
        let signals = Set(signals)
        require(!signals.isEmpty, "unixSignal(): there must be at least one signal")
        for signal in signals {
            require(
                UnixSignals.canHear(signal), "unixSignal(\(signal)): there is no such signal, or it cannot be observed")
        }
        let only = signals.count == 1 ? signals.first : nil
        let name = only.map { StreamName("unixSignal: #", argument: Int($0)) } ?? StreamName("unixSignal")
        return SignalProducer(name) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            start += UnixSignals.shared.listen(to: signals) { core.sendNext($0) }
        }
    }
}
