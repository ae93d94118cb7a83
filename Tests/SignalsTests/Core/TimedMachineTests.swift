import HotSignals
import TestSupport
import Testing

/// The state machines of the timed operators, without locks, timers or schedulers.
@Suite("Timed machines")
struct TimedMachineTests {
    /// Plays a diagram, one character per second, and lists what the machine sends and when. It is polled exactly at
    /// its wake-up times.
    ///
    /// - Parameter value: What a digit stands for.
    private func play<Machine: TimedMachine>(
        _ machine: Machine, _ diagram: String, until end: Int = 30, of value: (Int) -> Machine.Value
    ) -> [String] where Machine.Failure == TestError {
        var machine = machine
        var sent: [String] = []
        let marks = Array(diagram)
        for second in 0...end {
            let now = Duration.seconds(second)
            if second < marks.count {
                switch marks[second] {
                case "-": break
                case "|": _ = machine.end(.completed, at: now)
                case "X": _ = machine.end(.error(.first), at: now)
                case "!": _ = machine.end(.interrupted, at: now)
                case let digit: _ = machine.receive(value(digit.wholeNumberValue!), at: now)
                }
            }
            guard let wakeUp = machine.wakeUp, wakeUp <= now else { continue }
            while let event = machine.nextEvent(at: now) {
                sent.append("\(event) at \(second)")
                if event.isTerminating { return sent }
            }
        }
        return sent
    }

    private func play<Machine: TimedMachine>(_ machine: Machine, _ diagram: String) -> [String]
    where Machine.Value == Int, Machine.Failure == TestError {
        play(machine, diagram) { $0 }
    }

    @Test("delay")
    func delay() {
        expect(
            play(DelayMachine(interval: .seconds(4)), "12--3|"),
            is: ["NEXT 1 at 4", "NEXT 2 at 5", "NEXT 3 at 8", "COMPLETED at 9"])
        expect(play(DelayMachine(interval: .seconds(4)), "12X"), is: ["ERROR first at 2"])
    }

    @Test("debounce", arguments: [false, true])
    func debounce(discards: Bool) {
        let machine = DebounceMachine<Int, TestError>(interval: .seconds(3), discardWhenCompleted: discards)
        expect(
            play(machine, "1-2----3-|"),
            is: ["NEXT 2 at 5"] + (discards ? ["COMPLETED at 9"] : ["NEXT 3 at 10", "COMPLETED at 10"]))
        expect(play(machine, "1!"), is: ["INTERRUPTED at 1"])
    }

    @Test("debounce(by:), with the digits as seconds", arguments: [false, true])
    func debounceBy(discards: Bool) {
        let machine = DebounceByMachine<Int, TestError>(discardWhenCompleted: discards)
        expect(
            play(machine, "93---0-4-|") { ValueDuration($0, .seconds($0)) },
            is: ["NEXT 3 at 4", "NEXT 0 at 5"]
                + (discards ? ["COMPLETED at 9"] : ["NEXT 4 at 11", "COMPLETED at 11"]))
        expect(play(machine, "1!") { ValueDuration($0, .seconds(2)) }, is: ["INTERRUPTED at 1"])
    }

    @Test("delay(by:), with the digits as seconds")
    func delayBy() {
        let machine = DelayByMachine<Int, TestError>()
        expect(
            play(machine, "932---5|") { ValueDuration($0, .seconds($0)) },
            is: ["NEXT 3 at 4", "NEXT 2 at 4", "NEXT 9 at 9", "NEXT 5 at 11", "COMPLETED at 11"])
        expect(play(machine, "12X") { ValueDuration($0, .seconds(9)) }, is: ["ERROR first at 2"])
    }

    @Test("settle", arguments: [false, true])
    func settle(discards: Bool) {
        let (quiet, longest) = (Duration.seconds(3), Duration.seconds(4))
        let machine = DebounceMachine<Int, TestError>(
            settlingFor: quiet, atMost: longest, discardWhenCompleted: discards)
        expect(
            play(machine, "1-2-3-----4-|"),
            is: ["NEXT 3 at 4"] + (discards ? ["COMPLETED at 12"] : ["NEXT 4 at 13", "COMPLETED at 13"]))
        expect(play(machine, "1!"), is: ["INTERRUPTED at 1"])
    }

    @Test("throttle")
    func throttle() {
        let machine = ThrottleMachine<Int, TestError>(interval: .seconds(4))
        expect(play(machine, "123------4"), is: ["NEXT 1 at 0", "NEXT 3 at 4", "NEXT 4 at 9"])
    }

    @Test("a throttle that reports drops returns them with the closure")
    func reportingThrottle() {
        let drops = Log<Int>()
        var machine = ReportingMachine(
            ThrottleMachine<Int, TestError>(interval: .seconds(4)), onDropped: { drops.append($0) })
        #expect(machine.receive(1, at: .zero) == nil)
        let replaced = machine.receive(2, at: .zero)
        expect(drops.all, is: [])
        if let replaced { type(of: machine).release(replaced) }
        expect(drops.all, is: [1])
        expect(machine.nextEvent(at: .zero)?.value, is: 2)
        #expect(machine.receive(3, at: .seconds(1)) == nil)
        if let pending = machine.clear() { type(of: machine).release(pending) }
        expect(drops.all, is: [1, 3])
    }

    @Test("collect(every:)")
    func collectEvery() {
        let machine = CollectEveryMachine<Int, TestError>(
            interval: .seconds(4), skipEmpty: false, discardWhenCompleted: false)
        expect(
            play(machine, "12--3------4|"),
            is: ["NEXT [1, 2, 3] at 4", "NEXT [] at 8", "NEXT [4] at 12", "COMPLETED at 12"])
    }

    @Test("lazyMap sends one value per scheduler action")
    func latest() {
        var machine = LatestMachine<Int, TestError>()
        expect(machine.receive(1, at: .zero), is: nil)
        expect(machine.receive(2, at: .zero), is: 1)
        expect(machine.nextEvent(at: .zero)?.value, is: 2)
        expect(machine.receive(3, at: .zero), is: nil)
        #expect(machine.nextEvent(at: .zero) == nil)
        expect(machine.wakeUp, is: .zero)
        _ = machine.end(.completed, at: .zero)
        expect(machine.nextEvent(at: .zero)?.value, is: 3)
        expect(machine.nextEvent(at: .zero)?.isCompleted, is: true)
    }

    @Test("a watch reports each interval in which it was not restarted")
    func watch() {
        var machine = WatchMachine<TestError>(interval: .seconds(5))
        #expect(machine.nextEvent(at: .seconds(4)) == nil)
        expect(machine.nextEvent(at: .seconds(6))?.value, is: .seconds(6))
        expect(machine.wakeUp, is: .seconds(11))
        _ = machine.receive((), at: .seconds(8))
        expect(machine.wakeUp, is: .seconds(13))
        expect(machine.nextEvent(at: .seconds(13))?.value, is: .seconds(5))
    }

    @Test("a watch does not report an interval that passes during a delivery, and begins the next one after it")
    func watchedDelivery() {
        var machine = WatchMachine<TestError>(interval: .seconds(5), termination: .error(.first))
        let delivery = WatchedDelivery()
        machine.delivery = delivery
        delivery.isInProgress.store(1)
        #expect(machine.nextEvent(at: .seconds(6)) == nil)
        #expect(machine.wakeUp == nil)
        _ = machine.receive((), at: .seconds(8))
        expect(machine.wakeUp, is: .seconds(13))
        expect(machine.nextEvent(at: .seconds(13)), is: .error(.first))
    }
}
