import NIOConcurrencyHelpers
import TopProtocol

/// The events of a stream that wait until they are sent to a viewer.
final class Follower: Sendable {
    private struct State {
        var items: [TopProtocol.Events.Item] = []
        /// Where the ring begins, once it is full.
        var beginning = 0
        var dropped = 0
        var isScheduled = false
    }

    static let limit = 1_000

    let node: UInt64
    private let state = NIOLockedValueBox(State())

    init(node: UInt64) { self.node = node }

    /// Stores an event, in the place of the oldest one if there is no room. Never waits for the viewer.
    ///
    /// - Returns: Whether the caller has to schedule a call of ``take()``.
    func append(_ item: TopProtocol.Events.Item) -> Bool {
        state.withLockedValue { state in
            if state.items.count < Self.limit {
                state.items.append(item)
            } else {
                state.items[state.beginning] = item
                state.beginning = (state.beginning + 1) % Self.limit
                state.dropped += 1
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
    }

    /// Takes what is stored. `nil` if that is nothing.
    func take() -> TopProtocol.Events? {
        let taken = state.withLockedValue { state in
            defer { state = State() }
            return state
        }
        if taken.items.isEmpty { return nil }
        let items = Array(taken.items[taken.beginning...] + taken.items[..<taken.beginning])
        return TopProtocol.Events(node: node, items: items, dropped: taken.dropped)
    }
}
