import NIOConcurrencyHelpers
import NIOCore

/// The last handler of a channel, which reads only while a consumer waits.
///
/// Decides under its lock, and resumes consumers and reads outside it.
final class InboundReadsHandler<Message: Sendable>: ChannelInboundHandler, @unchecked Sendable {
    // Sendable: the lock guards `state`, and only the event loop accesses `context`.
    typealias InboundIn = Message

    private typealias Waiter = CheckedContinuation<Message?, any Error>

    private struct State {
        /// Messages that have been received and not yet requested.
        var messages = CircularBuffer<Message>()
        /// Consumers, in the order in which they asked. Empty if there are messages.
        var waiters = CircularBuffer<(ticket: Int, waiter: Waiter)>()
        var tickets = 0
        /// Whether a read has been requested and has not ended.
        var isReading = false
        /// Whether the channel is active and has this handler.
        var isActive = false
        /// `nil` while messages may come.
        var end: Result<Void, any Error>?

        /// Whether the caller must request a read.
        mutating func mustRead() -> Bool {
            guard isActive, !isReading, end == nil, !waiters.isEmpty else { return false }
            isReading = true
            return true
        }
    }

    private let state = NIOLockedValueBox(State())
    private var context: ChannelHandlerContext?
    /// Set when the handler is added, before anything else can read it.
    private var eventLoop: (any EventLoop)?

    // MARK: Consumers

    private enum Step {
        case returns(Message)
        case ends(Result<Void, any Error>)
        case waits(read: Bool)
    }

    func next() async throws -> Message? {
        let ticket = state.withLockedValue { state in
            state.tickets += 1
            return state.tickets
        }
        let message = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in wait(waiter, ticket) }
        } onCancel: {
            cancel(ticket)
        }
        // The consumer is gone: the next one receives the message.
        if let message, Task.isCancelled {
            putBack(message)
            return nil
        }
        return message
    }

    private func wait(_ waiter: Waiter, _ ticket: Int) {
        let step: Step? = state.withLockedValue { state in
            if Task.isCancelled { return nil }
            if let message = state.messages.popFirst() { return .returns(message) }
            if let end = state.end { return .ends(end) }
            // If the task is cancelled from now on, `cancel` finds the waiter.
            state.waiters.append((ticket, waiter))
            return .waits(read: state.mustRead())
        }
        switch step {
        case nil: waiter.resume(returning: nil)
        case .returns(let message): waiter.resume(returning: message)
        case .ends(let end): waiter.resume(with: end.map { nil })
        case .waits(let mustRead): if mustRead { requestRead() }
        }
    }

    private func cancel(_ ticket: Int) {
        let waiter = state.withLockedValue { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiters.remove(at: index).waiter
        }
        waiter?.resume(returning: nil)
    }

    private func putBack(_ message: Message) {
        let waiter = state.withLockedValue { state -> Waiter? in
            if let first = state.waiters.popFirst() { return first.waiter }
            state.messages.prepend(message)
            return nil
        }
        waiter?.resume(returning: message)
    }

    private func requestRead() {
        // An event loop that has shut down refuses this. By then it has closed the channel, so all waiters have been
        // resumed.
        eventLoop?.execute { self.context?.read() }
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        eventLoop = context.eventLoop
        if context.channel.isActive { activate(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(.failure(CancellationError()))
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        activate(context)
        context.fireChannelActive()
    }

    private func activate(_ context: ChannelHandlerContext) {
        let mustRead = state.withLockedValue { state in
            state.isActive = true
            return state.mustRead()
        }
        if mustRead { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let message = unwrapInboundIn(data)
        let waiter = state.withLockedValue { state -> Waiter? in
            if let first = state.waiters.popFirst() { return first.waiter }
            state.messages.append(message)
            return nil
        }
        waiter?.resume(returning: message)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The read may have brought less than a message, or fewer messages than there are consumers.
        let mustRead = state.withLockedValue { state in
            state.isReading = false
            return state.mustRead()
        }
        if mustRead { context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { end(.success(())) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error))
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.success(()))
        context.fireChannelInactive()
    }

    /// Ends the sequence, unless it has ended.
    func end(_ end: Result<Void, any Error>) {
        let waiters = state.withLockedValue { state -> CircularBuffer<(ticket: Int, waiter: Waiter)> in
            guard state.end == nil else { return CircularBuffer() }
            state.end = end
            state.isActive = false
            defer { state.waiters = CircularBuffer() }
            return state.waiters
        }
        for (_, waiter) in waiters { waiter.resume(with: end.map { nil }) }
    }
}
