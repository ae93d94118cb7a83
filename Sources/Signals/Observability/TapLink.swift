/// A tap of one stream, with the state that it stores for this stream.
///
/// Keeps the calls in order when several threads find out what happens: no event and no waiting comes after `end(_:)`,
/// which is put off until these calls have returned, and until everything that waits has stopped waiting.
@usableFromInline
@_fixed_layout
package final class TapLink<Tap: StreamTap>: Sendable {
    @usableFromInline let tap: Tap
    @usableFromInline let state: Tap.State
    /// Twice the number of calls that are under way, and 1 more once the stream has ended.
    @usableFromInline let calls = AtomicWord(0)

    /// Notifies the tap of the beginning.
    @usableFromInline
    package init(_ tap: Tap, _ stream: TappedStream) {
        self.tap = tap
        state = tap.begin(stream)
    }

    /// Begins a call. Returns `false` if the stream has ended: then the tap must not be called.
    @inlinable @inline(__always)
    package func enter() -> Bool {
        while true {
            let seen = calls.loadRelaxed()
            if seen & 1 != 0 { return false }
            if calls.acquire(from: seen, to: seen &+ 2) { return true }
        }
    }

    /// Ends a call.
    @inlinable @inline(__always)
    package func leave() {
        while true {
            let seen = calls.load()
            guard calls.release(from: seen, to: seen &- 2) else { continue }
            // The last call after the end of the stream.
            if seen == 3 { notifyOfEnd() }
            return
        }
    }

    @usableFromInline @inline(never)
    func notifyOfEnd() { tap.end(state) }

    // MARK: What the tap is notified of

    @inlinable @inline(__always)
    package func event<Value, Failure>(_ event: Event<Value, Failure>) {
        guard enter() else { return }
        tap.event(event, in: state)
        leave()
    }

    /// Runs `work` exactly once, whatever the tap does with it. Work that is over when it has begun ends inside.
    @inlinable
    package func run(_ work: () -> Void) {
        if calls.load() & 1 != 0 { return work() }
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
        if calls.set(1) == 0 { notifyOfEnd() }
    }
}
