import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A generator that returns the numbers of a script in turn, repeatedly.
private struct Scripted: RandomNumberGenerator {
    let script: [UInt64]
    private var index = 0

    init(_ script: [UInt64]) { self.script = script }

    mutating func next() -> UInt64 {
        defer { index = (index + 1) % script.count }
        return script[index]
    }
}

@Suite("retry by a policy")
struct RetryPolicyTests {
    private typealias Policy = RetryPolicy<TestError>

    /// The times at which the attempts of a failing producer start, and the time of its final event.
    private func times(
        _ policy: Policy, attemptsTake length: Duration = .zero, failures: Int = .max
    ) -> (attempts: [Duration], end: String) {
        let scheduler = TestScheduler()
        let attempts = Log<Duration>()
        let end = Log<String>()
        let begin = scheduler.now
        let start = Numbers { observer, _ in
            attempts.append(begin.duration(to: scheduler.now))
            let event: Event<Int, TestError> = attempts.count > failures ? .completed : .error(.first)
            if length == .zero {
                observer.send(event)
            } else {
                scheduler.schedule(after: length) { observer.send(event) }
            }
        }.retry(policy, on: scheduler).start { end.append("\($0.text) at \(begin.duration(to: scheduler.now))") }
        scheduler.advance(by: .seconds(1_000))
        #expect(end.count <= 1)
        let outcome = end.all.first ?? "still trying"
        start.dispose()
        return (attempts.all, outcome)
    }

    @Test("multiplies delays by a factor, up to a cap")
    func growth() {
        let capped = times(.exponential(from: .seconds(1), cap: .seconds(5), upTo: 5))
        expect(capped.attempts, is: [0, 1, 3, 7, 12, 17].map { .seconds($0) })
        expect(capped.end, is: "error first at 17.0 seconds")
        let doubled = times(.exponential(from: .milliseconds(100), upTo: 7))
        expect(doubled.attempts, is: [0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700].map { .milliseconds($0) })
        let slow = times(.exponential(from: .nanoseconds(10), by: 1.5, upTo: 3))
        expect(slow.attempts, is: [0, 10, 25, 48].map { .nanoseconds($0) })
        let level = times(.exponential(from: .seconds(2), by: 1, upTo: 3))
        expect(level.attempts, is: [0, 2, 4, 6].map { .seconds($0) })
        let low = times(.exponential(from: .seconds(9), cap: .seconds(2), upTo: 2))
        expect(low.attempts, is: [0, 2, 4].map { .seconds($0) })
        let none = times(.exponential(from: .zero, upTo: 2))
        expect(none.attempts, is: [.zero, .zero, .zero])
    }

    @Test("limits every delay to a century, however often it has grown")
    func overflow() {
        let scheduler = TestScheduler()
        let attempts = Log<TestScheduler.Instant>()
        let log = Numbers { observer, _ in
            attempts.append(scheduler.now)
            observer.sendError(.first)
        }.retry(.exponential(from: .seconds(1), upTo: 5_000), on: scheduler).logged()
        scheduler.run()
        expect(log.all, is: ["error first"])
        let delays = zip(attempts.all, attempts.all.dropFirst()).map { $0.duration(to: $1) }
        expect(delays.count, is: 5_000)
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
        expect(delays.last, is: .seconds(3_155_760_000))
    }

    @Test("makes as many further attempts as the limit allows", arguments: 0...3)
    func limit(_ limit: Int) {
        let all = times(.exponential(from: .seconds(1), by: 1, upTo: limit))
        expect(all.attempts.count, is: limit + 1)
        expect(all.end, is: "error first at \(Duration.seconds(limit))")
        // With one failure fewer, the last attempt succeeds.
        let success = times(.exponential(from: .seconds(1), by: 1, upTo: limit), failures: limit)
        expect(success.end, is: "completed at \(Duration.seconds(limit))")
    }

    @Test("keeps trying if there is no limit")
    func unlimited() {
        let result = times(.exponential(from: .seconds(1), by: 1), failures: 700)
        expect(result.attempts.count, is: 701)
        expect(result.end, is: "completed at 700.0 seconds")
        expect(times(.exponential(from: .seconds(1), by: 1)).end, is: "still trying")
    }

