/// One start of a producer, as everybody sees it who does not receive its events: the disposable that `start` returns, the
/// lifetime that the work gets, and the flags that the work looks at.
///
/// # How a start works
/// `start` makes a run and a sink that ends in the observer, and passes both upstream, operator by operator: each puts its
/// own sink before the one downstream. What arrives at the source is one chain, without a lock or a signal in between.
///
/// - **A synchronous source** sends on the thread of the start, and asks ``isOver`` before each value. It needs no gate, as
///   nobody else sends into the chain: ``dispose()`` only raises a flag, and the source sends the `interrupted`.
/// - **Any other source** has a head, which serialises what it sends: ``attach(_:)``. Then ``dispose()`` has the head send the
///   `interrupted`, or, where an operator delivers on a scheduler, schedule it.
///
/// The sink at the end of the chain says that the run has ended (``raiseEnd()``), passes the event on, and has the rest
/// cleaned up (``finish()``): the observer sees the end first, then the operators' disposal actions run, those nearest to
/// the observer first, then the source is cut off, and last the work's lifetime ends.
@usableFromInline
package final class Run: Lifetime, Disposable, @unchecked Sendable {
    // Sendable: the words are atomic. `head` is written before the flag that says so is set, and read after it has been seen.

    /// What has happened, as bits.
    @usableFromInline let flags = AtomicWord(0)
    @exclusivity(unchecked) private var head: (any RunHead)?
    /// The address of the ``Cleanup`` that was added last, with a reference of its own; 0 if there is none, and ``closed`` once
    /// they have run.
    private let cleanups = AtomicWord(0)

    private static let closed: UInt = 1

    @usableFromInline static let cancelledFlag: UInt = 1
    @usableFromInline static let endedFlag: UInt = 2
    private static let attachedFlag: UInt = 4
    /// Set while the head is being told to interrupt, which keeps it in place.
    private static let interruptingFlag: UInt = 8
    /// Set when all has been cleaned up, so that the head can go.
    private static let finishedFlag: UInt = 16

    @usableFromInline
    package override init() { super.init() }

    /// A run that counts as under way until all that was attached to it has been disposed of.
    @usableFromInline
    package convenience init(within surroundings: TaskSurroundings?) {
        self.init()
        guard let tally = surroundings?.tally else { return }
        let pass = TaskTally.Pass(tally)
        // What is attached first is disposed of last.
        observeEnded { pass.giveBack() }
    }

    deinit {
        if cleanups.loadLast() > Self.closed { _ = takeCleanups() }
    }

    // MARK: For the source

    /// Whether values reach nobody any more.
    @inlinable @inline(__always)
    package var isOver: Bool { flags.loadRelaxed() & (Self.cancelledFlag | Self.endedFlag) != 0 }

    /// Whether it has been disposed of, so that `interrupted` is what the source has to send.
    @inlinable
    package var isCancelled: Bool { flags.load() & Self.cancelledFlag != 0 }

    /// Whether the end has passed the last sink, so that nothing is left to send.
    @inlinable
    package var hasPassedEnd: Bool { flags.load() & Self.endedFlag != 0 }

    /// What is to be sent for an end: `interrupted` if the run has been disposed of, whatever its source or an operator ends with.
    ///
    /// Never inlined, as whole chains are around it: they have to stay small enough for that themselves.
    @inlinable @inline(never)
    package func due<Value, Failure>(_ end: Event<Value, Failure>) -> Event<Value, Failure> {
        isCancelled ? .interrupted : end
    }

    /// Says what serialises the source. Once, by the thread that starts the work.
    ///
    /// - Returns: Whether the work is to begin: false if the run is over already.
    @usableFromInline
    package func attach(_ head: some RunHead) -> Bool {
        self.head = head
        // As a rule nothing has happened yet.
        if flags.release(from: 0, to: Self.attachedFlag) { return true }
        let former = flags.set(Self.attachedFlag)
        if former & Self.finishedFlag != 0, former & Self.interruptingFlag == 0 { self.head = nil }
        return former & (Self.cancelledFlag | Self.endedFlag) == 0
    }

    // MARK: For operators

    /// Has `action` run once the observer has seen the end, at once if that is past.
    @usableFromInline
    package func cleanUp(_ action: @escaping @Sendable () -> Void) {
        let cleanup = Cleanup(action)
        let reference = Unmanaged.passRetained(cleanup)
        while true {
            let former = cleanups.load()
            if former == Self.closed {
                reference.release()
                return action()
            }
            cleanup.next = UnsafeRawPointer(bitPattern: former).map { .fromOpaque($0) }
            if cleanups.release(from: former, to: UInt(bitPattern: reference.toOpaque())) { return }
        }
    }

    /// Those that were added, the first one first. None is taken twice.
    private func takeCleanups() -> [Cleanup] {
        let word = cleanups.exchange(Self.closed)
        guard word > Self.closed else { return [] }
        var taken: [Cleanup] = []
        var next: Unmanaged<Cleanup>? = UnsafeRawPointer(bitPattern: word).map { .fromOpaque($0) }
        while let cleanup = next {
            let object = cleanup.takeRetainedValue()
            next = object.next
            taken.append(object)
        }
        return taken.reversed()
    }

    // MARK: For the end of the chain

    /// Whether this call is the one that ends the run.
    @inlinable
    package func raiseEnd() -> Bool { flags.set(Self.endedFlag) & Self.endedFlag == 0 }

    /// Cleans up after the end. By the one who has raised it.
    @usableFromInline
    package func finish() {
        if !cleanups.acquire(from: 0, to: Self.closed) {
            for cleanup in takeCleanups() { cleanup.action() }
        }
        if flags.load() & Self.attachedFlag != 0 { head?.cutOff() }
        end()
        // Whoever holds the disposable does not hold what the observer captured.
        let former = flags.set(Self.finishedFlag)
        if former & Self.attachedFlag != 0, former & Self.interruptingFlag == 0 { head = nil }
    }

    /// Stops everything without an event.
    @usableFromInline
    package func cutOff() {
        if raiseEnd() { finish() }
    }

    // MARK: For whoever started it

    /// Whether it has been disposed of or has ended.
    @usableFromInline
    package var isDisposed: Bool { isOver }

    /// Interrupts the work. No value reaches the observer any more; `interrupted` does.
    @usableFromInline
    package func dispose() { interrupt() }

    /// Interrupts the work, as ``dispose()`` does.
    ///
    /// - Returns: Whether a scheduler delivers the interruption, later, or somebody else has interrupted the work, which has yet
    ///   to end. If not, it has been delivered, or the thread that is delivering an event does it next.
    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        while true {
            let seen = flags.load()
            if seen & Self.endedFlag != 0 { return false }
            if seen & Self.cancelledFlag != 0 { return true }
            guard flags.release(from: seen, to: seen | Self.cancelledFlag | Self.interruptingFlag) else { continue }
            let isScheduled =
                seen & Self.attachedFlag != 0 && PassiveSection.run { head?.interrupt() == true }
            // Of attaching, finishing and this, the last one lets go of the head.
            let former = flags.clear(Self.interruptingFlag)
            if former & Self.finishedFlag != 0, former & Self.attachedFlag != 0 { head = nil }
            return isScheduled
        }
    }
}

/// What serialises the events of a source. Neither method ever waits.
@usableFromInline
package protocol RunHead: AnyObject, Sendable {
    /// Sends `interrupted`, once what is in flight has passed.
    ///
    /// - Returns: Whether a scheduler delivers it: see ``Run/interrupt()``.
    @discardableResult
    func interrupt() -> Bool

    /// Stops the source, and lets go of what receives its events.
    func cutOff()
}

/// Something that an operator has to do after the end.
private final class Cleanup: @unchecked Sendable {
    // Sendable: `next` is written before the object is published.
    let action: @Sendable () -> Void
    /// What was added before this.
    var next: Unmanaged<Cleanup>?

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
}
