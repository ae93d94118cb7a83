import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("DuplexSession", .watched)
struct DuplexSessionTests {
    private let rig = SessionRig()

    private var connection: TestConnection { rig.connection }

    private func expectClean(_ log: [String]) {
        expect(connection.log, is: log)
        expect(connection.mistakes, is: [])
        expect(rig.executor.count, is: 0)
    }

    // MARK: Writing

    @Test("writes one value at a time, in the order of the calls, and returns when the connection has it")
    func order() {
        connection.holdWrites()
        for value in 1...3 { rig.write(value) }
        expect(connection.inProgress, is: "1")
        expect(rig.outcomes.all, is: [])
        rig.finishWrite()
        expect(rig.outcomes.all, is: ["1 true"])
        expect(connection.inProgress, is: "2")
        rig.write(4)
        for _ in 2...4 { rig.finishWrite() }
        expect(rig.outcomes.all, is: ["1 true", "2 true", "3 true", "4 true"])
        rig.release()
        expectClean(["1", "2", "3", "4", "closed"])
    }

    @Test("a writer that is cancelled in line writes nothing, and those behind it go on")
    func cancelledInLine() {
        connection.holdWrites()
        rig.write(1)
        let second = rig.write(2)
        rig.write(3)
        rig.cancel(second)
        expect(rig.outcomes.all, is: ["2 false"])
        let early = rig.write(4, runs: false)
        rig.cancel(early)
        rig.finishWrite()
        rig.finishWrite()
        expect(rig.outcomes.all, is: ["2 false", "4 false", "1 true", "3 true"])
        rig.release()
        expectClean(["1", "3", "closed"])
    }

    @Test("a writer that is cancelled when it gets its turn writes nothing, and passes the turn on")
    func cancelledWithTurn() {
        connection.holdWrites()
        rig.write(1)
        let second = rig.write(2)
        rig.write(3)
        connection.finishWrite()
        // The task of the first write gives the turn to the second writer, which has not run since.
        while rig.executor.runOne(), connection.inProgress == "1" || !rig.outcomes.all.contains("1 true") {}
        rig.cancel(second)
        rig.finishWrite()
        expect(Set(rig.outcomes.all).subtracting(["2 false", "2 second"]), is: ["1 true", "3 true"])
        rig.release()
        expectClean(["1", "3", "closed"])
    }

    @Test("a cancellation reaches the write in progress, and if that throws, nothing more can be written")
    func cancelledInProgress() {
        connection.holdWrites()
        rig.read()
        let first = rig.write(1)
        rig.write(2)
        rig.cancel(first)
        expect(Set(rig.outcomes.all), is: ["1 second", "2 second"])
        rig.write(3)
        rig.endWriting()
        expect(rig.outcomes.all.suffix(2), is: ["3 second", "end second"])
        connection.arriving.send(7)
        rig.executor.run()
        expect(rig.arrived.all, is: ["7"])
        rig.release()
        expectClean(["closed"])
    }

    @Test("a write that ignores its cancellation is completed, and writing goes on")
    func heedless() {
        connection.holdWrites(isHeedless: true)
        let first = rig.write(1)
        rig.write(2)
        rig.cancel(first)
        expect(rig.outcomes.all, is: [])
        rig.finishWrite()
        rig.finishWrite()
        expect(rig.outcomes.all, is: ["1 true", "2 true"])
        rig.release()
        expectClean(["1", "2", "closed"])
    }

    @Test("an error is thrown to the writer, to those that wait, and to later ones, and reading goes on")
    func failure() {
        rig.read()
        connection.failWrites(of: 2)
        connection.holdWrites()
        for value in 1...3 { rig.write(value) }
        rig.finishWrite()
        rig.finishWrite()
        rig.write(4)
        expect(rig.outcomes.all, is: ["1 true", "2 first", "3 first", "4 first"])
        connection.arriving.send(7)
        connection.arriving.end()
        rig.executor.run()
        // Both directions have ended.
        expect(rig.arrived.all, is: ["7", "completed"])
        expectClean(["1", "closed"])
        #expect(!rig.scopeHasEnded)
        rig.release()
    }