    @Test("starts no attempt after the deadline, and gives up as soon as the next one would be too late")
    func deadline() {
        let onTime = times(.exponential(from: .seconds(1), deadline: .seconds(7)))
        expect(onTime.attempts, is: [0, 1, 3, 7].map { .seconds($0) })
        expect(onTime.end, is: "error first at 7.0 seconds")
        let late = times(.exponential(from: .seconds(1), deadline: .milliseconds(6_999)))
        expect(late.attempts, is: [0, 1, 3].map { .seconds($0) })
        expect(late.end, is: "error first at 3.0 seconds")
        // The duration of the attempts counts as well, and an attempt in progress is allowed to finish.
        let long = times(.exponential(from: .seconds(1), deadline: .seconds(7)), attemptsTake: .seconds(2))
        expect(long.attempts, is: [0, 3, 7].map { .seconds($0) })
        expect(long.end, is: "error first at 9.0 seconds")
        expect(times(.exponential(from: .zero, upTo: 3, deadline: .zero)).attempts.count, is: 4)
    }

    /// One attempt of a stream that always fails: the times at which it sends a value, and at which it fails.
    private struct Attempt: CustomStringConvertible {
        var values: [Int]
        var failure: Int

        var description: String { "\(values) X\(failure)" }
    }

    /// The seconds at which the attempts begin, and at which the result fails. After the last attempt of the script,
    /// the stream goes on.
    private func begins(_ policy: Policy, _ script: [Attempt]) -> (attempts: [Int], end: Int?) {
        let scheduler = TestScheduler()
        let begin = scheduler.now
        let now: @Sendable () -> Int = { Int(begin.duration(to: scheduler.now) / .seconds(1)) }
        let (attempts, end) = (Log<Int>(), Log<Int>())
        let start = Numbers { observer, lifetime in
            attempts.append(now())
            guard attempts.count <= script.count else {
                lifetime.observeEnded { _ = observer }
                return
            }
            let attempt = script[attempts.count - 1]
            for value in attempt.values {
                scheduler.schedule(after: .seconds(value)) { observer.sendNext(value) }
            }
            scheduler.schedule(after: .seconds(attempt.failure)) { observer.sendError(.first) }
        }.retry(policy, on: scheduler).start { event in
            if case .error = event { end.append(now()) }
        }
        scheduler.run()
        start.dispose()
        return (attempts.all, end.all.first)
    }

    @Test("begins anew after a value, if the policy says so")
    func resetOnValue() {
        let script = [
            Attempt(values: [], failure: 1), Attempt(values: [1], failure: 2), Attempt(values: [], failure: 0),
            Attempt(values: [0], failure: 0), Attempt(values: [], failure: 0), Attempt(values: [], failure: 0),
        ]
        let policy = Policy.exponential(from: .seconds(1), upTo: 2)
        // Fails at 1, 4 and 6: the third failure is one too many.
        let plain = begins(policy, script)
        expect(plain.attempts, is: [0, 2, 6])
        expect(plain.end, is: 6)
        // The second attempt, and the fourth, make the next failure the first one.
        let reset = begins(policy.resetOnSuccess(), script)
        expect(reset.attempts, is: [0, 2, 5, 7, 8, 10])
        expect(reset.end, is: 10)
    }

    @Test("begins anew after an attempt that has run for long enough, if the policy says so")
    func resetOnTime() {
        let script = [9, 10, 3, 11, 0, 0].map { Attempt(values: [1], failure: $0) }
        let policy = Policy.linear(from: .seconds(1), upTo: 1)
        let reset = begins(policy.resetOnSuccess(after: .seconds(10)), script)
        // A failure after 9 seconds is the first one, after 10 the first one again, and so is the one after 11.
        expect(reset.attempts, is: [0, 10, 21])
        expect(reset.end, is: 24)
        let both = begins(policy.resetOnSuccess(after: .seconds(10)).resetOnSuccess(), script)
        // The fifth attempt fails before it has sent its value.
        expect(both.attempts, is: [0, 10, 21, 25, 37])
        expect(both.end, is: 37)
    }

    @Test("measures the deadline from the failure that begins anew, and numbers the attempts from it")
    func resetDeadline() {
        let asked = Log<Int>()
        let policy = Policy.constant(.seconds(4), deadline: .seconds(9)) { _, attempt in
            asked.append(attempt)
            return true
        }
        let script = [0, 0, 0].map { Attempt(values: [], failure: $0) }
        expect(begins(policy.resetOnSuccess(), script).attempts, is: [0, 4, 8])
        expect(asked.all, is: [1, 2, 3])
        asked.removeAll()
        let longer = script + [Attempt(values: [1], failure: 2)] + script
        expect(begins(policy.resetOnSuccess(), [Attempt(values: [0], failure: 20)] + script).attempts, is: [0, 24, 28])
        expect(asked.all, is: [1, 2, 3])
        expect(begins(policy.resetOnSuccess(), longer).end, is: 8)
    }

