import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("What a passive visitor leaves behind")
struct LibraryThreadTests {
    private enum Local {
        @TaskLocal static var name = "none"
    }

    /// Visits a gate, while another thread sends.
    private func visit(_ gate: Gate, _ send: @escaping @Sendable () -> Void) {
        let thread = ThreadIdentity.current
        #expect(gate.enterPassively(thread))
        TestThread("sender", send).join()
        gate.leavePassively(thread)
    }

    @Test("is performed on a thread of the library, in order, however much it is", arguments: [1, 3, 3 * Gate.limit])
    func leftBehind(count: Int) {
        let (gate, log, threads) = (Gate(contention: .enqueue), Log<Int>(), Log<UInt>())
        visit(gate) {
            for number in 0..<count {
                gate.push(
                    DeferredWork {
                        threads.append(ThreadIdentity.current)
                        log.append(number)
                    })
            }
        }
        waitUntilDrained()
        expect(log.all, is: Array(0..<count))
        #expect(!threads.all.contains(ThreadIdentity.current))
    }

    @Test("what a visitor sends from inside its own work follows in the visitor's context")
    func ownWork() {
        let gate = Gate(contention: .enqueue)
        let (thread, log) = (ThreadIdentity.current, Log<String>())
        Local.$name.withValue("visitor") {
            #expect(gate.enterPassively(thread))
            gate.push(
                DeferredWork {
                    log.append("own, \(Local.name)")
                    gate.push(DeferredWork { log.append("inner, \(Local.name)") })
                })
            for number in 1...2 {
                TestThread("sender") { gate.push(DeferredWork { log.append("\(number), \(Local.name)") }) }.join()
            }
            gate.leavePassively(thread)
        }
        waitUntilDrained()
        expect(log.all, is: ["own, visitor", "1, none", "2, none", "inner, visitor"])
    }

    @Test("a send from inside follows what other threads have sent, in the context of its sender")
    func sendFromInside() {
        let (gate, log) = (Gate(contention: .enqueue), Log<String>())
        let outer = DeferredWork {
            log.append("outer, \(Local.name)")
            TestThread("other sender") { gate.push(DeferredWork { log.append("other, \(Local.name)") }) }.join()
            gate.push(DeferredWork { log.append("inner, \(Local.name)") })
        }
        visit(gate) { Local.$name.withValue("sender") { gate.push(outer) } }
        waitUntilDrained()
        expect(log.all, is: ["outer, sender", "other, none", "inner, sender"])
    }

    /// Runs every action at once.
    private final class InlineScheduler: Scheduler {
        func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
            action()
            return nil
        }
    }

    @Test(
        "an operator with a scheduler waits for a visitor, so that its scheduler delivers what it sends",
        arguments: [false, true])
    func scheduledResult(isStarted: Bool) {
        let (source, input) = Source.pipe(contention: .enqueue)
        let scheduler = InlineScheduler()
        let result =
            isStarted
            ? SignalProducer(source).observe(on: scheduler).startWithSignal { signal, _ in
                signal.observe { _ in }
                return signal
            } : source.observe(on: scheduler)
        let (threads, thread, sender) = (Log<UInt>(), ThreadIdentity.current, Locked<UInt>(0))
        result.observe { _ in threads.append(ThreadIdentity.current) }
        #expect(result.core.gate.contention == .wait)
        #expect(result.core.gate.enterPassively(thread))
        let sending = TestThread("sender") {
            sender.withLock { $0 = ThreadIdentity.current }
            input.sendNext(1)
        }
        sending.waitUntilAsleep()
        result.core.gate.leavePassively(thread)
        sending.join()
        expect(threads.all, is: [sender.withLock { $0 }])
        input.sendCompleted()
    }
}
