import HotSignals
import ReactiveServer
import ReactiveSignals
import TestSupport

/// A connection that the test drives, and that records every misuse.
final class TestConnection: Sendable {
    private struct State {
        var log: [String] = []
        var mistakes: [String] = []
        var holdsWrites = false
        var isHeedless = false
        var failing: Set<Int> = []
        var inProgress: String?
        var held: CheckedContinuation<Bool, Never>?
        var isClosed = false
    }

    private let state = Locked(State())
    /// What arrives.
    let arriving = Faucet<TestError>()

    /// What has been written, `end` and `closed`.
    var log: [String] { state.withLock { $0.log } }
    /// The numbers that have been written.
    var written: [Int] { log.compactMap { Int($0) } }
    /// Uses at the same time as another one, after the end, or after the closing.
    var mistakes: [String] { state.withLock { $0.mistakes } }
    /// The number that is being written, or `end`.
    var inProgress: String? { state.withLock { $0.inProgress } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Suspends each write until ``finishWrite()``, or until it is cancelled.
    func holdWrites(isHeedless: Bool = false) {
        state.withLock { state in
            state.holdsWrites = true
            state.isHeedless = isHeedless
        }
    }

    func failWrites(of values: Int...) { state.withLock { $0.failing.formUnion(values) } }

    /// Finishes the write that is held.
    func finishWrite() { state.withLock { $0.held.take() }?.resume(returning: true) }

    func write(_ value: Int) async throws(TestError) { try await use("\(value)") }

    func endWriting() async throws(TestError) { try await use("end") }

    private func use(_ name: String) async throws(TestError) {
        let isHeld = state.withLock { state in
            if let other = state.inProgress { state.mistakes.append("\(name) during \(other)") }
            if state.isClosed { state.mistakes.append("\(name) after closing") }
            if state.log.contains("end") { state.mistakes.append("\(name) after the end") }
            state.inProgress = name
            return state.holdsWrites
        }
        defer { state.withLock { $0.inProgress = nil } }
        if isHeld, await !hold() { throw .second }
        let fails = state.withLock { state in
            if let number = Int(name), state.failing.contains(number) { return true }
            state.log.append(name)
            return false
        }
        if fails { throw .first }
    }

    private func hold() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled, !state.isHeedless { return true }
                    state.held = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            state.withLock { $0.isHeedless ? nil : $0.held.take() }?.resume(returning: false)
        }
    }

    func close() {
        state.withLock { state in
            if let other = state.inProgress { state.mistakes.append("closed during \(other)") }
            if arriving.tap.isWaitedFor { state.mistakes.append("closed during a read") }
            if state.isClosed { state.mistakes.append("closed twice") }
            state.isClosed = true
            state.log.append("closed")
        }
    }
}

/// A session over a ``TestConnection``, in a scope that is open until the test ends it. Everything runs when the test
/// says so.
final class SessionRig: Sendable {
    typealias Session = DuplexSession<Int, Int, TestError>

    let executor = HandDrivenExecutor()
    let connection = TestConnection()
    /// The calls of the writers, in their order.
    let calls = Log<String>()
    /// What the writers were told, such as `1 true`.
    let outcomes = Log<String>()
    /// What has arrived.
    let arrived = Log<String>()
    private let made = Locked<(session: Session, scope: SignalScope<TestError>)?>(nil)
    private let open = Locked<CheckedContinuation<Void, Never>?>(nil)
    private let scopeEnd = DoneFlag()

    init() {
        executor.within {
            _ = Task(executorPreference: executor) { [self] in
                try? await withSignalScope(throwing: TestError.self) { (scope) throws(TestError) in
                    let session = Session(
                        in: scope, reading: SignalProducer(connection.arriving),
                        write: { [connection] value async throws(TestError) in try await connection.write(value) },
                        endWriting: { [connection] () async throws(TestError) in try await connection.endWriting() },
                        close: { [connection] in connection.close() })
                    made.withLock { $0 = (session, scope) }
                    await withCheckedContinuation { continuation in open.withLock { $0 = continuation } }
                }
                scopeEnd.raise()
            }
        }
        executor.run()
    }

    // Created before the initializer returns.
    var session: Session { made.withLock { $0 }!.session }
    var scope: SignalScope<TestError> { made.withLock { $0 }!.scope }
    var scopeHasEnded: Bool { scopeEnd.isRaised }

    /// Ends the body of the scope.
    func endScope() {
        open.withLock { $0.take() }?.resume()
        executor.run()
    }

    /// Releases the session and the scope, and ends the scope.
    func release() {
        let former = made.withLock { $0.take() }
        withExtendedLifetime(former) {}
        endScope()
    }

    @discardableResult
    func write(_ value: Int, runs: Bool = true) -> Task<Void, Never> {
        call("\(value)", runs: runs) { [session] () async throws(TestError) in try await session.write(value) }
    }

    @discardableResult
    func endWriting(runs: Bool = true) -> Task<Void, Never> {
        call("end", runs: runs) { [session] () async throws(TestError) in try await session.endWriting() }
    }

    private func call(
        _ name: String, runs: Bool, _ body: @escaping @Sendable () async throws(TestError) -> Bool
    ) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) { [calls, outcomes] in
            calls.append(name)
            do throws(TestError) {
                outcomes.append("\(name) \(try await body())")
            } catch {
                outcomes.append("\(name) \(error)")
            }
        }
        if runs { executor.run() }
        return task
    }

    func cancel(_ task: Task<Void, Never>) {
        task.cancel()
        executor.run()
    }

    func finishWrite() {
        connection.finishWrite()
        executor.run()
    }

    /// Starts what arrives.
    @discardableResult
    func read(_ log: Log<String>? = nil) -> any Disposable {
        let log = log ?? arrived
        let disposable = executor.within { session.inbound.start { log.append($0.text) } }
        executor.run()
        return disposable
    }
}
