#if Explore

/// One run of a scenario: its threads, only one of which runs at a time, and the choices that were made.
package final class Execution: @unchecked Sendable {
    // Sendable: only the thread that holds the baton accesses it.

    enum Phase { case preparing, running, checking }

    let number: Int
    let settings: Settings
    private let strategy: any Strategy
    private(set) var phase = Phase.preparing
    /// The places known to be accessed by more than one thread.
    ///
    /// `nil` for a replay, in which every step is a choice.
    let shared: Set<Place.Name>?
    private(set) var newlyShared: Set<Place.Name> = []
    private(set) var threads: [ExploredThread] = []
    private(set) var choices: [Choice] = []
    private(set) var failures: [String] = []
    /// Whether the schedule did not fit the execution.
    private(set) var diverges = false
    private(set) var steps = 0
    private var slots = 0
    private var isComplete = false
    private var director: ExploredThread?
    /// The threads that can continue, in the order of the alternatives. Kept to save allocations.
    private var enabled: [ExploredThread] = []
    private var numbers: [Int] = []
    /// What the scenario says about its end, if that is collected.
    private(set) var outcome = ""
    let dependence: Dependence
    private let order = Place()
    private(set) lazy var executor = ExploredExecutor(self)
    /// The only instance of each class that has one instance per execution.
    var instances: [ObjectIdentifier: AnyObject] = [:]
    /// What each task knew when it was suspended, by the address of the task.
    var suspended: [UInt: Knowledge] = [:]
    /// Whether all threads have ended except those that wait for jobs, which end now.
    private(set) var takesNoMoreJobs = false

    nonisolated(unsafe) private static var made = 0
    /// The execution under way. Another thread may read it only once that is stuck.
    nonisolated(unsafe) static var latest: Execution?
    /// Grows with each step of each execution. Another thread may read it: an old value is as good.
    nonisolated(unsafe) static var progress = 0

    init(_ settings: Settings, _ strategy: any Strategy, shared: Set<Place.Name>?, _ dependence: Dependence) {
        self.dependence = dependence
        Self.made += 1
        number = Self.made
        isWeak = settings.staleReads > 0
        self.settings = settings
        self.strategy = strategy
        self.shared = shared
    }

    /// Whether loads can return old stores while the threads run.
    let isWeak: Bool
    var hasWeakMemory: Bool { isWeak && phase == .running }
    var staleReadLimit: Int { settings.staleReads }

    func nextSlot() -> Int {
        slots += 1
        return slots
    }

    func isShared(_ name: Place.Name) -> Bool { shared?.contains(name) ?? true }

    func share(_ name: Place.Name) { newlyShared.insert(name) }

    /// Makes all stores of all threads visible to every thread.
    func flush() {
        for word in words { for thread in threads { word.flush(thread) } }
    }

    /// The words that have been accessed. Recorded only with weak memory, where ``flush()`` needs them.
    private var words: [ExploredWord] = []

    func note(_ word: ExploredWord) {
        if isWeak { words.append(word) }
    }

    // MARK: Running

    /// Runs a scenario on the calling thread and on its own threads.
    func run(_ scenario: Scenario) {
        Self.latest = self
        dependence.begin()
        let director = ExploredThread(0, isDaemon: false, self)
        director.strand = .calling()
        self.director = director
        threads = [director]
        ExploredThread.current = director
        defer { ExploredThread.current = nil }
        let trial = Trial(self)
        scenario.body(trial)
        // A thread that a task has already started also knows everything created after it.
        for thread in threads where thread !== director { thread.knowledge.join(director.knowledge) }
        if strategy.leavesOut || settings.collectsOutcomes { dependence.turnOn() }
        defer { dependence.turnOff() }
        phase = .running
        for body in trial.takeBodies() { spawn(isDaemon: false, body) }
        guard threads.count > 1 else { return }
        director.state = .finished
        if failures.isEmpty, let first = chosen(current: nil) ?? lastToGo() { handOver(from: director, to: first) }
        guard isComplete else {
            // The other threads never continue, and what is on their stacks is never released.
            _ = Unmanaged.passRetained(self)
            return
        }
        // Everything that the threads have done happened before what follows.
        phase = .checking
        dependence.turnOff()
        director.state = .ready
        for thread in threads { director.knowledge.join(thread.knowledge) }
        let outcome = trial.wholeOutcome
        trial.check()
        failures += trial.failures
        if settings.collectsOutcomes { self.outcome = ([outcome] + failures).joined(separator: "; ") }
        // They refer to each other.
        for thread in threads { thread.strand = nil }
    }

    /// Adds a thread, which begins when it is chosen.
    func spawn(isDaemon: Bool, _ body: @escaping () -> Void) {
        if threads.count == VectorClock.threadLimit {
            return fail("more than \(VectorClock.threadLimit - 1) threads")
        }
        let thread = ExploredThread(threads.count, isDaemon: isDaemon, self)
        if let parent = ExploredThread.current {
            thread.knowledge = parent.knowledge
            parent.tick()
            // The numbers of threads depend on the order in which they are added.
            access(order, parent, isWrite: true)
            if dependence.isOn { dependence.spawn(thread.number, by: parent.number) }
        }
        threads.append(thread)
        let work = Work(body)
        thread.strand = .running { [unowned thread] in
            ExploredThread.current = thread
            self.dependence.run(thread.number)
            Dependence.isPaused = false
            work.runAndRelease()
            return self.finish(thread).strand!
        }
    }

    /// The body of a thread. Released while the thread holds the baton, because a `deinit` may take further steps.
    private final class Work {
        private var body: (() -> Void)?

        init(_ body: @escaping () -> Void) { self.body = body }

        func runAndRelease() {
            body?()
            body = nil
        }
    }

    // MARK: Steps

    func step(_ thread: ExploredThread, _ step: ExploredThread.Step) {
        guard phase == .running else {
            if case .lock(let lock) = step, !lock.isFree { fail("a lock is still taken") }
            return
        }
        // What the explorer itself releases does not matter.
        Dependence.isPaused = true
        defer { Dependence.isPaused = false }
        thread.next = step
        steps += 1
        Self.progress &+= 1
        if steps > settings.stepLimit { fail("more than \(settings.stepLimit) steps: it may never end") }
        switch step {
        case .access(let place, _):
            if !place.isShared(in: self, with: thread.number) { return }
        case .lock(let lock):
            if !lock.place.isShared(in: self, with: thread.number), lock.isFree { return }
        default:
            break
        }
        if dependence.isOn, case .lock(let lock) = step, !lock.isFree {
            dependence.attempt(lock.place.footprint, thread.number)
        }
        dependence.choices[thread.number] = -1
        choose(current: thread)
        switch step {
        case .access(let place, let isWrite): access(place, thread, isWrite: isWrite)
        case .lock(let lock): access(lock.place, thread, isWrite: true)
        default: break
        }
    }

    func noteOrder(_ thread: ExploredThread) { access(order, thread, isWrite: true) }

    /// Records an access for the strategy that leaves out equivalent schedules.
    func access(_ place: Place, _ thread: ExploredThread, isWrite: Bool) {
        guard dependence.isOn else { return }
        place.enter(self)
        dependence.access(&place.footprint, thread.number, isWrite: isWrite)
    }

    func access(_ footprint: inout Footprint, _ thread: ExploredThread, isWrite: Bool) {
        if dependence.isOn { dependence.access(&footprint, thread.number, isWrite: isWrite) }
    }

    /// Returns the thread that continues when one has ended.
    private func finish(_ thread: ExploredThread) -> ExploredThread {
        Dependence.isPaused = true
        thread.state = .finished
        steps += 1
        ExploredThread.current = nil
        let next = chosen(current: nil) ?? lastToGo() ?? director!
        if next === director { ExploredThread.current = next }
        return next
    }

    /// Chooses the thread that continues, and waits if that is another thread.
    private func choose(current thread: ExploredThread) {
        let next = chosen(current: thread) ?? lastToGo() ?? director!
        if next !== thread { handOver(from: thread, to: next) }
    }

    private func handOver(from thread: ExploredThread, to next: ExploredThread) {
        thread.strand!.pass(to: next.strand!)
        ExploredThread.current = thread
        dependence.run(thread.number)
    }

    /// Chooses the thread that continues. Returns `nil` if none can.
    private func chosen(current: ExploredThread?) -> ExploredThread? {
        enabled.removeAll(keepingCapacity: true)
        if let current, current.isEnabled { enabled.append(current) }
        for thread in threads where thread !== current && thread.isEnabled { enabled.append(thread) }
        if enabled.isEmpty { return nil }
        if enabled.count == 1 { return enabled[0] }
        let isPreempting = enabled[0] === current
        let moment = Moment(step: steps, kind: .thread)
        numbers.removeAll(keepingCapacity: true)
        for thread in enabled { numbers.append(thread.number) }
        let index = strategy.chooseThread(numbers, isPreempting: isPreempting, at: moment)
        if isPreempting, index == 0, let current { dependence.choices[current.number] = Int32(choices.count) }
        note(Choice(moment: moment, index: index, count: enabled.count))
        // Reached with a choice that does not fit if no thread is running: one of them has just ended.
        return enabled[min(index, enabled.count - 1)]
    }

    /// Chooses one of `count` alternatives, in a choice other than which thread continues.
    func choose(among count: Int, _ kind: Moment.Kind) -> Int {
        if count == 1 || phase != .running { return 0 }
        let moment = Moment(step: steps, kind: kind)
        let index = strategy.choose(among: count, at: moment)
        note(Choice(moment: moment, index: index, count: count))
        return index
    }

    private func note(_ choice: Choice) {
        choices.append(choice)
        if choice.index >= choice.count {
            diverges = true
            fail("the schedule diverges: at step \(choice.moment.step) there are \(choice.count) courses")
        }
    }

    // MARK: Termination

    /// Called when no thread can continue: either all have ended, or some wait forever. Returns a daemon that can end
    /// now.
    private func lastToGo() -> ExploredThread? {
        let waiting = threads.filter { $0.state != .finished && !$0.isDaemon }
        guard waiting.isEmpty else {
            let names = waiting.map { "thread \($0.number) \($0.waits)" }
            failures.append("some threads wait for ever: " + names.joined(separator: ", "))
            return nil
        }
        takesNoMoreJobs = true
        if let daemon = threads.first(where: \.isEnabled) { return daemon }
        isComplete = true
        return nil
    }

    /// Records a failure. In a thread of the scenario it does not return: all threads stay where they are.
    func fail(_ message: String) {
        failures.append(message)
        guard phase == .running, let thread = ExploredThread.current, thread !== director else { return }
        handOver(from: thread, to: director!)
        fatalError("Explorer: a failed execution continues")
    }
}

extension ExploredThread {
    fileprivate var waits: String {
        switch next {
        case .lock: "for a lock"
        case .wait: "for a signal"
        case .takeJob: "for a job"
        case .access, .begin, .pause: "to go on"
        }
    }
}

#endif
