#if Explore
/// Chooses the thread that continues at each step.
protocol Strategy: AnyObject {
    /// Whether the strategy leaves out schedules that are equivalent to others.
    var leavesOut: Bool { get }

    /// Returns the index of the thread that continues.
    ///
    /// - Parameters:
    ///   - threads: The numbers of the threads that can continue. If `isPreempting`, the first is the running thread.
    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int

    /// Makes another choice, among `count` alternatives. The first is the default.
    func choose(among count: Int, at moment: Moment) -> Int
}

extension Strategy {
    var leavesOut: Bool { false }
}

/// All schedules with a limited number of preemptions, one after another.
///
/// With `leavesOut` it runs at least one of each set of equivalent schedules (see ``Dependence``) that has one within
/// the bound. A thread *t* that could continue with its segment *s* is interrupted only if, in a schedule that has been
/// run and in which *t* continues there, an access of another thread races with one of *s*. Why that suffices:
///
/// By induction, let all schedules within the bound in which *t* continues have an equivalent among those that were
/// run. Take a schedule *E* in which *t* is interrupted instead, and resumed later.
///
/// - If what the others do until then is independent of *s*, let *t* run *s* first, and be interrupted after it. The
///   others do the same, so this schedule is equivalent to *E*. It does not have more preemptions: the first one has
///   only moved, and where *t* was resumed, the others are now left for what came after *s*, which is at most as many
///   switches. Other threads wait at the same places, as *s* neither frees what they wait for nor takes what they take:
///   locking, unlocking and signalling are accesses. So *E* need not be run.
/// - Otherwise, let *a* be their first access that depends on *s*. Let *t* run *s* first, and be interrupted after it,
///   up to *a*. This has no more preemptions than *E*, and nothing orders *a* after *s*. So an equivalent schedule has
///   been run, the race was seen in it, and *t* is interrupted before *s* as well.
///
/// A switch from a thread that cannot continue costs no preemption. Moving a segment could then need one more. So at
/// these switches, every order is run.
final class DepthFirst: Strategy {
    private struct Branch {
        var index: Int
        let limit: Int
        /// Whether every alternative matters, as far as is known.
        var matters: Bool
    }

    private let bound: Int
    let leavesOut: Bool
    private var path: [Branch] = []
    private var position = 0
    private var preemptions = 0

    init(preemptions: Int, leavesOut: Bool = false) {
        bound = preemptions
        self.leavesOut = leavesOut
    }

    /// Another thread races with the segment that followed these choices.
    func note(racing choices: [Int]) { for choice in choices { path[choice].matters = true } }

    /// Proceeds to the next schedule. Returns `false` if there is none.
    func advance() -> Bool {
        position = 0
        preemptions = 0
        while let last = path.last, last.index + 1 >= last.limit || !last.matters { path.removeLast() }
        guard !path.isEmpty else { return false }
        path[path.count - 1].index += 1
        return true
    }

    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int {
        let index = take(isPreempting && preemptions >= bound ? 1 : threads.count, matters: !leavesOut || !isPreempting)
        if isPreempting, index > 0 { preemptions += 1 }
        return index
    }

    func choose(among count: Int, at moment: Moment) -> Int { take(count, matters: true) }

    private func take(_ limit: Int, matters: Bool) -> Int {
        if position == path.count { path.append(Branch(index: 0, limit: limit, matters: matters)) }
        defer { position += 1 }
        return path[position].index
    }
}

/// One random schedule, and a guess at how many there are.
final class Guess: Strategy {
    private let bound: Int
    private var preemptions = 0
    private var random: RandomBits
    /// About how many choices of a thread there are.
    private let length: Int
    /// One divided by the probability of this schedule. Its mean over many guesses is the number of schedules.
    private(set) var size = 1.0

    init(preemptions: Int, seed: UInt64, length: Int) {
        bound = preemptions
        random = RandomBits(seed)
        self.length = max(length, 2)
    }

    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int {
        guard isPreempting else { return choose(among: threads.count, at: moment) }
        guard preemptions < bound else { return 0 }
        // Uniform choices would make all preemptions at the beginning.
        if random.next() % UInt64(length) > 0 {
            size *= Double(length) / Double(length - 1)
            return 0
        }
        preemptions += 1
        size *= Double(length)
        return 1 + choose(among: threads.count - 1, at: moment)
    }

    func choose(among count: Int, at moment: Moment) -> Int {
        size *= Double(count)
        return Int(random.next() % UInt64(count))
    }
}

/// Random schedules: the thread with the highest priority runs, and at a few random steps the running thread gets the
/// lowest priority. Finds each defect that needs `depth` orderings with a guaranteed minimum probability.
final class RandomPriorities: Strategy {
    private var random: RandomBits
    private var priorities: [Int: Int] = [:]
    private var changes: Set<Int>
    private var lowest = 0

    init(seed: UInt64, depth: Int, length: Int) {
        random = RandomBits(seed)
        changes = []
        for _ in 1..<max(2, depth) { changes.insert(Int(random.next() % UInt64(max(1, length)))) }
    }

    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int {
        for thread in threads where priorities[thread] == nil { priorities[thread] = Int(random.next() >> 33) + 1 }
        if isPreempting, changes.remove(moment.step) != nil {
            lowest -= 1
            priorities[threads[0]] = lowest
        }
        return threads.indices.max { priorities[threads[$0]]! < priorities[threads[$1]]! }!
    }

    func choose(among count: Int, at moment: Moment) -> Int {
        random.next() % 4 == 0 ? Int(random.next() % UInt64(count)) : 0
    }
}

/// Replays a schedule.
final class Replay: Strategy {
    private let schedule: Schedule

    init(_ schedule: Schedule) { self.schedule = schedule }

    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int {
        schedule.exceptions[moment] ?? 0
    }

    func choose(among count: Int, at moment: Moment) -> Int { schedule.exceptions[moment] ?? 0 }
}

/// A fast generator of random bits, with the same results on every platform.
struct RandomBits {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
#endif