    @Test("begins anew as in a model")
    func resetModel() {
        var random = SplitMix64(seed: 41)
        for round in 0..<raceRounds * 4 {
            let limit = random.number(in: 0...3)
            let time = random.once(in: 2) ? random.number(in: 0...6) : nil
            let resetsOnValue = random.once(in: 2)
            let script = (0..<random.number(in: 1...8)).map { _ in
                let failure = random.number(in: 0...8)
                return Attempt(values: random.once(in: 3) ? [random.number(in: 0...failure)] : [], failure: failure)
            }
            var policy = Policy.linear(from: .seconds(1), by: .seconds(2), upTo: limit)
            if resetsOnValue { policy = policy.resetOnSuccess() }
            if let time { policy = policy.resetOnSuccess(after: .seconds(time)) }
            // The model.
            var (now, failures, attempts, end) = (0, 0, [Int](), Int?.none)
            for attempt in script {
                attempts.append(now)
                now += attempt.failure
                let isSuccess = resetsOnValue && !attempt.values.isEmpty || time.map { attempt.failure >= $0 } ?? false
                failures = isSuccess ? 1 : failures + 1
                if failures > limit {
                    end = now
                    break
                }
                now += 1 + 2 * (failures - 1)
            }
            if end == nil { attempts.append(now) }
            let result = begins(policy, script)
            guard result.attempts == attempts, result.end == end else {
                let policy = "at most \(limit), \(resetsOnValue), \(time.map { "\($0)" } ?? "")"
                Issue.record("round \(round): \(script), \(policy): \(result), not \(attempts), \(end ?? -1)")
                return
            }
        }
    }

    @Test("asks the closure about each error, with the number of the attempt, unless no attempt is left")
    func predicate() {
        let asked = Log<String>()
        let policy = Policy.exponential(from: .seconds(1), upTo: 4) { error, attempt in
            asked.append("\(error) \(attempt)")
            return attempt < 3
        }
        expect(times(policy).end, is: "error first at 3.0 seconds")
        expect(asked.all, is: ["first 1", "first 2", "first 3"])
        asked.removeAll()
        let always = Policy.exponential(from: .seconds(1), upTo: 1) { error, attempt in
            asked.append("\(error) \(attempt)")
            return true
        }
        expect(times(always).attempts.count, is: 2)
        expect(asked.all, is: ["first 1"])

        let scheduler = TestScheduler()
        let attempts = Counter()
        let log = Numbers { observer, _ in observer.sendError(attempts.increment() < 3 ? .first : .second) }
            .retry(.exponential(from: .seconds(1)) { error, _ in error == .first }, on: scheduler)
            .logged()
        scheduler.run()
        expect(log.all, is: ["error second"])
        expect(attempts.value, is: 3)
    }

    @Test("makes no attempt after a disposal inside the closure that decides")
    func disposalInPredicate() {
        let scheduler = TestScheduler()
        let attempts = Counter()
        let disposable = SerialDisposable()
        let policy = Policy.exponential(from: .seconds(1)) { _, _ in
            disposable.dispose()
            return true
        }
        let log = Log<String>()
        Numbers { observer, _ in
            attempts.increment()
            scheduler.schedule(after: .seconds(1)) { observer.sendError(.first) }
        }.retry(policy, on: scheduler).startWithSignal { signal, start in
            disposable.inner = start
            signal.observe { log.append($0.text) }
        }
        scheduler.run()
        expect(log.all, is: ["interrupted"])
        expect(attempts.value, is: 1)
    }

    @Test("shortens each delay by at most the jitter's share", arguments: [(0.5, 0.5), (1, 0), (0.25, 0.75), (0, 1)])
    func jitter(_ jitter: Double, _ least: Double) {
        func delays(_ script: [UInt64]) -> [Duration] {
            let result = times(
                .exponential(
                    from: .seconds(1), cap: .seconds(4), jitter: jitter, upTo: 4, using: Scripted(script)))
            return zip(result.attempts.dropFirst(), result.attempts).map { $0 - $1 }
        }
        // `Double.random` returns 0 if no bit is set, and almost 1 if all are.
        expect(delays([0]), is: [1, 2, 4, 4].map { .seconds($0) })
        let shortest = delays([.max])
        for (delay, full) in zip(shortest, [1, 2, 4, 4] as [Double]) {
            #expect(abs((delay - .seconds(full * least)) / .seconds(1)) < 1e-8)
        }
        // Jitter does not affect growth: a full delay follows a short one.
        expect(delays([.max, 0])[1], is: .seconds(2))
    }

