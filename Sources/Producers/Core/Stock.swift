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
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

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
    @usableFromInline var graphEntry: GraphEntry? {
        let (count, limit) = state.withLock { ($0.count, $0.room.limit) }
        var entry = GraphEntry(buffer: GraphName("values that wait"), depth: count, limit: limit)
        entry.children = [senders]
        return entry
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
