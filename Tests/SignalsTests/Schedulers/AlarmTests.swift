import HotSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Alarm")
struct AlarmTests {
    /// A timer that notes its disposal.
    private func timer(_ name: String, _ log: Log<String>) -> any Disposable {
        log.append("set \(name)")
        return AnyDisposable { log.append("stop \(name)") }
    }

    @Test("goes off when it was set to")
    func goesOff() {
        let scheduler = TestScheduler()
        let alarm = Alarm()
        let runs = Counter()
        alarm.set { scheduler.schedule(after: .seconds(1)) { runs.increment() } }
        scheduler.advance(by: .seconds(1))
        expect(runs.value, is: 1)
        alarm.set { scheduler.schedule(after: .seconds(1)) { runs.increment() } }
        scheduler.run()
        expect(runs.value, is: 2)
    }

    @Test("stops the timer before when it is set again, before it asks for the new one")
    func replaces() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set { timer("a", log) }
        alarm.set { timer("b", log) }
        alarm.set { timer("c", log) }
        expect(log.all, is: ["set a", "stop a", "set b", "stop b", "set c"])
    }

    @Test("is stopped for ever: later timers are not even asked for")
    func stops() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set { timer("a", log) }
        alarm.stop()
        expect(log.all, is: ["set a", "stop a"])
        alarm.set { timer("b", log) }
        alarm.setLast { timer("c", log) }
        alarm.stop()
        expect(log.all, is: ["set a", "stop a"])
    }

    @Test("may be stopped before it was ever set")
    func stopsFirst() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.stop()
        alarm.set { timer("a", log) }
        #expect(log.all.isEmpty)
    }

    @Test("set for the last time takes the place of the timer before, and is not replaced by a later one")
    func setLast() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set { timer("a", log) }
        alarm.setLast { timer("last", log) }
        expect(log.all, is: ["set a", "stop a", "set last"])
        alarm.set { timer("b", log) }
        alarm.setLast { timer("c", log) }
        expect(log.all, is: ["set a", "stop a", "set last"])
        alarm.stop()
        expect(log.all, is: ["set a", "stop a", "set last", "stop last"])
    }

    @Test("set for the last time is not replaced by one that is being set meanwhile, nor by one set from inside")
    func setLastInside() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set {
            alarm.setLast { timer("last", log) }
            return timer("late", log)
        }
        expect(log.all, is: ["set last", "set late", "stop late"])
        alarm.stop()
        expect(log.all.last, is: "stop last")

        let other = Alarm()
        let otherLog = Log<String>()
        other.setLast {
            other.set { timer("inside", otherLog) }
            return timer("last", otherLog)
        }
        expect(otherLog.all, is: ["set last"])
        other.stop()
        expect(otherLog.all, is: ["set last", "stop last"])
    }

    @Test("keeps the newest when it is set while it is being set")
    func setInside() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set {
            alarm.set { timer("inner", log) }
            return timer("outer", log)
        }
        expect(log.all, is: ["set inner", "set outer", "stop outer"])
        alarm.stop()
        expect(log.all.last, is: "stop inner")
    }

    @Test("stops the timer that it was being set to when it was stopped")
    func stoppedInside() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set {
            alarm.stop()
            return timer("a", log)
        }
        expect(log.all, is: ["set a", "stop a"])
    }

    @Test("may be set again by the timer itself, also one that goes off while it is being set")
    func setByTimer() {
        let log = Log<String>()
        let alarm = Alarm()
        alarm.set {
            // As a scheduler does that runs at once.
            alarm.set { timer("next", log) }
            return nil
        }
        expect(log.all, is: ["set next"])
        alarm.set { nil }
        expect(log.all, is: ["set next", "stop next"])

        let scheduler = TestScheduler()
        let runs = Counter()
        let repeating = Alarm()
        @Sendable func again() {
            guard runs.increment() < 5 else { return }
            repeating.set { scheduler.schedule(after: .seconds(1), again) }
        }
        repeating.set { scheduler.schedule(after: .seconds(1), again) }
        scheduler.run()
        expect(runs.value, is: 5)
        expect(scheduler.now.offset, is: .seconds(5))
    }

    @Test("releases the timer that it replaces or stops")
    func releases() {
        let population = Population()
        let alarm = Alarm()
        let make = { AnyDisposable { [member = population.member()] in member.touch() } }
        alarm.set(make)
        expect(population.alive, is: 1)
        alarm.set(make)
        expect(population.alive, is: 1)
        alarm.set { nil }
        expect(population.alive, is: 0)
        alarm.set(make)
        alarm.stop()
        expect(population.alive, is: 0)
    }

    @Test("leaves one timer, or none once stopped, when several threads set and stop it")
    func threads() {
        for round in 0..<500 {
            let alarm = Alarm()
            let running = Counter()
            let stopped = Counter()
            onThreads(3, "Alarm") { index in
                if index == 2, round.isMultiple(of: 2) { return alarm.stop() }
                for _ in 0..<5 {
                    alarm.set {
                        running.increment()
                        return AnyDisposable { stopped.increment() }
                    }
                }
            }
            #expect(running.value - stopped.value == (round.isMultiple(of: 2) ? 0 : 1))
            alarm.stop()
            expect(running.value, is: stopped.value)
        }
    }

    @Test("keeps the last one, whichever thread comes when")
    func threadsLast() {
        for _ in 0..<500 {
            let alarm = Alarm()
            let stops = Log<Int>()
            onThreads(3, "setLast") { index in
                let schedule = { AnyDisposable { stops.append(index) } }
                if index == 0 { alarm.setLast(schedule) } else { alarm.set(schedule) }
            }
            #expect(!stops.all.contains(0))
            stops.removeAll()
            alarm.stop()
            expect(stops.all, is: [0])
        }
    }
}
