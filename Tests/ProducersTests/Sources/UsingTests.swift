import HotSignals
import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("using(resource:release:producer:)")
struct UsingTests {
    private let log = Log<String>()

    private func using(_ producer: @escaping @Sendable (Int) -> Numbers) -> Numbers {
        let acquired = Counter()
        return Numbers.using(
            resource: { [log] in
                let resource = acquired.increment()
                log.append("acquire \(resource)")
                return resource
            }, release: { [log] in log.append("release \($0)") }, producer: producer)
    }

    @Test(
        "acquires the resource once per start, and releases it after the observer has received the end",
        arguments: terminals)
    func perStart(terminal: Event<Int, TestError>) {
        let producer = using { resource in
            Numbers { observer, _ in
                observer.sendNext(resource)
                observer.send(terminal)
            }
        }
        #expect(log.all.isEmpty)
        for start in 1...2 {
            log.removeAll()
            producer.start { [log] in log.append($0.text) }
            expect(log.all, is: ["acquire \(start)", "\(start)", terminal.text, "release \(start)"])
        }
    }

    @Test("releases on disposal, after the work's lifetime has ended and after on(disposed:)")
    func disposal() {
        let producer = using { [log] _ in
            Numbers { observer, lifetime in
                lifetime.observeEnded {
                    log.append("attached")
                    observer.sendInterrupted()
                }
            }.on(disposed: { log.append("disposed inside") })
        }.on(disposed: { [log] in log.append("disposed") })
        let disposable = producer.start { [log] in log.append($0.text) }
        disposable.dispose()
        disposable.dispose()
        expect(
            log.all, is: ["acquire 1", "interrupted", "disposed", "disposed inside", "attached", "release 1"])
    }

    @Test("takes producers with leading dots")
    func leadingDots() {
        let log = log
        let one: Numbers = .using(resource: { 1 }, release: { log.append("release \($0)") }) { .init(value: $0) }
        one.start { log.append($0.text) }
        let other = Numbers.using(resource: { AnyDisposable { log.append("dispose") } }) { _ in .init(error: .first) }
        other.start { log.append($0.text) }
        expect(log.all, is: ["1", "completed", "release 1", "error first", "dispose"])
        let (executor, released) = (HandDrivenExecutor(), DoneFlag())
        let later = Numbers.using(
            resource: { 2 },
            release: { _ in
                await Task.yield()
                released.raise()
            }
        ) { .init([$0]) }
        expect(executor.within { later.logged().all }, is: ["2", "completed"])
        executor.run(until: released)
    }

    @Test("releases when downstream ends")
    func downstream() {
        let producer = using { _ in Numbers(Endless()) }.take(first: 2)
        producer.start { [log] in log.append($0.text) }
        expect(log.all, is: ["acquire 1", "1", "2", "completed", "release 1"])
    }

    @Test("releases exactly once when disposal and the end race")
    func race() {
        for _ in 0..<200 {
            let releases = Counter()
            let manual = Manual()
            let producer = Numbers.using(
                resource: { 1 }, release: { _ in releases.increment() }, producer: { _ in manual.producer })
            let start = producer.startLogged()
            let input = manual.input
            onThreads(2, "ends") { index in
                if index == 0 { start.disposable.dispose() } else { input?.sendCompleted() }
            }
            expect(releases.value, is: 1)
            expect(start.log.count, is: 1)
            manual.release()
        }
    }

    @Test("acquires nothing for a start that is already disposed of")
    func notBegun() {
        let producer = using { _ in .never }
        let result = producer.startWithSignal { signal, disposable in
            disposable.dispose()
            return signal.logged()
        }
        expect(result.all, is: ["interrupted"])
        #expect(log.all.isEmpty)
    }

    @Test("releases the resource when it is disposed of during the acquisition")
    func disposedInside() {
        let disposables = Log<any Disposable>()
        let log = log
        let starts = Counter()
        Numbers.using(
            resource: {
                disposables.all[0].dispose()
                log.append("acquire")
            }, release: { log.append("release") },
            producer: { Numbers { _, _ in starts.increment() } }
        ).startWithSignal { signal, disposable in
            disposables.append(disposable)
            signal.observe { log.append($0.text) }
            return
        }
        expect(log.all, is: ["acquire", "interrupted", "release"])
        expect(starts.value, is: 0)
    }

