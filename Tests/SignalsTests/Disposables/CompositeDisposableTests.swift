import ReactiveSignals
import TestSupport
import Testing

@Suite("CompositeDisposable")
struct CompositeDisposableTests {
    @Test("disposes of all members in reverse order of addition")
    func reverse() {
        let log = Log<Int>()
        let composite = CompositeDisposable([AnyDisposable { log.append(1) }, AnyDisposable { log.append(2) }])
        composite.add { log.append(3) }
        composite += AnyDisposable { log.append(4) }
        composite += { log.append(5) }
        #expect(!composite.isDisposed)
        #expect(log.all.isEmpty)
        composite.dispose()
        expect(log.all, is: [5, 4, 3, 2, 1])
        #expect(composite.isDisposed)
        composite.dispose()
        expect(log.all, is: [5, 4, 3, 2, 1])
    }

    @Test("keeps the reverse order over many additions and removals")
    func manyAdditions() {
        let log = Log<Int>()
        let composite = CompositeDisposable()
        for number in 0..<1_000 {
            let handle = composite.add { log.append(number) }
            if number.isMultiple(of: 3) { handle?.dispose() }
        }
        composite.dispose()
        #expect(log.all == (0..<1_000).reversed().filter { !$0.isMultiple(of: 3) })
    }

    @Test("removes the right members, in whatever order, and none twice")
    func manyRemovals() {
        let log = Log<Int>()
        let composite = CompositeDisposable()
        var handles = (0..<100).map { number in composite.add { log.append(number) } }
        // 37 and 100 have no common factor, so this visits every number once.
        let removed = (0..<60).map { $0 * 37 % 100 }
        for number in removed {
            handles[number]?.dispose()
            handles[number]?.dispose()
        }
        handles.append(composite.add { log.append(100) })
        handles[100 - 1]?.dispose()
        composite.dispose()
        #expect(log.all == (0...100).reversed().filter { !removed.contains($0) && $0 != 99 })
    }

    @Test("disposes at once of what is added after its disposal, and returns nil")
    func afterDisposal() {
        let composite = CompositeDisposable()
        composite.dispose()
        let disposable = SimpleDisposable()
        #expect(composite.add(disposable) == nil)
        #expect(disposable.isDisposed)
        let runs = Counter()
        composite += { runs.increment() }
        #expect(composite.add { runs.increment() } == nil)
        expect(runs.value, is: 2)
    }

    @Test("returns nil when the added disposable is nil or already disposed of")
    func nothing() {
        let composite = CompositeDisposable()
        #expect(composite.add(nil as (any Disposable)?) == nil)
        let disposable = SimpleDisposable()
        disposable.dispose()
        #expect(composite.add(disposable) == nil)
    }

    @Test("removes and releases a disposable without disposing of it")
    func takesOut() {
        let population = Population()
        let runs = Counter()
        let composite = CompositeDisposable()
        let handle = composite.add { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        expect(population.alive, is: 1)
        expect(handle?.isDisposed, is: false)
        handle?.dispose()
        expect(handle?.isDisposed, is: true)
        expect(population.alive, is: 0)
        composite.dispose()
        handle?.dispose()
        expect(runs.value, is: 0)
    }

    @Test("has handles that do nothing once it is released")
    func inertHandles() {
        var handle: (any Disposable)?
        do {
            let composite = CompositeDisposable()
            handle = composite.add(SimpleDisposable())
        }
        handle?.dispose()
        expect(handle?.isDisposed, is: true)
    }

    @Test("does not dispose when it is only released")
    func released() {
        let disposable = SimpleDisposable()
        do { _ = CompositeDisposable([disposable]) }
        #expect(!disposable.isDisposed)
    }

    @Test("disposes at once of what is added during its disposal")
    func inside() {
        let log = Log<String>()
        let composite = CompositeDisposable()
        composite.add { log.append("first") }
        composite.add {
            composite.add { log.append("nested") }
            composite.dispose()
            log.append("last")
        }
        composite.dispose()
        expect(log.all, is: ["nested", "last", "first"])
    }

    @Test("disposes of everything exactly once when additions race with the disposal")
    func race() {
        for _ in 0..<200 {
            let composite = CompositeDisposable()
            let runs = Counter()
            onThreads(3, "CompositeDisposable") { index in
                if index == 0 { return composite.dispose() }
                for _ in 0..<10 { composite.add { runs.increment() } }
            }
            expect(runs.value, is: 20)
        }
    }
}
