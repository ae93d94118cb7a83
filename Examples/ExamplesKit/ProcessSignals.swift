package import Dispatch

/// The signals of the operating system, which share only the name with those of the library.
///
/// They arrive on a queue, where anything may be done, and not in a signal handler, where hardly anything may.
package final class ProcessSignals {
    private let sources: [any DispatchSourceSignal]

    /// Call ``System/deferSignals(_:)`` with the same signals first, while the process has only one thread.
    package init(_ signals: [Int32], queue: DispatchQueue, action: @escaping @Sendable (Int32) -> Void) {
        sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
            source.setEventHandler { action(signal) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
