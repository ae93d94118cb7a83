/// The senders of a signal with back-pressure that wait for room, and what they wait for.
///
/// A consumer that suspends senders is *full* when it holds as many values as it may, and *behind* from then on until
/// it holds no more than its own share. A value is sent only if no consumer is full. That is decided inside the gate of
/// the signal. Usually only the owner of the gate makes a consumer full, so no value is sent without room for it. What
/// an operator with a scheduler delivers later can fill one, too, which then holds more than it should.
///
/// A sender that finds no room waits in line. When no consumer is behind any longer, the first in line gets the *turn*:
/// it sends its value and passes the turn on. While there is a line or a turn, every other sender lines up, so values
/// are sent in the order in which the senders arrived.
///
/// The source of a producer is a sender too, usually the only one of its queue. It waits for room before it makes a
/// value, so that it holds none while it is suspended.
///
/// Nothing is resumed under the lock: a call that changes the state resumes the continuation after it has released it.
@usableFromInline
package final class SenderQueue: Sendable {
    /// A suspended sender, to be resumed with `true` if it has the turn. `false` means that the signal has ended, or
    /// that the sender's task has been cancelled.
    @usableFromInline package typealias Sender = UnsafeContinuation<Bool, Never>
    /// Called with `true` when a source begins to wait, and with `false` when it goes on or gives up.
    @usableFromInline package typealias WaitNote = @Sendable (_ begins: Bool) -> Void

    private struct State {
        /// The consumers that have no room for another value.
        var full = 0
        /// The consumers that have been full, and still hold more than their own share. Includes those that are full.
        var behind = 0
        var line = WaitingLine<UInt, Sender>()
        var isTurnTaken = false
        var hasEnded = false

        /// Gives the turn to the first in line, if it may send. Returns what to resume, outside the lock.
        mutating func giveTurn() -> Sender? {
            guard behind == 0, !isTurnTaken, let first = line.popFirst() else { return nil }
            isTurnTaken = true
            return first
        }

        var obstacles: UInt {
            (full > 0 ? SenderQueue.fullBit : 0) | (line.count > 0 || isTurnTaken ? SenderQueue.lineBit : 0)
        }
    }

    /// How many values may wait for a consumer beyond its own share.
    @usableFromInline let capacity: Int
    /// Only for the source of a producer, which waits for room there, too: what suspends the operator's result.
    private let downstream: SenderQueue?
    /// Only for the source of a producer: told when the source waits downstream.
    private let noteWait: WaitNote?
    private let state = Locked(State())
    /// Written under the lock. Why a sender may not send now.
    private let obstacles = AtomicWord(0)
    private let tickets = AtomicWord(0)

    /// A consumer is full.
    private static let fullBit: UInt = 1
    /// There is a line of senders, or one of them has the turn.
    private static let lineBit: UInt = 2

    @usableFromInline
    package init(capacity: Int, downstream: SenderQueue? = nil) {
        self.capacity = capacity
        self.downstream = downstream
        noteWait = nil
        if GraphHook.isOn.isOn { GraphHook.appeared(self) }
    }

    /// Creates a queue for an operator that is never full itself, but must know when its source waits for room
    /// downstream.
    ///
    /// - Parameter noteWait: Must not retain the observer of a start that has ended.
    @usableFromInline
    package init(downstream: SenderQueue, _ noteWait: @escaping WaitNote) {
        capacity = 0
        self.downstream = downstream
        self.noteWait = noteWait
    }

    deinit { if GraphHook.isOn.hasBeenOn { GraphHook.left(self) } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            let result = body(&state)
            obstacles.store(state.obstacles)
            return result
        }
    }

    // MARK: For senders

    /// Only for the owner of the signal's gate. Whether a sender may send.
    ///
    /// - Parameter hasTurn: Whether it has the turn, so that the line does not matter.
    @usableFromInline
    func hasRoom(hasTurn: Bool) -> Bool { obstacles.load() & (hasTurn ? Self.fullBit : ~0) == 0 }

    /// A number that identifies a sender in line.
    @usableFromInline
    func makeTicket() -> UInt { tickets.increment() }

    /// Lines up, and waits for the turn.
    ///
    /// - Parameter returnsTurn: Whether the sender has had the turn and not been able to use it. It is then the first
    ///   in line.
    /// - Returns: Whether the sender has the turn. If not, the signal has ended or the task has been cancelled.
    @usableFromInline
    func waitForTurn(
        _ ticket: UInt, returnsTurn: Bool, isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        let watches = WaitWatch.begin(self, .sender)
        defer { WaitWatch.end(watches) }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation(isolation: isolation) { lineUp($0, ticket, returnsTurn: returnsTurn) }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func lineUp(_ sender: Sender, _ ticket: UInt, returnsTurn: Bool) {
        let (isRefused, next) = change { state -> (Bool, Sender?) in
            if returnsTurn { state.isTurnTaken = false }
            // If the task is cancelled later, `cancel` finds the sender in line.
            let isRefused = state.hasEnded || Task.isCancelled
            if !isRefused, returnsTurn { state.line.prepend(sender, for: ticket) }
            if !isRefused, !returnsTurn { state.line.append(sender, for: ticket) }
            return (isRefused, state.giveTurn())
        }
        if isRefused { sender.resume(returning: false) }
        next?.resume(returning: true)
    }

    /// Takes a sender out of the line. One that has the turn sends its value regardless.
    private func cancel(_ ticket: UInt) {
        change { $0.line.remove(ticket) }?.resume(returning: false)
    }

    /// Waits until there is room for another value, here and downstream, for a sender that makes its values only then.
    ///
    /// - Parameter note: Told of the wait, for the operators upstream of the one that has this queue.
    /// - Returns: `false` if the task has been cancelled, or if no more values are wanted.
    @usableFromInline
    package func waitForRoom(
        noting note: WaitNote? = nil, isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        if !hasRoom(hasTurn: false) {
            note?(true)
            defer { note?(false) }
            guard await waitForTurn(makeTicket(), returnsTurn: false, isolation: isolation) else { return false }
            endTurn()
            if Task.isCancelled { return false }
        }
        guard let downstream else { return true }
        return await downstream.waitForRoom(noting: Self.both(note, noteWait), isolation: isolation)
    }

    private static func both(_ one: WaitNote?, _ other: WaitNote?) -> WaitNote? {
        guard let one, let other else { return one ?? other }
        return { begins in
            one(begins)
            other(begins)
        }
    }

    /// Whether a sender would have to wait now, here or downstream. For an operator that also sends values at times of
    /// its own: those must not fill a consumer that suspends the source.
    @usableFromInline
    package var makesSendersWait: Bool { !hasRoom(hasTurn: false) || downstream?.makesSendersWait == true }

    /// Called by a sender that has had the turn.
    @usableFromInline
    func endTurn() {
        let next = change { state in
            state.isTurnTaken = false
            return state.giveTurn()
        }
        next?.resume(returning: true)
    }

    // MARK: For consumers

    /// Called by a consumer, under its own lock. It resumes what is returned after it has released that lock.
    ///
    /// - Parameters:
    ///   - full: 1 if it has become full, -1 if it no longer is.
    ///   - behind: 1 if it has fallen behind, -1 if it no longer is.
    @usableFromInline
    func changeCounts(full: Int, behind: Int) -> Sender? {
        change { state in
            state.full += full
            state.behind += behind
            return state.giveTurn()
        }
    }

    // MARK: For the signal

    /// Resumes all senders, because the signal has ended.
    @usableFromInline
    package func end() {
        var line = change { state in
            state.hasEnded = true
            return exchange(&state.line, with: WaitingLine())
        }
        while let sender = line.popFirst() { sender.resume(returning: false) }
    }

    /// The number of suspended senders.
    package var count: Int { state.withLock { $0.line.count } }
}

extension SenderQueue: GraphMember {
    @usableFromInline package var graphEntry: GraphEntry? {
        let (count, hasEnded) = state.withLock { ($0.line.count, $0.hasEnded) }
        return hasEnded ? nil : GraphEntry(buffer: GraphName("senders"), depth: count, limit: nil)
    }
}