    @Test("writes in the task context of the writer, even if the turn comes from another one")
    func taskContext() {
        let names = Log<String>()
        let connection = TestConnection()
        connection.holdWrites()
        let session = rig.executor.within {
            SessionRig.Session(
                in: rig.scope, reading: SignalProducer(connection.arriving),
                write: { value async throws(TestError) in
                    names.append("\(value) for \(Request.name)")
                    try await connection.write(value)
                },
                endWriting: {}, close: {})
        }
        for value in 1...3 {
            Request.$name.withValue("request \(value)") {
                _ = Task(executorPreference: rig.executor) { try? await session.write(value) }
            }
        }
        rig.executor.run()
        for _ in 1...3 {
            connection.finishWrite()
            rig.executor.run()
        }
        expect(names.all, is: ["1 for request 1", "2 for request 2", "3 for request 3"])
        rig.release()
    }

    private enum Request {
        @TaskLocal static var name = "none"
    }

    // MARK: The two ends

    @Test("ends the writing after the values that came before, and goes on reading")
    func endsWriting() {
        rig.read()
        connection.holdWrites()
        rig.write(1)
        rig.endWriting()
        rig.write(2)
        rig.endWriting()
        rig.finishWrite()
        expect(connection.inProgress, is: "end")
        rig.finishWrite()
        rig.write(3)
        expect(rig.outcomes.all, is: ["1 true", "end true", "2 false", "end false", "3 false"])
        connection.arriving.send(7)
        rig.executor.run()
        expect(rig.arrived.all, is: ["7"])
        rig.release()
        expect(rig.arrived.all, is: ["7", "interrupted"])
        expectClean(["1", "end", "closed"])
    }

    @Test("an end that is cancelled in line does not end the writing")
    func cancelledEnd() {
        connection.holdWrites()
        rig.write(1)
        let end = rig.endWriting()
        rig.write(2)
        rig.cancel(end)
        rig.finishWrite()
        rig.finishWrite()
        expect(rig.outcomes.all, is: ["end false", "1 true", "2 true"])
        rig.release()
        expectClean(["1", "2", "closed"])
    }

    @Test(
        "reading may end first, in any way, while writing goes on", arguments: ["end", "error", "enough", "disposal"])
    func readingEnds(_ way: String) {
        let disposable = rig.executor.within {
            let inbound = rig.session.inbound
            return (way == "enough" ? inbound.take(first: 1) : inbound).start { [rig] in rig.arrived.append($0.text) }
        }
        rig.executor.run()
        connection.arriving.send(7)
        rig.executor.run()
        switch way {
        case "end": connection.arriving.end()
        case "error": connection.arriving.fail(.first)
        case "disposal": disposable.dispose()
        default: break
        }
        rig.executor.run()
        let ends = ["end": "completed", "error": "error first", "enough": "completed", "disposal": "interrupted"]
        expect(rig.arrived.all, is: ["7", ends[way] ?? ""])
        rig.write(1)
        expect(rig.outcomes.all, is: ["1 true"])
        expectClean(["1"])
        // Now both have ended. The scope is still open.
        rig.endWriting()
        expectClean(["1", "end", "closed"])
        #expect(!rig.scopeHasEnded)
        rig.write(2)
        expect(rig.outcomes.all.last, is: "2 false")
        rig.release()
        expectClean(["1", "end", "closed"])
    }

    @Test("is over when reading ends after the writing")
    func readingEndsLast() {
        rig.read()
        rig.endWriting()
        expectClean(["end"])
        connection.arriving.end()
        rig.executor.run()
        expectClean(["end", "closed"])
        rig.release()
        expectClean(["end", "closed"])
    }

    // MARK: Reading

    @Test("reads no further than its consumer has room")
    func backpressure() {
        let received = Log<Int>()
        let iterator = Locked(
            rig.executor.within { rig.session.inbound.values(buffering: .suspending(2)).makeAsyncIterator() }
                as AsyncValues<Int, TestError>.Iterator?)
        connection.arriving.send(1, 2, 3, 4, 5, 6)
        rig.executor.run()
        expect(connection.arriving.tap.asked.value, is: 2)
        Task(executorPreference: rig.executor) {
            var own = iterator.withLock { $0.take() }
            while received.count < 2, let value = try? await own?.next() { received.append(value) }
            iterator.withLock { $0 = own }
        }
        rig.executor.run()
        expect(received.all, is: [1, 2])
        expect(connection.arriving.tap.asked.value, is: 4)
        iterator.withLock { $0 = nil }
        rig.release()
        expectClean(["closed"])
    }

