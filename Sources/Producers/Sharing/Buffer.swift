extension SignalProducer {
    /// Creates a producer that stores what is sent to an observer, and replays it to each start.
    ///
    /// ```swift
    /// let (history, input) = SignalProducer<Int, Never>.buffer(capacity: 2)
    /// for number in 1...3 { input.sendNext(number) }
    /// history.startWithNext { print($0) }  // prints 2, then 3
    /// input.sendNext(4)                    // prints 4
    /// ```
    ///
    /// A start first receives the stored values, then live ones, without gaps, duplicates or reordering. A terminal
    /// event is stored in addition to the values, and events sent after it are ignored. Releasing the observer
    /// interrupts.
    ///
    /// - Parameters:
    ///   - capacity: How many of the latest values to store. All of them by default. Traps if negative.
    @_alwaysEmitIntoClient
    public static func buffer(
        capacity: Int = .max
    ) -> (producer: SignalProducer, observer: Signal<Value, Failure>.Observer) {
        require(capacity >= 0, "buffer(capacity: \(capacity)): the capacity must not be negative")
        let name = StreamName("buffer")
        let hub = ReplayHub<Value, Failure>(name, capacity: capacity)
        let (signal, input) = Signal<Value, Failure>.pipe()
        signal.observe { hub.send($0) }
        return (SignalProducer(name) { _, sink in hub.join(sink) }, input)
    }
}
