import ReactiveSignals
import TestSupport
import Testing

@Suite("scan")
struct ScanTests {
    @Test("sends every partial result, but not the initial one")
    func partials() {
        let (source, input) = Source.pipe()
        let log = source.scan(10, +).logged()
        #expect(log.all.isEmpty)
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["11", "13", "16", "completed"])
    }

    @Test("sends only the terminal event of an empty source")
    func empty() {
        let (source, input) = Source.pipe()
        let log = source.scan(10, +).logged()
        input.sendCompleted()
        expect(log.all, is: ["completed"])
    }

    @Test("can accumulate into another type in place")
    func inPlace() {
        let (source, input) = Source.pipe()
        let log = source.scan(into: [String]()) { $0.append("\($1)") }.logged()
        for value in 1...3 { input.sendNext(value) }
        input.sendError(.second)
        #expect(log.all == [#"["1"]"#, #"["1", "2"]"#, #"["1", "2", "3"]"#, "error second"])
    }

    @Test("keeps one state for all observers")
    func sharedState() {
        let (source, input) = Source.pipe()
        let result = source.scan(0, +)
        input.sendNext(1)
        let early = result.logged()
        input.sendNext(2)
        let late = result.logged()
        input.sendNext(3)
        expect(early.all, is: ["3", "6"])
        expect(late.all, is: ["6"])
    }

    @Test("forwards errors, completion and interruption") func terminals() { expectForwardsTerminals { $0.scan(0, +) } }

    @Test("releases its closure and its state when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.scan(0) { result, _ in
                member.touch()
                return result
            }
        }
        expectReleasesClosure { source, member in source.scan(into: [member]) { _, _ in } }
    }
}
