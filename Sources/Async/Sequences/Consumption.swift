public import HotSignals

/// The implementation of an iterator: the consumer's side of an event buffer, and the disposable that ends the
/// observation.
///
/// Only one task at a time may use it, except for ``cancel()``. Releasing the iterator disposes of the observation.
@usableFromInline
@_fixed_layout
final class Consumption<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable: `batch` is accessed only by the one task that consumes. The rest is constant.
    @usableFromInline let buffer: EventBuffer<Value, Failure>
    /// `nil` if the stream had already ended.
    @usableFromInline let observation: (any Disposable)?
    /// Values that the consumer has taken together and not used yet.
    @exclusivity(unchecked) @usableFromInline var batch = Ring<Value>()

    /// Begins to observe. If the task has been cancelled, it begins nothing, and there is nothing to consume.
    @_alwaysEmitIntoClient
    init(
        _ policy: BufferingPolicy, _ drops: DropCount, _ senders: SenderQueue?,
        _ begin: (EventBuffer<Value, Failure>) -> (any Disposable)?
    ) {
        buffer = EventBuffer(policy, drops, senders)
        if Task.isCancelled {
            observation = nil
            buffer.close()
        } else {
            observation = begin(buffer)
        }
    }

    deinit {
        cancel()
        batch.deallocate()
    }

    /// Callable from any thread. A suspended consumer resumes and finds nothing.
    @usableFromInline
    func cancel() {
        // Closed first, so that the interruption caused by the disposal is not mistaken for the stream's own.
        buffer.close()
        observation?.dispose()
    }

    /// Returns the next event, or `nil` after the terminal event or when the task has been cancelled.
    @_alwaysEmitIntoClient @inline(__always)
    func next(isolation actor: isolated (any Actor)?) async -> Event<Value, Failure>? {
        if !Task.isCancelled, let value = batch.takeFirst() { return .next(value) }
        return await nextOfBuffer(isolation: actor)
    }

    @_alwaysEmitIntoClient @inline(never)
    func nextOfBuffer(isolation actor: isolated (any Actor)?) async -> Event<Value, Failure>? {
        while true {
            if Task.isCancelled {
                cancel()
                batch.deallocate()
                return nil
            }
            switch buffer.take(&batch) {
            case .event(let event): return event
            case .over: return nil
            case .nothingYet: await wait(isolation: actor)
            }
        }
    }

    /// Returns when an event may be available.
    @_alwaysEmitIntoClient
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation(isolation: actor) { buffer.wait($0) }
        } onCancel: {
            cancel()
        }
    }
}