    @Test("creates one random number generator per start, when its first attempt has failed")
    func generators() {
        let made = Counter()
        let make: @Sendable () -> Scripted = {
            made.increment()
            return Scripted([.max / 2, 0])
        }
        let policy = Policy.exponential(from: .seconds(1), jitter: 1, upTo: 3, using: make())
        let first = times(policy)
        expect(made.value, is: 1)
        #expect(times(policy) == first)
        expect(made.value, is: 2)
        expect(times(policy, failures: 0).end, is: "completed at 0.0 seconds")
        expect(made.value, is: 2)
        expect(times(.exponential(from: .seconds(1), jitter: 1, upTo: 5)).attempts.count, is: 6)
    }

    @Test("counts attempts separately for each start, on several threads")
    func independent() {
        let policy = Policy.exponential(from: .zero, upTo: 20)
        let scheduler = QueueScheduler()
        let attempts = Counter()
        let producer = Numbers { observer, _ in
            attempts.increment()
            observer.sendError(.first)
        }.retry(policy, on: scheduler)
        onThreads(4, "starts") { _ in
            for _ in 0..<50 {
                let ended = Latch("the end of the retries")
                producer.start { if $0.isTerminating { ended.open() } }
                ended.wait()
            }
        }
        expect(attempts.value, is: 4 * 50 * 21)
    }

    @Test(
        "interrupts on disposal, stops an endless source, begins nothing after disposal, and holds nothing at its end")
    func common() {
        let policy = Policy.exponential(from: .seconds(1), upTo: 1)
        expectInterrupts { $0.retry(policy, on: TestScheduler()) }
        expectDoesNotBegin { $0.retry(policy, on: TestScheduler()) }
        expectStops { $0.retry(policy, on: TestScheduler()) }
        expectReleases { source, member in
            source.retry(
                .exponential(from: .seconds(1), upTo: 0) { _, _ in
                    member.touch()
                    return true
                }, on: TestScheduler())
        }
    }

    @Test("has the operator's name") func name() {
        expect(Numbers.never.named("a").retry(.exponential(from: .zero), on: TestScheduler()).name, is: "[a] -retry")
    }

    private struct Asked: Error { let delay: Duration? }

    @Test("takes each delay from the error, and gives up on nil")
    func fromError() {
        let scheduler = TestScheduler()
        let asked = Log<Int>()
        let attempts = Log<String>()
        let delays: [Duration?] = [.seconds(3), .seconds(-5), .milliseconds(10), nil]
        let ended = Counter()
        SignalProducer<Int, Asked> { observer, _ in
            attempts.append("\(scheduler.now)")
            observer.sendError(Asked(delay: delays[attempts.count - 1]))
        }.retry(
            RetryPolicy { error, attempt in
                asked.append(attempt)
                return error.delay
            }, on: scheduler
        ).start { if $0.isTerminating { ended.increment() } }
        scheduler.run()
        expect(attempts.all, is: ["0.0 seconds", "3.0 seconds", "3.0 seconds", "3.01 seconds"])
        expect(asked.all, is: [1, 2, 3, 4])
        expect(ended.value, is: 1)
        // The closure is not called if no attempt is left.
        asked.removeAll()
        let limited = Policy(upTo: 2, deadline: .seconds(9)) { _, attempt in
            asked.append(attempt)
            return .seconds(4)
        }
        expect(times(limited).attempts, is: [0, 4, 8].map { .seconds($0) })
        expect(asked.all, is: [1, 2])
        expect(times(Policy(deadline: .seconds(9)) { _, _ in .seconds(5) }).attempts, is: [0, 5].map { .seconds($0) })
    }

    @Test("uses constant delays, or delays that grow by a step")
    func constantAndLinear() {
        expect(times(.constant(.seconds(2), upTo: 3)).attempts, is: [0, 2, 4, 6].map { .seconds($0) })
        expect(times(.constant(.seconds(2), deadline: .seconds(5))).attempts, is: [0, 2, 4].map { .seconds($0) })
        // With no bit set the random number is 0, which means no jitter.
        let jittered = times(.constant(.seconds(2), jitter: 1, upTo: 2, using: Scripted([0, .max])))
        expect(jittered.attempts[1], is: .seconds(2))
        #expect(jittered.attempts[2] - .seconds(2) < .microseconds(1))
        expect(times(.linear(from: .seconds(1), upTo: 4)).attempts, is: [0, 1, 3, 6, 10].map { .seconds($0) })
        expect(
            times(.linear(from: .seconds(1), by: .seconds(2), cap: .seconds(4), upTo: 4)).attempts,
            is: [0, 1, 4, 8, 12].map { .seconds($0) })
        expect(times(.linear(from: .zero, upTo: 2)).attempts, is: [.zero, .zero, .zero])
        expect(times(.linear(from: .seconds(1)) { _, attempt in attempt < 2 }).attempts.count, is: 2)
    }

