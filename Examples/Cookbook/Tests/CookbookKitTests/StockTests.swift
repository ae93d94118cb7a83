import CookbookKit
import Foundation
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import Testing

@Suite("A recorded bug", .patient)
struct StockTests {
    private let scheduler = TestScheduler()

    private func fixture(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: name, withExtension: "jsonl", subdirectory: "Fixtures"))
    }

    @Test("raises no alarm in the night of the false alarm")
    func falseAlarm() throws {
        let (movements, input) = Signal<Movement, Never>.pipe()
        let stock = Stock(movements)
        let alarms = stock.alarms(on: scheduler).record(on: scheduler)
        let lowest = MutableProperty(0)
        stock.levels.signal.observeNext { levels in
            lowest.modify { $0 = min($0, levels["tea"] ?? 0) }
        }

        try SignalProducer.replaying(
            contentsOf: fixture("false-alarm"), as: Movement.self, on: scheduler
        ).startWithResult { movement in
            do { input.sendNext(try movement.get()) } catch { Issue.record(error) }
        }
        scheduler.run()

        #expect(alarms.values.isEmpty)
        // The recording has the moment of the alarm, and what ended it.
        #expect(lowest.value == -5)
        #expect(stock.levels.value == ["tea": 12])
    }

    @Test("raises an alarm if the delivery is missing")
    func alarm() {
        let (movements, input) = Signal<Movement, Never>.pipe()
        let stock = Stock(movements)
        let alarms = stock.alarms(on: scheduler).record(on: scheduler)
        input.sendNext(Movement(article: "tea", count: -1))
        scheduler.advance(by: .seconds(10))
        #expect(alarms.values == [["tea"]])
    }

    @Test("is recorded while the recording is on")
    func recorded() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stock-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (movements, input) = Signal<Movement, Never>.pipe()
        let stock = Stock(movements)
        input.sendNext(Movement(article: "tea", count: 1))
        let file = folder.appending(path: "movements.jsonl")
        try stock.record(to: file)
        input.sendNext(Movement(article: "tea", count: 2))
        #expect(await stock.endRecording() == 1)
        input.sendNext(Movement(article: "tea", count: 3))
        let replayed = SignalProducer.replaying(contentsOf: file, as: Movement.self)
        #expect(try await replayed.first()?.count == 2)
        #expect(stock.levels.value == ["tea": 6])
    }
}
