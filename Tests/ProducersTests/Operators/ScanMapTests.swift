import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("scanMap of producers")
struct ScanMapTests {
    @Test("keeps the first part of the closure's result as its state, and sends the second")
    func maps() {
        let producer = Numbers([1, 2, 3]).scanMap(0) { ($0 + $1, "\($0) and \($1)") }
        for _ in 0..<2 {
            expect(producer.logged().all, is: ["0 and 1", "1 and 2", "3 and 3", "completed"])
        }
        expect(Numbers.empty.scanMap(0) { ($0, $1) }.logged().all, is: ["completed"])
    }

    @Test("changes the state in place")
    func inPlace() {
        let producer = Numbers([5, 6]).scanMap(into: [Int]()) { state, value in
            state.append(value)
            return state.count
        }
        for _ in 0..<2 { expect(producer.logged().all, is: ["1", "2", "completed"]) }
    }

    @Test("follows its source, separately for each start")
    func follows() {
        expectFollows(values: ["10"]) { $0.scanMap(10) { ($0 + $1, $0) } }
        expectFollows(values: ["11"]) {
            $0.scanMap(into: 10) {
                $0 += $1
                return $0
            }
        }
    }

    @Test("holds neither its closure nor its state once it has ended")
    func releases() {
        expectReleases { source, member in source.scanMap(0) { member.through(($0 + $1, $1)) } }
        expectReleases { source, member in source.scanMap(into: member) { $1 } }
    }

    @Test("has the operator's name")
    func name() {
        expect(Numbers.never.scanMap(0) { ($0, $1) }.name, is: "[never] -scanMap:")
        expect(Numbers.never.scanMap(into: 0) { $0 + $1 }.name, is: "[never] -scanMap:")
    }
}
