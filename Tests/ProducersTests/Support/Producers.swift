import HotSignals
import ReactiveSignals
import TestSupport

typealias Numbers = SignalProducer<Int, TestError>

extension SignalProducer {
    /// Starts: the log holds what the observer got.
    func logged() -> Log<String> { startLogged().log }

    func startLogged() -> (log: Log<String>, disposable: any Disposable) {
        let log = Log<String>()
        return (log, start { log.append($0.text) })
    }
}

/// A producer whose starts are counted, and which the test sends for: its latest input.
final class Manual: Sendable {
    let starts = Counter()
    let disposals = Counter()
    private let latest = Locked<Signal<Int, TestError>.Observer?>(nil)

    var input: Signal<Int, TestError>.Observer? { latest.withLock { $0 } }

    var producer: Numbers {
        Numbers { [self] observer, lifetime in
            starts.increment()
            let former = latest.withLock { latest in
                defer { latest = observer }
                return latest
            }
            withExtendedLifetime(former) {}
            lifetime.observeEnded { self.disposals.increment() }
        }
    }

    func release() {
        let former = latest.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }
}
