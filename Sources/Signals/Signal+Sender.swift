extension Signal {
    /// The input of a signal with back-pressure: see ``Signal/pipe(capacity:file:line:)``.
    ///
    /// ```swift
    /// let (jobs, input) = Signal<Int, Never>.pipe(capacity: 16)
    /// let worker = Task {
    ///     for await job in jobs.values(buffering: .suspending(16)) { print(job) }
    /// }
    /// for job in 1...1_000 { await input.send(job) }  // never more than 32 ahead of the worker
    /// input.sendCompleted()
    /// await worker.value
    /// ```
    ///
    /// **Room**: a value is sent if there is room for it with every consumer that suspends senders: every iterator of
    /// `values(buffering: .suspending(n))` or `events(buffering: .suspending(n))`, in the module ReactiveAsync. Such a
    /// consumer holds its own number of values and, beyond it, the capacity of the pipe. Observers made of closures,
    /// and consumers with other policies, always have room. So does a signal that nothing observes. But the operators
    /// `observe(on:)`, `delay`, `collect(every:upTo:)` and `mapAsync` suspend senders themselves, also if nothing
    /// observes their results.
    ///
    /// **Order**: senders that are suspended go on in the order in which they came, and nothing overtakes them.
    ///
    /// **Threads**: any task and any thread can use it. A value is delivered on the thread of its sender, before the
    /// call returns. If another thread is delivering an event, the caller waits for it, as with ``Signal/Observer``.
    ///
    /// Releasing the sender without a terminal event interrupts the signal.
    @_fixed_layout
    public final class Sender: Sendable {
        /// One manually retained reference, so that a send needs no other.
        @usableFromInline let core: Unmanaged<Core<Value, Failure>>
        @usableFromInline let senders: SenderQueue

        @_alwaysEmitIntoClient
        init(core: Core<Value, Failure>, _ senders: SenderQueue) {
            self.core = .passRetained(core)
            self.senders = senders
        }

        deinit {
            core._withUnsafeGuaranteedRef { $0.releaseInput() }
            core.release()
        }

        /// Sends a value, as soon as there is room for it.
        ///
        /// While a consumer has no room, the task is suspended. Then it goes on when every consumer holds no more
        /// values than its own number again. So a sender that is faster than its consumers is suspended once for as
        /// many values as the capacity of the pipe, and not for each. With a capacity of 1, each value that a consumer
        /// takes lets another one in.
        ///
        /// **Cancellation**: if the task is cancelled while it is suspended, it returns `false` immediately, and
        /// nothing has the value. If it returns `true`, all observers have received it, even if the task has been
        /// cancelled in the meantime. A task that has been cancelled before the call sends nothing.
        ///
        /// - Returns: Whether the value has been sent. `false` if the task has been cancelled, or if the signal has
        ///   ended, which it may also do while the task is suspended.
        @_alwaysEmitIntoClient @discardableResult
        public nonisolated(nonsending) func send(_ value: Value) async -> Bool {
            if Task.isCancelled { return false }
            switch attempt(value, hasTurn: false) {
            case .sent: return true
            case .ended: return false
            case .noRoom, .occupied: return await sendInTurn(value)
            }
        }

        /// Sends a value if there is room for it now.
        ///
        /// Like ``send(_:)``, but never suspends, so that you can refuse the work instead:
        ///
        /// ```swift
        /// let (requests, input) = Signal<String, Never>.pipe(capacity: 1)
        /// var iterator = requests.values(buffering: .suspending(1)).makeAsyncIterator()
        /// input.trySend("a")  // true
        /// input.trySend("b")  // true
        /// input.trySend("c")  // false
        /// await iterator.next()  // "a"
        /// input.trySend("d")  // true
        /// ```
        ///
        /// - Returns: Whether the value has been sent. `false` if a consumer has no room, if senders are suspended, if
        ///   the signal has ended, or if the caller is itself called by a delivery of this signal.
        @_alwaysEmitIntoClient
        public func trySend(_ value: Value) -> Bool { attempt(value, hasTurn: false) == .sent }

        /// Sends an error, which terminates the signal. Values that consumers hold are delivered to them first. Senders
        /// that are suspended return `false`.
        @_alwaysEmitIntoClient
        public func sendError(_ error: Failure) { end(.error(error)) }

        /// Completes the signal. Values that consumers hold are delivered to them first. Senders that are suspended
        /// return `false`.
        @_alwaysEmitIntoClient
        public func sendCompleted() { end(.completed) }

        /// Interrupts the signal. Values that consumers hold are delivered to them first. Senders that are suspended
        /// return `false`.
        @_alwaysEmitIntoClient
        public func sendInterrupted() { end(.interrupted) }

        @_alwaysEmitIntoClient
        func end(_ termination: Termination<Failure>) {
            core._withUnsafeGuaranteedRef { $0.sendEnd(termination) }
        }

        @frozen @usableFromInline
        enum Attempt {
            case sent, ended, noRoom
            /// The gate cannot be entered: the caller is inside, or waiting would close a cycle.
            case occupied
        }

        /// Sends the value if there is room. Inside the gate no other sender can take the room.
        @_alwaysEmitIntoClient @inline(__always)
        func attempt(_ value: Value, hasTurn: Bool) -> Attempt {
            core._withUnsafeGuaranteedRef { core in
                let thread = ThreadIdentity.current
                guard core.enter(thread) else { return .occupied }
                defer { core.leave(thread) }
                if core.terminated.isRaised { return .ended }
                guard senders.hasRoom(hasTurn: hasTurn) else { return .noRoom }
                core.deliver(value)
                return .sent
            }
        }

        /// Waits in line, and sends the value when it has the turn.
        @_alwaysEmitIntoClient @inline(never)
        nonisolated(nonsending) func sendInTurn(_ value: Value) async -> Bool {
            let ticket = senders.makeTicket()
            var hasTurn = false
            while true {
                hasTurn = await senders.waitForTurn(ticket, returnsTurn: hasTurn)
                guard hasTurn else { return false }
                var outcome = attempt(value, hasTurn: true)
                while outcome == .occupied {
                    // The delivery that calls this goes on, and the task tries again outside it.
                    await Task.yield()
                    outcome = attempt(value, hasTurn: true)
                }
                if outcome != .noRoom {
                    senders.endTurn()
                    return outcome == .sent
                }
            }
        }
    }
}
