#if Explore
import InterleavingExplorer
import Testing

extension AllExplorations {
    /// Tests the explorer on protocols with known errors.
    @Suite("The explorer")
    struct ExplorerTests {
        private let ordered = Settings()
        private let weak = {
            var settings = Settings()
            settings.staleReads = 2
            return settings
        }()

        private func lostUpdate() -> Scenario {
            Scenario("two threads count") { trial in
                let word = ExploredWord(0)
                for _ in 0..<2 {
                    trial.thread {
                        let seen = word.load(.relaxed)
                        word.store(seen + 1, .relaxed)
                    }
                }
                trial.finally { trial.expect(word.peek == 2, "counted \(word.peek)") }
            }
        }

        @Test("finds a lost update, and replays it from its schedule")
        func update() throws {
            let finding = try #require(Explorer(lostUpdate()).exhaust().finding)
            #expect(finding.failures == ["counted 1"])
            // One thread is preempted between its load and its store.
            let schedule = try #require(Schedule("\(finding.schedule)"))
            #expect(schedule == finding.schedule)
            #expect("\(schedule)".split(separator: " ").count == 2)
            #expect(Explorer(lostUpdate()).replay(schedule)?.failures == ["counted 1"])
        }

        @Test("finds a lost update by random schedules, reproducibly for a seed")
        func sampling() throws {
            let outcomes = (0..<2).map { _ in Explorer(lostUpdate()).sample(1_000, seed: 7) }
            let finding = try #require(outcomes[0].finding)
            #expect(finding.schedule == outcomes[1].finding?.schedule)
            #expect(outcomes[0].executions == outcomes[1].executions)
        }

        @Test("runs every interleaving of three threads exactly once")
        func orders() {
            for (bound, count) in [(0, 6), (9, 90)] {
                // Three threads of two steps have 6! / (2! 2! 2!) orders, of which 3! preempt no thread.
                nonisolated(unsafe) var orders: [[Int]: Int] = [:]
                let scenario = Scenario("three threads") { trial in
                    let word = ExploredWord(0)
                    nonisolated(unsafe) var order: [Int] = []
                    for thread in 0..<3 {
                        trial.thread {
                            for _ in 0..<2 {
                                _ = word.load(.relaxed)
                                order.append(thread)
                            }
                        }
                    }
                    trial.finally { orders[order, default: 0] += 1 }
                }
                var settings = Settings()
                settings.preemptions = bound
                #expect(Explorer(scenario, settings).exhaust().isExhausted)
                #expect(orders.count == count)
            }
        }

        private func storeBuffering(_ store: ExploredOrdering, _ load: ExploredOrdering) -> Scenario {
            Scenario("store buffering") { trial in
                let words = [ExploredWord(0), ExploredWord(0)]
                nonisolated(unsafe) var seen: [UInt] = []
                for thread in 0..<2 {
                    trial.thread {
                        words[thread].store(1, store)
                        seen.append(words[1 - thread].load(load))
                    }
                }
                trial.finally { trial.expect(seen.contains(1), "neither saw the other's store") }
            }
        }

        @Test("returns stale stores from loads exactly where the orderings allow it")
        func storeBuffering() {
            #expect(Explorer(storeBuffering(.releasing, .acquiring), ordered).exhaust().isExhausted)
            #expect(Explorer(storeBuffering(.releasing, .acquiring), weak).exhaust().finding != nil)
            let strict = storeBuffering(.sequentiallyConsistent, .sequentiallyConsistent)
            #expect(Explorer(strict, weak).exhaust().isExhausted)
            #expect(Explorer(storeBuffering(.sequentiallyConsistent, .acquiring), weak).exhaust().finding != nil)
        }

        @Test("treats an asymmetric fence as ordering the other side's store")
        func asymmetricFence() {
            func scenario(_ isFenced: Bool) -> Scenario {
                Scenario("a fence on one side") { trial in
                    let presence = ExploredWord(1)
                    let note = ExploredWord(0)
                    nonisolated(unsafe) var seen: [Bool] = []
                    trial.thread {
                        presence.store(0, .releasing)
                        seen.append(note.load(.sequentiallyConsistent) == 1)
                    }
                    trial.thread {
                        note.store(1, .sequentiallyConsistent)
                        if isFenced { ExploredFence.issue() }
                        seen.append(presence.load(.sequentiallyConsistent) == 0)
                    }
                    trial.finally { trial.expect(seen.contains(true), "neither saw the other") }
                }
            }
            #expect(Explorer(scenario(true), weak).exhaust().isExhausted)
            #expect(Explorer(scenario(false), weak).exhaust().finding != nil)
        }

        private func message(_ store: ExploredOrdering, _ load: ExploredOrdering) -> Scenario {
            Scenario("a message and a flag") { trial in
                let message = ExploredWord(0)
                let flag = ExploredWord(0)
                let content = Ownership(of: "the content")
                trial.thread {
                    message.store(1, .relaxed)
                    content.write()
                    flag.store(1, store)
                }
                trial.thread {
                    guard flag.load(load) == 1 else { return }
                    trial.expect(message.load(.relaxed) == 1, "an old message")
                    content.read()
                }
            }
        }

