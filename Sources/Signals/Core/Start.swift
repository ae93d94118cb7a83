/// The control side of one start of a producer: cancellation, lifetime and cleanup. It is the disposable that `start`
/// returns, the lifetime that the work receives, and the flags that the work checks.
///
/// # How a start works
/// `start` creates this object and a sink that leads to the observer, and passes both upstream, operator by operator.
/// Each operator puts its own sink in front of its downstream's. What arrives at the source is one chain, without a
/// lock or a signal in between.
///
/// - **A synchronous source** sends on the thread that starts it, and checks ``isOver`` before each value. It needs no
///   gate, because no other code sends into the chain. ``dispose()`` only sets a flag, and the source sends the
///   `interrupted`.
/// - **Any other source** has a head, which serializes what the source sends: see ``attach(_:)``. ``dispose()`` then
///   makes the head send the `interrupted`, or schedule it if an operator delivers on a scheduler.
/// - **An operator on whose result others than one source act** has a core as its head, a start of its own for
///   each source, and possibly work of its own: see ``attach(_:stop:users:)``. ``dispose()`` interrupts the sources,
///   then the core, because they may have ended, and stops the work.
///
/// The sink at the end of the chain records that the start has ended (``raiseEnd()``), passes the event on, and
/// triggers the cleanup (``runCleanups()``). So the observer sees the terminal event first. Then the operators'
/// disposal actions run, the ones closest to the observer first. Then the source is cut off. The work's lifetime ends
/// last.
@usableFromInline
package final class Start: Lifetime, Disposable, @unchecked Sendable {
    // Sendable: the words are atomic. `head` and `upstream` are written before the flag that announces them is set,
    // and read after that flag has been seen.

    /// The state of the start, as bits.
    @usableFromInline let flags = AtomicWord(0)
    @exclusivity(unchecked) private var head: (any StartHead)?
    @exclusivity(unchecked) private var upstream = Upstream()
    /// Set before the source begins by an operator or a consumer that suspends it. A source that can be suspended waits
    /// for room before it makes another value.
    @exclusivity(unchecked) @usableFromInline package final var senders: SenderQueue?
    /// The address of the ``Cleanup`` that was added last, with one retained reference. 0 if there is none, and
    /// ``closed`` after the cleanups have run.
    private let cleanups = AtomicWord(0)

    private static let closed: UInt = 1

    @usableFromInline static let cancelledFlag: UInt = 1
    @usableFromInline static let endedFlag: UInt = 2
    private static let attachedFlag: UInt = 4
    /// Set while a disposal interrupts the parts. This keeps them in place.
    private static let interruptingFlag: UInt = 8
    /// Set when the cleanup is complete, so that the parts can be released.
    private static let finishedFlag: UInt = 16

    /// Where the start was begun, for `StreamGraph`.
    private let location: CodeLocation

    /// - Parameter location: Where the user has begun the start.
    @usableFromInline
    package init(startedAt location: CodeLocation = .unknown) {
        self.location = location
        super.init()
    }

    /// Creates a start that counts as work in progress until everything attached to it has been disposed of.
    ///
    /// - Parameters:
    ///   - whole: The core, the start or the action to which this start belongs, for `StreamGraph`.
    ///   - location: Where the user has begun the start.
    @usableFromInline
    package convenience init(
        within taskContext: TaskContext?, of whole: AnyObject? = nil,
        startedAt location: CodeLocation = .unknown
    ) {
        self.init(startedAt: location)
        let reference = Unmanaged.passUnretained(self)
        if GraphHook.isOn.isOn, let whole { Self.record(reference, within: whole) }
        guard let counter = taskContext?.counter else { return }
        let token = TaskCounter.Token(counter)
        // Attached first, so disposed of last.
        observeEnded { token.giveBack() }
    }

    /// Creates the start of a source of an operator, before the operator's core is attached to `result`.
    ///
    /// It is counted separately in the caller's counter, because it is cleaned up after the observer of the result has
    /// received the terminal event.
    @usableFromInline
    package convenience init(sourceOf result: Start) {
        self.init(within: LibraryTask.captured)
        result.upstream.add(self)
    }

    /// Lets a start that has ended be another one. Call only if nothing else refers to it.
    ///
    /// - Returns: False if the other one needs an object of its own.
    @usableFromInline
    package func renew(within taskContext: TaskContext?) -> Bool {
        let ended = Self.endedFlag | Self.finishedFlag
        guard flags.load() & ~Self.attachedFlag == ended, taskContext?.counter == nil, !GraphHook.isOn.isOn else {
            return false
        }
        renew()
        senders = nil
        cleanups.store(0)
        flags.store(0)
        return true
    }

    deinit {
        if GraphHook.isOn.hasBeenOn { GraphHook.left(self) }
        if cleanups.loadLast() > Self.closed { _ = takeCleanups() }
    }

    // MARK: For the source

    /// Whether values no longer reach the observer.
    @inlinable @inline(__always)
    package var isOver: Bool { flags.loadRelaxed() & (Self.cancelledFlag | Self.endedFlag) != 0 }

    /// Whether the start has been disposed of, so that the source must send `interrupted`.
    @inlinable
    package var isCancelled: Bool { flags.load() & Self.cancelledFlag != 0 }

    /// Whether the terminal event has come to the end of the chain, which is about to call the observer or has called
    /// it, or the start was cut off: nothing is left to send.
    @inlinable
    package var hasPassedEnd: Bool { flags.load() & Self.endedFlag != 0 }

    /// Returns the terminal event to send: `interrupted` if the start has been disposed of, otherwise `end`,
    /// whether it comes from the source or from an operator.
    ///
    /// Never inlined: whole chains surround the call, and must stay small enough to be inlined themselves.
    @inlinable @inline(never)
    package func due<Value, Failure>(_ end: Event<Value, Failure>) -> Event<Value, Failure> {
        isCancelled ? .interrupted : end
    }

    /// Sets what serializes the source. Called once, by the thread that starts the work.
    ///
    /// - Returns: Whether to begin the work. False if the start is already over.
    @usableFromInline
    package func attach(_ head: some StartHead) -> Bool {
        if GraphHook.isOn.isOn { record(head) }
        self.head = head
        // The usual case: nothing has happened yet.
        return flags.compareExchangeReleasing(from: 0, to: Self.attachedFlag) || attachLate()
    }

    /// Sets what serializes the result of an operator on which others than one source act. Called after the
    /// starts of its sources have been created, and before their work begins. That does nothing if this
    /// start is already over.
    ///
    /// - Parameters:
    ///   - stop: Stops the operator's own work. Sends nothing, and may be called twice.
    ///   - users: What needs the sources, if they may outlive the result: then the result ends alone.
    @usableFromInline
    package func attach(_ core: SignalCore, stop: (@Sendable () -> Void)? = nil, users: SourceUsers? = nil) {
        upstream.core = core
        upstream.stop = stop
        upstream.users = users
        users?.stopWhenGone(SharedSources(self, upstream.copy()))
        if GraphHook.isOn.isOn { record(core) }
        head = core
        if flags.compareExchangeReleasing(from: 0, to: Self.attachedFlag) { return }
        // As soon as the core is attached, other threads may release the parts.
        let upstream = upstream.copy()
        if attachLate() { return }
        if hasPassedEnd {
            core.cutOff()
            cutOff(upstream)
        } else {
            interrupt(upstream, core)
        }
    }

    /// Sets the flag after something has happened. Returns whether the start is not over.
    private func attachLate() -> Bool {
        let former = flags.set(Self.attachedFlag)
        if former & Self.finishedFlag != 0, former & Self.interruptingFlag == 0 { releaseParts() }
        return former & (Self.cancelledFlag | Self.endedFlag) == 0
    }

    /// Stops what an operator has begun, unless it is still needed. After a disposal, all sources are interrupted
    /// first, also if the first one has ended the result.
    private func cutOff(_ upstream: borrowing Upstream) {
        if upstream.isNeeded() { return }
        upstream.forEachSource { source in
            if isCancelled { source.dispose() }
            source.cutOff()
        }
        upstream.stop?()
    }

    /// Interrupts what an operator has begun: its sources, then the core of the result, which may not end when they do,
    /// and its own work, which may be what keeps the core from delivering the interruption.
    ///
    /// If a scheduler delivers the end of a source, the core is interrupted when that has happened, and until then only
    /// told that nothing more is needed. But an operator with work of its own, as `flatMap`, is interrupted at once.
    ///
    /// - Returns: Whether a scheduler delivers the interruption.
    @discardableResult
    private func interrupt(_ upstream: borrowing Upstream, _ core: SignalCore) -> Bool {
        if upstream.isNeeded() { return core.interrupt() }
        let isAtOnce = upstream.stop != nil && core.scheduler == nil
        var isScheduled = false
        upstream.forEachSource { source in
            guard source.interrupt(), !isAtOnce else { return }
            isScheduled = true
            source.observeEnded { core.interrupt() }
        }
        if isScheduled { core.reconsider() } else { isScheduled = core.interrupt() }
        // An operator with a scheduler needs its work to deliver the interruption.
        if isAtOnce { upstream.stop?() }
        return isScheduled
    }

    // MARK: For operators

    /// Runs `action` after the observer has received the terminal event, or immediately if that has happened.
    @usableFromInline
    package func addCleanup(_ action: @escaping @Sendable () -> Void) {
        let cleanup = Cleanup(action)
        let reference = Unmanaged.passRetained(cleanup)
        while true {
            let former = cleanups.load()
            if former == Self.closed {
                reference.release()
                return action()
            }
            cleanup.next = UnsafeRawPointer(bitPattern: former).map { .fromOpaque($0) }
            if cleanups.compareExchangeReleasing(from: former, to: UInt(bitPattern: reference.toOpaque())) { return }
        }
    }

    /// Takes the cleanups, in the order in which they were added, and runs cleanups that are added later immediately.
    /// Returns `nil` if they have been taken before.
    private func takeCleanups() -> [Cleanup]? {
        let word = cleanups.exchange(Self.closed)
        return word == Self.closed ? nil : Self.inOrder(word)
    }

    private static func inOrder(_ word: UInt) -> [Cleanup] {
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

    /// Returns true to the one caller that ends the start.
    @inlinable
    package func raiseEnd() -> Bool { flags.set(Self.endedFlag) & Self.endedFlag == 0 }

    /// Cleans up after the end, unless that has been done: see ``cutOff()``. Call only if ``raiseEnd()`` has been
    /// called.
    @usableFromInline
    package func runCleanups() {
        if !cleanups.compareExchangeAcquiring(from: 0, to: Self.closed) {
            guard let taken = takeCleanups() else { return }
            for cleanup in taken { cleanup.action() }
        }
        if flags.load() & Self.attachedFlag != 0 {
            head?.cutOff()
            // Nobody releases the parts before the cleanup is complete.
            if !upstream.isEmpty { cutOff(upstream) }
        }
        end()
        // Releases the parts, so that holding the disposable does not retain what the observer captured.
        let former = flags.set(Self.finishedFlag)
        if former & Self.attachedFlag != 0, former & Self.interruptingFlag == 0 { releaseParts() }
    }

    /// Stops everything without sending an event.
    ///
    /// A start whose terminal event is on its way downstream is cleaned up here, too. It would otherwise be only
    /// when the event has been delivered: after `repeat`, for example, has begun the next round in the meantime.
    @usableFromInline
    package func cutOff() {
        _ = raiseEnd()
        runCleanups()
    }

    // MARK: For the code that started the producer

    /// Whether the start has been disposed of or has ended.
    @usableFromInline
    package var isDisposed: Bool { isOver }

    /// Interrupts the work. The observer receives no further values, only `interrupted`.
    ///
    /// If the terminal event is on its way to the observer, nothing is interrupted: the work stops when the observer
    /// returns.
    @usableFromInline
    package func dispose() { interrupt() }

    /// Interrupts the work, like ``dispose()``.
    ///
    /// - Returns: Whether the end is still to come: a scheduler delivers it, another caller is interrupting the work,
    ///   or the terminal event is on its way to the observer.
    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        while true {
            let seen = flags.load()
            if seen & Self.endedFlag != 0 { return seen & Self.finishedFlag == 0 }
            if seen & Self.cancelledFlag != 0 { return true }
            guard flags.compareExchangeReleasing(from: seen, to: seen | Self.cancelledFlag | Self.interruptingFlag)
            else { continue }
            var isScheduled = false
            if seen & Self.attachedFlag != 0 {
                isScheduled = PassiveSection.run {
                    if let core = upstream.core { interrupt(upstream, core) } else { head?.interrupt() == true }
                }
            }
            // The last of attaching, ending and this releases the parts.
            let former = flags.clear(Self.interruptingFlag)
            if former & Self.finishedFlag != 0, former & Self.attachedFlag != 0 { releaseParts() }
            return isScheduled
        }
    }

    private func releaseParts() {
        head = nil
        if !upstream.isEmpty { upstream = Upstream() }
    }
}

