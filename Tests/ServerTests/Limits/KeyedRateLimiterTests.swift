import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("RateLimiter.Keyed", .watched)
struct KeyedRateLimiterTests {
    @Test("limits each key separately")
    func keys() {
        let clock = TestScheduler()
        let limiter = RateLimiter.Keyed<String>(1, per: .seconds(1), burst: 2, maxKeys: 10, on: clock)
        for key in ["a", "b"] {
            #expect(limiter.tryAcquire(2, for: key))
            #expect(!limiter.tryAcquire(for: key))
            expect(limiter.delay(for: key), is: .seconds(1))
        }
        expect(limiter.delay(2, for: "c"), is: .zero)
        expect(limiter.count, is: 2)
        clock.advance(by: .seconds(1))
        #expect(limiter.tryAcquire(for: "a"))
        #expect(!limiter.tryAcquire(for: "a"))
    }

    @Test("evicts keys that are full again when new keys arrive")
    func forgets() {
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<Int>(1, per: .seconds(1), maxKeys: 1_000, on: clock)
        for key in 0..<100 { #expect(limiter.tryAcquire(for: key)) }
        expect(limiter.count, is: 100)
        clock.time = .seconds(2)
        for key in 100..<200 { #expect(limiter.tryAcquire(for: key)) }
        // Evicts two keys per new key, as long as there are any.
        expect(limiter.count, is: 100)
        for key in 100..<200 { #expect(!limiter.tryAcquire(for: key)) }
    }

    @Test("keeps to the maximum when a million keys arrive, and evicts the keys that are full first")
    func bounded() {
        let clock = ScriptedClock()
        let (keys, maximum) = (Sanitizer.current == nil ? 1_000_000 : 50_000, 1_000)
        let limiter = RateLimiter.Keyed<Int>(1, per: .seconds(1), burst: 2, maxKeys: maximum, on: clock)
        // Uses more permits than the other keys.
        #expect(limiter.tryAcquire(2, for: -1))
        var most = 0
        for key in 0..<keys {
            if !limiter.tryAcquire(for: key) { Issue.record("a new key is refused") }
            if key % 1_000 == 0 { most = max(most, limiter.count) }
            if key < maximum - 1 { #expect(!limiter.tryAcquire(for: -1)) }
        }
        expect(most, is: maximum)
        expect(limiter.count, is: maximum)
        #expect(!limiter.tryAcquire(for: -1), "those that used less are forgotten first")
    }

    @Test("grants the same permits as one limiter per key, if there is room for all keys", arguments: 0..<10)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<Int>(3, per: .milliseconds(3), burst: 4, maxKeys: 20, on: clock)
        var models: [Int: RateLimiter] = [:]
        var time = 0
        for _ in 0..<10_000 {
            time += random.number(in: 0...1)
            clock.time = .milliseconds(time)
            // At most twenty keys are not full at a time. A key returns after others have been evicted.
            let key = random.number(in: 0...19) + time / 100 % 3 * 20
            let permits = random.number(in: 1...4)
            let model = models[key] ?? RateLimiter(3, per: .milliseconds(3), burst: 4, on: clock)
            models[key] = model
            if time % 100 < 5 { continue }
            expect(limiter.delay(permits, for: key), is: model.delay(permits))
            expect(limiter.tryAcquire(permits, for: key), is: model.tryAcquire(permits))
            #expect(limiter.count <= 20)
        }
    }

    @Test("distinguishes keys with equal hash values, and treats a key whose hash value changes as a new key")
    func lies() {
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<LyingKey>(1, per: .seconds(1), maxKeys: 4, on: clock)
        // All collide.
        for name in ["a", "b", "c"] {
            #expect(limiter.tryAcquire(for: LyingKey(name, [1])))
            #expect(!limiter.tryAcquire(for: LyingKey(name, [1])))
        }
        let liar = LyingKey("liar", Array(0..<1_000))
        for _ in 0..<1_000 { #expect(limiter.tryAcquire(for: liar)) }
        expect(limiter.count, is: 4)
        clock.time = .seconds(9)
        #expect(limiter.tryAcquire(for: LyingKey("a", [1])))
        #expect(!limiter.tryAcquire(for: LyingKey("a", [1])))
    }

    @Test("allows key comparison to call the limiter")
    func reentrant() {
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<CallingKey>(1, per: .seconds(1), maxKeys: 4, on: clock)
        let calls = Counter()
        let key = CallingKey(1) { [weak limiter] in
            if calls.increment() < 5 { _ = limiter?.tryAcquire(for: CallingKey(2) {}) }
        }
        #expect(limiter.tryAcquire(for: key))
        #expect(!limiter.tryAcquire(for: key))
        #expect(!limiter.tryAcquire(for: CallingKey(2) {}))
    }

    @Test("grants threads no more than the burst of each key while keys are evicted and return")
    func threads() {
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<Int>(1, per: .seconds(1), burst: 3, maxKeys: 64, on: clock)
        let granted = (0..<50).map { _ in Counter() }
        let rounds = 4 * raceRounds
        onThreads(3, "keys") { thread in
            for round in 0..<rounds {
                let key = (round * 7 + thread) % 50
                if limiter.tryAcquire(for: key) { granted[key].increment() }
            }
        }
        // No time has passed.
        for counter in granted { #expect(counter.value <= 3) }
        expect(limiter.count, is: 50)
    }

    @Test("a task waits for its key even when the key is evicted")
    func waiting() async throws {
        let clock = ScriptedClock()
        let limiter = RateLimiter.Keyed<String>(1, per: .seconds(1), maxKeys: 1, on: clock)
        try await limiter.acquire(for: "a")
        let waiting = Task { try await limiter.acquire(for: "a") }
        while limiter.delay(for: "a") < .seconds(2) { await Task.yield() }
        let cancelled = Task { try await limiter.acquire(for: "a") }
        while limiter.delay(for: "a") < .seconds(3) { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(limiter.tryAcquire(for: "b"))
        expect(limiter.count, is: 1)
        expect(limiter.delay(for: "a"), is: .zero)
        expect(clock.delays, is: [.seconds(1)])
        clock.time = .seconds(1)
        clock.runScheduled()
        try await waiting.value
        expect(clock.delays, is: [])
    }

    @Test("releases the keys that it evicts")
    func releases() {
        let population = Population()
        let clock = ScriptedClock()
        var limiter: RateLimiter.Keyed<HeldKey>? = RateLimiter.Keyed(1, per: .seconds(1), maxKeys: 3, on: clock)
        for number in 0..<100 { _ = limiter?.tryAcquire(for: HeldKey(number, population)) }
        expect(population.alive, is: 3)
        limiter = nil
        expect(population.alive, is: 0)
    }
}

/// A key that does something when it is compared.
private struct CallingKey: Hashable, Sendable {
    let number: Int
    let call: @Sendable () -> Void

    init(_ number: Int, _ call: @escaping @Sendable () -> Void) {
        self.number = number
        self.call = call
    }

    static func == (left: CallingKey, right: CallingKey) -> Bool {
        left.call()
        right.call()
        return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
        call()
        hasher.combine(number)
    }
}

/// A key with a lifetime that the test observes.
private final class HeldKey: Hashable, Sendable {
    let number: Int
    let member: Population.Member

    init(_ number: Int, _ population: Population) {
        self.number = number
        member = population.member()
    }

    static func == (left: HeldKey, right: HeldKey) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
