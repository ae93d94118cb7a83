import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Races between an end and a timer")
struct TimeRaceTests {
    @Test("delay sends an error that arrives while the next value's timer is being set")
    func delay() {
        for event in [Event<Int, TestError>.error(.first), .interrupted] {
            let scheduler = SkewedScheduler()
            let (source, input) = Source.pipe()
            let log = Log<String>()
            source.delay(.seconds(2), on: scheduler).observe { received in
                log.append(received.text)
                guard received.value == 1 else { return }
                scheduler.whenReadNext { TestThread("sender") { input.send(event) }.join() }
            }
            input.sendNext(1)
            scheduler.base.advance(by: .seconds(1))
            input.sendNext(2)
            scheduler.base.run()
            expect(log.all, is: ["1", event.text])
        }
    }

    @Test("debounce sends an end that arrives while the timer is being replaced")
    func debounce() {
        for event in [Event<Int, TestError>.completed, .error(.first), .interrupted] {
            let scheduler = SkewedScheduler()
            let (source, input) = Source.pipe()
            let log = source.debounce(.seconds(5), on: scheduler).logged()
            input.sendNext(1)
            scheduler.base.advance(by: .seconds(3))
            input.sendNext(2)
            scheduler.whenReadNext { TestThread("sender") { input.send(event) }.join() }
            scheduler.base.run()
            expect(log.all, is: [event.text])
        }
    }
}
