import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

private struct Trouble: Error, Equatable {}

@Suite("A cache", .patient)
struct CacheTests {
    private let scheduler = TestScheduler()
    private let loads = MutableProperty<[String]>([])
    private let cancelled = MutableProperty(0)
    private let isBroken = MutableProperty(false)

    private let results = MutableProperty<[String]>([])

    /// Loading takes a second. A value says when its load began.
    private func cache(maxEntries: Int = 100) -> Cache<String, String, any Error> {
        Cache(maxAge: .seconds(60), maxEntries: maxEntries, on: scheduler) {
            [scheduler, loads, cancelled, isBroken] key in
            loads.modify { $0.append(key) }
            let begin = scheduler.now
            do {
                try await Task.sleep(for: .seconds(1), clock: scheduler)
            } catch {
                cancelled.modify { $0 += 1 }
                throw error
            }
            if isBroken.value { throw Trouble() }
            return "\(key) of \(begin)"
        }
    }

    /// Asks for a value, and records the answer.
    @discardableResult
    private func ask(_ cache: Cache<String, String, any Error>, for key: String = "ada") -> Task<Void, Never> {
        Task(executorPreference: scheduler) { [results] in
            let result: String
            do {
                result = try await cache.value(for: key) ?? "nothing"
            } catch {
                result = "\(error)"
            }
            results.modify { $0.append(result) }
        }
    }

    @Test("loads a value once for concurrent requests")
    func together() async {
        await scheduler.run {
            let cache = cache()
            for _ in 1...100 { ask(cache) }
            await scheduler.advance(by: .seconds(1))
            #expect(results.value == Array(repeating: "ada of 0.0 seconds", count: 100))
            #expect(loads.value == ["ada"])
        }
    }

    @Test("keeps a value until it is too old")
    func age() async {
        await scheduler.run {
            let cache = cache()
            ask(cache)
            await scheduler.advance(by: .seconds(60))
            ask(cache)
            await scheduler.advance()
            #expect(results.value == ["ada of 0.0 seconds", "ada of 0.0 seconds"])
            await scheduler.advance(by: .seconds(1))
            ask(cache)
            await scheduler.advance(by: .seconds(1))
            #expect(results.value.last == "ada of 61.0 seconds")
        }
    }

    @Test("does not keep an error")
    func errors() async {
        await scheduler.run {
            let cache = cache()
            isBroken.value = true
            ask(cache)
            await scheduler.advance(by: .seconds(1))
            isBroken.value = false
            ask(cache)
            await scheduler.advance(by: .seconds(1))
            #expect(results.value == ["Trouble()", "ada of 1.0 seconds"])
        }
    }

    @Test("forgets a value that is changed, also one that is loaded during the change")
    func update() async throws {
        try await scheduler.run {
            let cache = cache()
            ask(cache)
            await scheduler.advance(by: .milliseconds(500))
            try await cache.update("ada") {}
            ask(cache)
            await scheduler.advance(by: .seconds(1))
            ask(cache)
            await scheduler.advance()
            #expect(results.value == ["ada of 0.0 seconds", "ada of 0.5 seconds", "ada of 0.5 seconds"])
        }
    }

    @Test("cancels a load when the last waiting start is disposed of")
    func cancellation() async {
        await scheduler.run {
            let cache = cache()
            let tasks = [ask(cache), ask(cache)]
            await scheduler.advance()
            tasks[0].cancel()
            await scheduler.advance()
            #expect(cancelled.value == 0)
            tasks[1].cancel()
            await scheduler.advance()
            #expect(cancelled.value == 1)
            #expect(results.value == ["nothing", "nothing"])
        }
    }

    @Test("keeps a limited number of values")
    func memory() async {
        await scheduler.run {
            let cache = cache(maxEntries: 2)
            for key in ["ada", "grace", "edsger", "grace", "ada"] {
                ask(cache, for: key)
                await scheduler.advance(by: .seconds(1))
            }
            #expect(loads.value == ["ada", "grace", "edsger", "ada"])
        }
    }

    @Test("loads settings when they are first needed, and again after a change")
    func settings() async throws {
        let (changes, change) = Signal<Void, Never>.pipe()
        let count = MutableProperty(0)
        let settings = Settings<Int, Never>(changes: changes) {
            count.modify { count in
                count += 1
                return count
            }
        }
        #expect(count.value == 0)
        #expect(await [settings.value(), settings.value()] == [1, 1])
        change.sendNext()
        #expect(await [settings.value(), settings.value()] == [2, 2])
    }
}
