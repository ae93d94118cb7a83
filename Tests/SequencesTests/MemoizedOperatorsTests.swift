import HotSignals
import MemoizedSequences
import ReactiveSignals
import TestSupport
import Testing

/// Compares each operator with the standard library's on all small inputs, and checks what it evaluates and when.
@Suite("Operators on memoized sequences")
struct MemoizedOperatorsTests {
    private let letters = ["A", "B", "C", "D", "E", "F", "G", "H", "I"]
    private let digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"]

    @Test("match the standard library's operators", arguments: smallSequences)
    func model(_ elements: [Int]) {
        let sequence = elements.memoized
        let isOne = { @Sendable (value: Int) in value == 1 }
        expect(Array(sequence.map { $0 * 10 }), is: elements.map { $0 * 10 })
        expect(Array(sequence.filter(isOne)), is: elements.filter(isOne))
        expect(Array(sequence.prefix(while: isOne)), is: Array(elements.prefix(while: isOne)))
        expect(Array(sequence.drop(while: isOne)), is: Array(elements.drop(while: isOne)))
        expect(sequence.reduce(3) { $0 * 10 + $1 }, is: elements.reduce(3) { $0 * 10 + $1 })
        expect(sequence.reduce(into: []) { $0.append($1) }, is: elements)
        expect(sequence.foldRight([]) { [$0] + $1() }, is: elements)
        for count in 0...4 {
            expect(Array(sequence.prefix(count)), is: Array(elements.prefix(count)))
            expect(Array(sequence.dropFirst(count)), is: Array(elements.dropFirst(count)))
            let repeated = sequence.flatMap { Array(repeating: $0, count: ($0 + count) % 3) }
            expect(Array(repeated), is: elements.flatMap { Array(repeating: $0, count: ($0 + count) % 3) })
        }
        var sums = [5]
        for element in elements { sums.append(sums[sums.count - 1] + element) }
        expect(Array(sequence.reductions(5, +)), is: sums)
        expect(Array(sequence.reductions(+)), is: sums.dropFirst().map { $0 - 5 })
        #expect(sequence.combinePrevious().elementsEqual(zip(elements, elements.dropFirst()), by: ==))
        #expect(sequence.combinePrevious(0).elementsEqual(zip([0] + elements, elements), by: ==))
    }

    @Test("match the standard library's operators, with two sequences", arguments: smallSequences, smallSequences)
    func model(_ first: [Int], _ second: [Int]) {
        expect(Array(first.memoized.concat(second.memoized)), is: first + second)
        let zipped = first.memoized.zip(with: second.memoized)
        #expect(zipped.elementsEqual(zip(first, second), by: ==))
        expect(Array([first, second, first].memoized.flatten()), is: first + second + first)
    }

    @Test("return the results of the reference documentation")
    func examples() {
        expect(letters.memoized.map { $0 + $0 }.joined(separator: " "), is: "AA BB CC DD EE FF GG HH II")
        expect(Array((1...9).memoized.filter { $0.isMultiple(of: 2) }), is: [2, 4, 6, 8])
        let both = letters + digits
        expect(Array(letters.memoized.concat(digits.memoized)), is: both)
        expect(Array([letters.memoized, digits.memoized].memoized.flatten()), is: both)
        expect(Array(digits.memoized.flatMap { [$0, $0] }).joined(), is: "112233445566778899")
        let odd = digits.memoized.flatMap { digit in
            Int(digit).map { $0.isMultiple(of: 2) } == true ? MemoizedSequence.empty : [digit + "_"].memoized
        }
        expect(odd.joined(separator: " "), is: "1_ 3_ 5_ 7_ 9_")
        let strings = ["a", "bb", "ccc"].memoized.filter { $0.count >= 2 }.map { $0 + "foobar" }
        expect(Array(strings), is: ["bbfoobar", "cccfoobar"])
    }

    @Test("evaluate no more elements than needed")
    func noFurther() {
        let calls = Counter()
        let source = numbers(from: 1).map { value in
            calls.increment()
            return value
        }
        expect(Array(source.prefix(2)), is: [1, 2])
        expect(calls.value, is: 2)
        expect(source.dropFirst(9).head, is: 10)
        expect(calls.value, is: 3, "what is dropped is not worked out")
        #expect(!source.dropFirst(20).combinePrevious().isEmpty)
        #expect(!source.dropFirst(20).zip(with: source).tail.isEmpty)
        #expect(!source.dropFirst(20).reductions(0, +).tail.isEmpty)
        expect(calls.value, is: 3)
        expect(source.concat(source).head, is: 1)
        expect([source, source].memoized.flatten().tail.head, is: 2)
        expect(calls.value, is: 3)
        #expect(source.prefix(0).isEmpty)
        let broken = MemoizedSequence<Int>(head: { 1 }, tail: { fatalError("nobody asks for this") })
        expect(Array(broken.prefix(1)), is: [1])
        expect(broken.concat(broken).head, is: 1)
        #expect([Int]().memoized.zip(with: broken.tail).isEmpty)
        expect(broken.reductions(+).head, is: 1)
    }

