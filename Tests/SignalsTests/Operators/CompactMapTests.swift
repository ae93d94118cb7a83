import ReactiveSignals
import TestSupport
import Testing

@Suite("compactMap")
struct CompactMapTests {
    @Test("drops nil and unwraps the rest")
    func drops() {
        let (source, input) = Signal<String, TestError>.pipe()
        let log = source.compactMap { Int($0) }.logged()
        for text in ["1", "x", "", "3"] { input.sendNext(text) }
        input.sendCompleted()
        expect(log.all, is: ["1", "3", "completed"])
    }

    @Test("unwraps one level only")
    func oneLevel() {
        let (source, input) = Source.pipe()
        let log = Log<Int??>()
        source.compactMap { value -> Int?? in
            switch value {
            case 0: .none
            case 1: .some(nil)
            default: .some(.some(value))
            }
        }.observe { log.append($0.value) }
        for value in 0...2 { input.sendNext(value) }
        expect(log.all, is: [.some(nil), .some(2)])
    }

    @Test("calls its closure once per value for any number of observers")
    func callsOnce() {
        let (source, input) = Source.pipe()
        let calls = Counter()
        let result = source.compactMap { _ in calls.increment() }
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(7)
        expect(calls.value, is: 1)
        for log in logs { expect(log.all, is: ["1"]) }
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.compactMap { $0 } } }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.compactMap { value -> Int? in
                member.touch()
                return value
            }
        }
    }
}
