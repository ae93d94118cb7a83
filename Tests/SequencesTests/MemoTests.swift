import HotSignals
import MemoizedSequences
import ReactiveSignals
import TestSupport
import Testing

@Suite("Memo")
struct MemoTests {
    @Test("runs a closure once for readers on eight threads", .watched)
    func once() {
        let calls = Counter()
        let sequences = (0..<raceRounds).map { round in
            [round].memoized.map { value in
                calls.increment()
                return value + 1
            }
        }
        let wrong = Counter()
        onThreads(8, "readers") { _ in
            for (round, sequence) in sequences.enumerated() {
                for _ in 0..<13 where sequence.head != round + 1 { wrong.increment() }
            }
        }
        expect(calls.value, is: raceRounds)
        expect(wrong.value, is: 0)
    }

    @Test("threads that iterate one sequence see the same elements, each evaluated once")
    func together() {
        let calls = Counter()
        let sequence = (0..<2_000).memoized.filter { value in
            calls.increment()
            return value.isMultiple(of: 2)
        }.map { value in
            calls.increment()
            return value + 1
        }
        let expected = (0..<1_000).map { 2 * $0 + 1 }
        let results = Log<[Int]>()
        onThreads(8, "walkers") { _ in results.append(Array(sequence)) }
        expect(results.all, is: Array(repeating: expected, count: 8))
        expect(calls.value, is: 3_000)
    }

    @Test("a reader waits for the thread that is evaluating")
    func waits() {
        let entered = Latch("the evaluation has not begun")
        let mayLeave = Latch("the evaluation may not end")
        let calls = Counter()
        let sequence = [1].memoized.map { value in
            calls.increment()
            entered.open()
            mayLeave.wait()
            return value
        }
        let results = Log<Int?>()
        let evaluator = TestThread("evaluator") { results.append(sequence.head) }
        entered.wait()
        let readers = (0..<3).map { index in TestThread("reader \(index)") { results.append(sequence.head) } }
        for reader in readers { reader.waitUntilAsleep() }
        expect(results.count, is: 0)
        // Other elements and sequences are available in the meantime.
        expect(sequence.isEmpty, is: false)
        #expect(sequence.tail.isEmpty)
        mayLeave.open()
        for thread in readers + [evaluator] { thread.join() }
        expect(results.all, is: [1, 1, 1, 1])
        expect(calls.value, is: 1)
    }

    @Test("threads that iterate sequences joined from the same parts evaluate each element once", .watched)
    func joined() {
        for _ in 0..<100 {
            let calls = Counter()
            let parts = (0..<6).map { part -> MemoizedSequence<Int> in
                let numbers: [Int] = part % 3 == 0 ? [] : [part, part]
                return numbers.memoized.flatMap { value in
                    calls.increment()
                    return [value].memoized.map { value in
                        calls.increment()
                        return value
                    }
                }
            }
            let ends: [MemoizedSequence<Int>] = [[7].memoized, [8].memoized, .empty]
            let joined = parts.reduce(MemoizedSequence<Int>.empty) { $0.concat($1) }
            let wrong = Counter()
            onThreads(4, "joined") { thread in
                let sequence = thread == 3 ? joined : joined.concat(ends[thread]).concat(joined)
                let once = [1, 1, 2, 2, 4, 4, 5, 5]
                let expected = thread == 3 ? once : once + Array(ends[thread]) + once
                if Array(sequence) != expected { wrong.increment() }
            }
            expect(wrong.value, is: 0)
            expect(calls.value, is: 16)
        }
    }

    @Test("threads that enter a chain of closures at different ends get the same elements", .watched)
    func bothEnds() {
        let chains = (0..<raceRounds).map { _ in
            let first = [1].memoized.map { $0 + 1 }
            let second = first.map { $0 * 10 }
            return [first, second, second.map { _ in (first.head ?? 0) + (second.head ?? 0) }]
        }
        let wrong = Counter()
        onThreads(3, "ends") { index in
            for chain in chains where chain[index].head != [2, 20, 22][index] { wrong.increment() }
        }
        expect(wrong.value, is: 0)
    }

    @Test("traps when an element's closure requires that element")
    func ownElement() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let own = Locked(MemoizedSequence<Int>.empty)
            let sequence = [1].memoized.map { _ in own.withLock { $0 }.head ?? 0 }
            own.withLock { $0 = sequence }
            _ = sequence.head
        }
        #expect(result.message.contains("MemoizedSequence: computing an element requires that element itself"))
    }

    @Test("traps when a sequence is its own tail by way of another sequence")
    func ownRest() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let own = Locked(MemoizedSequence<Int>.empty)
            let sequence = MemoizedSequence(head: { 1 }, tail: { own.withLock { $0 }.tail.filter { _ in true } })
            own.withLock { $0 = sequence }
            _ = Array(sequence)
        }
        #expect(result.message.contains("MemoizedSequence: computing an element requires that element itself"))
    }

    @Test("traps when two threads wait for each other's elements")
    func ringOfThreads() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let others = Locked<[MemoizedSequence<Int>]>([])
            let entered = [Latch("the first has not begun"), Latch("the second has not begun")]
            let sequences = (0..<2).map { index in
                [index].memoized.map { index in
                    entered[index].open()
                    entered[1 - index].wait()
                    return others.withLock { $0[1 - index] }.head ?? 0
                }
            }
            others.withLock { $0 = sequences }
            onThreads(2, "ring") { _ = sequences[$0].head }
        }
        #expect(
            result.message.contains(
                "MemoizedSequence: several threads are waiting for elements that require each other"))
    }
}
