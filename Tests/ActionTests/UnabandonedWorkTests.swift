import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

private enum Failure: Error, Equatable { case slow }

private typealias Work = SignalProducer<Int, Failure>

/// What a unit of work does with its cancellation.
private enum Manner: CaseIterable {
    /// A function that goes on.
    case ignoring
    /// A function that returns.
    case heeding
    /// A closure that a scheduler calls later, behind `uninterruptible()`.
    case uninterruptible
}

/// One unit: attempts with a time limit, which may be disposed of.
private struct Plan {
    let arrival: Int
    let manner: Manner
    /// How long each attempt takes.
    let durations: [Int]
    let limit: Int
    let disposal: Int?

    /// When and how the unit ends if it begins at a time.
    func end(beginningAt beginning: Int) -> (time: Int, outcome: String) {
        var time = beginning
        for duration in durations {
            let (finish, deadline) = (time + duration, time + limit)
            let isInTime = finish < deadline
            // A heeding function returns when its time is over.
            let over = manner == .heeding ? min(finish, deadline) : finish
            if let disposal, disposal < over { return (manner == .heeding ? disposal : finish, "interrupted") }
            if isInTime { return (finish, "completed") }
            time = over
        }
        return (time, "slow")
    }
}

/// How many functions are at work, and how many have been at most.
private final class Load: Sendable {
    private let state = Locked((now: 0, peak: 0))

    var peak: Int { state.withLock { $0.peak } }

    func begin() {
        state.withLock { state in
            state.now += 1
            state.peak = max(state.peak, state.now)
        }
    }

    func end() { state.withLock { $0.now -= 1 } }
}

@Suite("work that is not abandoned", .watched)
struct UnabandonedWorkTests {
    /// The beginnings and ends of units, in order, in a queue with a limit.
    private func expected(_ plans: [Plan], limit: Int, waiting: Int) -> [String] {
        var (log, running, line): ([String], [(unit: Int, time: Int, outcome: String)], [Int]) = ([], [], [])
        var times: [(time: Int, unit: Int, isArrival: Bool)] = []
        for (unit, plan) in plans.enumerated() {
            times.append((plan.arrival, unit, true))
            if let disposal = plan.disposal { times.append((disposal, unit, false)) }
        }
        times.sort { $0.time < $1.time }
        func begin(_ unit: Int, _ time: Int) {
            log.append("\(time): \(unit) begins")
            let end = plans[unit].end(beginningAt: time)
            running.append((unit, end.time, end.outcome))
        }
        func passEnds(before limitTime: Int) {
            while let index = running.indices.min(by: { running[$0].time < running[$1].time }),
                running[index].time < limitTime
            {
                let end = running.remove(at: index)
                log.append("\(end.time): \(end.unit) \(end.outcome)")
                if !line.isEmpty { begin(line.removeFirst(), end.time) }
            }
        }
        for (time, unit, isArrival) in times {
            passEnds(before: time)
            if !isArrival {
                if let index = line.firstIndex(of: unit) {
                    line.remove(at: index)
                    log.append("\(time): \(unit) interrupted")
                }
            } else if running.count < limit {
                begin(unit, time)
            } else if line.count < waiting {
                line.append(unit)
            } else {
                log.append("\(time): \(unit) disabled")
            }
        }
        passEnds(before: .max)
        return log
    }

    private func plans(_ random: inout SplitMix64, disposes: Bool) -> [Plan] {
        // So long that two events practically never meet.
        let second = 1_000_000_000
        return (0..<random.number(in: 1...8)).map { _ in
            let arrival = random.number(in: 1...10 * second)
            return Plan(
                arrival: arrival, manner: random.pick(Manner.allCases),
                durations: (0..<random.number(in: 1...3)).map { _ in random.number(in: 1...6 * second) },
                limit: random.number(in: 1...6 * second),
                disposal: disposes && random.once(in: 3) ? arrival + random.number(in: 1...15 * second) : nil)
        }
    }