    @Test("reads nothing before the start, and interrupts a second start")
    func startsOnce() {
        connection.arriving.send(1)
        rig.executor.run()
        expect(connection.arriving.tap.asked.value, is: 0)
        rig.read()
        let second = Log<String>()
        rig.read(second)
        expect(second.all, is: ["interrupted"])
        expect(rig.arrived.all, is: ["1"])
        expect(connection.arriving.tap.iterations.value, is: 1)
        rig.release()
        expectClean(["closed"])
    }

    // MARK: The end

    @Test("the end of the scope ends both directions, and then closes the connection", arguments: [false, true])
    func scopeEnds(byClose: Bool) {
        connection.holdWrites()
        rig.read()
        for value in 1...3 { rig.write(value) }
        if byClose {
            rig.session.close()
            rig.session.close()
            rig.executor.run()
        } else {
            rig.endScope()
        }
        expect(rig.arrived.all, is: ["interrupted"])
        expect(Set(rig.outcomes.all), is: ["1 second", "2 false", "3 false"])
        expectClean(["closed"])
        expect(rig.scopeHasEnded, is: !byClose)
        rig.write(4)
        rig.endWriting()
        expect(rig.outcomes.all.suffix(2), is: ["4 false", "end false"])
        let late = Log<String>()
        rig.read(late)
        expect(late.all, is: ["interrupted"])
        rig.release()
        expectClean(["closed"])
    }

    @Test("closes only when the write and the read in progress have returned, and the scope waits for that")
    func heedlessUses() {
        let heedless = Faucet<TestError>(isHeedless: true)
        let connection = TestConnection()
        connection.holdWrites(isHeedless: true)
        let (executor, log) = (HandDrivenExecutor(), Log<String>())
        executor.within {
            _ = Task(executorPreference: executor) {
                await withSignalScope { scope in
                    let session = DuplexSession(
                        in: scope, reading: SignalProducer(heedless),
                        write: { (value: Int) async throws(TestError) in try await connection.write(value) },
                        endWriting: { () async throws(TestError) in }, close: { connection.close() })
                    session.inbound.start { log.append("inbound \($0.text)") }
                    Task(executorPreference: executor) {
                        let isWritten = try? await session.write(1)
                        log.append("written \(isWritten == true)")
                    }
                    await Task.yield()
                    await Task.yield()
                }
                log.append("the scope has ended")
            }
        }
        executor.run()
        expect(log.all, is: ["inbound interrupted"])
        #expect(!connection.isClosed)
        connection.finishWrite()
        executor.run()
        expect(log.all, is: ["inbound interrupted", "written true"])
        #expect(!connection.isClosed)
        heedless.send(9)
        executor.run()
        expect(log.all, is: ["inbound interrupted", "written true", "the scope has ended"])
        expect(connection.log, is: ["1", "closed"])
        expect(connection.mistakes, is: [])
        rig.release()
    }

    @Test("ends when other work of the scope fails")
    func scopeFails() {
        rig.read()
        rig.executor.within { _ = Numbers(error: .first).start(in: rig.scope) }
        rig.executor.run()
        expect(rig.arrived.all, is: ["interrupted"])
        expectClean(["closed"])
        rig.write(1)
        expect(rig.outcomes.all, is: ["1 false"])
        rig.release()
    }

    @Test("ends alone, beside other sessions of its scope")
    func severalSessions() {
        let other = TestConnection()
        let session = rig.executor.within {
            SessionRig.Session(
                in: rig.scope, reading: SignalProducer(other.arriving),
                write: { value async throws(TestError) in try await other.write(value) }, endWriting: {},
                close: { other.close() })
        }
        Task(executorPreference: rig.executor) { try? await session.write(1) }
        rig.session.close()
        rig.executor.run()
        expectClean(["closed"])
        expect(other.log, is: ["1"])
        rig.release()
        expect(other.log, is: ["1", "closed"])
    }

    @Test("closes the connection immediately in a scope that has ended")
    func lateSession() {
        rig.endScope()
        let connection = TestConnection()
        let session = rig.executor.within {
            SessionRig.Session(
                in: rig.scope, reading: SignalProducer(connection.arriving), write: { _ in }, endWriting: {},
                close: { connection.close() })
        }
        rig.executor.run()
        expect(connection.log, is: ["closed"])
        let log = Log<String>()
        session.inbound.start { log.append($0.text) }
        expect(log.all, is: ["interrupted"])
        rig.release()
    }