// MARK: For ReactiveDiagnostics

extension Start: GraphMember {
    /// Tells the hook of the start, with the name that the user gave, or that of its head.
    package func beRecorded(as label: Label?) { record(.name(label)) }

    private func beRecorded(within whole: AnyObject) { record(.part(of: GraphHook.address(of: whole))) }

    /// The same for an initializer, which would retain the start.
    @inline(never)
    private static func record(_ start: Unmanaged<Start>, within whole: AnyObject) {
        start._withUnsafeGuaranteedRef { $0.beRecorded(within: whole) }
    }

    private func record(_ link: GraphHook.Link) {
        if GraphHook.isOn.isOn { GraphHook.linked(self, link, at: location) }
    }

    /// Tells the hook of the head, which has not begun to send. Out of line, so that it costs only a branch if nothing
    /// is recorded.
    @inline(never)
    private func record(_ head: some StartHead) {
        let core = head.graphCore
        upstream.forEachSource { $0.beRecorded(within: core ?? self) }
        guard let core else { return beRecorded(as: nil) }
        GraphHook.linked(core, .head(of: GraphHook.address(of: self)), at: location)
    }

    @usableFromInline package var graphEntry: GraphEntry? { hasPassedEnd ? nil : GraphEntry(.start) }
}

/// What stands between a source and the chain, and can stop both: a core, which serializes what the source sends, or
/// what starts one source after the other. Neither method ever waits.
@usableFromInline
package protocol StartHead: AnyObject, Sendable {
    /// Sends `interrupted`, after the event in flight.
    ///
    /// - Returns: Whether a scheduler delivers it: see ``Start/interrupt()``.
    @discardableResult
    func interrupt() -> Bool

    /// Stops the source, and releases the receiver of its events.
    func cutOff()

    // For ReactiveDiagnostics.

    /// The core that sends the events.
    var graphCore: SignalCore? { get }
}

