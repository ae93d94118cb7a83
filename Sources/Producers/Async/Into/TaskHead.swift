import Dispatch

/// The head of a chain whose source is one task: nobody else sends, so it takes less than a gate does.
///
/// The task says in one word that it is inside, for each event. A disposal, which never waits, leaves a note in the other word,
/// and then does itself what the note asks for, unless the task is inside: then the task does. Each writes its word before it
/// looks at the other's, so that they cannot miss each other while one goes in. Whoever does it closes the head, in one step that
/// only one can take, and lets go of what receives the events. The task may go on for long, if it does not heed its
/// cancellation: it holds nothing of the observer's then.
///
/// Going out is a plain store, which halves what the head takes for an element: the processor may look for a note before others
/// see that the task has gone. So a disposal that finds the task inside looks a few times more, and then once again after a
/// time that no store takes to get through.
@usableFromInline
@_fixed_layout
final class TaskHead<Value: Sendable, Failure: Error>: RunHead, @unchecked Sendable {
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
    @usableFromInline let notes = AtomicWord(0)
    /// Raised when the task ends the stream itself: it is not cancelled then, for what follows in line, such as the next work of a
    /// `concat`, begins in it.
    @usableFromInline let isEnding = AtomicFlag()
    /// Holds one reference until the head is closed.
    @usableFromInline let receiver: Unmanaged<Receiver>

    @inlinable static var inside: UInt { 1 }
    /// A note: send `interrupted`, and close.
    @inlinable static var interrupting: UInt { 1 }
    /// A note: close.
    @inlinable static var closing: UInt { 2 }
    /// Nobody sends any more, and the receiver has been let go of.
    @inlinable static var closed: UInt { 4 }

    @inlinable
    init(_ sink: ProducerSink<Value, Failure>) { receiver = .passRetained(Receiver(sink)) }

    deinit {
        if !isClosed { receiver.release() }
    }

    /// Starts the task that does the work of a run, and that is cancelled when the run is over.
    ///
    /// - Parameters:
    ///   - sink: Told at once if the run is over; then there is no task.
    ///   - body: Not called if the run is over before the task gets round to it. Holds nothing of the observer's.
    @inlinable
    static func run(
        into sink: ProducerSink<Value, Failure>, priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (TaskHead) async -> Void
    ) {
        let head = TaskHead(sink)
        guard sink.run.attach(head) else { return sink.finish(.interrupted) }
        let task = TaskStarter.start(priority: priority) {
            if !head.isClosed { await body(head) }
        }
        sink.run.observeEnded { if !head.isEnding.isRaised { task.dispose() } }
    }

    // MARK: For the task

    @inlinable
    var isClosed: Bool { notes.load() & Self.closed != 0 }

    /// Sends a value.
    ///
    /// - Returns: Whether somebody waits for another.
    @inlinable @inline(__always)
    func next(_ value: Value) -> Bool {
        guard enter() else { return doAsNoted() }
        receiver._withUnsafeGuaranteedRef { $0.sink.next(value) }
        presence.store(0)
        return notes.load() == 0 || doAsNoted()
    }

    /// Ends the stream, unless that has happened.
    @inlinable
    func end(_ termination: Termination<Failure>) {
        guard enter() else {
            doAsNoted()
            return
        }
        isEnding.raise()
        receiver._withUnsafeGuaranteedRef { $0.sink.finish(termination) }
        // Still inside, so that nobody else does.
        if close() != nil { receiver.release() }
    }

    /// Whether there is no note. Whoever leaves one from now on sees that the task is inside.
    @inlinable @inline(__always)
    func enter() -> Bool {
        _ = presence.exchangeInOrder(Self.inside)
        return notes.loadInOrder() == 0
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
        if noted & Self.interrupting != 0 {
            receiver._withUnsafeGuaranteedRef { $0.sink.finish(.interrupted) }
        }
        receiver.release()
        return false
    }

    // MARK: As the head of the run

    @usableFromInline
    func interrupt() {
        guard notes.setInOrder(Self.interrupting) & Self.closed == 0 else { return }
        // A store gets through in some hundred nanoseconds, as a rule.
        var looks = 1_000
        while presence.loadInOrder() != 0 {
            looks -= 1
            if looks == 0 { return lookLater() }
            if isClosed { return }
        }
        doAsNoted()
    }

    @usableFromInline
    func cutOff() {
        guard notes.setInOrder(Self.closing) & Self.closed == 0 else { return }
        if presence.loadInOrder() == 0 {
            doAsNoted()
        } else if !isEnding.isRaised {
            // One that ends the stream closes it.
            lookLater()
        }
    }

    /// For a note that the task has not seen when it went out: nobody else may ever look, if the sequence does not go on.
    private func lookLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { [self] in
            if presence.loadInOrder() == 0 { doAsNoted() }
        }
    }
}
