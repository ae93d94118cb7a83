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
    /// window ends in the same way, and then the result.
    ///
    /// An open window outlives the result: `window(count: 3).take(first: 2)` sends two whole windows. When the result
    /// is no longer observed, the source is released as soon as the window ends, or its producer has been released and
    /// nothing observes it.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    @_alwaysEmitIntoClient
    public func window(count: Int) -> Signal<SignalProducer<Value, Failure>, Failure> {
        require(count > 0, "window(count: \(count)): the count must be positive")
        return derive("window(count: #)", argument: count) {
            WindowCountSink($0, count: count)
        }
    }
}

extension SignalProducer {
    /// Splits the values into windows of `count` values, each of which is a producer.
    ///
    /// Like ``HotSignals/Signal/window(count:)`` of signals, separately for each start.
    ///
    /// - Parameters:
    ///   - count: Traps unless positive.
    @_alwaysEmitIntoClient
    public func window(count: Int) -> SignalProducer<SignalProducer, Failure> {
        require(count > 0, "window(count: \(count)): the count must be positive")
        return derive("window(count: #)", argument: count) {
            WindowCountSink($0, count: count)
        }
    }
}

@frozen @usableFromInline
struct WindowCountSink<Value: Sendable, Failure: Error>: WorkingSink {
    @frozen @usableFromInline
    struct Open {
        @usableFromInline let window: InnerStream<Value, Failure>
        /// The number of values that it still takes.
        @usableFromInline var room: Int

        @_alwaysEmitIntoClient
        init(window: InnerStream<Value, Failure>, room: Int) {
            self.window = window
            self.room = room
        }
    }

    @usableFromInline let core: Core<SignalProducer<Value, Failure>, Failure>
    @usableFromInline let count: Int
    @usableFromInline let sourceUsers = SourceUsers()
    @usableFromInline let open = SinkState<Open?>(nil)

    @_alwaysEmitIntoClient
    init(_ core: Core<SignalProducer<Value, Failure>, Failure>, count: Int) {
        self.core = core
        self.count = count
    }

    @_alwaysEmitIntoClient
    var users: SourceUsers? { sourceUsers }

    @_alwaysEmitIntoClient
    func next(_ value: Value) {
        guard let window = open.value?.window ?? begin() else { return }
        window.send(value)
        open.value?.room -= 1
        if open.value?.room == 0 { endWindow(.completed) }
    }

    /// Opens a window and sends it. Returns `nil` if the result has ended.
    @_alwaysEmitIntoClient
    func begin() -> InnerStream<Value, Failure>? {
        guard !core.terminated.isRaised else { return nil }
        let window = InnerStream<Value, Failure>(
            "window", in: core, of: sourceUsers, capacity: count)
        open.value = Open(window: window, room: count)
        core.sendNext(window.makeProducer())
        return window
    }

    @_alwaysEmitIntoClient
    func end(_ termination: Termination<Failure>) {
        sourceUsers.endSource()
        endWindow(termination)
        core.sendEnd(termination)
    }

    @_alwaysEmitIntoClient
    func endWindow(_ termination: Termination<Failure>) { open.value.take()?.window.end(termination) }

    @_alwaysEmitIntoClient
    var hasEnded: Bool { sourceUsers.areGone }

    @_alwaysEmitIntoClient
    var stopWork: @Sendable () -> Void { {} }
}
