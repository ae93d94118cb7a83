/// Is notified of what streams do, for logs, metrics and traces.
///
/// ```swift
/// struct Failures: StreamTap {
///     func event<Value, Failure>(_ event: Event<Value, Failure>, in state: Void) {
///         if case .error(let error) = event { print("failed: \(error)") }
///     }
/// }
/// request.tapped(by: Failures()).start()
/// ```
///
/// Use it with `tapped(by:)` of a signal, a producer, a property or an action, or for all producers that have a name,
/// with ``StreamHooks/tap``. Every method has a default that does nothing, so implement only those that you need.
///
/// **Calls**: for each stream, `begin(_:)` is called once and first, and `end(_:)` once and last. Events come in
/// between, one at a time, each before it is sent downstream. If the stream is cut off while another thread sends an
/// event, either the event comes first or the tap is not notified of it. Waiting is reported at any time in between,
/// also during an event. Different streams call at the same time.
///
/// **Threads**: the methods are called on the thread that starts, sends, waits or disposes. No lock of the library is
/// held. A tap that blocks therefore blocks the stream, as an observer does. A tap may send into the stream that it
/// taps: the event is delivered after the current one, and passes the tap, too. What waits for that is not reported.
///
/// **Cost**: with a type known to the compiler, an event costs the call. ``StreamHooks/tap`` calls code that is not
/// specialized, which takes hundreds of instructions for each event, but a value costs little if the tap has a
/// ``valueAction(in:)``. `tapped(by:)` retains the tap.
public protocol StreamTap: Sendable {
    /// What the tap stores for each stream, such as the time of its beginning. Nothing by default.
    associatedtype State: Sendable = Void

    /// Called before the work of a start begins, or when a signal, a property or an action is tapped.
    func begin(_ stream: TappedStream) -> State

    /// Runs the beginning of the work of a start, for a tap that sets task-local values for it.
    ///
    /// Only for starts and executions. `work` returns when the call that begins the work has returned. The streams and
    /// tasks that the work starts inherit the task-locals. If the method returns without having called `work`, the work
    /// begins then, without the context of the tap. A second call does nothing.
    func run(_ work: () -> Void, in state: State)

    /// Called with each event, before it is sent downstream.
    func event<Value, Failure>(_ event: Event<Value, Failure>, in state: State)

    /// Returns an action to call for each value instead of ``event(_:in:)``, or `nil`, which is the default.
    ///
    /// It is for a tap that need not know the values, and makes ``StreamHooks/tap`` cheap: see above. The action must
    /// do what `event(_:in:)` does for a value, because only some streams use it. This method is called at most once
    /// for each stream, after `begin(_:)`. The action is not counted as a call of the tap: if another thread disposes
    /// of a start that is sending, it can be called once more after `end(_:)`.
    func valueAction(in state: State) -> (@Sendable () -> Void)?

    /// Called when a thread, a task or an execution begins or stops waiting, by itself: see ``StreamWaiting``.
    func waiting(_ waiting: StreamWaiting, in state: State)

    /// Called when everything that belongs to the stream has been released: after the terminal event, or without one if
    /// the stream is no longer needed. If the work ends before its beginning returns, this is called inside
    /// `run(_:in:)`.
    func end(_ state: State)
}

extension StreamTap where State == Void {
    /// Stores nothing.
    public func begin(_ stream: TappedStream) {}
}

extension StreamTap {
    /// Begins the work.
    @_alwaysEmitIntoClient
    public func run(_ work: () -> Void, in state: State) { work() }

    /// Ignores the event.
    @_alwaysEmitIntoClient
    public func event<Value, Failure>(_ event: Event<Value, Failure>, in state: State) {}

    /// Calls ``event(_:in:)`` for values.
    @_alwaysEmitIntoClient
    public func valueAction(in state: State) -> (@Sendable () -> Void)? { nil }

    /// Ignores the change.
    @_alwaysEmitIntoClient
    public func waiting(_ waiting: StreamWaiting, in state: State) {}

    /// Does nothing.
    @_alwaysEmitIntoClient
    public func end(_ state: State) {}
}

/// Something has begun or stopped waiting for a stream.
///
/// Each ``began(_:)`` is followed by one ``ended(_:)`` for the same state, so their difference is how many are waiting.
/// Several may wait at the same time.
public enum StreamWaiting: Hashable, Sendable {
    /// What can wait.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A thread that sends into a tapped signal while another thread delivers an event of the same stream.
        case thread
        /// A task that is suspended in `send` of a ``Signal/Sender`` of a tapped signal: a consumer has no room.
        case sender
        /// An execution of a tapped action that waits for its turn.
        case execution
    }

    /// It has begun to wait.
    case began(Kind)
    /// It has stopped waiting: it goes on, or it has been cancelled.
    case ended(Kind)
}
