package import HotSignals

/// The number of values that an operator holds, which suspends its source.
@usableFromInline
final class Stock: Sendable {
    private struct State {
        var count = 0
        var room: Room
    }

    private let state: Locked<State>
    @usableFromInline let senders: SenderQueue

    @usableFromInline
    init(_ room: Room) {
        senders = room.senders
        state = Locked(State(room: room))
        if GraphRegistry.isOn.isOn { GraphRegistry.add(self) }
    }

    deinit { if GraphRegistry.isOn.hasBeenOn { GraphRegistry.remove(self) } }

    @usableFromInline
    func change(by difference: Int) {
        let sender = state.withLock { state in
            state.count += difference
            return state.room.update(state.count)
        }
        sender?.resume(returning: true)
    }
}

extension Stock: GraphMember {
    @usableFromInline
    func appear(in walk: inout GraphWalk, as record: GraphRecord) {
        let (count, limit) = state.withLock { ($0.count, $0.room.limit) }
        walk.attach(senders, to: self)
        walk.add(self, record, .buffer, GraphName("values that wait")) {
            $0.buffer = StreamGraph.BufferState(depth: count, limit: limit)
        }
    }
}

/// Counts the values that it forwards.
@frozen @usableFromInline
struct AddingSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let stock: Stock
    @usableFromInline let downstream: Downstream

    @_alwaysEmitIntoClient
    init(stock: Stock, downstream: Downstream) {
        self.stock = stock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    func next(_ value: Downstream.Value) {
        stock.change(by: 1)
        downstream.next(value)
    }
}

/// Notes that a value has left the operator, and forwards it. So the source may make the next one while the observer
/// handles this one.
@frozen @usableFromInline
struct TakingSink<Downstream: Sink>: OperatorSink {
    @usableFromInline let stock: Stock
    @usableFromInline let downstream: Downstream

    @_alwaysEmitIntoClient
    init(stock: Stock, downstream: Downstream) {
        self.stock = stock
        self.downstream = downstream
    }

    @_alwaysEmitIntoClient
    func next(_ value: Downstream.Value) {
        stock.change(by: -1)
        downstream.next(value)
    }
}
