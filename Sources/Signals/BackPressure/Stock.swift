/// The number of values that an operator holds, which suspends its source.
///
/// An operator counts what it receives with a ``StockedSink``, and what it has sent with a ``SentSink``.
@usableFromInline
package final class Stock: Sendable {
    private struct State {
        var count = 0
        var room: Room
        var hasLeft = false
    }

    private let state: Locked<State>
    @usableFromInline package let senders: SenderQueue

    @usableFromInline
    package init(_ room: Room) {
        senders = room.senders
        state = Locked(State(room: room))
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

    @usableFromInline
    package func change(by difference: Int) {
        let sender = state.withLock { state in
            state.count += difference
            return state.hasLeft ? nil : state.room.update(state.count)
        }
        sender?.resume(returning: true)
    }

    /// The operator has ended. Senders that outlive it no longer wait for it.
    @usableFromInline
    package func leave() {
        let sender = state.withLock { state in
            state.hasLeft = true
            return state.room.leave()
        }
        sender?.resume(returning: true)
    }
}

extension Stock: GraphMember {
    @usableFromInline package var graphEntry: GraphEntry? {
        let (count, limit) = state.withLock { ($0.count, $0.room.limit) }
        var entry = GraphEntry(buffer: GraphName("values that wait"), depth: count, limit: limit)
        entry.children = [senders]
        return entry
    }
}

/// Notes that a value has left the operator, and forwards it. So the source may make the next one while the observer
/// handles this one.
@frozen @usableFromInline
package struct TakingSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let stock: Stock
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(stock: Stock, downstream: Downstream) {
        self.stock = stock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        stock.change(by: -1)
        downstream.next(value)
    }
}

/// Counts the values that it passes to an operator, or to an input, that queues them.
@frozen @usableFromInline
package struct StockedSink<Receiver: Sink>: Sink {
    /// `nil` if nothing suspends the source, so that the number does not matter.
    @usableFromInline let stock: Stock?
    @usableFromInline let receiver: Receiver

    @_alwaysEmitIntoClient
    package init(stock: Stock?, receiver: Receiver) {
        self.stock = stock
        self.receiver = receiver
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Receiver.Value) {
        stock?.change(by: 1)
        receiver.next(value)
    }

    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Receiver.Failure>) { receiver.end(termination) }

    @_alwaysEmitIntoClient
    package var hasEnded: Bool { receiver.hasEnded }
}

extension StockedSink {
    /// The sink of an operator whose result others act on, too.
    ///
    /// - Parameters:
    ///   - count: How many values of the source have been sent with a value of the result. One if `nil`.
    ///   - makeReceiver: Receives the sink to which the operator sends.
    @_alwaysEmitIntoClient @inline(__always)
    package init<Output, Failure>(
        _ stock: Stock?, sendingTo core: Core<Output, Failure>, count: (@Sendable (Output) -> Int)? = nil,
        makeReceiver: (SentSink<GateSink<Output, Failure>>) -> Receiver
    ) {
        self.init(
            stock: stock, receiver: makeReceiver(SentSink(stock: stock, count: count, downstream: GateSink(core))))
    }
}

extension StockedSink: WorkingSink where Receiver: WorkingSink {
    @_alwaysEmitIntoClient
    package var stopWork: @Sendable () -> Void {
        guard let stock else { return receiver.stopWork }
        return { [stop = receiver.stopWork] in
            stop()
            stock.leave()
        }
    }

    @_alwaysEmitIntoClient
    package var senders: SenderQueue? { stock?.senders }
}

/// Forwards what an operator sends, and then notes that the values of which it was made have left. So the source goes
/// on when what follows has counted them, unless the event has to wait for the gate of the result.
@frozen @usableFromInline
package struct SentSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let stock: Stock?
    /// How many values have left with one. One if `nil`.
    @usableFromInline let count: (@Sendable (Downstream.Value) -> Int)?
    @usableFromInline package let downstream: Downstream

    @_alwaysEmitIntoClient
    package init(stock: Stock?, count: (@Sendable (Downstream.Value) -> Int)? = nil, downstream: Downstream) {
        self.stock = stock
        self.count = count
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    package func next(_ value: Downstream.Value) {
        guard let stock else { return downstream.next(value) }
        let count = count?(value) ?? 1
        downstream.next(value)
        stock.change(by: -count)
    }
}
