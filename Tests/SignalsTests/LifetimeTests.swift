import ReactiveSignals
import TestSupport
import Testing

@Suite("Lifetime")
struct LifetimeTests {
    @Test("ends when its token is disposed of")
    func disposed() {
        let (lifetime, token) = Lifetime.make()
        let runs = Counter()
        #expect(lifetime.observeEnded { runs.increment() } != nil)
        #expect(!lifetime.hasEnded)
        #expect(!token.isDisposed)
        token.dispose()
        #expect(lifetime.hasEnded)
        #expect(token.isDisposed)
        token.dispose()
        expect(runs.value, is: 1)
    }

    @Test("ends when its token is released, which it does not retain")
    func released() {
        let runs = Counter()
        let lifetime: Lifetime
        do {
            let token = Lifetime.Token()
            lifetime = Lifetime(token)
            lifetime.observeEnded { runs.increment() }
            #expect(!lifetime.hasEnded)
            withExtendedLifetime(token) {}
        }
        #expect(lifetime.hasEnded)
        expect(runs.value, is: 1)
    }

    @Test("ends with the object that owns its token")
    func owner() {
        final class Owner: Sendable {
            let token = Lifetime.Token()
        }
        let lifetime: Lifetime
        do {
            let owner = Owner()
            lifetime = Lifetime(owner.token)
            withExtendedLifetime(owner) { #expect(!lifetime.hasEnded) }
        }
        #expect(lifetime.hasEnded)
    }

    @Test("runs actions in reverse order of addition")
    func order() {
        let (lifetime, token) = Lifetime.make()
        let log = Log<Int>()
        lifetime.observeEnded { log.append(1) }
        lifetime += AnyDisposable { log.append(2) }
        lifetime.observeEnded { log.append(3) }
        token.dispose()
        expect(log.all, is: [3, 2, 1])
    }

    @Test("runs an action at once if it has ended, and returns nil")
    func late() {
        let runs = Counter()
        #expect(Lifetime.empty.hasEnded)
        #expect(Lifetime.empty.observeEnded { runs.increment() } == nil)
        expect(runs.value, is: 1)
        let disposable = SimpleDisposable()
        let handle: (any Disposable)? = (+=)(Lifetime.empty, disposable)
        #expect(handle == nil)
        #expect(disposable.isDisposed)
    }

    @Test("removes and releases an action that is disposed of")
    func forgets() {
        let population = Population()
        let (lifetime, token) = Lifetime.make()
        let handle = lifetime.observeEnded { [member = population.member()] in member.touch() }
        expect(population.alive, is: 1)
        handle?.dispose()
        expect(population.alive, is: 0)
        let disposable = SimpleDisposable()
        let forgetting: (any Disposable)? = (+=)(lifetime, disposable)
        forgetting?.dispose()
        token.dispose()
        #expect(!disposable.isDisposed)
    }

    @Test("adds nothing for nil")
    func nothing() {
        let (lifetime, token) = Lifetime.make()
        let handle: (any Disposable)? = (+=)(lifetime, nil)
        #expect(handle == nil)
        withExtendedLifetime(token) {}
    }

    @Test("has a signal that completes when the lifetime ends")
    func ended() {
        let (lifetime, token) = Lifetime.make()
        let ended = lifetime.ended
        let log = ended.logged()
        let second = lifetime.ended.logged()
        #expect(log.all.isEmpty)
        token.dispose()
        expect(log.all, is: ["completed"])
        expect(second.all, is: ["completed"])
        expect(ended.logged().all, is: ["interrupted"])
        expect(lifetime.ended.logged().all, is: ["interrupted"])
    }

    @Test("has a signal that is released when nothing retains or observes it")
    func endedIsForgotten() {
        let population = Population()
        let (lifetime, token) = Lifetime.make()
        let disposable = lifetime.ended.on(completed: { [member = population.member()] in member.touch() })
            .observe { _ in }
        expect(population.alive, is: 1)
        disposable?.dispose()
        expect(population.alive, is: 0)
        withExtendedLifetime(token) {}
    }

    @Test("runs an action once when adding it races with the end")
    func threads() {
        for _ in 0..<200 {
            let (lifetime, token) = Lifetime.make()
            let runs = Counter()
            onThreads(2, "Lifetime") { index in
                if index == 0 { token.dispose() } else { lifetime.observeEnded { runs.increment() } }
            }
            expect(runs.value, is: 1)
        }
    }
}
