import ReactiveSignals
import TestSupport
import Testing

@Suite("tapped(by:) of properties")
struct PropertyTappedTests {
    private let log = Log<String>()

    @Test("notifies of the current value, each new one, and the completion of a mutable property")
    func mutable() {
        var property: MutableProperty<Int>? = MutableProperty(1).named("limit").tapped(by: RecordingTap(log))
        property?.value = 2
        property?.modify { $0 += 1 }
        property = nil
        expect(log.all, is: ["begin property limit", "next 1", "next 2", "next 3", "completed", "end"])
    }

    @Test("returns the same mutable property, which can still be set and bound")
    func identity() {
        let property = MutableProperty(1)
        #expect(property.tapped(by: RecordingTap(log)) === property)
        property <~ SignalProducer(value: 5)
        expect(log.all.last, is: "next 5")
    }

    @Test("notifies of a derived property as long as the result is referenced")
    func derived() {
        let source = MutableProperty(1)
        var tapped: Property<Int>? = source.map { $0 * 10 }.tapped(by: RecordingTap(log))
        expect(tapped?.value, is: 10)
        source.value = 2
        expect(tapped?.value, is: 20)
        expect(log.all, is: ["begin property [property] -map:", "next 10", "next 20"])
        tapped = nil
        expect(Array(log.all.dropFirst(3)), is: ["interrupted", "end"])
        source.value = 3
        expect(log.all.count, is: 5)
    }

    @Test("notifies of the completion of a derived property")
    func completion() {
        var source: MutableProperty<Int>? = MutableProperty(1)
        let tapped = source!.map { $0 }.tapped(by: RecordingTap(log))
        source = nil
        expect(Array(log.all.dropFirst()), is: ["next 1", "completed", "end"])
        expect(tapped.value, is: 1)
    }

    @Test("notifies of the results of a validating property")
    func validating() {
        let source = ValidatingProperty<Int, TestError>(1) { $0 > 0 ? .valid : .invalid(.first) }
        let tapped = source.tapped(by: RecordingTap(log))
        source.value = 2
        source.value = -1
        expect(Array(log.all.dropFirst()), is: ["next 1", "next 2"])
        expect(tapped.value, is: 2)
    }

    @Test("notifies of one event per change, after the change, in order with other observers")
    func order() {
        let property = MutableProperty(0).tapped(by: RecordingTap(log))
        property.signal.observeNext { [log, weak property] value in
            log.append("observed \(value)")
            if value == 1 { property?.value = 2 }
        }
        property.value = 1
        expect(Array(log.all.dropFirst(2)), is: ["next 1", "observed 1", "next 2", "observed 2"])
    }
}
