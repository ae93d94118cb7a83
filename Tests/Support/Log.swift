import HotSignals
package import ReactiveSignals

/// What happened, in order, from any thread.
package final class Log<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }
    package var count: Int { elements.withLock { $0.count } }

    package func append(_ element: Element) { elements.withLock { $0.append(element) } }

    package func removeAll() {
        let removed = elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
        withExtendedLifetime(removed) {}
    }
}

/// A number that several threads count up.
package final class Counter: Sendable {
    private let number = Locked(0)

    package init() {}

    package var value: Int { number.withLock { $0 } }

    @discardableResult
    package func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}

/// How a test's streams fail.
package enum TestError: Error {
    case first
    case second
}

extension Event {
    /// The value, or the name of the terminal event.
    package var text: String {
        switch self {
        case .next(let value): "\(value)"
        case .error(let error): "error \(error)"
        case .completed: "completed"
        case .interrupted: "interrupted"
        }
    }
}

extension Signal {
    /// Observes the signal: what the log holds is what the observer got.
    package func logged() -> Log<String> {
        let log = Log<String>()
        observe { log.append($0.text) }
        return log
    }
}

/// True for the first who asks.
package final class OnceFlag: Sendable {
    private let flag = AtomicFlag()

    package init() {}

    package var isRaised: Bool { flag.isRaised }

    @discardableResult
    package func raise() -> Bool { flag.raise() }
}
