#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals
import ReactiveSignalsTesting

extension Trial {
    /// Starts a task, and expects that it has ended when all threads have ended.
    @discardableResult
    func task(_ body: @escaping @Sendable () async -> Void) -> RunningTask {
        let running = RunningTask()
        running.task = Task(executorPreference: ExploredBackground.executor) {
            await body()
            running.hasEnded = true
        }
        finally {
            self.expect(running.hasEnded, "a task waits for ever")
            running.task = nil
        }
        return running
    }
}

/// A task of a scenario.
final class RunningTask: @unchecked Sendable {
    fileprivate var task: Task<Void, Never>?
    fileprivate(set) var hasEnded = false

    func cancel() { ExploredCancellation.run { task?.cancel() } }
}

/// A door at which tasks wait until a thread opens it.
///
/// It needs no lock, because one thread runs at a time, and no thread switch occurs within a call.
final class Door: @unchecked Sendable {
    private var isOpen = false
    private var waiting: [UnsafeContinuation<Void, Never>] = []

    /// Returns when the door is open, even if the task has been cancelled.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withUnsafeContinuation(isolation: isolation) { continuation in
            if isOpen { continuation.resume() } else { waiting.append(continuation) }
        }
    }

    func open() {
        isOpen = true
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}

/// Counts the beginnings and the cleanups of work that a scenario starts.
final class Balance: @unchecked Sendable {
    private(set) var begun = 0
    private(set) var ended = 0

    func begin() { begun += 1 }

    func end() { ended += 1 }

    func expectEven(_ trial: Trial, _ count: ClosedRange<Int>) {
        trial.expect(begun == ended, "\(begun) have begun, and \(ended) have been cleaned up")
        trial.expect(count.contains(begun), "\(begun) have begun")
    }
}

/// A log of a scenario. It needs no lock, because one thread runs at a time.
final class Log<Element: Sendable>: @unchecked Sendable {
    private(set) var entries: [Element] = []

    private let state = Trial.State()

    func note(_ entry: Element) {
        state.touch()
        entries.append(entry)
    }
}

/// Something that one thread of a scenario hands to another. It needs no lock, because one thread runs at a time.
final class Handed<Content>: @unchecked Sendable {
    private var content: Content?
    private let state = Trial.State()

    func give(_ new: Content?) {
        state.touch()
        content = new
    }

    /// Returns what was handed over, if anything was, and does not keep it.
    func take() -> Content? {
        state.touch()
        defer { content = nil }
        return content
    }
}

/// A start of a producer. Expects one end, which may follow a disposal, and no delivery that begins after the
/// disposal has returned.
final class RecordedStart<Value: Hashable & Sendable, Failure: Error>: @unchecked Sendable {
    let recorder: Recorder<Value, Failure>
    private let trial: Trial
    private var disposal: Trial.Mark?
    private let state = Trial.State()
    private var disposable: (any Disposable)?

    init(_ trial: Trial) {
        self.trial = trial
        recorder = Recorder(trial)
    }

    func start(_ producer: SignalProducer<Value, Failure>) {
        disposable = producer.start { [self] event in
            state.touch()
            if let disposal, event.value != nil, trial.isAfter(disposal) {
                trial.expect(false, "a value comes after the disposal has returned")
            }
            recorder.receive(event)
        }
    }

    func dispose() {
        disposable?.dispose()
        state.touch()
        disposal = disposal ?? trial.mark()
    }

    /// Expects one end, and that the received values are a prefix of `sent`, or all of them at a completion.
    func expectStart(of sent: [Value]) {
        disposable = nil
        recorder.expectOneEnd()
        trial.expect(sent.starts(with: recorder.values), "the observer has got \(recorder.values) of \(sent)")
        if case .completed? = recorder.end {
            trial.expect(recorder.values == sent, "completed after \(recorder.values) of \(sent)")
        }
    }
}

/// A sequence that never waits, or that waits at a door before its last element.
struct Elements: AsyncSequence, Sendable {
    let elements: [Int]
    var door: Door?
    var fails = false

    typealias Element = Int
    typealias Failure = TestFailure

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Int>
        let door: Door?
        let fails: Bool

        mutating func next(isolation actor: isolated (any Actor)?) async throws(TestFailure) -> Int? {
            if rest.count == 1, let door { await door.wait() }
            if rest.isEmpty, fails { throw TestFailure() }
            return rest.popFirst()
        }

        mutating func next() async throws(TestFailure) -> Int? { try await next(isolation: nil) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...], door: door, fails: fails) }
}
#endif
