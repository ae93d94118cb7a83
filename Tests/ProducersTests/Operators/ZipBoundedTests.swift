import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

@Suite("zip(with:bufferLimit:whenFull:raising:) of producers")
struct ZipBoundedTests {
    private func zipped(_ script: String, _ overflow: Overflow) -> [String] {
        played(script) { (a: Numbers, b: Numbers) in
            a.zip(with: b, bufferLimit: 2, whenFull: overflow, raising: .second)
        }
    }

    @Test("bounds the queued values, separately for each start")
    func bounds() {
        expect(zipped("a1 a2 a3 b4 b5", .dropOldest), is: ["(2, 4)", "(3, 5)"])
        expect(zipped("a1 a2 a3 b4 b5", .dropNewest), is: ["(1, 4)", "(2, 5)"])
        expect(zipped("b1 b2 b3", .fail), is: ["error second"])
        expect(zipped("a1 b2 a3 a4 a| b5 b6", .fail), is: ["(1, 2)", "(3, 5)", "(4, 6)", "completed"])
    }

    @Test("starts its own work first, and accepts a signal")
    func order() {
        let log = Numbers(1...5).zip(with: Numbers(11...15), bufferLimit: 1, whenFull: .dropOldest).logged()
        expect(log.all, is: ["(5, 11)", "completed"])
        let (signal, input) = Signal<Int, TestError>.pipe()
        let other = Numbers(1...5).zip(with: signal, bufferLimit: 1, whenFull: .dropNewest).logged()
        input.sendNext(7)
        expect(other.all, is: ["(1, 7)", "completed"])
    }

    @Test("traps unless the limit is positive, and for .fail without an error")
    func traps() async throws {
        let zero = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.zip(with: Numbers.never, bufferLimit: 0, whenFull: .dropOldest)
        }
        zero.expectTrap("zip(bufferLimit: 0)")
        let error = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Numbers.never.zip(with: Numbers.never, bufferLimit: 1, whenFull: .fail)
        }
        error.expectTrap("zip(whenFull: .fail)")
    }
}
