import HotSignals
import MemoizedSequences
import ReactiveSignals
import TestSupport
import Testing

@Suite("MemoizedSequence")
struct MemoizedSequenceTests {
    @Test("evaluates nothing while it is built")
    func lazy() {
        let calls = Counter()
        let sequence = (0..<10_000_000).memoized
            .map { value in
                calls.increment()
                return value
            }
            .filter { _ in
                calls.increment()
                return true
            }
            .flatMap { value in
                calls.increment()
                return [value].memoized
            }
        expect(calls.value, is: 0)
        expect(sequence.head, is: 0)
        expect(calls.value, is: 3)
    }

    @Test("evaluates only the requested element")
    func oneByOne() {
        let log = Log<String>()
        let sequence = ["A", "B", "C"].memoized.map { letter in
            log.append(letter)
            return letter + "_"
        }
        #expect(!sequence.isEmpty)
        #expect(!sequence.tail.tail.isEmpty)
        #expect(log.all.isEmpty)
        expect(sequence.tail.head, is: "B_")
        expect(log.all, is: ["B"])
        expect(sequence.head, is: "A_")
        expect(log.all, is: ["B", "A"])
    }

    @Test("performs side effects once, including for derived sequences")
    func sideEffects() {
        let log = Log<String>()
        let sequence = ["A", "B", "C"].memoized.map { letter in
            log.append(letter)
            return letter + "_"
        }
        expect(sequence.head, is: "A_")
        expect(sequence.tail.head, is: "B_")
        expect(log.all, is: ["A", "B"])
        expect(sequence.tail.head, is: "B_")
        let derived = sequence.map { "_" + $0 }
        expect(derived.tail.head, is: "_B_")
        expect(log.all, is: ["A", "B"])
        expect(Array(derived), is: ["_A_", "_B_", "_C_"])
        expect(Array(sequence), is: ["A_", "B_", "C_"])
        expect(log.all, is: ["A", "B", "C"])
    }

    @Test("evaluates on the caller's thread, which it blocks until the element is available")
    func thread() {
        let threads = Log<UInt>()
        let sequence = [1].memoized.map { value in
            threads.append(ThreadIdentity.current)
            return value
        }
        expect(sequence.head, is: 1)
        expect(threads.all, is: [ThreadIdentity.current])
    }

    @Test("runs each of its closures once, in any order, from any thread", .watched)
    func closures() {
        let heads = Counter()
        let tails = Counter()
        let sequence = MemoizedSequence(
            head: {
                heads.increment()
                return 1
            },
            tail: {
                tails.increment()
                return [2].memoized
            })
        #expect(!sequence.isEmpty)
        let tail = sequence.tail
        #expect((heads.value, tails.value) == (0, 0), "asking for the tail asks for nothing of it")
        expect(tail.head, is: 2)
        #expect((heads.value, tails.value) == (0, 1))
        onThreads(8, "readers") { index in
            #expect(index.isMultiple(of: 2) ? sequence.head == 1 : sequence.tail.head == 2)
        }
        expect(Array(sequence), is: [1, 2])
        #expect((heads.value, tails.value) == (1, 1))
    }

    @Test("can be defined in terms of itself if each element needs only the elements before it")
    func corecursive() {
        enum Fibonacci {
            static let numbers: MemoizedSequence<Int> = MemoizedSequence(
                head: { 0 },
                tail: {
                    MemoizedSequence(head: { 1 }, tail: { numbers.zip(with: numbers.tail).map { $0 + $1 } })
                })
        }
        expect(Array(Fibonacci.numbers.prefix(10)), is: [0, 1, 1, 2, 3, 5, 8, 13, 21, 34])
        expect(Fibonacci.numbers.dropFirst(90).head, is: 2_880_067_194_370_816_120)
    }

    @Test("has no head and an empty tail when it is empty")
    func empty() {
        let sequence = MemoizedSequence<Int>.empty
        #expect(sequence.isEmpty)
        #expect(sequence.head == nil)
        #expect(sequence.tail.isEmpty)
        expect(Array(sequence), is: [])
    }

    @Test("accepts nil as an element")
    func optional() {
        let sequence = [nil, 1].memoized
        #expect(!sequence.isEmpty)
        expect(sequence.head, is: .some(nil))
        expect(Array(sequence), is: [nil, 1])
    }

