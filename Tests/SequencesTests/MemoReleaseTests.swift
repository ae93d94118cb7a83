import HotSignals
import MemoizedSequences
import ReactiveSignals
import TestSupport
import Testing

@Suite("Release of memoized sequences")
struct MemoReleaseTests {
    @Test("evaluates and releases many nodes on a small stack", .notUnderSanitizers, .watched)
    func nodes() {
        onSmallStack("many nodes") {
            var sequence: MemoizedSequence? = (0..<manyLevels).memoized.map { $0 + 1 }.filter { $0 > 0 }
            var count = 0
            var sum = 0
            for value in sequence ?? .empty {
                count += 1
                sum += value
            }
            expect(count, is: manyLevels)
            expect(sum, is: manyLevels * (manyLevels + 1) / 2)
            // Everything is memoized, and is released at once.
            sequence = nil
        }
    }

    @Test("releases many nodes of closures on a small stack", .notUnderSanitizers, .watched)
    func closures() {
        onSmallStack("many closures") {
            let sequence = numbers(from: 0)
            expect(sequence.dropFirst(manyLevels).head, is: manyLevels)
        }
    }

    @Test("releases all elements with the sequence, immediately, however they are connected")
    func complete() {
        let population = Population()
        do {
            let sequence = (0..<10_000).memoized.map { _ in population.member() }
            let derived = sequence.flatMap { [$0].memoized.concat([$0].memoized) }
                .combinePrevious().prefix(5_000)
            for _ in derived {}
            let nested = sequence.prefix(5_000).map { [$0].memoized }
            for inner in nested { _ = inner.head }
            #expect(population.alive >= 5_000)
        }
        expect(population.alive, is: 0)
    }

    @Test("releases closures that were never evaluated")
    func unevaluated() {
        let population = Population()
        do {
            let sequence = (0..<3).memoized.map { [member = population.member()] value in
                member.touch()
                return value
            }
            let derived = sequence.filter { $0 > 0 }.reductions(0, +).zip(with: sequence.dropFirst())
            withExtendedLifetime(derived) { expect(population.alive, is: 1) }
        }
        expect(population.alive, is: 0)
    }

    @Test("keeping only the tail releases the elements before it")
    func tail() {
        let population = Population()
        var rest = (0..<100).memoized.map { _ in population.member() }
        for count in 1...100 {
            rest.head?.touch()
            expect(population.alive, is: 1)
            rest = rest.tail
            expect(population.alive, is: 0, "after \(count)")
        }
        #expect(rest.isEmpty)
    }

    @Test("a hundred thousand tails, taken one after another, hold nothing", .notUnderThreadSanitizer, .watched)
    func longWay() {
        let population = Population()
        var rest = numbers(from: 0).map { (number: $0, member: population.member()) }
        for number in 0..<100_000 {
            guard rest.head?.number == number else {
                Issue.record("element \(number)")
                return
            }
            rest = rest.tail
        }
        expect(population.alive, is: 0)
    }

    @Test("releases an element's closure once the element has been evaluated")
    func steps() {
        let population = Population()
        let sequence = [1].memoized.map { [member = population.member()] value in
            member.touch()
            return value
        }
        expect(population.alive, is: 1)
        expect(sequence.head, is: 1)
        #expect(sequence.tail.isEmpty)
        expect(population.alive, is: 0)
    }

    @Test("iterates sequences that were joined one by one in linear time", .notUnderSanitizers, .watched)
    func joined() {
        // With one step per element and enclosing sequence, these would take many minutes.
        let length = 30_000
        onSmallStack("joined") {
            var toTheLeft = MemoizedSequence<Int>.empty
            var toTheRight = MemoizedSequence<Int>.empty
            var rotating = [0].memoized
            var flattened = MemoizedSequence<Int>.empty
            for index in 0..<length {
                toTheLeft = toTheLeft.concat([index].memoized)
                toTheRight = [length - 1 - index].memoized.concat(toTheRight)
                // Read while it grows, like a queue.
                expect(rotating.head, is: index)
                rotating = rotating.concat([index + 1].memoized).tail
                flattened = [flattened, [index].memoized].memoized.flatten()
            }
            for sequence in [toTheLeft, toTheRight, flattened] {
                var expected = 0
                for element in sequence {
                    if element != expected { break }
                    expected += 1
                }
                expect(expected, is: length)
            }
            expect(Array(rotating), is: [length])
            // Other sequences that begin with it share its evaluated elements.
            for index in 0..<1_000 {
                let next = toTheLeft.concat([index].memoized).concat(.empty)
                expect(next.tail.tail.head, is: 2)
            }
        }
    }

    @Test("releases joined sequences with the sequences derived from them", .watched)
    func joinedAndReleased() {
        let population = Population()
        do {
            var sequence = MemoizedSequence<Population.Member>.empty
            for index in 0..<10_000 {
                sequence = sequence.concat([index].memoized.map { _ in population.member() })
                if index == 5_000 { #expect(sequence.tail.head != nil) }
            }
            var rest = sequence.concat(sequence)
            sequence = .empty
            for _ in 0..<100 {
                #expect(rest.head != nil)
                rest = rest.tail
            }
            expect(population.alive, is: 100)
        }
        expect(population.alive, is: 0)
    }

    @Test("evaluates and releases long operator chains on a small stack", .notUnderSanitizers, .watched)
    func chains() {
        onSmallStack("chains") {
            let length = 50_000
            var dropped = (0...length).memoized
            var mapped = [0].memoized
            var concatenated = MemoizedSequence<Int>.empty
            var filtered = [0].memoized
            for index in 0..<length {
                dropped = dropped.dropFirst()
                mapped = mapped.map { $0 + 1 }
                concatenated = concatenated.concat([index].memoized)
                filtered = filtered.filter { $0 == 0 }
            }
            expect(dropped.head, is: length)
            expect(mapped.head, is: length)
            expect(concatenated.head, is: 0)
            expect(Array(filtered), is: [0])

            var never = [0].memoized
            for _ in 0..<length { never = never.map { $0 + 1 }.concat([1].memoized) }
        }
    }
}