    /// Runs plans on virtual time. Returns the beginnings and ends, and the greatest number of functions at work.
    private func run(
        _ plans: [Plan],
        _ start:
            @escaping @Sendable (_ unit: Int, @escaping @Sendable (Int) -> Work) -> SignalProducer<
                Int, ActionError<Failure>
            >
    ) async -> (log: [String], peak: Int) {
        let scheduler = TestScheduler()
        let log = Log<String>()
        let load = Load()
        let time = { @Sendable in
            let (seconds, attoseconds) = TestScheduler.Instant(offset: .zero).duration(to: scheduler.now).components
            return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        }

        let work = { @Sendable (unit: Int) -> Work in
            let plan = plans[unit]
            let attempts = Counter()
            let attempt = { @Sendable () -> Work in
                let duration = Duration.nanoseconds(plan.durations[attempts.increment() - 1])
                switch plan.manner {
                case .uninterruptible:
                    return Work { observer, _ in
                        load.begin()
                        scheduler.schedule(after: duration) {
                            load.end()
                            observer.sendNext(unit)
                            observer.sendCompleted()
                        }
                    }.uninterruptible()
                case .ignoring, .heeding:
                    return Work.async {
                        load.begin()
                        defer { load.end() }
                        if plan.manner == .heeding {
                            try? await Task.sleep(for: duration, clock: scheduler)
                        } else {
                            await withCheckedContinuation { continuation in
                                scheduler.schedule(after: duration) { continuation.resume() }
                            }
                        }
                        return unit
                    }
                }
            }
            return Work.deferred(attempt)
                .timeout(after: .nanoseconds(plan.limit), raising: .slow, on: scheduler)
                .waitingForWork()
                .retry(upTo: plan.durations.count - 1)
                .on(starting: { log.append("\(time()): \(unit) begins") })
        }
        await scheduler.run {
            for (unit, plan) in plans.enumerated() {
                let disposable = SerialDisposable()
                scheduler.schedule(after: .nanoseconds(plan.arrival)) {
                    disposable.inner = start(unit, work).start { event in
                        switch event {
                        case .next: break
                        case .completed, .interrupted: log.append("\(time()): \(unit) \(event.text)")
                        case .error(.disabled): log.append("\(time()): \(unit) disabled")
                        case .error(.producerError): log.append("\(time()): \(unit) slow")
                        }
                    }
                }
                if let disposal = plan.disposal {
                    scheduler.schedule(after: .nanoseconds(disposal)) { disposable.dispose() }
                }
            }
            await scheduler.run()
        }
        return (log.all, load.peak)
    }

    @Test("keeps the limits of random actions with time limits, retries and disposals")
    func actions() async {
        for seed in 0..<UInt64(raceRounds) {
            var random = SplitMix64(seed: seed)
            let (limit, waiting) = (random.number(in: 1...3), random.number(in: 0...4))
            let plans = plans(&random, disposes: true)
            let action = Locked<Action<Int, Int, Failure>?>(nil)
            let result = await run(plans) { unit, work in
                let action = action.withLock { action in
                    if action == nil {
                        action = Action(policy: .concurrent(limit: limit, waiting: waiting)) { work($0) }
                    }
                    return action
                }
                return action!.apply(unit)
            }
            expect(result.log, is: expected(plans, limit: limit, waiting: waiting), "seed \(seed)")
            #expect(result.peak <= limit)
            if result.peak > limit { return }
        }
    }

    @Test("keeps the limits of random streams of `flatMap` with time limits and retries")
    func flattening() async {
        for seed in 0..<UInt64(raceRounds) {
            var random = SplitMix64(seed: seed)
            let limit = random.number(in: 1...3)
            let plans = plans(&random, disposes: false)
            let (units, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
            units.flatMap(.concurrent(limit: limit)) { $0 }.observeNext { _ in }
            let result = await run(plans) { unit, work in
                let (ends, end) = Signal<Int, ActionError<Failure>>.pipe()
                return SignalProducer(ends).on(started: {
                    input.sendNext(
                        work(unit).mapError { ActionError.producerError($0) }
                            .on(error: { end.sendError($0) }, completed: { end.sendCompleted() })
                            .flatMapError { _ in .empty })
                })
            }
            expect(result.log, is: expected(plans, limit: limit, waiting: .max), "seed \(seed)")
            #expect(result.peak <= limit)
            if result.peak > limit { return }
        }
    }

    @Test("six calls that ignore their cancellation run two at a time, and their callers wait for a second at most")
    func limit() {
        let scheduler = TestScheduler()
        let (load, answers) = (Load(), Log<String>())
        let query = Action<Int, Int, Failure>(policy: .concurrent(limit: 2, waiting: 10)) { number in
            Work { observer, _ in
                load.begin()
                scheduler.schedule(after: .seconds(10)) {
                    load.end()
                    observer.sendNext(number)
                    observer.sendCompleted()
                }
            }.uninterruptible()
        }
        for number in 1...6 {
            query.apply(number).timeout(after: .seconds(1), raising: .producerError(.slow), on: scheduler)
                .startWithError { _ in answers.append("\(number) at \(scheduler.now)") }
        }
        scheduler.run()
        expect(answers.all, is: (1...6).map { "\($0) at 1.0 seconds" })
        expect(load.peak, is: 2)
        #expect(!query.isExecuting.value)
    }
}
