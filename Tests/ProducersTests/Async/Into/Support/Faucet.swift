import HotSignals
import TestSupport

/// A sequence whose elements the test sends, and which counts the requests.
struct Faucet<Failure: Error>: AsyncSequence, Sendable {
    final class Tap: Sendable {
        enum Drop: Sendable {
            case element(Int)
            case end
            case failure(Failure)
        }

        private struct State {
            var drops: [Drop] = []
            var waiting: CheckedContinuation<Drop, Never>?
        }

        private let state = Locked(State())
        /// The number of iterators created.
        let iterations = Counter()
        /// The number of elements requested.
        let asked = Counter()
        let cancellations = Counter()
        let isHeedless: Bool

        init(isHeedless: Bool) { self.isHeedless = isHeedless }

        /// Whether a task waits for an element.
        var isWaitedFor: Bool { state.withLock { $0.waiting != nil } }

        func send(_ drop: Drop) {
            let waiting = state.withLock { state in
                if state.waiting == nil { state.drops.append(drop) }
                return state.waiting.take()
            }
            waiting?.resume(returning: drop)
        }

        fileprivate func next() async -> Drop {
            asked.increment()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let drop = state.withLock { state -> Drop? in
                        if !state.drops.isEmpty { return state.drops.removeFirst() }
                        if cancellations.value > 0, !isHeedless { return .end }
                        state.waiting = continuation
                        return nil
                    }
                    if let drop { continuation.resume(returning: drop) }
                }
            } onCancel: {
                cancellations.increment()
                if !isHeedless { state.withLock { $0.waiting.take() }?.resume(returning: .end) }
            }
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let tap: Tap

        mutating func next() async throws(Failure) -> Int? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(Failure) -> Int? {
            switch await tap.next() {
            case .element(let element): return element
            case .end: return nil
            case .failure(let failure): throw failure
            }
        }
    }

    let tap: Tap

    init(isHeedless: Bool = false) { tap = Tap(isHeedless: isHeedless) }

    func makeAsyncIterator() -> AsyncIterator {
        tap.iterations.increment()
        return AsyncIterator(tap: tap)
    }

    func send(_ elements: Int...) {
        for element in elements { tap.send(.element(element)) }
    }

    func end() { tap.send(.end) }
    func fail(_ failure: Failure) { tap.send(.failure(failure)) }
}

/// The numbers from 1, each available without suspension.
struct ReadyNumbers: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        let count: Int
        let asked: Counter
        var number = 0

        mutating func next() async -> Int? {
            asked.increment()
            if number == count { return nil }
            number += 1
            return number
        }
    }

    let count: Int
    let asked = Counter()

    init(_ count: Int) { self.count = count }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count, asked: asked) }
}

/// A sequence that returns one element, then cancels the calling task and ends.
struct Quitter: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var isOver = false

        mutating func next() async -> Int? {
            defer { isOver = true }
            guard isOver else { return 1 }
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

/// An observer for events from several threads, which records violations of the contract.
final class StrictLog<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var values: [Value] = []
        var terminal: String?
        var mistakes: [String] = []
        var isInside = false
    }

    private let state = Locked(State())

    var values: [Value] { state.withLock { $0.values } }
    var terminal: String? { state.withLock { $0.terminal } }
    var mistakes: [String] { state.withLock { $0.mistakes } }

    func record(_ event: Event<Value, Failure>) {
        state.withLock { state in
            if state.isInside { state.mistakes.append("\(event.text) overlaps another event") }
            if let terminal = state.terminal { state.mistakes.append("\(event.text) after \(terminal)") }
            state.isInside = true
            if let value = event.value { state.values.append(value) } else { state.terminal = event.text }
        }
        state.withLock { $0.isInside = false }
    }
}
