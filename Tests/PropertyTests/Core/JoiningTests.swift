import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Graphs that are joined", .watched)
struct JoiningTests {
    @Test("have what is set wait for all turns that go on in them, though they were joined one after the other")
    func chain() {
        let (slow, small, large) = (MutableProperty(0), MutableProperty(0), MutableProperty(0))
        let (inTurn, goOn) = (Latch("the computation"), Latch("to go on"))
        let computed = slow.map { value in
            if value == 1 {
                inTurn.open()
                goOn.wait()
            }
            return value
        }
        let ofSmall = (0..<3).map { number in small.map { $0 + number } }
        let ofLarge = (0..<20).map { number in large.map { $0 + number } }
        let setter = TestThread("computes") { slow.value = 1 }
        inTurn.wait()
        // While the turn goes on: its graph goes into one, and that into another.
        let pair = computed.combineLatest(with: small)
        let all = pair.combineLatest(with: large)
        let log = Log<String>()
        all.signal.observeNext { log.append("\($0.0.0) \($0.0.1) \($0.1)") }
        let other = TestThread("sets") { large.value = 1 }
        other.waitUntilAsleep()
        expect(log.all, is: [])
        goOn.open()
        setter.join()
        other.join()
        // Whether it hears of the one before the other depends on the threads.
        expect(log.all.filter { $0 != "1 0 0" }, is: ["1 0 1"])
        expect(all.value.1, is: 1)
        withExtendedLifetime((ofSmall, ofLarge)) {}
    }
}
