/// The head of a chain whose source is one task: nobody else sends, so it takes less than a gate does.
///
/// The task says in one word that it is inside, for each event. A disposal, which never waits, leaves a note in the other
/// word. If the task is outside then, it does itself what the note asks for; otherwise the task does, when it leaves. Each
/// writes its word before it reads the other's, so they cannot miss each other. Whoever does it closes the head, in one
/// step that only one can take, and releases what receives the events: a task that goes on for long, because it ignores
/// its cancellation, holds nothing of the observer's.
///
/// # Leaving
/// The task enters by an exchange, and leaves by a plain store, which halves what the head takes for an element. What the
/// processor makes of a plain store is that the task may look for a note before others see that it has left. So a disposal
/// that finds the task inside looks once more behind an ``AsymmetricFence``: if the task is inside still, it has not looked
/// for a note yet, and will see this one.
///
/// Where there is no such fence the task has to leave by an exchange, too. A bit that is always set, ``unfenced``, makes it
/// look there, so that it costs nothing where there is a fence.
@usableFromInline
@_fixed_layout
package final class TaskHead<Value: Sendable, Failure: Error>: RunHead, @unchecked Sendable {
    // Sendable: the words are atomic. The receiver is for the one who is inside, or who closes.

    /// The sink in an object, so that a value is passed on without a retain.
    @usableFromInline
    @_fixed_layout
    final class Receiver {
        @usableFromInline let sink: ProducerSink<Value, Failure>

        @inlinable
        init(_ sink: ProducerSink<Value, Failure>) { self.sink = sink }
    }

    /// ``inside`` while the task is. Only the task writes here.
    @usableFromInline let presence = AtomicWord(0)
    /// What is still to be done, and whether it has been done.
    @usableFromInline let notes: AtomicWord
    /// Raised when the task ends the stream itself: it is not cancelled then, for what follows in line, such as the next work of a
    /// `concat`, begins in it.
    @usableFromInline let isEnding = AtomicFlag()
    /// Holds one reference until the head is closed.
    @usableFromInline let receiver: Unmanaged<Receiver>
    @usableFromInline let owner = Owner(of: "the receiver of a task head")

    @inlinable static var inside: UInt { 1 }
    /// A note: send `interrupted`, and close.
    @inlinable static var interrupting: UInt { 1 }
    /// A note: close.
    @inlinable static var closing: UInt { 2 }
    /// Nobody sends any more, and the receiver has been released.
    @inlinable static var closed: UInt { 4 }
    /// No note: set from the beginning where the task has to leave by an exchange.
    @inlinable static var unfenced: UInt { 8 }

    /// - Parameter isFenced: Whether disposals use the fence, so that the task can leave by a plain store.
    @inlinable
    package init(_ sink: ProducerSink<Value, Failure>, isFenced: Bool = AsymmetricFence.isAvailable) {
        notes = AtomicWord(isFenced ? 0 : Self.unfenced)
        receiver = .passRetained(Receiver(sink))
    }

    deinit {
        if notes.loadLast() & Self.closed == 0 { receiver.release() }
    }

    /// Starts the task that does the work of a run, and that is cancelled when the run is over.
    ///
    /// - Parameters:
    ///   - sink: Told at once if the run is over; then there is no task.
    ///   - isFenced: See ``init(_:isFenced:)``.
    ///   - body: Not called if the run is over before the task gets round to it. Holds nothing of the observer's.
    @inlinable
    package static func run(
        into sink: ProducerSink<Value, Failure>, priority: TaskPriority? = nil,
        isFenced: Bool = AsymmetricFence.isAvailable,
        _ body: @escaping @Sendable (TaskHead) async -> Void
    ) {
        let head = TaskHead(sink, isFenced: isFenced)
        guard sink.run.attach(head) else { return sink.finish(.interrupted) }
        let task = TaskStarter.start(priority: priority) {
            if !head.isClosed { await body(head) }
        }
        sink.run.observeEnded { if !head.isEnding.isRaised { task.dispose() } }
    }

    // MARK: For the task

    @inlinable
    package var isClosed: Bool { notes.load() & Self.closed != 0 }

    /// Sends a value.
    ///
    /// - Returns: Whether somebody waits for another.
    @inlinable @inline(__always)
    package func next(_ value: Value) -> Bool {
        guard enter() else { return doAsNoted() }
        owner.writes()
        receiver._withUnsafeGuaranteedRef { $0.sink.next(value) }
        presence.storeAhead(0)
        return notes.loadInOrder() == 0 || leaveSlowly()
    }

    /// Ends the stream, unless that has happened.
    @inlinable
    package func end(_ termination: Termination<Failure>) {
        guard enter() else {
            doAsNoted()
            return
        }
        isEnding.raise()
        owner.writes()
        receiver._withUnsafeGuaranteedRef { $0.sink.finish(termination) }
        // Still inside, so that nobody else does.
        if close() != nil { receiver.release() }
    }

    /// Whether there is no note. Who leaves one from now on sees that the task is inside.
    @inlinable @inline(__always)
    func enter() -> Bool {
        _ = presence.exchangeInOrder(Self.inside)
        let noted = notes.loadInOrder()
        return noted == 0 || noted == Self.unfenced
    }

    /// Leaves where there is a note or no fence. Returns whether there is no note.
    @inlinable @inline(never)
    func leaveSlowly() -> Bool {
        if notes.loadInOrder() == Self.unfenced {
            // Says again that the task is outside, but before it looks for a note.
            _ = presence.exchangeInOrder(0)
            if notes.loadInOrder() == Self.unfenced { return true }
        }
        return doAsNoted()
    }

    // MARK: For who finds a note

    /// Closes the head.
    ///
    /// - Returns: What there was to do, or nil if that has been done.
    @inlinable
    func close() -> UInt? {
        let noted = notes.exchange(Self.closed)
        return noted & Self.closed == 0 ? noted : nil
    }

    /// Does what a note says, unless that has been done. Returns false.
    @inlinable @inline(never) @discardableResult
    func doAsNoted() -> Bool {
        guard let noted = close() else { return false }
        owner.writes()
        if noted & Self.interrupting != 0 {
            receiver._withUnsafeGuaranteedRef { $0.sink.finish(.interrupted) }
        }
        receiver.release()
        return false
    }

    // MARK: As the head of the run

    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        let former = notes.setInOrder(Self.interrupting)
        if former & Self.closed == 0, isOutside(former) { doAsNoted() }
        return false
    }

    @usableFromInline
    package func cutOff() {
        let former = notes.setInOrder(Self.closing)
        // A task that ends the stream closes the head itself.
        if former & Self.closed == 0, !isEnding.isRaised, isOutside(former) { doAsNoted() }
    }

    /// Whether the task is outside, for one who has left a note. If not, the task sees the note when it leaves.
    private func isOutside(_ former: UInt) -> Bool {
        if presence.loadInOrder() == 0 { return true }
        if former & Self.unfenced != 0 { return false }
        AsymmetricFence.issue()
        return presence.loadInOrder() == 0
    }
}
