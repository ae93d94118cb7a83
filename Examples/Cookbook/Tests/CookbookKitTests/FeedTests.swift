import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("A connection that comes back", .patient)
struct FeedTests {
    private let scheduler = TestScheduler()
    /// When each attempt was made, in seconds.
    private let attempts = MutableProperty<[Int]>([])

    /// A feed whose connections are those of a list, in turn. The last one is used again.
    private func feed(_ connections: [SignalProducer<Int, Feed<Int>.Failure>]) -> Feed<Int> {
        Feed { [scheduler, attempts] in
            attempts.modify { $0.append(Int(scheduler.now.offset.components.seconds)) }
            return connections[min(attempts.value.count, connections.count) - 1]
        }
    }

    private func connection(_ diagram: String) -> SignalProducer<Int, Feed<Int>.Failure> {
        scheduler.producer(diagram, of: Int.self, error: .lost)
    }

    @Test("waits longer after each failure, and begins anew after a message")
    func backOff() {
        let failing = connection("X")
        let messages = feed([failing, failing, failing, connection("1|"), failing, connection("2-----")])
            .messages(on: scheduler).record(on: scheduler)
        scheduler.advance(by: .seconds(20))
        // Waits of 1, 2 and 4 seconds, and then of 1 and 2 seconds again.
        #expect(attempts.value == [0, 1, 3, 7, 9, 11])
        #expect(messages.values == [1, 2])
        messages.dispose()
    }

    @Test("gives up a connection that is silent, and a server that never answers")
    func limits() {
        let messages = feed([connection("1-----")]).messages(on: scheduler).record(on: scheduler)
        scheduler.advance(by: .seconds(61))
        #expect(attempts.value == [0, 31])
        #expect(messages.values == [1, 1])
        messages.dispose()

        attempts.value = []
        let none = feed([connection("X")]).messages(on: scheduler).record(on: scheduler)
        scheduler.advance(by: .seconds(600))
        #expect(attempts.value.count == 11)
        #expect(none.terminal == .error(.lost))
    }
}
