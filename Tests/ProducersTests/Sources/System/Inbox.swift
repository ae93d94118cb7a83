import Foundation
import ReactiveSignals
import TestSupport

/// Values from other threads, for a thread that waits for them. A wait that times out ends the process with a
/// message.
final class Inbox<Element: Sendable>: @unchecked Sendable {
    // Sendable: the condition guards the elements.
    private let condition = NSCondition()
    private var elements: [Element] = []

    func append(_ element: Element) {
        condition.withLock {
            elements.append(element)
            condition.signal()
        }
    }

    /// The oldest value that has not been taken.
    func next(_ what: String = "an event") -> Element {
        let deadline = Date(timeIntervalSinceNow: patience / .seconds(1))
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty {
            guard condition.wait(until: deadline) else { fatalError("the test hangs: \(what) does not come") }
        }
        return elements.removeFirst()
    }

    /// The values that have arrived and have not been taken.
    var rest: [Element] { condition.withLock { elements } }
}

extension SignalProducer {
    /// Starts the producer. A test can wait for the events that the observer receives.
    func startWaitably() -> (inbox: Inbox<String>, disposable: any Disposable) {
        let inbox = Inbox<String>()
        return (inbox, start { inbox.append($0.text) })
    }
}