    @Test(
        "gives the closure a resource that is still held if the result ends during the acquisition", arguments: [0, 1])
    func endsInside(_ kind: Int) {
        let log = log
        let (trigger, input) = Signal<Int, Never>.pipe()
        let token = Locked<Lifetime.Token?>(Lifetime.Token())
        let lifetime = Lifetime(token.withLock { $0! })
        let isOpen = Locked(false)
        let producer = Numbers.using(
            resource: {
                log.append("acquire")
                isOpen.withLock { $0 = true }
                if kind == 0 { input.sendNext(1) } else { _ = token.withLock { $0.take() } }
            },
            release: {
                log.append("release")
                isOpen.withLock { $0 = false }
            },
            producer: {
                log.append("use, open: \(isOpen.withLock { $0 })")
                return Numbers(value: 1)
            })
        let ending = kind == 0 ? producer.take(until: trigger) : producer.take(during: lifetime)
        ending.start { log.append($0.text) }
        expect(log.all, is: ["acquire", "completed", "use, open: true", "release"])
    }

    @Test("releases asynchronously in the task context of the start")
    func taskContext() {
        let (executor, manual) = (HandDrivenExecutor(), Manual())
        let producer = Numbers.using(
            resource: { 1 }, release: { [log] resource async in log.append("release \(resource)") },
            producer: { _ in manual.producer })
        expect(producer.name, is: "using")
        executor.within { _ = producer.start { [log] in log.append($0.text) } }
        manual.input?.sendCompleted()
        expect(log.all, is: ["completed"])
        expect(executor.count, is: 1)
        executor.run()
        expect(log.all, is: ["completed", "release 1"])
        manual.release()
    }

    @Test("disposes of a resource that is a disposable")
    func disposable() {
        let resources = Log<SimpleDisposable>()
        let manual = Manual()
        let producer = Numbers.using(
            resource: {
                let resource = SimpleDisposable()
                resources.append(resource)
                return resource
            }, producer: { _ in manual.producer })
        producer.start()
        expect(resources.all.map(\.isDisposed), is: [false])
        manual.input?.sendCompleted()
        producer.start().dispose()
        expect(resources.all.map(\.isDisposed), is: [true, true])
        manual.release()
    }

    @Test("sends the error that the acquisition throws, and then releases nothing")
    func failure() {
        let acquired = Counter()
        let producer = Numbers.using(
            resource: { () throws(TestError) in
                if acquired.increment() == 1 { throw .second }
                return 5
            }, release: { [log] resource in log.append("release \(resource)") }, producer: { Numbers(value: $0) })
        expect(producer.logged().all, is: ["error second"])
        #expect(log.all.isEmpty)
        expect(producer.logged().all, is: ["5", "completed"])
        expect(log.all, is: ["release 5"])
        let disposing = Numbers.using(
            resource: { () throws(TestError) -> SimpleDisposable in throw .first },
            producer: { _ in Numbers(value: 1) })
        expect(disposing.logged().all, is: ["error first"])
    }

    @Test("runs an asynchronous release once, after the end or disposal, without delaying either", .watched)
    func asynchronousRelease() async {
        for ending in ["completion", "disposal"] {
            let manual = Manual()
            let (released, continuation) = AsyncStream<String>.makeStream()
            let gate = AsyncStream<Void>.makeStream()
            let producer = Numbers.using(
                resource: { ending },
                release: { resource in
                    for await _ in gate.stream {}
                    continuation.yield(resource)
                }, producer: { _ in manual.producer })
            let (log, disposable) = producer.startLogged()
            manual.input?.sendNext(1)
            if ending == "disposal" { disposable.dispose() } else { manual.input?.sendCompleted() }
            disposable.dispose()
            expect(log.all, is: ["1", ending == "disposal" ? "interrupted" : "completed"])
            expect(manual.disposals.value, is: 1)
            gate.continuation.finish()
            var resources = released.makeAsyncIterator()
            #expect(await resources.next() == ending)
            continuation.finish()
            #expect(await resources.next() == nil)
            manual.release()
        }
    }

    @Test("holds neither the resource nor the closures once it has ended")
    func releases() {
        expectReleases { source, member in
            Numbers.using(resource: { member }, release: { $0.touch() }, producer: { _ in source })
        }
    }

    @Test("interrupts on disposal, then ends the lifetime")
    func order() {
        expectInterrupts { source in Numbers.using(resource: { 1 }, release: { _ in }, producer: { _ in source }) }
    }
}
