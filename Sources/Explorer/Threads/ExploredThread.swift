#if Explore
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread of an execution.
package final class ExploredThread: @unchecked Sendable {
    // Sendable: one thread of an execution runs at a time, and accesses the variables.

    /// What a thread is about to do when it asks which thread continues.
    enum Step {
        case access(Place, isWrite: Bool)
        case lock(ExploredLock)
        case wait(ExploredCondition)
        case takeJob(JobQueue)
        case begin
        case pause
    }

    enum State { case ready, finished }

    let number: Int
    /// Whether the execution may end while this thread waits for more work.
    let isDaemon: Bool
    var knowledge = Knowledge()
    var state = State.ready
    /// The next step.
    var next = Step.begin
    /// Used by ``Step/wait(_:)``.
    var isSignalled = false
    var staleReads = 0
    /// While the thread cancels a task: the handlers to call afterwards.
    var handlers: [ExploredHandler]?
    private var named = 0
    var slots: [pthread_key_t: AnyObject] = [:]
    var strand: Strand?
    unowned(unsafe) let execution: Execution

    init(_ number: Int, isDaemon: Bool, _ execution: Execution) {
        self.number = number
        self.isDaemon = isDaemon
        self.execution = execution
    }

    // MARK: The calling thread

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "Explorer: the process has no thread-local slot left")
        return key
    }()

    package static var current: ExploredThread? {
        get { pthread_getspecific(key).map { Unmanaged<ExploredThread>.fromOpaque($0).takeUnretainedValue() } }
        set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }

    /// The calling thread and its execution, if it is part of one.
    static var active: (ExploredThread, Execution)? {
        guard let thread = current else { return nil }
        return (thread, thread.execution)
    }

    /// A word that distinguishes the calling thread from others. The same in each execution, with at least three clear
    /// low bits.
    package static var identity: UInt? { current.map { UInt($0.number + 1) << 6 } }

    // MARK: Steps

    /// Asks which thread continues before this thread performs `step`.
    func step(_ step: Step) { execution.step(self, step) }

    /// Whether the thread can perform its next step.
    var isEnabled: Bool {
        if state == .finished { return false }
        switch next {
        case .access, .begin, .pause: return true
        case .lock(let lock): return lock.isFree
        case .wait: return isSignalled
        case .takeJob(let jobs): return jobs.hasWork
        }
    }

    /// Counts a step of this thread, for other threads to learn of.
    func tick() { knowledge.clock[number] += 1 }

    func nextName() -> Place.Name {
        named += 1
        return Place.Name(thread: number, number: named)
    }
}

/// What all threads share that use explored words outside an execution.
enum Outside {
    nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        return mutex
    }()
    nonisolated(unsafe) private static var made = 0

    static func lock() { pthread_mutex_lock(mutex) }

    static func unlock() { pthread_mutex_unlock(mutex) }

    /// Lets other threads run for a moment.
    static func rest() { sched_yield() }

    static func nextNumber() -> Int {
        lock()
        defer { unlock() }
        made += 1
        return made
    }
}
#endif
