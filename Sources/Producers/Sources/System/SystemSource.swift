package import Dispatch

/// A dispatch source that is active until it is disposed of.
package final class SystemSource: Disposable, @unchecked Sendable {
    // Sendable: immutable, and a dispatch source may be used from any thread.

    private let source: any DispatchSourceProtocol

    /// - Parameters:
    ///   - source: Not yet activated.
    ///   - handler: Called on the source's queue.
    ///   - cleanUp: Called on the source's queue when the source has released what it watches and no handler is
    ///     running.
    package init(
        _ source: any DispatchSourceProtocol, handler: @escaping @Sendable () -> Void,
        cleanUp: (@Sendable () -> Void)? = nil
    ) {
        self.source = source
        source.setEventHandler(handler: handler)
        source.setCancelHandler(handler: cleanUp)
        source.activate()
    }

    package var isDisposed: Bool { source.isCancelled }

    package func dispose() { source.cancel() }
}
