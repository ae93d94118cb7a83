import Foundation

/// What happened, in order, from any thread.
final class Log<Element: Sendable>: @unchecked Sendable {
    // Sendable: the lock guards the elements.
    private let lock = NSLock()
    private var elements: [Element] = []

    var all: [Element] { lock.withLock { elements } }

    func append(_ element: Element) { lock.withLock { elements.append(element) } }
}

/// Runs a body on several threads, and returns when all have ended. Taking too long ends the process with a message.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let finished = NSCondition()
    let ended = Log<Int>()
    let start = NSCondition()
    for index in 0..<count {
        let thread = Thread {
            start.withLock {}
            body(index)
            finished.withLock {
                ended.append(index)
                finished.signal()
            }
        }
        thread.start()
    }
    let deadline = Date(timeIntervalSinceNow: 120)
    finished.withLock {
        while ended.all.count < count {
            guard finished.wait(until: deadline) else { fatalError("the test hangs: threads do not end") }
        }
    }
}
