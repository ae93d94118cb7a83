import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Gate")
struct GateTests {
    // MARK: The gate itself

    @Test("can be entered and left when it is free", arguments: [Contention.wait, .enqueue])
    func free(contention: Contention) {
        let gate = Gate(contention: contention)
        let thread = ThreadIdentity.current
        expect(gate.contention, is: contention)
        #expect(!gate.isOwnedByCaller)
        for _ in 0..<2 {
            #expect(gate.enter(thread))
            #expect(gate.isOwnedByCaller)
            gate.leave(thread)
            #expect(!gate.isOwnedByCaller)
            #expect(gate.enterIfFree(thread))
            gate.leave(thread)
        }
    }

    @Test("refuses re-entry, and performs what its owner pushed, in order, before it is free")
    func sameThread() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<Int>()
        #expect(gate.enter(thread))
        #expect(!gate.enter(thread))
        #expect(!gate.enterIfFree(thread))
        for number in 1...3 {
            gate.push(
                DeferredWork {
                    log.append(number)
                    #expect(gate.isOwnedByCaller)
                    // Pushed by an operation: runs after everything already queued.
                    gate.push(DeferredWork { log.append(number * 10) })
                })
        }
        #expect(log.all.isEmpty)
        gate.leave(thread)
        expect(log.all, is: [1, 2, 3, 10, 20, 30])
        #expect(!gate.isOwnedByCaller)
    }

    @Test("performs a pushed operation at once when it is free")
    func pushToFree() {
        let gate = Gate(contention: .wait)
        let log = Log<Bool>()
        gate.push(DeferredWork { log.append(gate.isOwnedByCaller) })
        expect(log.all, is: [true])
        #expect(!gate.isOwnedByCaller)
    }

    @Test("releases objects only after it has been left, and performs what their deinits push")
    func releases() {
        let population = Population()
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gate.enter(thread))
        gate.releaseAfterLeaving(
            rubbish(
                population.member {
                    log.append(gate.isOwnedByCaller ? "inside" : "outside")
                    gate.push(DeferredWork { log.append("pushed") })
                }))
        gate.push(DeferredWork { gate.releaseAfterLeaving(rubbish(population.member { log.append("second") })) })
        expect(population.alive, is: 1)
        gate.leave(thread)
        expect(population.alive, is: 0)
        expect(log.all, is: ["outside", "pushed", "second"])
    }

    @Test("suspends a thread while another one is inside, then admits it")
    func waits() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gate.enter(thread))
        let waiter = TestThread("waiter") {
            let own = ThreadIdentity.current
            #expect(gate.enter(own))
            log.append("waiter")
            gate.leave(own)
        }
        waiter.waitUntilAsleep()
        log.append("first")
        gate.leave(thread)
        waiter.join()
        expect(log.all, is: ["first", "waiter"])
        #expect(gate.enter(thread))
        gate.leave(thread)
    }

    @Test("those that wait for their turn stop when the owner offers the gate, and others go on waiting")
    func offered() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gate.enter(thread))
        let waiters = (0..<2).map { index in
            TestThread("turn \(index)") { gate.waitForTurn(ThreadIdentity.current, stopsIfOffered: true) }
        }
        let sender = TestThread("sender") {
            gate.waitForTurn(ThreadIdentity.current)
            log.append("sender")
        }
        for waiter in waiters + [sender] { waiter.waitUntilAsleep() }
        if gate.offer() { WaitingRoom.shared.alert(gate) }
        for waiter in waiters { waiter.join() }
        // Does not wait either if the gate has been offered before.
        let late = TestThread("late") { gate.waitForTurn(ThreadIdentity.current, stopsIfOffered: true) }
        late.join()
        expect(log.all, is: [])
        #expect(gate.isOwned(by: thread))
        gate.leave(thread)
        sender.join()
        expect(log.all, is: ["sender"])
    }

    @Test("wakes waiters in order of arrival")
    func severalWaiters() {
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<Int>()
        #expect(gate.enter(thread))
        let waiters = (0..<4).map { index in
            let waiter = TestThread("waiter \(index)") {
                let own = ThreadIdentity.current
                #expect(gate.enter(own))
                log.append(index)
                gate.leave(own)
            }
            waiter.waitUntilAsleep()
            return waiter
        }
        gate.leave(thread)
        for waiter in waiters { waiter.join() }
        expect(log.all, is: [0, 1, 2, 3])
    }

    @Test("performs pushed operations and releases objects before it admits a waiter")
    func inboxReleasesAndWaiter() {
        let population = Population()
        let gate = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gate.enter(thread))
        let waiter = TestThread("waiter") {
            let own = ThreadIdentity.current
            #expect(gate.enter(own))
            log.append("waiter")
            gate.leave(own)
        }
        waiter.waitUntilAsleep()
        gate.releaseAfterLeaving(rubbish(population.member()))
        gate.push(DeferredWork { log.append("pushed") })
        gate.leave(thread)
        waiter.join()
        expect(log.all, is: ["pushed", "waiter"])
        expect(population.alive, is: 0)
    }

    @Test("never blocks a thread that must not wait: its owner performs what that thread pushes")
    func foreignEnterIfFree() {
        for contention in [Contention.wait, .enqueue] {
            let gate = Gate(contention: contention)
            let thread = ThreadIdentity.current
            let performed = Locked<UInt>(0)
            #expect(gate.enter(thread))
            TestThread("visitor") {
                let own = ThreadIdentity.current
                #expect(!gate.enterIfFree(own))
                if contention == .enqueue { #expect(!gate.enter(own)) }
                gate.push(DeferredWork { performed.withLock { $0 = ThreadIdentity.current } })
            }.join()
            expect(performed.withLock { $0 }, is: 0)
            gate.leave(thread)
            expect(performed.withLock { $0 }, is: thread)
        }
    }

    @Test("refuses a thread whose waiting would close a cycle", arguments: 2...4)
    func cycle(length: Int) {
        let gates = (0..<length).map { _ in Gate(contention: .wait) }
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(gates[0].enter(thread))
        // Thread i owns gate i and wants gate i - 1.
        let threads = (1..<length).map { index in
            let inside = Latch("inside gate \(index)")
            let mayWait = Latch("thread \(index) may wait")
            let sleeper = TestThread("thread \(index)") {
                let own = ThreadIdentity.current
                #expect(gates[index].enter(own))
                inside.open()
                mayWait.wait()
                #expect(gates[index - 1].enter(own))
                log.append("got gate \(index - 1)")
                gates[index - 1].leave(own)
                gates[index].leave(own)
            }
            inside.wait()
            mayWait.open()
            sleeper.waitUntilAsleep()
            return sleeper
        }
        // Each gate's owner waits for the owner of the previous gate, down to this thread.
        #expect(!gates[length - 1].enter(thread))
        gates[length - 1].push(DeferredWork { log.append("handed over") })
        #expect(log.all.isEmpty)
        gates[0].leave(thread)
        for thread in threads { thread.join() }
        #expect(log.all == (0..<length - 1).map { "got gate \($0)" } + ["handed over"])
    }

    @Test("lets a thread wait behind sleeping threads that form no cycle")
    func chain() {
        let first = Gate(contention: .wait)
        let second = Gate(contention: .wait)
        let thread = ThreadIdentity.current
        let log = Log<String>()
        #expect(first.enter(thread))
        let inside = Latch("inside the second gate")
        let middle = TestThread("middle") {
            let own = ThreadIdentity.current
            #expect(second.enter(own))
            inside.open()
            #expect(first.enter(own))
            log.append("middle")
            first.leave(own)
            second.leave(own)
        }
        inside.wait()
        middle.waitUntilAsleep()
        let last = TestThread("last") {
            let own = ThreadIdentity.current
            #expect(second.enter(own))
            log.append("last")
            second.leave(own)
        }
        last.waitUntilAsleep()
        first.leave(thread)
        middle.join()
        last.join()
        expect(log.all, is: ["middle", "last"])
    }

    @Test("admits one thread at a time and loses no operation when threads enter and push at random")
    func stress() {
        for contention in [Contention.wait, .enqueue] {
            let gate = Gate(contention: contention)
            // Not atomic: guarded by the gate only.
            let state = SinkState(0)
            let rounds = raceRounds
            onThreads(4, "gate stress") { index in
                let own = ThreadIdentity.current
                for round in 0..<rounds {
                    if (round + index) % 3 == 0 {
                        gate.push(DeferredWork { state.value += 1 })
                    } else if round % 2 == 0 ? gate.enter(own) : gate.enterIfFree(own) {
                        state.value += 1
                        gate.leave(own)
                    } else {
                        gate.push(DeferredWork { state.value += 1 })
                    }
                }
            }
            let thread = ThreadIdentity.current
            #expect(gate.enter(thread))
            expect(state.value, is: 4 * rounds)
            gate.leave(thread)
        }
    }

    @Test("loses no waiter when a woken waiter finds the gate taken again")
    func barging() {
        let gate = Gate(contention: .wait)
        let state = SinkState(0)
        let count = thorough(200)
        for _ in 0..<count {
            let thread = ThreadIdentity.current
            #expect(gate.enter(thread))
            let waiter = TestThread("waiter") {
                let own = ThreadIdentity.current
                #expect(gate.enter(own))
                state.value += 1
                gate.leave(own)
            }
            waiter.waitUntilAsleep()
            for _ in 0..<20 {
                gate.leave(thread)
                #expect(gate.enter(thread))
                state.value += 1
            }
            gate.leave(thread)
            waiter.join()
        }
        expect(state.value, is: count * 21)
    }

    // MARK: Operations of others

    /// Pushes an operation on another thread, and waits until it has been pushed.
    private func pushElsewhere(_ gate: Gate, _ operation: @escaping @Sendable () -> Void) {
        TestThread("other sender") { gate.push(DeferredWork(operation)) }.join()
    }

    /// An operation that has another thread push the next one, as long as `sender` performs them. Gives up eventually.
    private func refill(_ gate: Gate, _ log: Log<UInt>, while sender: UInt) -> @Sendable () -> Void {
        {
            log.append(ThreadIdentity.current)
            if ThreadIdentity.current != sender || log.count > 10 * Gate.limit { return }
            self.pushElsewhere(gate, self.refill(gate, log, while: sender))
        }
    }

    @Test(
        "releases a sender whose operations others refill all the time, and loses none",
        arguments: [Contention.wait, .enqueue])
    func refilled(contention: Contention) {
        let gate = Gate(contention: contention)
        let (thread, log) = (ThreadIdentity.current, Log<UInt>())
        // The first operation is the sender's own.
        gate.push(DeferredWork(refill(gate, log, while: thread)))
        #expect(becomesTrue { log.count > Gate.limit + 1 })
        #expect(becomesTrue { !gate.isTaken && !gate.mayHaveOperations })
        expect(log.all.map { $0 == thread }, is: Array(repeating: true, count: Gate.limit + 1) + [false])
    }

    @Test("does not count what the owner pushes, and performs all of that before it is left")
    func ownBehindOthers() {
        let gate = Gate(contention: .enqueue)
        let log = Log<Int>()
        gate.push(
            DeferredWork {
                for number in 0..<Gate.limit { gate.push(DeferredWork { log.append(-number) }) }
                for number in 0..<3 * Gate.limit { self.pushElsewhere(gate) { log.append(number) } }
                gate.push(
                    DeferredWork {
                        log.append(-1_000)
                        gate.push(DeferredWork { log.append(-1_001) })
                    })
            })
        let all = (0..<Gate.limit).map { -$0 } + Array(0..<3 * Gate.limit) + [-1_000, -1_001]
        expect(log.all, is: all)
    }

    @Test("does not perform before it is left what operations of others push, however long these chains are")
    func chainsOfOthers() {
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<UInt>())
        // Each operation of others pushes one from inside that pushes one.
        @Sendable func chain() {
            log.append(ThreadIdentity.current)
            if ThreadIdentity.current != thread || log.count > 10 * Gate.limit { return }
            pushElsewhere(gate, chain)
            gate.push(DeferredWork { gate.push(DeferredWork { log.append(ThreadIdentity.current) }) })
        }
        gate.push(DeferredWork { self.pushElsewhere(gate, chain) })
        #expect(becomesTrue { log.all.last != thread && !gate.isTaken && !gate.mayHaveOperations })
        #expect(log.all.prefix { $0 == thread }.count <= Gate.limit)
        #expect(!log.all.drop { $0 == thread }.contains(thread))
    }

    @Test("a sender that must not wait leaves a long queue in place; one that waits performs it, then its own")
    func longQueue() {
        for contention in [Contention.enqueue, .wait] {
            let gate = Gate(contention: contention)
            let (thread, log, count) = (ThreadIdentity.current, Log<Performed>(), 5 * Gate.limit)
            TestThread("other sender") {
                // Its thread settles them later, as one that holds a lock.
                for number in 0..<count {
                    gate.add(DeferredWork { log.append(Performed(number: number, thread: ThreadIdentity.current)) })
                }
            }.join()
            expect(log.count, is: 0)
            let isEntered = gate.enter(thread)
            #expect(isEntered == (contention == .wait))
            if isEntered { gate.leave(thread) }
            // A thread of the library goes on where this one has stopped.
            waitUntilDrained()
            expect(log.all.map(\.number), is: Array(0..<count))
            expect(log.all.prefix { $0.thread == thread }.count, is: isEntered ? count : Gate.limit)
        }
    }

    private struct Performed {
        let number: Int
        let thread: UInt
    }

    // MARK: Through signals

    @Test("a sender waits for another thread's delivery, and its event follows")
    func senderWaits() {
        let pipe = Source.pipe()
        let log = pipe.output.logged()
        let occupation = Occupation(of: pipe, sending: .next(1))
        let sender = TestThread("sender") { pipe.input.sendNext(2) }
        sender.waitUntilAsleep()
        expect(log.all, is: ["1"])
        occupation.end()
        sender.join()
        expect(log.all, is: ["1", "2"])
    }

    @Test("a sender to an enqueueing pipe does not wait, and the other thread delivers its events")
    func senderEnqueues() {
        let pipe = Source.pipe(contention: .enqueue)
        let threads = Log<UInt>()
        let log = pipe.output.logged()
        pipe.output.observe { _ in threads.append(ThreadIdentity.current) }
        let occupation = Occupation(of: pipe, sending: .next(1))
        pipe.input.sendNext(2)
        pipe.input.sendError(.first)
        pipe.input.sendNext(3)
        expect(log.all, is: ["1"])
        occupation.end()
        expect(log.all, is: ["1", "2", "error first"])
        expect(Set(threads.all).count, is: 1)
        #expect(threads.all.first != ThreadIdentity.current)
    }

    @Test("a sender is released although others send during each delivery, and everything arrives in order")
    func releasedFromDelivering() {
        let pipe = Signal<Int, Never>.pipe(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<Int>())
        let done = Latch("the last event")
        pipe.output.observeNext { value in
            log.append(value)
            if ThreadIdentity.current != thread { return done.open() }
            if value > 10 * Gate.limit { return }
            TestThread("other sender") { pipe.input.sendNext(value + 1) }.join()
        }
        pipe.input.sendNext(0)
        #expect(log.count <= Gate.limit + 2)
        done.wait()
        expect(log.all, is: Array(0...Gate.limit + 1))
        pipe.input.sendCompleted()
    }

    @Test("a re-entrant send is delivered before the send returns, although others send during each delivery")
    func reentrantBesideOthers() {
        let pipe = Signal<Int, Never>.pipe(contention: .enqueue)
        let log = Log<Int>()
        pipe.output.observeNext { value in
            log.append(value)
            guard value == 0 else { return }
            TestThread("other sender") { for number in 1...3 * Gate.limit { pipe.input.sendNext(number) } }.join()
            pipe.input.sendNext(-1)
        }
        pipe.input.sendNext(0)
        expect(log.all, is: Array(0...3 * Gate.limit) + [-1])
        pipe.input.sendCompleted()
    }

    @Test("disposal during another thread's delivery does not wait, and takes effect at once")
    func disposesDuringForeignDelivery() {
        let population = Population()
        let pipe = Source.pipe()
        let log = Log<String>()
        let occupation = Occupation(of: pipe, sending: .next(1))
        // Both the observation and its disposal go through the inbox.
        let late = pipe.output.observe { [member = population.member()] event in
            member.touch()
            log.append(event.text)
        }
        late?.dispose()
        expect(late?.isDisposed, is: true)
        expect(population.alive, is: 1)
        occupation.end()
        expect(population.alive, is: 0)
        pipe.input.sendNext(2)
        #expect(log.all.isEmpty)
    }

    @Test("an observer disposed of during another thread's delivery does not receive that event")
    func peerDisposedDuringForeignDelivery() {
        let population = Population()
        let pipe = Source.pipe()
        let log = Log<String>()
        let stay = Log<@Sendable () -> Void>()
        pipe.output.observe { _ in stay.all.first?() }
        let peer = pipe.output.observe { [member = population.member()] event in
            member.touch()
            log.append(event.text)
        }
        let occupation = Occupation {
            stay.append($0)
            pipe.input.sendNext(1)
        }
        peer?.dispose()
        expect(population.alive, is: 1)
        occupation.end()
        #expect(log.all.isEmpty)
        expect(population.alive, is: 0)
    }

    @Test("an observer added during another thread's delivery does not wait, and receives the next event first")
    func addsDuringForeignDelivery() {
        let pipe = Source.pipe()
        let occupation = Occupation(of: pipe, sending: .next(1))
        let log = pipe.output.logged()
        let derived = pipe.output.map { $0 * 10 }.logged()
        occupation.end()
        pipe.input.sendNext(2)
        expect(log.all, is: ["2"])
        expect(derived.all, is: ["20"])
    }

    @Test(
        "a late observer is interrupted at once while another thread terminates the signal",
        arguments: [Contention.wait, .enqueue])
    func lateObserver(contention: Contention) {
        let pipe = Source.pipe(contention: contention)
        let occupation = Occupation(of: pipe, sending: .completed)
        let log = Log<String>()
        #expect(pipe.output.observe { log.append($0.text) } == nil)
        expect(log.all, is: ["interrupted"])
        occupation.end()
        expect(log.all, is: ["interrupted"])
    }

    @Test("an observer of a signal that has ended does not wait for a delivery of its source")
    func lateObserverOfDerived() {
        let pipe = Source.pipe()
        let ended = pipe.output.take(first: 1)
        let first = ended.logged()
        pipe.input.sendNext(0)
        expect(first.all, is: ["0", "completed"])
        let occupation = Occupation(of: pipe, sending: .next(1))
        let log = Log<String>()
        #expect(ended.observe { log.append($0.text) } == nil)
        expect(log.all, is: ["interrupted"])
        occupation.end()
    }

    @Test("an operator applied while another thread terminates the signal is interrupted")
    func derivesDuringForeignEnd() {
        let pipe = Source.pipe()
        let occupation = Occupation(of: pipe, sending: .completed)
        let derived = pipe.output.map { $0 }
        let log = derived.logged()
        occupation.end()
        expect(log.all, is: ["interrupted"])
        expect(derived.logged().all, is: ["interrupted"])
    }

    @Test("an operator applied and released during another thread's delivery is released after it")
    func derivesAndForgets() {
        let population = Population()
        let pipe = Source.pipe()
        let occupation = Occupation(of: pipe, sending: .next(1))
        do {
            _ = pipe.output.map { [member = population.member()] value in
                member.touch()
                return value
            }
        }
        occupation.end()
        pipe.input.sendNext(2)
        expect(population.alive, is: 0)
    }

    @Test("an input released during another thread's delivery interrupts the signal after it, without waiting")
    func inputReleased() {
        let core = Core<Int, TestError>(rootNamed: StreamName("core"))
        let signal = Signal(core: core)
        let log = signal.logged()
        let stay = Log<@Sendable () -> Void>()
        signal.observe { event in
            if event.value == 1 { stay.all.first?() }
        }
        let input = Locked<Source.Observer?>(Source.Observer(core: core))
        let occupation = Occupation {
            stay.append($0)
            core.sendNext(1)
        }
        _ = input.withLock { $0.take() }
        expect(log.all, is: ["1"])
        occupation.end()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("a signal released during another thread's delivery ends after it, without waiting")
    func handleReleased() {
        let ended = Counter()
        let pipe = Locked<(output: Source, input: Source.Observer)?>(
            Source.pipe(disposable: AnyDisposable { ended.increment() }))
        let input = pipe.withLock { $0?.input }
        let derived = Locked<Source?>(pipe.withLock { $0?.output.map { $0 } })
        let stay = Log<@Sendable () -> Void>()
        let disposable = pipe.withLock { $0?.output.observe { _ in stay.all.first?() } }
        let occupation = Occupation {
            stay.append($0)
            input?.sendNext(1)
        }
        _ = derived.withLock { $0.take() }
        _ = pipe.withLock { $0.take() }
        disposable?.dispose()
        expect(ended.value, is: 0)
        occupation.end()
        expect(ended.value, is: 1)
    }

    @Test("two signals that feed each other from two threads neither deadlock nor lose values")
    func feedEachOther() {
        for _ in 0..<100 {
            let a = Source.pipe()
            let b = Source.pipe()
            let logA = Log<Int>()
            let logB = Log<Int>()
            a.output.observe { event in
                guard let value = event.value else { return }
                logA.append(value)
                if value < 1_000 { b.input.sendNext(value + 1_000) }
            }
            b.output.observe { event in
                guard let value = event.value else { return }
                logB.append(value)
                if value < 1_000 { a.input.sendNext(value + 1_000) }
            }
            onThreads(2, "feeders") { index in
                for value in 0..<20 { (index == 0 ? a : b).input.sendNext(value) }
            }
            expect(logA.all.sorted(), is: Array(0..<20) + Array(1_000..<1_020))
            expect(logB.all.sorted(), is: Array(0..<20) + Array(1_000..<1_020))
            // Breaks the cycle of observers that retain inputs.
            for pipe in [a, b] { pipe.input.sendCompleted() }
        }
    }

    @Test("an event that would close a cycle of two signals is handed over and delivered by the other thread")
    func handedOver() {
        let a = Source.pipe()
        let b = Source.pipe()
        let log = Log<String>()
        let insideA = Latch("inside a")
        let mayReturn = Latch("the sender in a may return")
        a.output.observe { event in
            log.append("a \(event.text)")
            if event.value == 1 {
                insideA.open()
                b.input.sendNext(2)
                mayReturn.wait()
            }
        }
        let insideB = Latch("inside b")
        let maySend = Latch("the sender in b may send")
        b.output.observe { event in
            log.append("b \(event.text)")
            if event.value == 1 {
                insideB.open()
                maySend.wait()
                // Closes the cycle: the thread that owns a sleeps for b.
                a.input.sendNext(2)
                log.append("b handed over")
            }
        }
        let inB = TestThread("inside b") { b.input.sendNext(1) }
        insideB.wait()
        let inA = TestThread("inside a") { a.input.sendNext(1) }
        insideA.wait()
        #expect(becomesTrue { b.output.core.gate.hasWaiters })
        inA.waitUntilAsleep()
        maySend.open()
        inB.join()
        mayReturn.open()
        inA.join()
        expect(log.all, is: ["b 1", "a 1", "b handed over", "b 2", "a 2"])
        // Breaks the cycle of observers that retain inputs.
        for pipe in [a, b] { pipe.input.sendInterrupted() }
    }
}

/// An object for deferred release that retains `content`.
private func rubbish(_ content: any AnyObject & Sendable) -> DeferredGateRelease {
    let observation = Observation(core: Core<Int, Never>(rootNamed: StreamName("rubbish")))
    return ValueReceiver<Int, Never>(observation: observation) { _ in withExtendedLifetime(content) {} }
}