    @Test("supports the standard library's predicates, which evaluate no more elements than needed")
    func standardLibrary() {
        let calls = Counter()
        let sequence = numbers(from: 1).map { value in
            calls.increment()
            return value
        }
        #expect(sequence.contains(3))
        expect(calls.value, is: 3)
        expect(sequence.first { $0 > 3 }, is: 4)
        #expect(!sequence.allSatisfy { $0 < 5 })
        expect(calls.value, is: 5)
        var seen: [Int] = []
        for value in sequence {
            if value > 6 { break }
            seen.append(value)
        }
        expect(seen, is: [1, 2, 3, 4, 5, 6])
        expect(Array(sequence.prefix(3)), is: [1, 2, 3])
        expect(calls.value, is: 7)
    }

    @Test("has iterators with value semantics: a copy advances independently")
    func iterators() {
        var iterator = [1, 2].memoized.makeIterator()
        expect(iterator.next(), is: 1)
        var copy = iterator
        expect(iterator.next(), is: 2)
        expect(copy.next(), is: 2)
        #expect(copy.next() == nil)
        #expect(copy.next() == nil)
    }
}

@Suite("memoized")
struct MemoizedTests {
    @Test("has the elements of any sequence", arguments: smallSequences)
    func elements(_ elements: [Int]) {
        expect(Array(elements.memoized), is: elements)
        expect(Array(Set(elements).memoized).sorted(), is: Set(elements).sorted())
        expect(Array(elements.reversed().memoized), is: elements.reversed())
    }

    @Test("iterates elements one by one, each once, starting with the first request")
    func pulls() {
        struct Source: Sequence, Sendable {
            let log: Log<String>

            func makeIterator() -> AnyIterator<Int> {
                log.append("begin")
                var last = 0
                return AnyIterator {
                    last += 1
                    log.append("\(last)")
                    return last < 4 ? last : nil
                }
            }
        }
        let log = Log<String>()
        let sequence = Source(log: log).memoized
        let odd = sequence.filter { !$0.isMultiple(of: 2) }
        #expect(log.all.isEmpty)
        expect(odd.head, is: 1)
        expect(sequence.head, is: 1)
        expect(log.all, is: ["begin", "1"])
        expect(Array(odd), is: [1, 3])
        expect(Array(sequence), is: [1, 2, 3])
        expect(log.all, is: ["begin", "1", "2", "3", "4"])
    }

    @Test("returns a memoized sequence unchanged, in generic code too")
    func again() {
        func again(_ sequence: some Sequence<Int> & Sendable) -> MemoizedSequence<Int> { sequence.memoized }
        let calls = Counter()
        let sequence = [1].memoized.map { value in
            calls.increment()
            return value
        }
        #expect(!again(sequence).isEmpty)
        expect(calls.value, is: 0)
        expect(again(sequence).head, is: 1)
        expect(sequence.head, is: 1)
        expect(calls.value, is: 1)
    }
}

@Suite("eager and lazy")
struct MemoizedEagerTests {
    @Test("eager evaluates everything immediately, including sequences derived later")
    func eager() {
        let calls = Counter()
        let counted = { @Sendable (value: Int) in
            calls.increment()
            return value
        }
        let sequence = [1, 2, 3].memoized.map(counted)
        let eager = sequence.eager
        expect(calls.value, is: 3)
        _ = eager.map(counted)
        expect(calls.value, is: 6)
        _ = eager.tail.map(counted)
        expect(calls.value, is: 8)
        _ = eager.dropFirst(2).concat(sequence.map(counted))
        expect(calls.value, is: 11)
        _ = eager.zip(with: numbers(from: 1).map(counted))
        expect(calls.value, is: 14)
        expect(Array(eager), is: [1, 2, 3])
        _ = sequence.map(counted)
        expect(calls.value, is: 14, "the sequence itself stays as it was")
    }

    @Test("lazy reverses eager")
    func lazy() {
        let calls = Counter()
        let lazy = [1, 2, 3].memoized.eager.lazy
        let derived = lazy.map { value in
            calls.increment()
            return value
        }
        expect(calls.value, is: 0)
        expect(derived.tail.head, is: 2)
        expect(calls.value, is: 1)
    }
}
