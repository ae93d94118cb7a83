import ReactiveSignals
import TestSupport
import Testing

@Suite("on")
struct OnTests {
    private func order(of events: [Event<Int, TestError>]) -> [String] {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let result = source.on(
            event: { log.append("event \($0.text)") },
            next: { log.append("next \($0)") },
            error: { log.append("on error \($0)") },
            completed: { log.append("on completed") },
            interrupted: { log.append("on interrupted") },
            terminated: { log.append("terminated") },
            disposed: { log.append("disposed") })
        result.observe { log.append("downstream \($0.text)") }
        result.observe { log.append("second \($0.text)") }
        for event in events { input.send(event) }
        return log.all
    }

    @Test("calls an unlabeled closure with values")
    func unlabeled() {
        let log = Log<String>()
        let (source, input) = Source.pipe()
        let result = source.on { log.append("\($0)") }
        let disposable = result.observe { _ in }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["1"])
        withExtendedLifetime(disposable) {}
    }

    @Test("calls a trailing closure with values, whatever precedes it")
    func trailing() {
        let log = Log<String>()
        let (source, input) = Source.pipe()
        let results = [
            source.on(event: { _ in }) { log.append("\($0)") }, source.on(error: { _ in }) { log.append("\($0)") },
            source.on(completed: {}) { log.append("\($0)") }, source.on(interrupted: {}) { log.append("\($0)") },
            source.on(terminated: {}) { log.append("\($0)") }, source.on(disposed: {}) { log.append("\($0)") },
            source.on(completed: {}) { _ in log.append("1") },
        ]
        let observations = results.map { $0.observe { _ in } }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: Array(repeating: "1", count: results.count))
        withExtendedLifetime(observations) {}
    }

    @Test("calls event, then next, then forwards the value")
    func next() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let result = source.on(event: { log.append("event \($0.text)") }, next: { log.append("next \($0)") })
        result.observe { log.append("downstream \($0.text)") }
        input.sendNext(1)
        expect(log.all, is: ["event 1", "next 1", "downstream 1"])
    }

    @Test("calls event, the closure for the kind, and terminated, then forwards the event, then calls disposed")
    func terminal() {
        expect(
            order(of: [.error(.first), .next(1)]),
            is: [
                "event error first", "on error first", "terminated", "downstream error first", "second error first",
                "disposed",
            ])
        expect(
            order(of: [.completed, .interrupted]),
            is: [
                "event completed", "on completed", "terminated", "downstream completed", "second completed",
                "disposed",
            ])
        expect(
            order(of: [.interrupted, .completed]),
            is: [
                "event interrupted", "on interrupted", "terminated", "downstream interrupted", "second interrupted",
                "disposed",
            ])
    }

    @Test("calls only disposed when its last observer is disposed of and nothing retains the signal")
    func disposedAlone() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let disposable = source.on(
            event: { log.append($0.text) }, terminated: { log.append("terminated") },
            disposed: { log.append("disposed") }
        ).observe { _ in }
        input.sendNext(1)
        expect(log.all, is: ["1"])
        disposable?.dispose()
        expect(log.all, is: ["1", "disposed"])
        disposable?.dispose()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1", "disposed"])
    }

    @Test("calls disposed when the signal is released without having been observed")
    func released() {
        let log = Log<String>()
        let (source, input) = Source.pipe()
        do {
            let result = source.on(disposed: { log.append("disposed") })
            #expect(log.all.isEmpty)
            withExtendedLifetime(result) {}
        }
        expect(log.all, is: ["disposed"])
        withExtendedLifetime(input) {}
    }

    @Test("calls the closures once per event for any number of observers, including none")
    func once() {
        let (source, input) = Source.pipe()
        let log = Log<Int>()
        let result = source.on(next: { log.append($0) })
        input.sendNext(0)
        let observers = (0..<3).map { _ in result.logged() }
        input.sendNext(1)
        expect(log.all, is: [0, 1])
        #expect(observers.allSatisfy { $0.all == ["1"] })
    }

    @Test("without closures, forwards errors, completion and interruption")
    func nothing() { expectForwardsTerminals { $0.on() } }

    @Test("reports the interruption and the disposal if the source has already ended")
    func ended() {
        let log = Log<String>()
        let result = Source.empty.on(
            interrupted: { log.append("interrupted") }, disposed: { log.append("disposed") })
        expect(log.all, is: ["interrupted", "disposed"])
        expect(result.logged().all, is: ["interrupted"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.on(event: { _ in }, disposed: {}) } }

    @Test("releases its closures when the source ends")
    func releases() {
        expectReleasesClosure { source, member in source.on(next: { _ in member.touch() }) }
        expectReleasesClosure { source, member in source.on(disposed: { member.touch() }) }
    }
}
