import ReactiveSignals
import TestSupport
import Testing

@Suite("scanMap")
struct ScanMapTests {
    @Test("sends what its closure returns for the state and each value")
    func maps() {
        let (source, input) = Signal<String, TestError>.pipe()
        let log = source.scanMap(0) { ($0 + 1, "\($0)\($1)") }.logged()
        #expect(log.all.isEmpty)
        for value in ["a", "b", "c"] { input.sendNext(value) }
        input.sendCompleted()
        expect(log.all, is: ["0a", "1b", "2c", "completed"])
    }

    @Test("keeps a state apart from the values it sends, in both forms, and does not send the initial one")
    func forms() {
        func sums(_ values: [Int], _ ending: Event<Int, TestError>?) -> [String] {
            values.indices.map { "\($0): \(values[...$0].reduce(10, +))" } + [ending?.text].compactMap(\.self)
        }
        expectModel {
            $0.scanMap((0, 10)) { state, value in
                let sum = state.1 + value
                return ((state.0 + 1, sum), "\(state.0): \(sum)")
            }
        } does: {
            sums($0, $1)
        }
        expectModel {
            $0.scanMap(into: (0, 10)) { state, value in
                defer { state.0 += 1 }
                state.1 += value
                return "\(state.0): \(state.1)"
            }
        } does: {
            sums($0, $1)
        }
    }

    @Test("keeps one state for all observers, and updates it even without observers")
    func shared() {
        let (source, input) = Source.pipe()
        let result = source.scanMap(into: 0) { state, value in
            state += 1
            return "\(state): \(value)"
        }
        input.sendNext(7)
        let early = result.logged()
        input.sendNext(8)
        let late = result.logged()
        input.sendNext(9)
        expect(early.all, is: ["2: 8", "3: 9"])
        expect(late.all, is: ["3: 9"])
        withExtendedLifetime(input) {}
    }

    @Test("updates its state before it handles a re-entrant value")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        source.scanMap(0) { ($0 + $1, "\($0)+\($1)") }.observe { event in
            log.append(event.text)
            if log.count < 3 { input.sendNext(log.count * 10) }
        }
        input.sendNext(1)
        input.sendCompleted()
        expect(log.all, is: ["0+1", "1+10", "11+20", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.scanMap(0) { ($0, $1) } }
        expectForwardsTerminals { $0.scanMap(into: 0) { $1 } }
    }

    @Test("releases its closure and its state when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.scanMap(0) { state, value in
                member.touch()
                return (state, value)
            }
        }
        expectReleasesClosure { source, member in source.scanMap(into: [member]) { $1 } }
        expectReleasesClosure { source, member in source.scanMap([member]) { ($0, $1) } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.scanMap(0) { ($0, $1) }.name, is: "[never] -scanMap:")
        expect(Source.never.scanMap(into: 0) { $1 }.name, is: "[never] -scanMap:")
    }
}
