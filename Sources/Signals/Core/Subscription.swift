/// The control side of one start of a producer: cancellation, lifetime and cleanup. It is the disposable that `start`
/// returns, the lifetime that the work receives, and the flags that the work checks.
///
/// # How a start works
/// `start` creates a subscription and a sink that leads to the observer, and passes both upstream, operator by
/// operator. Each operator puts its own sink in front of its downstream's. What arrives at the source is one chain,
/// without a lock or a signal in between.
///
/// - **A synchronous source** sends on the thread that starts it, and checks ``isOver`` before each value. It needs no
///   gate, because no other code sends into the chain. ``dispose()`` only sets a flag, and the source sends the
///   `interrupted`.
/// - **Any other source** has a head, which serializes what the source sends: see ``attach(_:)``. ``dispose()`` then
///   makes the head send the `interrupted`, or schedule it if an operator delivers on a scheduler.
///
/// The sink at the end of the chain records that the subscription has ended (``raiseEnd()``), passes the event on, and
/// triggers the cleanup (``runCleanups()``). So the observer sees the terminal event first. Then the operators' disposal
/// actions run, the ones closest to the observer first. Then the source is cut off. The work's lifetime ends last.
@usableFromInline
package final class Subscription: Lifetime, Disposable, @unchecked Sendable {
    // Sendable: the words are atomic. `head` is written before the flag that announces it is set, and read after that
    // flag has been seen.

    /// The state of the subscription, as bits.
    @usableFromInline let flags = AtomicWord(0)
    @exclusivity(unchecked) private var head: (any SubscriptionHead)?
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
    /// Set while the head is being told to interrupt. This keeps the head in place.
    private static let interruptingFlag: UInt = 8
    /// Set when the cleanup is complete, so that the head can be released.
    private static let finishedFlag: UInt = 16
    /// Set if the subscription is a member of ``GraphRegistry``.
    private static let recordedFlag: UInt = 32
    /// Set if ``StreamGraph`` shows the subscription, by itself or as its head.
    @usableFromInline static let shownFlag: UInt = 64
    /// Set while the record of the head is being changed. This keeps the head in place.
    private static let markingFlag: UInt = 128
    /// Set while a disposal stops what is upstream of an end that is on its way. This keeps the head in place.
    private static let stoppingFlag: UInt = 256
    /// Set if the observer has received the terminal event while ``stoppingFlag`` was set.
    private static let deliveredFlag: UInt = 512
    /// Set if the thread that set ``interruptingFlag`` completes the cleanup.
    private static let completingFlag: UInt = 1024
    /// The remaining bits count the threads that ask whether a scheduler delivers. They keep the head in place.
    private static let askingUnit: UInt = 2048
    private static let keepingFlags = interruptingFlag | markingFlag | stoppingFlag | ~(askingUnit - 1)

    /// Where the start was begun, for ``StreamGraph``.
    private let location: CodeLocation

    @usableFromInline
    package override init() {
        location = .unknown
        super.init()
    }

    /// - Parameter location: Where the user has begun the start.
    @usableFromInline
    package init(startedAt location: CodeLocation) {
        self.location = location
        super.init()
    }

    /// Creates a subscription that counts as work in progress until everything attached to it has been disposed of.
    ///
    /// - Parameters:
    ///   - whole: The core, the subscription or the action to which this subscription belongs, for ``StreamGraph``.
    ///   - location: Where the user has begun the start.
    @usableFromInline
    package convenience init(
        within taskContext: TaskContext?, of whole: AnyObject? = nil,
        startedAt location: CodeLocation = .unknown
    ) {
        self.init(startedAt: location)
        let reference = Unmanaged.passUnretained(self)
        if GraphRegistry.isOn.isOn, let whole { Self.record(reference, within: whole) }
        guard let counter = taskContext?.counter else { return }
        let token = TaskCounter.Token(counter)
        // Attached first, so disposed of last.
        observeEnded { token.giveBack() }
    }

    /// Makes a subscription that has ended the subscription of another start. Call only if nothing else refers to it.
    ///
    /// - Returns: False if the new start needs a subscription of its own.
    @usableFromInline
    package func renew(within taskContext: TaskContext?) -> Bool {
        let ended = Self.endedFlag | Self.finishedFlag
        guard flags.load() & ~Self.attachedFlag == ended, taskContext?.counter == nil, !GraphRegistry.isOn.isOn else {
            return false
        }
        renew()
        senders = nil
        cleanups.store(0)
        flags.store(0)
        return true
    }

    deinit {
        if flags.loadLast() & Self.recordedFlag != 0 { GraphRegistry.remove(self) }
        if cleanups.loadLast() > Self.closed { _ = takeCleanups() }
    }

    // MARK: For the source

    /// Whether values no longer reach the observer.
    @_alwaysEmitIntoClient @inline(__always)
    package var isOver: Bool { flags.loadRelaxed() & (Self.cancelledFlag | Self.endedFlag) != 0 }

    /// Whether the subscription has been disposed of, so that the source must send `interrupted`.
    @_alwaysEmitIntoClient
    package var isCancelled: Bool { flags.load() & Self.cancelledFlag != 0 }

    /// Whether the terminal event has passed the last sink, so that nothing is left to send.
    @_alwaysEmitIntoClient
    package var hasPassedEnd: Bool { flags.load() & Self.endedFlag != 0 }

    /// Returns the terminal event to send: `interrupted` if the subscription has been disposed of, otherwise `end`,
    /// whether it comes from the source or from an operator.
    ///
    /// Never inlined: whole chains surround the call, and must stay small enough to be inlined themselves.
    @_alwaysEmitIntoClient @inline(never)
    package func due<Value, Failure>(_ end: Event<Value, Failure>) -> Event<Value, Failure> {
        isCancelled ? .interrupted : end
    }

    /// Sets what serializes the source. Called once, by the thread that starts the work.
    ///
    /// - Returns: Whether to begin the work. False if the subscription is already over.
    @usableFromInline
    package func attach(_ head: some SubscriptionHead) -> Bool {
        GraphRegistry.isOn.isOn ? attachRecorded(head) : attachUnrecorded(head)
    }

    /// Out of line, so that it costs only a branch if nothing is recorded.
    @inline(never)
    private func attachRecorded(_ head: some SubscriptionHead) -> Bool {
        record(head)
        return attachUnrecorded(head)
    }

    @inline(__always)
    private func attachUnrecorded(_ head: some SubscriptionHead) -> Bool {
        self.head = head
        // The usual case: nothing has happened yet.
        if flags.compareExchangeReleasing(from: 0, to: Self.attachedFlag) { return true }
        let former = flags.set(Self.attachedFlag)
        if former & Self.finishedFlag != 0, former & Self.keepingFlags == 0 { self.head = nil }
        return former & (Self.cancelledFlag | Self.endedFlag) == 0
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

    /// Takes the cleanups that have been added so far. Returns `nil` if there will be no more. Only for the thread that
    /// has set ``stoppingFlag``.
    private func takeFirstCleanups() -> [Cleanup]? {
        while true {
            let word = cleanups.load()
            if word == Self.closed { return nil }
            // `runCleanups()` reads `stoppingFlag` after it has seen this.
            if cleanups.compareExchangeReleasing(from: word, to: 0) { return Self.inOrder(word) }
        }
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

    /// Returns true to the one caller that ends the subscription.
    @_alwaysEmitIntoClient
    package func raiseEnd() -> Bool { flags.set(Self.endedFlag) & Self.endedFlag == 0 }

    /// Cleans up after the end, unless that has been done: see ``cutOff()``. Call only if ``raiseEnd()`` has been
    /// called.
    @usableFromInline
    package func runCleanups() { if runActions() { completeCleanup() } }

    /// The same, but inside a disposal that is still interrupting what is upstream, the rest of the cleanup is left to
    /// it. Otherwise the stack of a long chain would be in use three times: for the disposals, for the event that they
    /// cause, and for the cleanup.
    ///
    /// For code that begins nothing afterwards.
    @usableFromInline
    package func runCleanupsLast() {
        guard runActions() else { return }
        if flags.load() & Self.interruptingFlag != 0, PassiveSection.isCurrent,
            flags.set(Self.completingFlag) & Self.interruptingFlag != 0
        {
            return
        }
        completeCleanup()
    }

    /// Returns false if the cleanup has been done before.
    private func runActions() -> Bool {
        if cleanups.compareExchangeAcquiring(from: 0, to: Self.closed) { return true }
        guard let taken = takeCleanups() else { return false }
        for cleanup in taken { cleanup.action() }
        return true
    }

    private func completeCleanup() {
        let seen = flags.load()
        if seen & Self.attachedFlag != 0 { head?.cutOff() }
        // The lifetime ends after every cleanup: if a disposal is still running some, when it is done.
        if seen & Self.stoppingFlag != 0, flags.set(Self.deliveredFlag) & Self.stoppingFlag != 0 { return }
        endWork()
    }

    private func endWork() {
        end()
        // Releases the head, so that holding the disposable does not retain what the observer captured.
        let former = flags.set(Self.finishedFlag)
        if former & Self.attachedFlag != 0, former & Self.keepingFlags == 0 { head = nil }
    }

    /// Stops everything without sending an event.
    ///
    /// A subscription whose terminal event is on its way downstream is cleaned up here, too. It would otherwise be only
    /// when the event has been delivered: after `repeat`, for example, has begun the next round in the meantime.
    @usableFromInline
    package func cutOff() {
        _ = raiseEnd()
        runCleanups()
    }

    // MARK: For the code that started the producer

    /// Whether the subscription has been disposed of or has ended.
    @usableFromInline
    package var isDisposed: Bool { isOver }

    /// Interrupts the work. The observer receives no further values, only `interrupted`.
    @usableFromInline
    package func dispose() { interrupt() }

    /// Interrupts the work, like ``dispose()``.
    ///
    /// - Returns: True if the end is still to come: a scheduler delivers the interruption later, or another caller has
    ///   already interrupted the work, which has not ended yet. False if the end has been delivered, or if the thread
    ///   that is delivering an event delivers it next.
    @usableFromInline @discardableResult
    package func interrupt() -> Bool {
        while true {
            let seen = flags.load()
            if seen & Self.endedFlag != 0 { return false }
            if seen & Self.cancelledFlag != 0 { return true }
            guard flags.compareExchangeReleasing(from: seen, to: seen | Self.cancelledFlag | Self.interruptingFlag)
            else { continue }
            let isScheduled =
                seen & Self.attachedFlag != 0 && PassiveSection.run { head?.interrupt() == true }
            if releaseHeadIfLast(Self.interruptingFlag) & Self.completingFlag != 0 {
                PassiveSection.run { completeCleanup() }
            }
            return isScheduled
        }
    }

    /// Interrupts the work for a disposal downstream.
    ///
    /// If the terminal event is on its way downstream, the disposal keeps it from the observer. Then nothing upstream
    /// needs to wait for that, and it is stopped here. Otherwise the source could still begin inner streams.
    ///
    /// - Returns: See ``interrupt()``. Also true if the event on its way is, or may be, delivered by a scheduler.
    @usableFromInline
    package func interruptForDisposal() -> Bool {
        let isScheduled = interrupt()
        return hasPassedEnd ? stopBeforeDelivery() : isScheduled
    }

    /// Cleans up, and ends the lifetime, before the thread that delivers the terminal event does. That thread calls
    /// ``runCleanups()`` afterwards, which finds only what has been added in the meantime.
    ///
    /// - Returns: Whether the event is, or may be, delivered by a scheduler.
    private func stopBeforeDelivery() -> Bool {
        guard let seen = beginStopping() else { return flags.load() & Self.finishedFlag == 0 }
        let head = seen & Self.attachedFlag == 0 ? nil : self.head
        let isScheduled = head?.deliversOnScheduler == true
        if let taken = takeFirstCleanups() {
            for cleanup in taken { cleanup.action() }
            head?.cutOff()
            end()
        }
        if releaseHeadIfLast(Self.stoppingFlag) & Self.deliveredFlag != 0 { endWork() }
        return isScheduled
    }

    /// Whether a scheduler delivers the events of the source. `false` if the subscription is finished.
    package var deliversOnScheduler: Bool {
        var seen: UInt
        repeat {
            seen = flags.load()
            if seen & Self.finishedFlag != 0 || seen & Self.attachedFlag == 0 { return false }
        } while !flags.compareExchangeReleasing(from: seen, to: seen + Self.askingUnit)
        let isScheduled = head?.deliversOnScheduler == true
        releaseHeadIfLast(Self.askingUnit, flags.release(subtracting: Self.askingUnit))
        return isScheduled
    }

    /// Sets ``stoppingFlag``. Returns the flags as they were, or `nil` if the subscription is finished or the flag is
    /// set already.
    private func beginStopping() -> UInt? {
        while true {
            let seen = flags.load()
            if seen & (Self.finishedFlag | Self.stoppingFlag) != 0 { return nil }
            if flags.compareExchangeReleasing(from: seen, to: seen | Self.stoppingFlag) { return seen }
        }
    }

    /// Runs `action` when the observer has received the terminal event, and the lifetime has ended. A disposal may end
    /// the lifetime earlier: see ``interruptForDisposal()``.
    @usableFromInline
    package func observeDelivered(_ action: @escaping @Sendable () -> Void) {
        observeEnded { self.addCleanup(action) }
    }

    /// Clears one of ``keepingFlags``.
    ///
    /// - Returns: The flags as they were.
    @discardableResult
    private func releaseHeadIfLast(_ flag: UInt) -> UInt {
        let former = flags.clear(flag)
        releaseHeadIfLast(flag, former)
        return former
    }

    /// The last of attaching, ending and what keeps the head in place releases it.
    private func releaseHeadIfLast(_ removed: UInt, _ former: UInt) {
        let needed = Self.finishedFlag | Self.attachedFlag
        if former & needed == needed, former & Self.keepingFlags & ~removed == 0 { head = nil }
    }
}

// MARK: For StreamGraph

extension Subscription: GraphMember {
    /// Makes the subscription a member of the registry, with the name that the user gave.
    package func beRecorded(as label: Label) {
        guard GraphRegistry.isOn.isOn else { return }
        guard beRecorded(label) else { return }
        // The name of an inner start: the first one counts, which is the last in the code.
        GraphRegistry.update(self) { $0.label = $0.label ?? label }
    }

    /// The same as ``beRecorded(within:)`` for an initializer, which would retain the subscription.
    @inline(never)
    private static func record(_ subscription: Unmanaged<Subscription>, within whole: AnyObject) {
        subscription._withUnsafeGuaranteedRef { $0.beRecorded(within: whole) }
    }

    /// Makes the subscription a member of the registry, as a part of something else.
    private func beRecorded(within whole: AnyObject) {
        guard GraphRegistry.isOn.isOn else { return }
        beRecorded(nil)
        let address = GraphRegistry.address(of: whole)
        GraphRegistry.update(self) { $0.partner = address }
    }

    /// Returns whether the subscription was a member before.
    @discardableResult
    private func beRecorded(_ label: Label?) -> Bool {
        if flags.set(Self.recordedFlag | Self.shownFlag) & Self.recordedFlag != 0 { return true }
        GraphRegistry.add(self, label: label, madeAt: location)
        return false
    }

    /// Records the head, which has not begun to send.
    private func record(_ head: some SubscriptionHead) {
        let core = head.graphCore
        // A core that is a head by itself has no sources.
        if core !== head {
            for source in head.graphSources { source.beRecorded(within: core ?? self) }
        }
        guard let core else {
            beRecorded(head.graphLabel)
            return
        }
        _ = flags.set(Self.shownFlag)
        let address = GraphRegistry.address(of: self)
        GraphRegistry.update(core) {
            $0.isStart = true
            $0.location = location
            $0.partner = address
        }
    }

    /// What `start` returns: the subscription, or an object that notes its own release if ``StreamGraph`` shows the
    /// subscription.
    @_alwaysEmitIntoClient @inline(__always)
    package var disposable: any Disposable {
        flags.loadRelaxed() & Self.shownFlag == 0 ? self : shownDisposable
    }

    @usableFromInline @inline(never)
    var shownDisposable: any Disposable { isOver ? self : SubscriptionHolder(self) }

    /// Notes that no code can dispose of the subscription through its disposable any more.
    fileprivate func beUnheld() {
        while true {
            let seen = flags.load()
            if seen & (Self.cancelledFlag | Self.endedFlag) != 0 { return }
            guard flags.compareExchangeReleasing(from: seen, to: seen | Self.markingFlag) else { continue }
            if seen & Self.recordedFlag != 0 { GraphRegistry.update(self) { $0.isUnheld = true } }
            if seen & Self.attachedFlag != 0, let core = head?.graphCore {
                GraphRegistry.update(core) { $0.isUnheld = true }
            }
            releaseHeadIfLast(Self.markingFlag)
            return
        }
    }

    @usableFromInline
    package func appear(in walk: inout GraphWalk, as record: GraphRecord) {
        if hasPassedEnd { return }
        walk.add(self, record, .start, GraphName(record.label?.text ?? "", record.label?.location)) { node in
            if record.isUnheld { node.isHeld = false }
        }
    }
}

/// The disposable of a start that ``StreamGraph`` shows.
private final class SubscriptionHolder: Disposable {
    private let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    deinit { subscription.beUnheld() }

    var isDisposed: Bool { subscription.isDisposed }

    func dispose() { subscription.dispose() }
}

/// What serializes the events of a source. Neither method ever waits.
@usableFromInline
package protocol SubscriptionHead: AnyObject, Sendable {
    /// Sends `interrupted`, after the event in flight.
    ///
    /// - Returns: Whether a scheduler delivers it: see ``Subscription/interrupt()``.
    @discardableResult
    func interrupt() -> Bool

    /// Stops the source, and releases the receiver of its events.
    func cutOff()

    /// Whether a scheduler delivers the events.
    var deliversOnScheduler: Bool { get }

    // For StreamGraph.

    /// The core that sends the events.
    var graphCore: SignalCore? { get }

    /// The subscriptions upstream of the core.
    var graphSources: [Subscription] { get }

    /// What to call the start if it has no core.
    var graphLabel: Label? { get }
}

extension SubscriptionHead {
    @usableFromInline package var deliversOnScheduler: Bool { graphCore?.schedulerObject != nil }

    @usableFromInline package var graphCore: SignalCore? { nil }

    @usableFromInline package var graphSources: [Subscription] { [] }

    @usableFromInline package var graphLabel: Label? { nil }
}

/// An action that an operator performs after the end.
private final class Cleanup: @unchecked Sendable {
    // Sendable: `next` is written before the object is published.
    let action: @Sendable () -> Void
    /// The cleanup that was added before this one.
    var next: Unmanaged<Cleanup>?

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
}