        @Test("publishes earlier writes with a release and an acquire, but not with either alone")
        func messagePassing() {
            #expect(Explorer(message(.releasing, .acquiring), weak).exhaust().isExhausted)
            for (store, load) in [(ExploredOrdering.relaxed, ExploredOrdering.acquiring), (.releasing, .relaxed)] {
                #expect(Explorer(message(store, load), weak).exhaust().finding != nil)
                // Even with ordered memory the content has no owner, which is a data race.
                let failures = Explorer(message(store, load), ordered).exhaust().finding?.failures
                #expect(failures?.first?.hasPrefix("data race: thread 2 reads the content") == true)
            }
        }

        @Test("finds a deadlock, and a lost wake-up")
        func waiting() {
            let deadlock = Scenario("two locks in opposite orders") { trial in
                let locks = [ExploredLock(), ExploredLock()]
                for thread in 0..<2 {
                    trial.thread {
                        locks[thread].lock()
                        locks[1 - thread].lock()
                        locks[1 - thread].unlock()
                        locks[thread].unlock()
                    }
                }
            }
            #expect(
                Explorer(deadlock).exhaust().finding?.failures == [
                    "some threads wait for ever: thread 1 for a lock, thread 2 for a lock"
                ])
            func wakeUp(_ looksUnderLock: Bool) -> Scenario {
                Scenario("a signal") { trial in
                    let lock = ExploredLock()
                    let condition = ExploredCondition()
                    let isReady = ExploredWord(0)
                    trial.thread {
                        let looked = isReady.load(.acquiring)
                        lock.lock()
                        if (looksUnderLock ? isReady.load(.acquiring) : looked) == 0 { condition.wait(lock) }
                        lock.unlock()
                    }
                    trial.thread {
                        lock.lock()
                        isReady.store(1, .releasing)
                        condition.signal()
                        lock.unlock()
                    }
                }
            }
            #expect(Explorer(wakeUp(true)).exhaust().isExhausted)
            #expect(
                Explorer(wakeUp(false)).exhaust().finding?.failures == [
                    "some threads wait for ever: thread 1 for a signal"
                ])
        }

        @Test("reports a scenario that may never end")
        func endless() {
            let scenario = Scenario("waits by looking again") { trial in
                let word = ExploredWord(0)
                trial.thread { while word.load(.acquiring) == 0 {} }
                trial.thread { word.store(1, .releasing) }
            }
            #expect(
                Explorer(scenario).exhaust().finding?.failures == ["more than 20000 steps: it may never end"])
        }

        @Test("reports a schedule that does not fit the scenario")
        func divergence() throws {
            let schedule = try #require(Schedule("2=7 /5"))
            let failures = try #require(Explorer(lostUpdate()).replay(schedule)).failures
            #expect(failures.first == "the schedule diverges: at step 2 there are 2 courses")
            #expect(
                Explorer(lostUpdate()).replay(try #require(Schedule("/900")))?.failures.first?.hasPrefix(
                    "the schedule diverges") == true)
            // At each step, also where a thread has just ended and two others can continue.
            let three = Scenario("three threads") { trial in
                for _ in 0..<3 { trial.thread { trial.pause() } }
            }
            for step in 0..<8 {
                let schedule = try #require(Schedule("\(step)=7 /5"))
                #expect(Explorer(three).replay(schedule) != nil, "step \(step)")
            }
            for line in ["", "1=2", "a=1 /3", "1=0 /3", "1=1=1 /3", "1q1 /3", "/"] {
                #expect(Schedule(line) == nil, "\(line)")
            }
        }

        @Test("reports leaked objects")
        func kept() {
            let scenario = Scenario("a ring") { trial in
                final class Node: @unchecked Sendable {
                    var next: Node?
                    let token: Trial.Token
                    init(_ token: Trial.Token) { self.token = token }
                }
                let node = Node(trial.token())
                trial.thread { node.next = node }
            }
            #expect(Explorer(scenario).exhaust().finding?.failures == ["1 of the tokens are still held"])
        }

        @Test("runs tasks, and continuations that other threads resume")
        func tasks() {
            let scenario = Scenario("a task that waits") { trial in
                let waiting = ExploredWord(0)
                nonisolated(unsafe) var log: [Int] = []
                trial.thread {
                    Task(executorPreference: ExploredBackground.executor) {
                        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                            waiting.store(unsafeBitCast(continuation, to: UInt.self), .releasing)
                        }
                        log.append(1)
                    }
                }
                trial.thread {
                    let bits = waiting.load(.acquiring)
                    log.append(0)
                    if bits != 0 { unsafeBitCast(bits, to: UnsafeContinuation<Void, Never>.self).resume() }
                }
                trial.finally {
                    let bits = waiting.peek
                    trial.expect(log == [0, 1] || log == [0], "the log is \(log)")
                    if log == [0] { _ = bits }
                }
            }
            #expect(Explorer(scenario).exhaust().isExhausted)
        }
    }
}
#endif
