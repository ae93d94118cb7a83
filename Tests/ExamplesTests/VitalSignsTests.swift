import ReactiveSignals
import TestSupport
import Testing

@testable import VitalsKit

/// The events that an observer received, in order.
final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    private let recorded = Locked<[Event<Value, Failure>]>([])

    init(_ signal: Signal<Value, Failure>) {
        signal.observe { event in self.recorded.withLock { $0.append(event) } }
    }

    var events: [Event<Value, Failure>] { recorded.withLock { $0 } }
    var values: [Value] { events.compactMap(\.value) }
}

@Suite("From readings to samples and alerts")
struct VitalSignsTests {
    private let readings: Signal<Reading, VitalsError>
    private let input: Signal<Reading, VitalsError>.Observer

    init() { (readings, input) = Signal<Reading, VitalsError>.pipe() }

    @Test("sends a sample for every reading but the first, before the send of the reading returns")
    func oneSampleAReading() {
        let samples = Recorder(VitalSigns(readings: readings).samples)
        input.sendNext(.idle(at: 0))
        #expect(samples.values.isEmpty)
        input.sendNext(.idle(at: 1))
        expect(samples.values.count, is: 1)
        input.sendNext(.idle(at: 3))
        expect(
            samples.values.map(\.interval),
            is: [
                Interval(from: .zero, to: .seconds(1)), Interval(from: .seconds(1), to: .seconds(3)),
            ])
    }

    @Test("combines the values of the same interval")
    func sameInterval() throws {
        let samples = Recorder(VitalSigns(readings: readings).samples)
        input.sendNext(.idle(at: 0))
        var reading = Reading.idle(at: 2)
        reading.stat.machine = CPUTimes.Ticks(user: 50, idle: 2150)
        reading.meminfo.available = 250
        reading.loadavg.one = 3
        reading.netDev.interfaces["eth0"] = .init(received: 4096, sent: 2048)
        reading.diskstats.devices["sda"] = .init(bytesRead: 512, bytesWritten: 1024, busyMilliseconds: 500)
        input.sendNext(reading)

        let sample = try #require(samples.values.first)
        expect(sample.cpu.machine.busy, is: 0.25)
        expect(sample.memory.share, is: 0.75)
        expect(sample.load.one, is: 3)
        expect(sample.network.total.inPerSecond, is: 2048)
        expect(sample.network.total.outPerSecond, is: 1024)
        expect(sample.disk.total.inPerSecond, is: 256)
        expect(sample.disk.total.outPerSecond, is: 512)
        expect(sample.disk.busy, is: 0.25)
        #expect(sample.alerts.isEmpty)
    }

    @Test("averages the CPU over the last five samples")
    func cpuAverage() {
        let samples = Recorder(VitalSigns(readings: readings).samples)
        var ticks = CPUTimes.Ticks(idle: 0)
        for (second, busy) in [0, 100, 0, 50, 50, 50, 50].enumerated() {
            ticks.user += UInt64(busy)
            ticks.idle += UInt64(100 - busy)
            var reading = Reading.idle(at: second)
            reading.stat.machine = ticks
            input.sendNext(reading)
        }
        expect(samples.values.map { ($0.cpuAverage * 100).rounded() }, is: [100, 50, 50, 50, 50, 40])
    }

    /// Sends readings with these percentages of used memory. The first of them causes no sample.
    private func sendMemory(_ percentages: [UInt64]) {
        for (second, percentage) in percentages.enumerated() {
            var reading = Reading.idle(at: second)
            reading.meminfo.available = 1000 - percentage * 10
            input.sendNext(reading)
        }
    }

    @Test("raises an alert at its upper level and clears it below its lower one")
    func hysteresis() {
        let signs = VitalSigns(readings: readings)
        let samples = Recorder(signs.samples)
        let changes = Recorder(signs.alertChanges)
        sendMemory([0, 89, 90, 86, 85, 84, 89, 95])
        let raised = samples.values.map { $0.alerts.contains("memory") }
        expect(raised, is: [false, true, true, true, false, false, true])
        expect(changes.values.map(\.isRaised), is: [true, false, true])
        expect(changes.values.map(\.rule.name), is: ["memory", "memory", "memory"])
        expect(changes.values.map(\.time), is: [.seconds(2), .seconds(5), .seconds(7)])
    }

    @Test("sends no change for an alert that stays cleared, and sends one that is raised immediately")
    func firstChange() {
        let changes = Recorder(VitalSigns(readings: readings).alertChanges)
        sendMemory([0, 95])
        expect(changes.values.map(\.isRaised), is: [true])
    }

    @Test("measures the load relative to the number of cores")
    func loadOfCore() {
        let samples = Recorder(VitalSigns(readings: readings).samples)
        for (second, load) in [0.0, 3.9, 4.0, 3.1, 2.9].enumerated() {
            var reading = Reading.idle(at: second)
            reading.loadavg.one = load
            input.sendNext(reading)
        }
        expect(samples.values.map(\.alerts), is: [[], ["load"], ["load"], []])
    }

    @Test("fails when a reading fails")
    func failure() {
        let error = VitalsError.malformed(file: "stat", reason: "it is empty")
        let samples = Recorder(VitalSigns(readings: readings).samples)
        input.sendNext(.idle(at: 0))
        input.sendError(error)
        expect(samples.events.map(\.error), is: [error])
    }

    @Test("ends with the readings")
    func ending() {
        let (others, otherInput) = Signal<Reading, VitalsError>.pipe()
        let completed = Recorder(VitalSigns(readings: readings).samples)
        let interrupted = Recorder(VitalSigns(readings: others).samples)
        input.sendNext(.idle(at: 0))
        input.sendCompleted()
        otherInput.sendInterrupted()
        expect(completed.events, is: [.completed])
        expect(interrupted.events, is: [.interrupted])
    }

    @Test("averages the available values in a sliding window")
    func slidingAverage() {
        let (values, valueInput) = Signal<Double, Never>.pipe()
        let averages = Recorder(values.slidingAverage(over: 2))
        for value in [1.0, 3, 5, 7] { valueInput.sendNext(value) }
        valueInput.sendCompleted()
        expect(averages.events, is: [.next(1), .next(2), .next(4), .next(6), .completed])
    }
}
