#if Explore
/// Chooses the thread that continues at each step.
protocol Strategy: AnyObject {
    /// Returns the index of the thread that continues.
    ///
    /// - Parameters:
    ///   - threads: The numbers of the threads that can continue. If `isPreempting`, the first is the running thread.
    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int

    /// Makes another choice, among `count` alternatives. The first is the default.
    func choose(among count: Int, at moment: Moment) -> Int
}

/// All schedules with a limited number of preemptions, one after another.
final class DepthFirst: Strategy {
    private struct Branch {
        var index: Int
        let limit: Int
    }

    private let bound: Int
    private var path: [Branch] = []
    private var position = 0
    private var preemptions = 0

    init(preemptions: Int) { bound = preemptions }

    /// Proceeds to the next schedule. Returns `false` if there is none.
    func advance() -> Bool {
        position = 0
        preemptions = 0
        while let last = path.last, last.index + 1 >= last.limit { path.removeLast() }
        guard !path.isEmpty else { return false }
        path[path.count - 1].index += 1
        return true
    }

    func chooseThread(_ threads: [Int], isPreempting: Bool, at moment: Moment) -> Int {
        let index = take(isPreempting && preemptions >= bound ? 1 : threads.count)
        if isPreempting, index > 0 { preemptions += 1 }
        return index
    }

    func choose(among count: Int, at moment: Moment) -> Int { take(count) }

    private func take(_ limit: Int) -> Int {
        if position == path.count { path.append(Branch(index: 0, limit: limit)) }
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
