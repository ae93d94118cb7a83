/// Owns the work that is started within `withSignalScope`.
///
/// A scope is to starts and observations what a task group is to tasks: see ``withSignalScope(throwing:isolation:_:)``.
public final class SignalScope<Failure: Error>: Sendable {
    /// Disposed of at the end: the work that has not ended, and the disposables that have been added.
    package let members = CompositeDisposable()
    /// Counts the starts, the starts nested in them, and the library's tasks that run their async code.
    private let counter: TaskCounter
    /// The task context of the work in the scope, and, in the next line, that of the scope itself.
    package let taskContext: TaskContext
    private let outerContext = LibraryTask.context
    private let isDraining = AtomicFlag()
    /// The first error of the work in the scope.
    private let failure = Locked<Failure?>(nil)

    /// - Parameter outer: What counts the scope as long as there is work in it.
    init(within outer: TaskContext? = nil) {
        counter = TaskCounter(within: outer?.counter)
        taskContext = TaskContext(executor: outerContext?.executor, counter: counter)
    }

    // MARK: In the body

    /// Whether everything has been disposed of: the scope has ended, its task has been cancelled, or some work has
    /// failed.
    ///
    /// Work started afterwards is interrupted immediately, and disposables added afterwards are disposed of.
    public var isCancelled: Bool { members.isDisposed }

    /// Disposes of all work in the scope, and of any that is started later. Does not wait for it to end.
    public func cancelAll() { members.dispose() }

    /// Waits until all work in the scope has ended.
    ///
    /// After a failure or a cancellation the remaining work is disposed of, so the wait is short.
    ///
    /// - Throws: The first error of the work in the scope.
    public func waitForAll() async throws(Failure) {
        await counter.waitUntilEmpty()
        if let error = firstError { throw error }
    }

    /// Accepts no more work, and waits until all work in the scope has ended.
    ///
    /// ```swift
    /// await withSignalScope { scope in
    ///     SignalProducer(value: 1).startWithNext(in: scope) { print($0) }  // prints 1
    ///     await scope.drain()
    ///     SignalProducer(value: 2).startWithNext(in: scope) { print($0) }
    /// }
    /// ```
    ///
    /// Nothing is disposed of. Work started afterwards is interrupted immediately. Work that has begun goes on, also
    /// where it starts other producers within itself, as `flatMap` does. So work without an end must be told to end:
    /// see `SignalProducer(pulling:maxConcurrent:drainWhen:)`. To give the work a limited time, call ``cancelAll()``
    /// when it is over: this method then returns.
    ///
    /// - Throws: The first error of the work in the scope.
    public func drain() async throws(Failure) {
        _ = isDraining.raise()
        try await waitForAll()
    }

    /// Disposes of `disposable` at the end of the scope, in the reverse order of addition, or immediately if the scope
    /// has ended.
    ///
    /// - Returns: A disposable that removes `disposable` without disposing of it, or `nil` if nothing was added.
    @discardableResult
    public static func += (scope: SignalScope, disposable: (any Disposable)?) -> (any Disposable)? {
        scope.members.add(disposable)
    }

    /// Runs `action` at the end of the scope: see `+=` with a disposable.
    @discardableResult
    public static func += (scope: SignalScope, action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        scope.members.add(action)
    }

    // MARK: Starting

    /// Starts a producer as a member of the scope.
    ///
    /// - Parameter promote: Converts an error of the producer into one of the scope. `nil` if the producer cannot fail.
    func start<Value, WorkFailure>(
        _ producer: SignalProducer<Value, WorkFailure>, promoting promote: (@Sendable (WorkFailure) -> Failure)?,
        at location: CodeLocation, _ action: @escaping @Sendable (Event<Value, WorkFailure>) -> Void
    ) -> any Disposable {
        // Counted from here on, so that the scope is never found empty before the work begins.
        let start = Start(within: taskContext, startedAt: location)
        // Checked when the work has been counted, so that a drain that is not seen here waits for the work.
        if isDraining.isRaised { start.dispose() }
        let membership = members.add(start)
        start.observeEnded { membership?.dispose() }
        let observer = EventObserver<Value, WorkFailure> { event in
            let failure: Failure? = if case .error(let error) = event { promote?(error) } else { nil }
            // Recorded first, so that an error that the observer causes does not come before it.
            if let failure { self.note(failure) }
            // Work that the observer starts does not belong to the scope.
            self.outside { action(event) }
            if failure != nil { self.cancelAll() }
        }
        // If the scope has ended or is draining, the start has already been disposed of, and no work begins.
        LibraryTask.with(taskContext) {
            producer.beginWork(of: start, into: ChainEnd(start, observer).erased)
        }
        return start
    }

    private func outside(_ body: () -> Void) {
        if LibraryTask.context?.counter === counter {
            LibraryTask.$context.withValue(outerContext, operation: body)
        } else {
            body()
        }
    }

    private func note(_ error: Failure) {
        failure.withLock { first in
            if first == nil { first = error }
        }
    }

    // MARK: The end

    private var firstError: Failure? { failure.withLock { $0 } }

    /// Disposes of the remaining work, waits until it has ended, and returns the first error.
    func end() async -> Failure? {
        cancelAll()
        await counter.waitUntilEmpty()
        return firstError
    }
}