    @Test("draws decorrelated delays between the base and three times the previous one, up to the cap")
    func decorrelated() {
        func delays(_ script: [UInt64], _ cap: Duration = .seconds(30)) -> [Duration] {
            let result = times(.decorrelatedJitter(from: .seconds(1), cap: cap, upTo: 5, using: Scripted(script)))
            return zip(result.attempts.dropFirst(), result.attempts).map { $0 - $1 }
        }
        expect(delays([0]), is: [1, 1, 1, 1, 1].map { .seconds($0) })
        for (delay, most) in zip(delays([.max]), [3, 9, 27, 30, 30] as [Double]) {
            #expect(abs((delay - .seconds(most)) / .seconds(1)) < 1e-6)
        }
        expect(delays([.max], .seconds(1)), is: [1, 1, 1, 1, 1].map { .seconds($0) })
        var random = SplitMix64(seed: 1)
        for _ in 0..<100 {
            var last = 1.0
            for delay in delays((0..<5).map { _ in random.next() }) {
                let seconds = delay / .seconds(1)
                #expect(seconds >= 1 - 1e-9 && seconds <= min(30, last * 3) + 1e-6)
                last = seconds
            }
        }
    }

    fileprivate static let newMistakes: [(message: String, make: @Sendable () -> RetryPolicy<TestError>)] = [
        ("RetryPolicy(upTo: -1)", { RetryPolicy(upTo: -1) { _, _ in nil } }),
        ("RetryPolicy(deadline: -1.0 seconds)", { RetryPolicy(deadline: .seconds(-1)) { _, _ in nil } }),
        ("RetryPolicy.constant(-1.0 seconds)", { .constant(.seconds(-1)) }),
        (
            "RetryPolicy.resetOnSuccess(after: -1.0 seconds)",
            { .constant(.zero).resetOnSuccess(after: .seconds(-1)) }
        ),
        ("RetryPolicy.constant(jitter: 2.0)", { .constant(.seconds(1), jitter: 2) }),
        ("RetryPolicy.linear(from: -1.0 seconds)", { .linear(from: .seconds(-1)) }),
        ("RetryPolicy.linear(by: -1.0 seconds)", { .linear(from: .seconds(1), by: .seconds(-1)) }),
        ("RetryPolicy.linear(cap: -1.0 seconds)", { .linear(from: .seconds(1), cap: .seconds(-1)) }),
        (
            "RetryPolicy.decorrelatedJitter(from: -1.0 seconds)",
            { .decorrelatedJitter(from: .seconds(-1), cap: .seconds(1)) }
        ),
        (
            "RetryPolicy.decorrelatedJitter(cap: 1.0 seconds)",
            { .decorrelatedJitter(from: .seconds(2), cap: .seconds(1)) }
        ),
    ]

    @Test("traps when a parameter of the other policies is invalid", arguments: 0..<9)
    func newTraps(_ index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            _ = Self.newMistakes[index].make()
        }
        result.expectTrap(Self.newMistakes[index].message)
    }

    fileprivate static let mistakes: [(message: String, make: @Sendable () -> RetryPolicy<TestError>)] = [
        ("from: -1.0 seconds", { .exponential(from: .seconds(-1)) }),
        ("by: 0.5", { .exponential(from: .zero, by: 0.5) }), ("by: nan", { .exponential(from: .zero, by: .nan) }),
        ("by: inf", { .exponential(from: .zero, by: .infinity) }),
        ("cap: -2.0 seconds", { .exponential(from: .zero, cap: .seconds(-2)) }),
        ("jitter: -0.1", { .exponential(from: .zero, jitter: -0.1) }),
        ("jitter: 1.5", { .exponential(from: .zero, jitter: 1.5) }),
        ("jitter: nan", { .exponential(from: .zero, jitter: .nan) }),
        ("upTo: -1", { .exponential(from: .zero, upTo: -1) }),
        ("deadline: -3.0 seconds", { .exponential(from: .zero, deadline: .seconds(-3)) }),
    ]

    @Test("traps when a parameter is invalid", arguments: 0..<10)
    func traps(_ index: Int) async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            _ = Self.mistakes[index].make()
        }
        result.expectTrap("RetryPolicy.exponential(\(Self.mistakes[index].message)")
    }
}