    @Test("skip many rejected elements without a deep stack", .notUnderSanitizers, .watched)
    func longRun() {
        onSmallStack("long run") {
            expect((0...manyLevels).memoized.filter { $0 == manyLevels }.head, is: manyLevels)
        }
    }

    @Test("drop any number of elements, and of empty sequences, without a deep stack", .notUnderSanitizers, .watched)
    func longRuns() {
        onSmallStack("long runs") {
            let source = (0...manyLevels).memoized
            expect(source.drop { $0 < manyLevels }.head, is: manyLevels)
            expect(source.dropFirst(manyLevels).head, is: manyLevels)
            expect(source.flatMap { $0 < manyLevels ? [] : [$0] }.head, is: manyLevels)
        }
    }

    @Test("reductions evaluate a late element in order, without a deep stack", .notUnderSanitizers, .watched)
    func lateReduction() {
        onSmallStack("late reduction") {
            let sums = (1...manyLevels).memoized.reductions(0, +)
            let expected = manyLevels * (manyLevels + 1) / 2
            expect(sums.dropFirst(manyLevels).head, is: expected)
            let before = sums.dropFirst(manyLevels - 1)
            expect(Array(before), is: [expected - manyLevels, expected])
        }
    }

    @Test("reduce holds no element longer than it needs it")
    func constantMemory() {
        let population = Population()
        let most = (0..<1_000).memoized.map { _ in population.member() }.reduce(0) { most, member in
            member.touch()
            return Swift.max(most, population.alive)
        }
        expect(most, is: 1)
        let mostInto = (0..<1_000).memoized.map { _ in population.member() }.reduce(into: 0) { most, member in
            member.touch()
            most = Swift.max(most, population.alive)
        }
        expect(mostInto, is: 1)
        expect(population.alive, is: 0)
    }

    @Test("reduce does not change a sequence that is still held, and rethrows errors")
    func reduceHeld() {
        let sequence = [1, 2, 3].memoized
        expect(sequence.reduce(0, +), is: 6)
        expect(Array(sequence), is: [1, 2, 3])
        #expect(throws: TestError.first) {
            try sequence.reduce(0) { sum, value in
                if value == 2 { throw TestError.first }
                return sum + value
            }
        }
        #expect(throws: TestError.first) {
            try sequence.reduce(into: 0) { _, _ in throw TestError.first }
        }
    }

    @Test("foldRight evaluates the rest only as far as its closure requires, and once")
    func foldRight() {
        let calls = Counter()
        let source = numbers(from: 1).map { value in
            calls.increment()
            return value
        }
        #expect(source.foldRight(false) { $0 > 3 || $1() })
        expect(calls.value, is: 4)
        expect((1...20).memoized.foldRight(1) { _, rest in rest() + rest() }, is: 1 << 20)
        let combined = Counter()
        _ = (1...20).memoized.foldRight(0) { _, rest in
            combined.increment()
            return rest() + rest()
        }
        expect(combined.value, is: 20)
    }

    @Test("obey the laws of functors", arguments: smallSequences)
    func functor(_ elements: [Int]) {
        let sequence = elements.memoized
        let f = { @Sendable (value: Int) in value * 2 }
        let g = { @Sendable (value: Int) in "\(value)" }
        expect(Array(sequence.map { $0 }), is: elements)
        expect(Array(sequence.map(f).map(g)), is: Array(sequence.map { g(f($0)) }))
        expect(Array(sequence.map(f)), is: Array(sequence.flatMap { [f($0)].memoized }))
    }

    @Test("obey the laws of monads and monoids", arguments: smallSequences)
    func monad(_ elements: [Int]) {
        let sequence = elements.memoized
        let f = { @Sendable (value: Int) in Array(repeating: value, count: value).memoized }
        let g = { @Sendable (value: Int) in value == 1 ? MemoizedSequence.empty : [value, -value].memoized }
        for value in 1...3 { expect(Array([value].memoized.flatMap(f)), is: Array(f(value))) }
        expect(Array(sequence.flatMap { [$0].memoized }), is: elements)
        expect(Array(sequence.flatMap(f).flatMap(g)), is: Array(sequence.flatMap { f($0).flatMap(g) }))
        expect(Array(sequence.concat(.empty)), is: elements)
        expect(Array(MemoizedSequence.empty.concat(sequence)), is: elements)
        let left = sequence.concat(f(2)).concat(sequence)
        expect(Array(left), is: Array(sequence.concat(f(2).concat(sequence))))
    }

    @Test("trap when the count is negative")
    func negative() async throws {
        let prefix = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MemoizedSequence<Int>.empty.prefix(-1)
        }
        #expect(prefix.message.contains("MemoizedSequence.prefix(-1)"))
        let dropFirst = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MemoizedSequence<Int>.empty.dropFirst(-2)
        }
        #expect(dropFirst.message.contains("MemoizedSequence.dropFirst(-2)"))
    }
}
