import HotSignals
import ReactiveSignals

// Advancing the time on the calling thread.
extension TestScheduler {
    /// Runs everything that is due now.
    public func advance() { advance(by: .zero) }

    /// Advances the time, and runs each action that becomes due at its own instant, on the calling thread.
    ///
    /// If another thread is advancing the time, this one waits for its turn, and the duration counts from then. An
    /// action can advance the time itself.
    ///
    /// - Parameters:
    ///   - duration: Traps if negative.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func advance(by duration: Swift.Duration, file: StaticString = #fileID, line: UInt = #line) {
        requireForward(duration, file: file, line: line)
        moveOnThisThread(.by(duration))
    }

    /// Advances the time to an instant, and runs each action that becomes due at its own instant: see
    /// ``advance(by:file:line:)``.
    ///
    /// - Parameters:
    ///   - instant: Traps if it is in the past.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public func advance(to instant: Instant, file: StaticString = #fileID, line: UInt = #line) {
        requireFuture(instant, file: file, line: line)
        moveOnThisThread(.to(instant))
    }

    /// Advances the time until nothing is scheduled. Does not return if an action repeats.
    public func run() { moveOnThisThread(.end) }

    func requireForward(_ duration: Swift.Duration, file: StaticString, line: UInt) {
        require(
            duration >= .zero, "TestScheduler.advance(by: \(duration)): the time cannot go back", file: file, line: line
        )
    }

    func requireFuture(_ instant: Instant, file: StaticString, line: UInt) {
        let now = now
        require(
            instant >= now, "TestScheduler.advance(to: \(instant)): the time cannot go back from \(now)",
            file: file, line: line)
    }

    func moveOnThisThread(_ target: TimeTarget) {
        let isNested = takeTurn()
        let duration = runActions(target)
        if !isNested { leaveTurn(after: duration) }
    }

    /// Runs the actions that become due up to the target, and advances the time to it. Only for the thread whose turn
    /// it is.
    ///
    /// - Returns: How far the time was advanced.
    func runActions(_ target: TimeTarget) -> Swift.Duration {
        let (start, taskContext) = withLock { (time, work.runs > 0 ? ownContext : nil) }
        let limit = target.limit(from: start)
        LibraryTask.with(taskContext) {
            CurrentScheduler.run(on: self) {
                while let entry = withLock({ takeNext(through: limit) }) { perform(entry) }
            }
        }
        return withLock {
            if let limit { time = max(time, limit) }
            return start.duration(to: time)
        }
    }

    /// Waits until no other thread is advancing the time.
    ///
    /// - Returns: Whether the calling thread was already advancing it.
    private func takeTurn() -> Bool {
        let thread = ThreadIdentity.current
        let parking: Parking?
        lock.lock()
        if turns.mover == thread {
            lock.unlock()
            return true
        }
        if turns.mover == nil {
            turns.mover = thread
            parking = nil
        } else {
            parking = Parking(thread)
            // Assigned above.
            turns.parked.append(parking.unsafelyUnwrapped)
        }
        lock.unlock()
        if let parking { wait(parking) }
        return false
    }

    /// - Parameter duration: How far the time was advanced in this turn.
    func leaveTurn(after duration: Swift.Duration = .zero) {
        lock.lock()
        // If a stepwise move has let this thread advance the time, that duration does not count toward the move.
        if let move = turns.current, case .by = move.target { move.limit = move.limit?.advanced(by: duration) }
        let next = turns.pass()
        let isWanted = next == nil && (turns.current != nil || !turns.waiting.isEmpty)
        let isToDrain = isWanted && work.claim()
        lock.unlock()
        next?.wake()
        if isToDrain { drainLater() }
    }
}
