import CookbookKit
import ReactiveSignals
import ReactiveSignalsTesting
import Testing

@Suite("Work that cannot be stopped", .patient)
struct ReportsTests {
    private let scheduler = TestScheduler()
    private let running = MutableProperty(0)
    private let peak = MutableProperty(0)

    /// Two connections, and four callers that wait. Each query takes ten seconds.
    private func reports() -> Reports<TestScheduler> {
        Reports(connections: 2, waiting: 4, patience: .seconds(12), on: scheduler) {
            [scheduler, running, peak] name, whenDone in
            running.modify { $0 += 1 }
            let now = running.value
            peak.modify { $0 = max($0, now) }
            scheduler.schedule(after: .seconds(10)) {
                running.modify { $0 -= 1 }
                whenDone(name == "broken" ? .failure(.failed) : .success(name.uppercased()))
            }
        }
    }

    private func ask(
        _ names: [String], _ reports: Reports<TestScheduler>
    ) -> TestObserver<String, Never> {
        SignalProducer(names).flatMap(.merge) { name in
            reports.report(name).flatMapError { refusal in SignalProducer(value: "\(name) \(refusal)") }
        }.record(on: scheduler)
    }

    @Test("never runs more queries than there are connections, and answers in time")
    func limit() {
        let answers = ask(["a", "broken", "c", "d", "e", "f", "g"], reports())
        #expect(answers.values == ["g busy"])
        scheduler.advance(by: .seconds(10))
        #expect(answers.values == ["g busy", "A", "broken failed"])
        // c and d have been running for two seconds, and go on. e and f have left the queue.
        scheduler.advance(by: .seconds(2))
        #expect(Set(answers.values.suffix(4)) == ["c late", "d late", "e late", "f late"])
        #expect(running.value == 2)
        scheduler.run()
        #expect(running.value == 0)
        #expect(peak.value == 2)
        #expect(answers.values.count == 7)
    }

    @Test("closes when the last query has returned, although nobody waits for it")
    func close() async {
        await scheduler.run {
            let reports = reports()
            let answers = ask(["a"], reports)
            await scheduler.advance(by: .seconds(1))
            answers.dispose()
            async let closing: Void = reports.close()
            await scheduler.advance(by: .seconds(8))
            #expect(running.value == 1)
            await scheduler.advance(by: .seconds(1))
            #expect(running.value == 0)
            await closing
        }
    }
}
