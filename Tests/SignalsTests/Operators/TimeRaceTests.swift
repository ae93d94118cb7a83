import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("ends that race with a timer")
struct TimeRaceTests {
    @Test("delay sends an error that comes while the timer is about to be set for the next value")
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

    @Test("debounce sends an end that comes while the timer is about to be set again")
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
