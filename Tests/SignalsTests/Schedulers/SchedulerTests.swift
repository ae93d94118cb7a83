import HotSignals
import TestSupport
import Testing

@Suite("ScheduledAction")
struct SchedulerTests {
    @Test("runs once, and releases its closure as soon as it has started")
    func once() {
        let population = Population()
        let runs = Counter()
        let action = ScheduledAction { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        #expect(!action.isDisposed)
        action.run()
        action.run()
        expect(runs.value, is: 1)
        #expect(action.isDisposed)
        expect(population.alive, is: 0)
    }

    @Test("does not run after its disposal, which releases its closure")
    func disposed() {
        let population = Population()
        let runs = Counter()
        let action = ScheduledAction { [member = population.member()] in
            member.touch()
            runs.increment()
        }
        action.dispose()
        action.dispose()
        expect(population.alive, is: 0)
        action.run()
        action.runAgain()
        expect(runs.value, is: 0)
    }

    @Test("can run repeatedly until it is disposed of, even from inside")
    func again() {
        let runs = Counter()
        let holder = Log<ScheduledAction>()
        let action = ScheduledAction {
            if runs.increment() == 3 { holder.all.first?.dispose() }
        }
        holder.append(action)
        for _ in 0..<5 { action.runAgain() }
        expect(runs.value, is: 3)
    }

    @Test("can run again from inside, and releases its closure after the last nested run once it is disposed of")
    func nested() {
        let population = Population()
        let runs = Log<Int>()
        let holder = Log<ScheduledAction>()
        let action = ScheduledAction { [member = population.member()] in
            member.touch()
            runs.append(runs.count)
            if runs.count < 3 { holder.all.first?.runAgain() }
            if runs.count == 3 { holder.all.first?.dispose() }
            // Still retained by the runs that have not returned.
            runs.append(100 + population.alive)
        }
        holder.append(action)
        action.runAgain()
        expect(runs.all, is: [0, 1, 2, 101, 101, 101])
        expect(population.alive, is: 0)
        action.runAgain()
        expect(runs.count, is: 6)
        #expect(action.isDisposed)
    }

    @Test("releases its closure once when it is disposed of while it runs repeatedly")
    func disposalRace() {
        for _ in 0..<raceRounds {
            let population = Population()
            let action = ScheduledAction { [member = population.member()] in member.touch() }
            onThreads(2, "running and disposing") { index in
                if index == 0 { action.dispose() } else { for _ in 0..<20 { action.runAgain() } }
            }
            #expect(action.isDisposed)
            expect(population.alive, is: 0)
        }
    }

    @Test("runs at most once when running races with disposal")
    func race() {
        for _ in 0..<200 {
            let runs = Counter()
            let action = ScheduledAction { runs.increment() }
            onThreads(2, "ScheduledAction") { index in
                if index == 0 { action.dispose() } else { action.run() }
            }
            #expect(action.isDisposed)
            #expect(runs.value <= 1)
        }
    }
}
