import HotSignals

/// A start of a producer whose end can be awaited.
///
/// Disposing of an ordinary start returns immediately: a task that it has cancelled may still be closing a file.
/// ``disposeAndWait()`` returns when that has been done.
///
/// ```swift
/// let upload = SignalProducer<Int, Never>.async {
///     while !Task.isCancelled { await Task.yield() }
///     return 1
/// }
/// let start = upload.startAwaitable { _ in }
/// await start.disposeAndWait()
/// ```
///
/// Use it for work that outlives a function, such as that of an object. Where the work ends with a function,
/// ``withSignalScope(throwing:isolation:_:)`` waits by itself.
public final class AwaitableStart: Disposable, Sendable {
    private let scope: SignalScope<Never>
    private let start: any Disposable

    fileprivate init<Value, Failure>(
        _ producer: SignalProducer<Value, Failure>, at location: CodeLocation,
        _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) {
        let scope = SignalScope<Never>(within: LibraryTask.context)
        self.scope = scope
        start = scope.start(producer, promoting: nil, at: location, action)
    }

    /// Whether the start has been disposed of or has ended. Its work may still be under way.
    public var isDisposed: Bool { start.isDisposed }

    /// Interrupts the work. Does not wait.
    public func dispose() { start.dispose() }

    /// Interrupts the work, and waits until it has ended.
    ///
    /// See ``wait()``, which says what belongs to the work. The wait is as short as the work reacts to its
    /// cancellation.
    public func disposeAndWait() async {
        dispose()
        await wait()
    }

    /// Waits until the work has ended.
    ///
    /// The tasks of the start and of the producers that it has started, such as inner streams, belong to the work, and
    /// so does what their lifetimes were given with `observeEnded`. The observer has received the terminal event then,
    /// also if a scheduler has to deliver it. What the observer starts does not belong to the work, nor do tasks that
    /// its code creates with `Task`.
    ///
    /// A cancellation of the waiting task does not end the wait. Called in the work itself, this never returns.
    public func wait() async { await scope.waitForAll() }
}

extension SignalProducer {
    /// Starts the work, calls `action` with every event, and returns a start whose end can be awaited.
    ///
    /// Otherwise like ``start(file:line:_:)``. Counting what belongs to the work makes a start some
    /// hundred instructions more expensive.
    ///
    /// - Returns: The start. You need not store it.
    /// - SeeAlso: ``AwaitableStart``
    @discardableResult
    public func startAwaitable(
        file: StaticString = #fileID, line: UInt = #line, _ action: @escaping @Sendable (Event<Value, Failure>) -> Void
    ) -> AwaitableStart {
        AwaitableStart(self, at: CodeLocation(file, line), action)
    }
}
