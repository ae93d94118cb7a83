package import ReactiveSignals

/// Sends the messages of one source to many clients, each at its own speed.
package struct FanOut<Message: Sendable>: Sendable {
    /// Why a client is no longer served.
    package enum Departure: Hashable, Sendable {
        /// The source has ended, or the task was cancelled.
        case ended
        /// The client was too slow for its policy.
        case tooSlow
    }

    /// The number of clients that are being served.
    package let clients = MutableProperty(0)
    /// The number of messages that were dropped, summed over the clients that have departed.
    package let dropped = MutableProperty(0)

    private let messages: Signal<Message, Never>
    private let input: Signal<Message, Never>.Observer

    package init() {
        // The senders do not wait for each other either.
        (messages, input) = Signal<Message, Never>.pipe(contention: .enqueue)
    }

    /// Puts a message into the buffer of each client. Never waits for a client.
    package func publish(_ message: Message) { input.sendNext(message) }

    /// Ends the service of every client, after the messages that wait for it.
    package func finish() { input.sendCompleted() }

    /// Serves one client in the task of its connection, until it departs.
    ///
    /// - Parameter send: Returns when the client has taken the message. Its error ends the service.
    package func serve<Failure: Error>(
        _ policy: SlowClientPolicy, send: (Message) async throws(Failure) -> Void
    ) async throws(Failure) -> Departure {
        let queue = messages.values(buffering: policy.buffering)
        var iterator = queue.makeAsyncIterator()
        clients.modify { $0 += 1 }
        defer {
            clients.modify { $0 -= 1 }
            dropped.modify { $0 += queue.droppedCount }
        }
        while let message = await iterator.next() {
            if queue.droppedCount > 0, !policy.toleratesGaps { return .tooSlow }
            try await send(message)
        }
        return .ended
    }
}
