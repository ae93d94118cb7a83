/// A tap of one stream, with the state that it stores for this stream.
///
/// Keeps the calls in order when several threads find out what happens: no event and no waiting comes after `end(_:)`,
/// which is put off until these calls have returned, and until everything that waits has stopped waiting.
@usableFromInline
@_fixed_layout
package final class TapLink<Tap: StreamTap>: Sendable {
    @usableFromInline let tap: Tap
    @usableFromInline package let state: Tap.State
    /// The number of calls that are under way, with ``hasEnded`` and ``isNotified``.
    @usableFromInline let calls = AtomicWord(0)

    /// The stream has ended. The sign, which takes no instruction of its own to check when a call is counted.
    @_alwaysEmitIntoClient @inline(__always) static var hasEnded: UInt { 1 << (UInt.bitWidth - 1) }
    /// The tap has been notified of the end.
    @_alwaysEmitIntoClient @inline(__always) static var isNotified: UInt { 1 << (UInt.bitWidth - 2) }

    /// Notifies the tap of the beginning.
    @usableFromInline
    package init(_ tap: Tap, _ stream: TappedStream) {
        self.tap = tap
        state = tap.begin(stream)
    }

    /// Begins a call. Returns `false` if the stream has ended: then the tap must not be called.
    @inlinable @inline(__always)
    package func enter() -> Bool {
        if Int(bitPattern: calls.acquire(adding: 1)) >= 0 { return true }
        leave()
        return false
    }

    /// Ends a call.
    @inlinable @inline(__always)
    package func leave() {
        // Positive before the end, because this call is counted.
        if Int(bitPattern: calls.release(subtracting: 1)) <= 0 { notifyOfEnd() }
    }

    /// Notifies of the end, once, if no call is under way. Otherwise the last one does so when it leaves, also one that
    /// has begun in the meantime: it finds that the stream has ended, and leaves at once.
    @usableFromInline @inline(never)
    func notifyOfEnd() {
        if calls.compareExchangeAcquiring(from: Self.hasEnded, to: Self.hasEnded | Self.isNotified) { tap.end(state) }
    }

    // MARK: What the tap is notified of

    @_alwaysEmitIntoClient @inline(__always)
    package func event<Value, Failure>(_ event: Event<Value, Failure>) {
        guard enter() else { return }
        tap.event(event, in: state)
        leave()
    }

    /// The same for a caller that keeps the events and the end of the stream apart.
    ///
    /// - Parameter state: That of this link, in the memory of the caller.
    // A method of this class, because otherwise the tap would be retained for the call.
    @_alwaysEmitIntoClient @inline(__always)
    func eventInGate<Value, Failure>(_ event: Event<Value, Failure>, in state: Tap.State) {
        tap.event(event, in: state)
    }

    /// Runs `work` exactly once, whatever the tap does with it. Work that is over when it has begun ends inside.
    @_alwaysEmitIntoClient
    package func run(_ work: () -> Void) {
        if calls.load() & Self.hasEnded != 0 { return work() }
        var hasBegun = false
        tap.run(
            {
                if hasBegun { return }
                hasBegun = true
                work()
            }, in: state)
        if !hasBegun { work() }
    }

    /// Notifies of the beginning of a wait.
    ///
    /// - Returns: What notifies of its end, to be called once. `nil` if the stream has ended.
    @usableFromInline
    package func wait(_ kind: StreamWaiting.Kind) -> (@Sendable () -> Void)? {
        guard enter() else { return nil }
        tap.waiting(.began(kind), in: state)
        return { [self] in
            tap.waiting(.ended(kind), in: state)
            leave()
        }
    }

    /// The stream has ended, and everything that belongs to it has been released. Further calls do nothing.
    @usableFromInline
    package func end() {
        if calls.set(Self.hasEnded) == 0 { notifyOfEnd() }
    }
}
