import ReactiveSignals
import TestSupport
import Testing

@Suite("Overflow")
struct OverflowTests {
    @Test("describes itself as written in code")
    func description() {
        expect(Overflow.dropOldest.description, is: ".dropOldest")
        expect(Overflow.dropNewest.description, is: ".dropNewest")
        expect(Overflow.fail.description, is: ".fail")
    }

    @Test("is equal to itself only")
    func equality() {
        let all: [Overflow] = [.dropOldest, .dropNewest, .fail]
        for (index, overflow) in all.enumerated() { expect(all.firstIndex(of: overflow), is: index) }
    }
}
