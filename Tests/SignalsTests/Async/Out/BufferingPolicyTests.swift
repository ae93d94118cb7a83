import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("BufferingPolicy", .watched)
struct BufferingPolicyTests {
    /// The numbers that the buffer keeps out of ten.
    private func left(_ policy: BufferingPolicy) async throws -> (numbers: [Int], dropped: Int) {
        let (signal, input) = Source.pipe()
        let sequence = signal.values(buffering: policy)
        var values = sequence.makeAsyncIterator()
        for number in 0..<10 { input.sendNext(number) }
        input.sendCompleted()
        var numbers: [Int] = []
        while let number = try await values.next() { numbers.append(number) }
        return (numbers, sequence.droppedCount)
    }

    @Test("keeps all values with .unbounded")
    func unbounded() async throws {
        #expect(try await left(.unbounded) == (Array(0..<10), 0))
    }

    @Test("keeps the last values with .newest", arguments: 1...12)
    func newest(room: Int) async throws {
        #expect(try await left(.newest(room)) == (Array((0..<10).suffix(room)), max(0, 10 - room)))
    }

    @Test("keeps the first values with .oldest", arguments: 1...12)
    func oldest(room: Int) async throws {
        #expect(try await left(.oldest(room)) == (Array((0..<10).prefix(room)), max(0, 10 - room)))
    }

    @Test("never exceeds its limit after the consumer has taken values")
    func strict() async throws {
        let (signal, input) = Source.pipe()
        var values = signal.values(buffering: .newest(3)).makeAsyncIterator()
        for number in 1...3 { input.sendNext(number) }
        #expect(try await values.next() == 1)
        for number in 4...6 { input.sendNext(number) }
        input.sendCompleted()
        #expect(try await values.next() == 4)
        #expect(try await values.next() == 5)
        #expect(try await values.next() == 6)
        #expect(try await values.next() == nil)
    }

    @Test("can read the drop count while another thread sends, and adds up the drops of all iterators")
    func counting() {
        let (signal, input) = Source.pipe()
        let sequence = signal.values(buffering: .newest(1))
        let iterators = [sequence.makeAsyncIterator(), sequence.makeAsyncIterator()]
        onThreads(2, "counting") { index in
            if index == 0 {
                for number in 0..<1_000 { input.sendNext(number) }
            } else {
                var seen = 0
                while seen < 2 * 999 {
                    let count = sequence.droppedCount
                    if count < seen { fatalError("the count went down") }
                    seen = count
                }
            }
        }
        expect(sequence.droppedCount, is: 2 * 999)
        withExtendedLifetime(iterators) {}
    }

    @Test(
        "releases dropped values at once and outside the lock", arguments: [BufferingPolicy.newest(1), .oldest(1)])
    func letsGo(policy: BufferingPolicy) {
        let population = Population()
        let (signal, input) = Signal<Population.Member, Never>.pipe()
        let sequence = signal.values(buffering: policy)
        let values = sequence.makeAsyncIterator()
        // A value whose deinit sends another one: that would deadlock if the lock were held.
        let once = OnceFlag()
        for _ in 0..<3 {
            input.sendNext(
                population.member {
                    if once.raise() { input.sendNext(population.member()) }
                })
        }
        expect(population.alive, is: 1)
        expect(sequence.droppedCount, is: 3)
        withExtendedLifetime(values) {}
    }

    @Test("traps unless the limit is positive")
    func zero() async throws {
        let newest = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.never.values(buffering: .newest(0))
        }
        newest.expectTrap("values(buffering: .newest(0))")
        let oldest = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Source.never.events(buffering: .oldest(-1))
        }
        oldest.expectTrap("events(buffering: .oldest(-1))")
    }
}
