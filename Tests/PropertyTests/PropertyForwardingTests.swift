import ReactiveSignals
import TestSupport
import Testing

/// A property of a user that holds one of the library.
private final class Setting: PropertyForwarding {
    typealias Value = Int

    let stored = MutableProperty(1)
    let forwarded: Property<Int>

    init() { forwarded = Property(stored) }
}

@Suite("A property that forwards to another one", .watched)
struct PropertyForwardingTests {
    @Test("has the value and the events of that one")
    func forward() {
        let setting = Setting()
        let log = setting.logged()
        setting.stored.value = 2
        expect(setting.value, is: 2)
        expect(log.all, is: ["1", "2"])
    }

    @Test("is combined with itself without a glitch")
    func diamond() {
        let setting = Setting()
        let log = setting.map { $0 * 10 }.combineLatest(with: setting.map { $0 + 1 }).logged()
        setting.stored.value = 2
        expect(log.all, is: ["(10, 2)", "(20, 3)"])
    }

    @Test("can be viewed, zipped and bound")
    func others() {
        let (setting, target) = (Setting(), MutableProperty(0))
        target <~ setting
        setting.stored.value = 5
        expect(target.value, is: 5)
        expect(Property(setting).value, is: 5)
        #expect(Property.zip(setting, setting).value == (5, 5))
    }
}
