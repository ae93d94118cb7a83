import ReactiveSignals
import TestSupport
import Testing

@Suite("map")
struct MapTests {
    @Test("sends each value transformed, in order")
    func transforms() {
        let (source, input) = Source.pipe()
        let log = source.map { "\($0 * 10)!" }.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["10!", "20!", "30!", "completed"])
    }

    @Test("can map to an optional and send nil")
    func optional() {
        let (source, input) = Source.pipe()
        let log = Log<Int??>()
        source.map { $0 > 1 ? $0 : nil }.observe { log.append($0.value) }
        input.sendNext(1)
        input.sendNext(2)
        expect(log.all, is: [.some(nil), .some(2)])
    }

    @Test("calls its closure once per value for any number of observers, including none")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.map { value in
            calls.increment()
            return value
        }
        input.sendNext(0)
        expect(calls.value, is: 1)
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(7)
        expect(calls.value, is: 2)
        for log in logs { expect(log.all, is: ["7"]) }
    }

    @Test("forwards errors, completion and interruption") func terminals() { expectForwardsTerminals { $0.map { $0 } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.map { value in
                member.touch()
                return value
            }
        }
    }

    /// Counts how often its property is read.
    private struct Probe: Sendable {
        let reads = Counter()
        var number: Int { reads.increment() }
    }

    @Test("accepts a key path, stored or literal")
    func keyPath() {
        let (source, input) = Signal<String, TestError>.pipe()
        let path: any KeyPath<String, Int> & Sendable = \.count
        let stored = source.map(path)
        let literal = source.map(\.count)
        #expect(type(of: stored) == Source.self)
        #expect(type(of: literal) == Source.self)
        let logs = [stored.logged(), literal.logged()]
        for text in ["", "a", "abc"] { input.sendNext(text) }
        input.sendCompleted()
        for log in logs { expect(log.all, is: ["0", "1", "3", "completed"]) }
        expect(stored.name, is: "[pipe] -map:")
        expect(literal.name, is: "[pipe] -map:")
    }

    @Test("accepts a key path to an optional and sends nil")
    func optionalKeyPath() {
        let (source, input) = Signal<String, TestError>.pipe()
        let path: any KeyPath<String, Character?> & Sendable = \.first
        let log = source.map(path).logged()
        for text in ["", "abc"] { input.sendNext(text) }
        #expect(log.all == ["nil", #"Optional("a")"#])
        withExtendedLifetime(input) {}
    }

    @Test("reads a key path once per value for any number of observers, including none")
    func readsOnce() {
        let (source, input) = Signal<Probe, TestError>.pipe()
        let path: any KeyPath<Probe, Int> & Sendable = \.number
        let probe = Probe()
        let result = source.map(path)
        input.sendNext(probe)
        expect(probe.reads.value, is: 1)
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(probe)
        expect(probe.reads.value, is: 2)
        for log in logs { expect(log.all, is: ["2"]) }
        withExtendedLifetime(input) {}
    }

    @Test("forwards errors, completion and interruption with a key path")
    func keyPathTerminals() {
        let path: any KeyPath<Int, String> & Sendable = \.description
        expectForwardsTerminals { $0.map(path) }
    }
}
