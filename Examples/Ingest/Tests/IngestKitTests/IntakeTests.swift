import IngestKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("The intake", .patient)
struct IntakeTests {
    /// A database in memory, which can be slow and can fail.
    private final class Disk: Sendable {
        let scheduler: TestScheduler
        let batches = MutableProperty<[[String]]>([])
        let isBroken = MutableProperty(false)
        /// How long a write takes.
        let slowness = MutableProperty(Duration.zero)

        init(_ scheduler: TestScheduler) { self.scheduler = scheduler }

        func write(_ batch: [Reading]) throws(StorageFailure) -> [Int] {
            scheduler.advance(by: slowness.value)
            if isBroken.value { throw StorageFailure("full") }
            return batches.modify { batches in
                let count = batches.joined().count
                batches.append(batch.map(\.sensor))
                return Array(count + 1...count + batch.count)
            }
        }
    }

    private let scheduler: TestScheduler
    private let disk: Disk
    /// At most 6 measurements, in batches of 3, after 20 milliseconds.
    private let intake: Intake
    /// In the order in which they arrive.
    private let results = MutableProperty<[String]>([])

    init() {
        let scheduler = TestScheduler()
        let disk = Disk(scheduler)
        var limits = Limits()
        limits.queue = 6
        limits.batch = 3
        limits.delay = .milliseconds(20)
        self.scheduler = scheduler
        self.disk = disk
        intake = Intake(limits, on: scheduler) { batch throws(StorageFailure) in try disk.write(batch) }
    }

    /// Saves measurements at the same time, and records their results.
    @discardableResult
    private func save(_ sensors: String...) -> [Task<Void, Never>] {
        sensors.map { sensor in
            Task(executorPreference: scheduler) { [intake, results] in
                do throws(ActionError<StorageFailure>) {
                    let row = try await intake.save(Reading(sensor: sensor, value: 1, at: 0))
                    results.modify { $0.append("\(sensor) \(row)") }
                } catch {
                    results.modify { $0.append("\(sensor) \(error)") }
                }
            }
        }
    }

    @Test("writes a batch when it is full, without waiting")
    func full() async {
        await scheduler.run {
            save("a", "b", "c", "d")
            await scheduler.advance()
            #expect(disk.batches.value == [["a", "b", "c"]])
            #expect(results.value == ["a 1", "b 2", "c 3"])
            #expect(intake.counts == Intake.Counts(accepted: 4, saved: 3))
            await scheduler.advance(by: .milliseconds(20))
            #expect(results.value.last == "d 4")
        }
    }

    @Test("writes a smaller batch when its first measurement has waited long enough")
    func delay() async {
        await scheduler.run {
            save("a")
            await scheduler.advance(by: .milliseconds(15))
            save("b")
            await scheduler.advance(by: .milliseconds(4))
            #expect(disk.batches.value.isEmpty)
            #expect(results.value.isEmpty)
            await scheduler.advance(by: .milliseconds(1))
            #expect(disk.batches.value == [["a", "b"]])
            #expect(results.value == ["a 1", "b 2"])
        }
    }

    @Test("answers no measurement before it has been written")
    func durability() async {
        await scheduler.run {
            let seen = MutableProperty<[Int]>([])
            disk.batches.signal.observeNext { [results] _ in seen.modify { $0.append(results.value.count) } }
            save("a", "b", "c")
            await scheduler.advance()
            #expect(seen.value == [0])
            #expect(results.value.count == 3)
        }
    }

    @Test("refuses immediately what exceeds the queue, and accepts again when a batch has been written")
    func shedding() async {
        await scheduler.run {
            // All of them arrive before the first batch is written.
            save("a", "b", "c", "d", "e", "f", "g", "h")
            await scheduler.advance()
            #expect(results.value.prefix(2) == ["g disabled", "h disabled"])
            #expect(disk.batches.value == [["a", "b", "c"], ["d", "e", "f"]])
            save("i")
            await scheduler.advance(by: .milliseconds(20))
            #expect(results.value.last == "i 7")
            #expect(intake.counts == Intake.Counts(accepted: 7, saved: 7))
        }
    }

    @Test("says how long a full queue takes")
    func drainTime() async {
        await scheduler.run {
            #expect(intake.drainTime == .zero)
            disk.slowness.value = .seconds(4)
            save("a", "b", "c")
            await scheduler.advance(by: .seconds(5))
            // Two batches of 3.
            #expect(intake.drainTime == .seconds(8))
        }
    }

    @Test("fails the measurements of a batch that could not be written, and then continues")
    func failure() async {
        await scheduler.run {
            disk.isBroken.value = true
            save("a", "b", "c")
            await scheduler.advance()
            #expect(results.value == ["a", "b", "c"].map { "\($0) producerError(full)" })
            disk.isBroken.value = false
            save("d", "e", "f")
            await scheduler.advance()
            #expect(results.value.suffix(3) == ["d 1", "e 2", "f 3"])
            #expect(intake.counts == Intake.Counts(accepted: 6, saved: 3))
        }
    }

    @Test("saves the measurement of a client that has gone, which keeps its place until then")
    func cancellation() async {
        await scheduler.run {
            let tasks = save("a", "b")
            await scheduler.advance()
            for task in tasks { task.cancel() }
            await scheduler.advance()
            #expect(results.value.isEmpty)
            await scheduler.advance(by: .milliseconds(20))
            #expect(disk.batches.value == [["a", "b"]])
            #expect(results.value == ["a 1", "b 2"])
        }
    }

    @Test("closes when everything that was accepted has been saved, and refuses the rest")
    func close() async {
        await scheduler.run {
            save("a")
            await scheduler.advance(by: .milliseconds(10))
            let isClosed = MutableProperty(false)
            Task(executorPreference: scheduler) { [intake] in
                await intake.close()
                isClosed.value = true
            }
            await scheduler.advance()
            save("b")
            await scheduler.advance()
            #expect(results.value == ["b disabled"])
            #expect(!isClosed.value)
            await scheduler.advance(by: .milliseconds(10))
            #expect(isClosed.value)
            #expect(results.value == ["b disabled", "a 1"])
        }
    }

    @Test("closes immediately if nothing waits")
    func closeIdle() async {
        await scheduler.run { await intake.close() }
        #expect(disk.batches.value.isEmpty)
    }
}