    @Test("a drain waits for writers and for what is being read in the scope, but not for an idle session")
    func drains() {
        connection.holdWrites()
        rig.write(1)
        rig.write(2)
        let log = Log<String>()
        rig.executor.within { _ = rig.session.inbound.start(in: rig.scope) { log.append($0.text) } }
        Task(executorPreference: rig.executor) { [scope = rig.scope] in
            try? await scope.drain()
            log.append("drained")
        }
        rig.executor.run()
        rig.finishWrite()
        connection.arriving.end()
        rig.executor.run()
        expect(log.all, is: ["completed"])
        rig.finishWrite()
        expect(log.all, is: ["completed", "drained"])
        expectClean(["1", "2"])
        rig.write(3, runs: true)
        rig.finishWrite()
        rig.release()
        expectClean(["1", "2", "3", "closed"])
    }

    @Test("retains nothing when it is over, although the scope is open")
    func memory() {
        let population = Population()
        let (executor, scope) = (rig.executor, rig.scope)
        do {
            let (member, faucet) = (population.member(), Faucet<TestError>())
            let session = executor.within {
                SessionRig.Session(
                    in: scope, reading: SignalProducer(faucet).on(event: { _ in member.touch() }),
                    write: { _ in member.touch() }, endWriting: { member.touch() }, close: { member.touch() })
            }
            executor.within { _ = session.inbound.start { _ in member.touch() } }
            Task(executorPreference: executor) {
                _ = try? await session.write(1)
                _ = try? await session.endWriting()
            }
            executor.run()
            faucet.end()
            executor.run()
        }
        executor.run()
        expect(population.alive, is: 0)
        rig.release()
    }

    @Test("traps if its source cannot be suspended")
    func traps() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await withSignalScope { scope in
                _ = DuplexSession<Int, Int, Never>(
                    in: scope, reading: SignalProducer([1]), write: { _ in }, endWriting: {}, close: {})
            }
        }
        result.expectTrap("DuplexSession(reading:): the source cannot be suspended")
        rig.release()
    }

    // MARK: Random scripts

    @Test("every value is written once or refused, in order, and the connection is closed once, in many random steps")
    func random() {
        var steps = 0
        var seed: UInt64 = 1
        while steps < thorough(100_000) {
            check(seed, &steps)
            seed += 1
        }
        rig.release()
    }

    private func check(_ seed: UInt64, _ steps: inout Int) {
        var random = SplitMix64(seed: seed)
        let rig = SessionRig()
        let connection = rig.connection
        let place: Comment = "seed \(seed)"
        if random.once(in: 2) { connection.holdWrites(isHeedless: random.once(in: 2)) }
        if random.once(in: 4) { connection.failWrites(of: random.number(in: 1...60)) }
        let endsEarly = random.once(in: 3)
        var tasks: [Int: Task<Void, Never>] = [:]
        var calls = 0
        for step in 1...120 {
            steps += 1
            switch random.number(in: 1...40) {
            case 1...12:
                calls += 1
                tasks[calls] = rig.write(calls, runs: false)
            case 13...16: if calls > 0 { tasks[random.number(in: 1...calls)]?.cancel() }
            case 17...24: connection.finishWrite()
            case 25 where endsEarly: rig.endWriting(runs: false)
            case 26 where step > 60 && endsEarly: rig.session.close()
            case 27: rig.executor.within { _ = rig.session.inbound.start { rig.arrived.append($0.text) } }
            case 28 where endsEarly: connection.arriving.end()
            default: rig.executor.runOne { random.number(in: 0...$0 - 1) }
            }
        }
        rig.endScope()
        for _ in 0..<200 where !rig.scopeHasEnded { rig.finishWrite() }
        #expect(rig.scopeHasEnded, place)
        rig.executor.run()

        expect(connection.mistakes, is: [], place)
        expect(connection.log.filter { $0 == "closed" }.count, is: 1, place)
        expect(connection.log.last, is: "closed", place)
        let told = Set(rig.outcomes.all.filter { $0.hasSuffix(" true") }.compactMap { Int($0.dropLast(5)) })
        expect(connection.written, is: rig.calls.all.compactMap { Int($0) }.filter(told.contains), place)
        expect(rig.outcomes.all.filter { !$0.hasPrefix("end") }.count, is: calls, place)
        expect(connection.log.filter { $0 == "end" }.count <= 1, is: true, place)
        rig.release()
    }
}
