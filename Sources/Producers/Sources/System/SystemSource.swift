import Dispatch

/// A dispatch source at work, until it is disposed of.
final class SystemSource: Disposable, @unchecked Sendable {
    // Sendable: nothing changes, and a dispatch source may be used from any thread.

    private let source: any DispatchSourceProtocol

    /// - Parameters:
    ///   - source: One that has not been activated.
    ///   - handler: Called on the source's queue.
    ///   - cleanUp: Called there when the source has let go of what it watches, and no handler is running.
    init(
        _ source: any DispatchSourceProtocol, handler: @escaping @Sendable () -> Void,
        cleanUp: (@Sendable () -> Void)? = nil
    ) {
        self.source = source
        source.setEventHandler(handler: handler)
        source.setCancelHandler(handler: cleanUp)
        source.activate()
    }

    var isDisposed: Bool { source.isCancelled }

    func dispose() { source.cancel() }
}
