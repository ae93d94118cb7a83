package import HotSignals
package import ReactiveSignals
package import TestSupport

package typealias Numbers = SignalProducer<Int, TestError>

extension SignalProducer {
    /// Starts the producer. The log holds the events that the observer received.
    package func logged() -> Log<String> { startLogged().log }

    package func startLogged() -> (log: Log<String>, disposable: any Disposable) {
        let log = Log<String>()
        return (log, start { log.append($0.text) })
    }
}

/// A producer that can fail, driven by the test.
package typealias Manual = ManualProducer<TestError>

/// A producer that controls another one, driven by the test.
package typealias Trigger = ManualProducer<Never>

/// A producer driven by the test, with its latest input and a count of its starts.
package final class ManualProducer<Failure: Error>: Sendable {
    package let starts = Counter()
    package let disposals = Counter()
    private let latest = Locked<Signal<Int, Failure>.Observer?>(nil)

    package init() {}

    package var input: Signal<Int, Failure>.Observer? { latest.withLock { $0 } }

    package var producer: SignalProducer<Int, Failure> {
        SignalProducer { [self] observer, lifetime in
            starts.increment()
            let former = latest.withLock { latest in
                defer { latest = observer }
                return latest
            }
            withExtendedLifetime(former) {}
            lifetime.observeEnded { self.disposals.increment() }
        }
    }

    package func release() {
        let former = latest.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }
}
