/// What a process does with all of its streams.
///
/// Set the hooks at the beginning of the program. They concern what begins after that.
public enum StreamHooks {
    /// Called with the error of a start that nothing handles.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - stream: The start that has failed.
    public typealias UnhandledError = @Sendable (_ error: any Error, _ stream: TappedStream) -> Void

    private struct Hooks {
        var tap: (any StreamTap)?
        var onUnhandledError: UnhandledError?
    }

    private static let hooks = Locked(Hooks())

    /// Whether a hook is set, or starts are recorded. All that a start checks if neither is the case.
    @usableFromInline package static let areSet = HookSwitch()

    /// Is notified of every start of a producer with a name that was given with `named(_:)`. `nil` by default.
    ///
    /// Like `tapped(by:)` on each of these producers. The name says what a log or a metric is about, and tells the
    /// producers that matter from the others. Starts that operators make count, too: those of an inner stream of
    /// `flatMap` that has a name, or each attempt of `retry`. A producer of a single value, or of none, that was named
    /// before the hook was set does not count.
    ///
    /// Starts that the tap itself makes count, too. So `begin(_:)`, `event(_:in:)` and `end(_:)` must not start a
    /// producer with a name: the start would call them again.
    public static var tap: (any StreamTap)? {
        get { hooks.withLock { $0.tap } }
        set { change { $0.tap = newValue } }
    }

    /// Is called when a start fails whose errors nothing handles: one made with `start()`, `startWithCompleted` or
    /// `startWithInterrupted`. `nil` by default.
    ///
    /// Called on the thread that sends the error. Set it before the start.
    public static var onUnhandledError: UnhandledError? {
        get { hooks.withLock { $0.onUnhandledError } }
        set { change { $0.onUnhandledError = newValue } }
    }

    private static func change(_ body: (inout Hooks) -> Void) {
        // The former hooks are released outside the lock.
        let former = hooks.withLock { hooks in
            let former = hooks
            body(&hooks)
            updateSwitch(hooks)
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Called when ``GraphHook`` has been switched on or off.
    static func updateSwitch() { hooks.withLock { updateSwitch($0) } }

    private static func updateSwitch(_ hooks: Hooks) {
        areSet.set(hooks.tap != nil || hooks.onUnhandledError != nil || GraphHook.isOn.isOn)
    }

    /// Reports an error that nothing handles.
    @usableFromInline
    package static func report(_ error: some Error, of name: StreamName) {
        onUnhandledError?(error, TappedStream(.start, name, nil))
    }
}
