extension Signal {
    /// Splits the values into windows of `count` values, each of which is a producer.
    ///
    /// Like `collect(count:)`, but sends the values of a window as they arrive.
    ///
    /// ```marbles
    /// source                                                          --1--2--3-----|
    /// source.window(count: 2).flatMap(.concat) { $0.reduce(0, +) }    -----3--------3|
    /// ```
    ///
    /// A window is sent before its first value, and buffers its values, at most `count`, until it is first started.
    /// Later starts receive only new values. It completes with its last value. If the source ends earlier, the open
    /// window ends in the same way, and then the result. When the result is no longer observed, the open window is
    /// interrupted.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func window(
        count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Signal<SignalProducer<Value, Failure>, Failure> {
        require(count > 0, "window(count: \(count)): the count must be positive", file: file, line: line)
        return derive("window(count: #)", argument: count) { downstream, lifetime in
            let sink = WindowCountSink(count: count, contention: core.gateContention, downstream: downstream)
            lifetime.observeEnded { sink.endWindow(.interrupted) }
            return sink
        }
    }
}

extension SignalProducer {
    /// Splits the values into windows of `count` values, each of which is a producer.
    ///
    /// Like ``HotSignals/Signal/window(count:file:line:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func window(
        count: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> SignalProducer<SignalProducer, Failure> {
        require(count > 0, "window(count: \(count)): the count must be positive", file: file, line: line)
        return SignalProducer<SignalProducer, Failure>(
            derivedName("window(count: #)", count), contention: contention
        ) { subscription, downstream in
            let sink = WindowCountSink(count: count, contention: contention, downstream: downstream)
            subscription.addCleanup { sink.endWindow(.interrupted) }
            beginWork(of: subscription, into: ProducerSink(erasing: sink, subscription))
        }
    }
}

private struct WindowCountSink<Value: Sendable, Failure: Error, Downstream: Sink>: OperatorSink
where Downstream.Value == SignalProducer<Value, Failure>, Downstream.Failure == Failure {
    private let count: Int
    /// The number of values that the open window still takes. Only for values, which are serial.
    private let room = SinkState(0)
    /// The open window. Locked, because the terminal event may come from another thread.
    private let open = Locked<ReplayHub<Value, Failure>?>(nil)
    /// What a sender does while a window is busy with a start: the same as at the source.
    private let contention: Contention
    let downstream: Downstream

    init(count: Int, contention: Contention, downstream: Downstream) {
        self.count = count
        self.contention = contention
        self.downstream = downstream
    }

    func next(_ value: Value) {
        guard let window = open.withLock({ $0 }) ?? begin() else { return }
        window.send(.next(value))
        room.value -= 1
        if room.value == 0 { endWindow(.completed) }
    }

    /// Opens a window and sends it. Returns `nil` if the result has ended.
    private func begin() -> ReplayHub<Value, Failure>? {
        guard !downstream.hasEnded else { return nil }
        let name = StreamName("window")
        let window = ReplayHub<Value, Failure>(name, capacity: count, contention: contention, forgetsAtFirstJoin: true)
        open.withLock { $0 = window }
        room.value = count
        downstream.next(SignalProducer(name, contention: contention) { _, sink in window.join(sink) })
        return window
    }

    func end(_ termination: Termination<Failure>) {
        endWindow(termination)
        downstream.end(termination)
    }

    func endWindow(_ termination: Termination<Failure>) {
        open.withLock { $0.take() }?.send(termination.event())
    }
}