extension StartHead {
    @usableFromInline package var graphCore: SignalCore? { nil }
}

/// What an operator has begun upstream of its result, and what ends with the result.
///
/// Not copied where a method of the start uses its own, which would retain all of it.
private struct Upstream: ~Copyable, Sendable {
    /// The starts of the first two sources, which most operators have, and of the others.
    var first: Start?
    var second: Start?
    var others: [Start] = []
    /// The core of the result, which is also the head.
    var core: SignalCore?
    /// Stops the operator's own work.
    var stop: (@Sendable () -> Void)?
    /// What needs the sources, if they may outlive the result.
    var users: SourceUsers?

    var isEmpty: Bool { first == nil && core == nil }

    func copy() -> Upstream {
        Upstream(first: first, second: second, others: others, core: core, stop: stop, users: users)
    }

    mutating func add(_ source: Start) {
        if first == nil {
            first = source
        } else if second == nil {
            second = source
        } else {
            others.append(source)
        }
    }

    func forEachSource(_ action: (Start) -> Void) {
        if let first { action(first) }
        if let second { action(second) }
        others.forEach(action)
    }

    /// Notes that the result has ended, or is about to. Returns whether streams remain that need the sources.
    func isNeeded() -> Bool { users?.endResult() == true }
}

/// The sources of a start that may outlive it.
final class SharedSources: Sendable {
    private let result: Start
    private let upstream: Upstream

    fileprivate init(_ result: Start, _ upstream: consuming Upstream) {
        self.result = result
        self.upstream = upstream
    }

    func stop() {
        upstream.forEachSource { if result.isCancelled { $0.dispose() } else { $0.cutOff() } }
        upstream.stop?()
    }
}

/// An action that an operator performs after the end.
private final class Cleanup: @unchecked Sendable {
    // Sendable: `next` is written before the object is published.
    let action: @Sendable () -> Void
    /// The cleanup that was added before this one.
    var next: Unmanaged<Cleanup>?

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
}
