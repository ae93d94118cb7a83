import Foundation
import HotSignals
import ReactiveSignals
import Synchronization

struct TestError: Error, Equatable {}

typealias Numbers = Signal<Int, TestError>

/// Records the events of a signal and checks, as they come, that they are serial and follow the grammar.
final class Recorder: Sendable {
    private struct State {
        var events: [Event<Int, TestError>] = []
        var violations: [String] = []
    }

    // Not a `Mutex`, of which the thread sanitizer reports races that are none.
    private let state = Locked(State())
    private let isInside = Atomic(false)
    let ended = Moment("a terminal event")

    func record(_ event: Event<Int, TestError>) {
        let overlaps = isInside.exchange(true, ordering: .acquiringAndReleasing)
        state.withLock { state in
            if overlaps { state.violations.append("\(event) overlaps another event") }
            if let last = state.events.last, last.isTerminating {
                state.violations.append("\(event) after \(last)")
            }
            state.events.append(event)
        }
        isInside.store(false, ordering: .releasing)
        if event.isTerminating { ended.arrive() }
    }

    var events: [Event<Int, TestError>] { state.withLock { $0.events } }
    var values: [Int] { events.compactMap(\.value) }
    var violations: [String] { state.withLock { $0.violations } }
    var terminals: Int { events.count { $0.isTerminating } }
}

extension Signal<Int, TestError> {
    func recorded() -> Recorder {
        let recorder = Recorder()
        observe { recorder.record($0) }
        return recorder
    }
}

/// A number that several threads count up.
final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func increment() { count.add(1, ordering: .acquiringAndReleasing) }
}

/// Counts the witnesses that are alive.
final class Census: @unchecked Sendable {
    // Sendable: the condition guards the count.
    private let condition = NSCondition()
    private var count = 0

    var alive: Int { condition.withLock { count } }

    func witness(onDeath: (@Sendable () -> Void)? = nil, onCall: (@Sendable () -> Void)? = nil) -> Witness {
        Witness(of: self, onDeath: onDeath, onCall: onCall)
    }

    /// Waits until nobody is left, for what another thread lets go of a moment later.
    func waitUntilEmpty() {
        let deadline = Date(timeIntervalSinceNow: 60)
        condition.withLock {
            while count > 0, condition.wait(until: deadline) {}
        }
    }

    fileprivate func add(_ difference: Int) {
        condition.withLock {
            count += difference
            condition.broadcast()
        }
    }
}

/// What a closure captures in order to tell whether it is called and whether it is still there.
final class Witness: Sendable {
    private let census: Census
    private let count = Count()
    private let onDeath: (@Sendable () -> Void)?
    private let onCall: (@Sendable () -> Void)?

    fileprivate init(of census: Census, onDeath: (@Sendable () -> Void)?, onCall: (@Sendable () -> Void)?) {
        self.census = census
        self.onDeath = onDeath
        self.onCall = onCall
        census.add(1)
    }

    deinit {
        census.add(-1)
        onDeath?()
    }

    /// How often closures that hold this have been called.
    var calls: Int { count.value }

    /// Notes a call, and gives the value back.
    func see<Value>(_ value: Value) -> Value {
        count.increment()
        onCall?()
        return value
    }
}
