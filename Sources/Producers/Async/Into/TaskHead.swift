/// The head of a chain whose source is one task: nobody else sends, so it takes less than a gate does.
///
/// A word says who is inside. The task enters for each event; a disposal enters to send the `interrupted`, if nobody is inside,
/// and otherwise leaves a note for the one who is, as it never waits. The one who is inside at the end closes the head and lets
/// go of what receives the events. The task may go on for long, if it does not heed its cancellation: it holds nothing of the
/// observer's then.
@usableFromInline
@_fixed_layout
final class TaskHead<Value: Sendable, Failure: Error>: RunHead, @unchecked Sendable {
    // Sendable: the word is atomic. The receiver is for the one who is inside.

    /// The sink in an object, so that a value is passed on without a retain.
    @usableFromInline
    @_fixed_layout
    final class Receiver {
        @usableFromInline let sink: ProducerSink<Value, Failure>

        @inlinable
        init(_ sink: ProducerSink<Value, Failure>) { self.sink = sink }
    }

    /// 0 while nobody is inside and more may come.
    @usableFromInline let word = AtomicWord(0)
    /// Raised when the task ends the stream itself: it is not cancelled then, for what follows in line, such as the next work of a
    /// `concat`, begins in it.
    @usableFromInline let isEnding = AtomicFlag()
    /// Holds one reference until the head is closed.
    @usableFromInline let receiver: Unmanaged<Receiver>

    @inlinable static var inside: UInt { 1 }
    /// A note for the one inside: send `interrupted`, and close.
    @inlinable static var interrupting: UInt { 2 }
    /// A note for the one inside: close.
    @inlinable static var closing: UInt { 4 }
    /// Nobody enters any more, and the receiver has been let go of.
    @inlinable static var closed: UInt { 8 }

    @inlinable
    init(_ sink: ProducerSink<Value, Failure>) { receiver = .passRetained(Receiver(sink)) }

    deinit {
        if word.load() != Self.closed { receiver.release() }
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
    var isClosed: Bool { word.load() == Self.closed }

    /// Sends a value.
    ///
    /// - Returns: Whether somebody waits for another.
    @inlinable @inline(__always)
    func next(_ value: Value) -> Bool {
        guard word.acquire(from: 0, to: Self.inside) else { return false }
        receiver._withUnsafeGuaranteedRef { $0.sink.next(value) }
        return word.release(from: Self.inside, to: 0) || leaveForGood()
    }

    /// Ends the stream, unless that has happened.
    @inlinable
    func end(_ termination: Termination<Failure>) {
        guard word.acquire(from: 0, to: Self.inside) else { return }
        isEnding.raise()
        receiver._withUnsafeGuaranteedRef { $0.sink.finish(termination) }
        close()
    }

    /// Does what a note says. Returns false.
    @inlinable @inline(never)
    func leaveForGood() -> Bool {
        if word.load() & Self.interrupting != 0 {
            receiver._withUnsafeGuaranteedRef { $0.sink.finish(.interrupted) }
        }
        close()
        return false
    }

    /// By the one inside.
    @inlinable
    func close() {
        _ = word.exchange(Self.closed)
        receiver.release()
    }

    // MARK: As the head of the run

    @usableFromInline
    func interrupt() {
        guard enter(orLeave: Self.interrupting) else { return }
        receiver._withUnsafeGuaranteedRef { $0.sink.finish(.interrupted) }
        close()
    }

    @usableFromInline
    func cutOff() {
        if enter(orLeave: Self.closing) { close() }
    }

    /// Enters if nobody is inside; otherwise leaves a note, unless all is over.
    private func enter(orLeave note: UInt) -> Bool {
        while true {
            let seen = word.load()
            if seen == Self.closed { return false }
            if seen == 0 {
                if word.acquire(from: 0, to: Self.inside) { return true }
            } else if word.release(from: seen, to: seen | note) {
                return false
            }
        }
    }
}
