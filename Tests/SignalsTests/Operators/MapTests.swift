import ReactiveSignals
import Testing

@Suite("map")
struct MapTests {
    @Test("sends each value transformed, in order")
    func transforms() {
        let (source, input) = Source.pipe()
        let log = source.map { "\($0 * 10)!" }.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        #expect(log.all == ["10!", "20!", "30!", "completed"])
    }

    @Test("may change the type of the values to an optional, whose nil is a value")
    func optional() {
        let (source, input) = Source.pipe()
        let log = Log<Int??>()
        source.map { $0 > 1 ? $0 : nil }.observe { log.append($0.value) }
        input.sendNext(1)
        input.sendNext(2)
        #expect(log.all == [.some(nil), .some(2)])
    }

    @Test("calls its closure once a value, whatever the number of observers, and with none too")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.map { value in
            calls.increment()
            return value
        }
        input.sendNext(0)
        #expect(calls.value == 1)
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(7)
        #expect(calls.value == 2)
        for log in logs { #expect(log.all == ["7"]) }
    }

    @Test("passes on every terminal event") func terminals() { expectForwardsTerminals { $0.map { $0 } } }

    @Test("releases its closure at the end")
    func releases() {
        expectReleasesClosure { source, member in
            source.map { value in
                member.touch()
                return value
            }
        }
    }
}
