import HotSignals
package import ReactiveSignals

/// A log that any thread can append to.
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

/// A counter that several threads can increment.
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

/// The error type of the streams in tests.
package enum TestError: Error, Codable {
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
    /// Observes the signal and logs the texts of its events.
    package func logged() -> Log<String> {
        let log = Log<String>()
        observe { log.append($0.text) }
        return log
    }
}

/// A flag whose first caller alone receives true.
package final class OnceFlag: Sendable {
    private let flag = AtomicFlag()

    package init() {}

    package var isRaised: Bool { flag.isRaised }

    @discardableResult
    package func raise() -> Bool { flag.raise() }
}
