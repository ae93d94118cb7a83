/// The head of a chain whose source is a single task. Nothing else sends, so it costs less than a gate.
///
/// For each event, the task marks itself as inside in one word. A disposal, which never waits, leaves a note in the
/// other word. If the task is outside at that time, the disposing thread carries out the note. Otherwise the task does
/// so when it leaves. Each side writes its own word before it reads the other one, so they cannot miss each other. The
/// side that carries out the note closes the head, in one step that only one side can take, and releases the receiver
/// of the events. So a task that runs on for a long time, because it ignores its cancellation, retains nothing of the
/// observer's.
///
/// # Leaving
/// The task enters by an exchange and leaves by a plain store, which halves the cost of the head per element. The
/// processor may reorder a plain store, so that the task looks for a note before other threads see that it has left. So
/// a disposal that finds the task inside looks once more behind an ``AsymmetricFence``: if the task is still inside, it
/// has not looked for a note yet, and will see this one.
///
/// Without such a fence, the task has to leave by an exchange too. Then the bit ``unfenced`` is always set, which
/// directs the task to the slow path. So this case costs nothing where there is a fence.
@usableFromInline
@_fixed_layout
package final class TaskHead<Value: Sendable, Failure: Error>: StartHead, @unchecked Sendable {
    // Sendable: the words are atomic. Only the side that is inside or that closes the head accesses the receiver.

    /// Boxes the sink, so that a value is forwarded without a retain.
    @usableFromInline
    @_fixed_layout
    final class Receiver {
        @usableFromInline let sink: ProducerSink<Value, Failure>

        @_alwaysEmitIntoClient
        init(_ sink: ProducerSink<Value, Failure>) { self.sink = sink }
    }

    /// ``inside`` while the task is inside. Written only by the task.
    @usableFromInline let presence = AtomicWord(0)
    /// The notes, and whether they have been carried out.
    @usableFromInline let notes: AtomicWord
    /// Raised when the task itself terminates the stream. It is then not cancelled, because the work that follows, such
    /// as the next producer of a `concat`, begins in it.
    @usableFromInline let isEnding = AtomicFlag()
    /// Retained until the head is closed.
    @usableFromInline let receiver: Unmanaged<Receiver>
    @usableFromInline let owner = Owner(of: "the receiver of a task head")
    /// What the task waits for before it makes another value, if it can be suspended.
    @usableFromInline package let senders: SenderQueue?

    @_alwaysEmitIntoClient static var inside: UInt { 1 }
    /// A note: send `interrupted`, and close.
    @_alwaysEmitIntoClient static var interrupting: UInt { 1 }
    /// A note: close.
    @_alwaysEmitIntoClient static var closing: UInt { 2 }
    /// The head is closed: nothing more is sent, and the receiver has been released.
    @_alwaysEmitIntoClient static var closed: UInt { 4 }
    /// Not a note: set from the beginning if the task has to leave by an exchange.
    @_alwaysEmitIntoClient static var unfenced: UInt { 8 }

    /// - Parameter isFenced: Whether disposals use the fence, so that the task can leave by a plain store.
    @_alwaysEmitIntoClient
    package init(_ sink: ProducerSink<Value, Failure>, isFenced: Bool = AsymmetricFence.isAvailable) {
        notes = AtomicWord(isFenced ? 0 : Self.unfenced)
        receiver = .passRetained(Receiver(sink))
        senders = sink.start.senders
    }

    deinit {
        if notes.loadLast() & Self.closed == 0 { receiver.release() }
    }

    /// Starts the task that does the work of a start. The task is cancelled when the start is over.
    ///
    /// - Parameters:
    ///   - sink: Interrupted immediately if the start is already over. Then no task is started.
    ///   - isFenced: See ``init(_:isFenced:)``.
    ///   - body: Not called if the start is over before the task begins to run. Captures nothing of the
    ///     observer's.
    @_alwaysEmitIntoClient
    package static func run(
        into sink: ProducerSink<Value, Failure>, priority: TaskPriority? = nil,
        isFenced: Bool = AsymmetricFence.isAvailable,
        _ body: @escaping @Sendable (TaskHead) async -> Void
    ) {
        let head = TaskHead(sink, isFenced: isFenced)
        guard sink.start.attach(head) else { return sink.end(.interrupted) }
        let task = TaskStarter.start(priority: priority) {
            if head.isClosed { return }
            // A stream that has waited for its start, as in `flatMap`, may find that a consumer has no room by now.
            if let senders = head.senders, await !senders.waitForRoom() {
                return head.end(Task.isCancelled ? .interrupted : .completed)
            }
            await body(head)
        }
        sink.start.observeEnded { if !head.isEnding.isRaised { task.dispose() } }
    }

    // MARK: Called by the task

    @_alwaysEmitIntoClient
    package var isClosed: Bool { notes.load() & Self.closed != 0 }

    /// Sends a value.
    ///
    /// - Returns: Whether another value is needed.
    @_alwaysEmitIntoClient @inline(__always)
    package func next(_ value: Value) -> Bool {
        guard enter() else { return doAsNoted() }
        owner.writes()
        receiver._withUnsafeGuaranteedRef { $0.sink.next(value) }
        presence.storeAhead(0)
        return notes.loadInOrder() == 0 || leaveSlowly()
    }

    /// Terminates the stream, unless it has terminated.
    @_alwaysEmitIntoClient
    package func end(_ termination: Termination<Failure>) {
        guard enter() else {
            doAsNoted()
            return
        }
        isEnding.raise()
        owner.writes()
        receiver._withUnsafeGuaranteedRef { $0.sink.end(termination) }
        // The task is still inside, so no other thread closes the head.
        if close() != nil { receiver.release() }
    }

    /// Marks the task as inside. Returns whether there is no note. A thread that leaves a note from now on sees that
    /// the task is inside.
    @_alwaysEmitIntoClient @inline(__always)
    func enter() -> Bool {
        _ = presence.exchangeInOrder(Self.inside)
        let noted = notes.loadInOrder()
        return noted == 0 || noted == Self.unfenced
    }

    /// Leaves if there is a note or no fence. Returns whether there is no note.
    @_alwaysEmitIntoClient @inline(never)
    func leaveSlowly() -> Bool {
        if notes.loadInOrder() == Self.unfenced {
            // Stores again that the task is outside, this time ordered before the next look for a note.
            _ = presence.exchangeInOrder(0)
            if notes.loadInOrder() == Self.unfenced { return true }
        }
        return doAsNoted()
    }

    // MARK: Carrying out notes

    /// Closes the head.
    ///
    /// - Returns: The notes to carry out, or `nil` if the head was already closed.
    @_alwaysEmitIntoClient
    func close() -> UInt? {
        let noted = notes.exchange(Self.closed)
        return noted & Self.closed == 0 ? noted : nil
    }

    /// Closes the head and carries out the notes, unless that has been done. Returns `false`.
    @_alwaysEmitIntoClient @inline(never) @discardableResult
    func doAsNoted() -> Bool {
        guard let noted = close() else { return false }
        owner.writes()
        if noted & Self.interrupting != 0 {
            receiver._withUnsafeGuaranteedRef { $0.sink.end(.interrupted) }
        }
        receiver.release()
        return false
    }

    // MARK: StartHead conformance

    @usableFromInline
    package func interrupt() -> Bool {
        let former = notes.setInOrder(Self.interrupting)
        if former & Self.closed == 0, isOutside(former) { doAsNoted() }
        return false
    }

    @usableFromInline
    package func cutOff() {
        let former = notes.setInOrder(Self.closing)
        // A task that terminates the stream closes the head itself.
        if former & Self.closed == 0, !isEnding.isRaised, isOutside(former) { doAsNoted() }
    }

    /// Returns whether the task is outside. Call after leaving a note: if the task is inside, it sees the note when it
    /// leaves.
    private func isOutside(_ former: UInt) -> Bool {
        if presence.loadInOrder() == 0 { return true }
        if former & Self.unfenced != 0 { return false }
        AsymmetricFence.issue()
        return presence.loadInOrder() == 0
    }
}
