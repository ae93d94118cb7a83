import HotSignals
import TestSupport
import Testing

@Suite("PriorityQueue")
struct PriorityQueueTests {
    /// Removes all elements and returns them in order.
    private func drain<Element>(_ queue: inout PriorityQueue<Int, Element>) -> [(Int, Element)] {
        var taken: [(Int, Element)] = []
        while let (key, element) = queue.popFirst() { taken.append((key, element)) }
        return taken
    }

    @Test("returns nothing when it is empty")
    func empty() {
        var queue = PriorityQueue<Int, String>()
        #expect(queue.isEmpty)
        #expect(queue.firstKey == nil)
        #expect(queue.popFirst() == nil)
        #expect(queue.popFirst(through: 9) == nil)
        #expect(queue.removeAll { _ in true }.isEmpty)
    }

    @Test("returns the smallest key first, and equal keys in insertion order, for every short sequence of keys")
    func everyShortSequence() {
        // Every sequence of up to six keys out of three.
        for length in 0...6 {
            var combinations = 1
            for _ in 0..<length { combinations *= 3 }
            for combination in 0..<combinations {
                var rest = combination
                var queue = PriorityQueue<Int, Int>()
                var model: [(key: Int, element: Int)] = []
                for element in 0..<length {
                    queue.insert(element, at: rest % 3)
                    model.append((rest % 3, element))
                    rest /= 3
                    expect(queue.firstKey, is: model.map(\.key).min())
                }
                model.sort { ($0.key, $0.element) < ($1.key, $1.element) }
                expect(drain(&queue).map(\.1), is: model.map(\.element))
            }
        }
    }

    @Test("keeps the order of an element that is inserted again with its number")
    func insertedAgain() {
        var queue = PriorityQueue<Int, String>()
        queue.insert("a", at: 1)
        queue.insert("b", at: 2)
        let number = queue.firstNumber
        expect(queue.popFirst()?.element, is: "a")
        queue.insert("c", at: 2)
        queue.insert("a", at: 2, as: number!)
        expect(drain(&queue).map(\.1), is: ["a", "b", "c"])
        #expect(queue.firstNumber == nil)
    }

    @Test("matches a sorted array for random operations", .notUnderThreadSanitizer)
    func model() {
        for seed in 1...200 {
            var random = SplitMix64(seed: UInt64(seed))
            var queue = PriorityQueue<Int, Int>()
            var model: [(key: Int, element: Int)] = []
            let keys = random.pick([1, 4, 1_000])
            for step in 0..<400 {
                switch random.number(in: 0...9) {
                case 0...5:
                    let key = random.number(in: 0...keys)
                    queue.insert(step, at: key)
                    model.insert((key, step), at: model.firstIndex { $0.key > key } ?? model.count)
                case 6...7:
                    let taken = queue.popFirst()
                    let expected = model.isEmpty ? nil : model.removeFirst()
                    expect(taken?.key, is: expected?.key)
                    expect(taken?.element, is: expected?.element)
                case 8:
                    let limit = random.number(in: 0...keys)
                    let taken = queue.popFirst(through: limit)
                    let isDue = model.first.map { $0.key <= limit } ?? false
                    #expect(taken?.element == (isDue ? model.removeFirst().element : nil))
                default:
                    let divisor = random.number(in: 2...9)
                    let removed = queue.removeAll { $0 % divisor == 0 }
                    expect(removed.sorted(), is: model.map(\.element).filter { $0 % divisor == 0 }.sorted())
                    model.removeAll { $0.element % divisor == 0 }
                }
                expect(queue.count, is: model.count)
                expect(queue.isEmpty, is: model.isEmpty)
                expect(queue.firstKey, is: model.first?.key)
            }
            expect(drain(&queue).map(\.1), is: model.map(\.element))
        }
    }

    @Test("visits the elements with keys up to a limit, and few others", arguments: 0...60)
    func descends(count: Int) {
        var queue = PriorityQueue<Int, Int>()
        for number in 0..<count { queue.insert(number, at: number * 37 % 61) }
        for limit in 0...61 {
            var visited: [Int] = []
            var asked = 0
            queue.descend { key, element in
                asked += 1
                guard key < limit else { return false }
                visited.append(element)
                return true
            }
            #expect(visited.sorted() == (0..<count).filter { $0 * 37 % 61 < limit })
            #expect(asked <= visited.count * 4 + 1)
        }
    }

    @Test("releases elements when they are taken, and the rest with itself")
    func releases() {
        let population = Population()
        do {
            var queue = PriorityQueue<Int, Population.Member>()
            for number in 0..<100 { queue.insert(population.member(), at: number * 37 % 100) }
            expect(population.alive, is: 100)
            for _ in 0..<40 { _ = queue.popFirst() }
            expect(population.alive, is: 60)
            var isEven = false
            let removed = queue.removeAll { _ in
                isEven.toggle()
                return isEven
            }
            expect(removed.count, is: 30)
            expect(population.alive, is: 60)
            withExtendedLifetime(removed) {}
        }
        expect(population.alive, is: 0)
    }

    @Test("has value semantics: a copy keeps what is removed from the original")
    func value() {
        var queue = PriorityQueue<Int, Int>()
        for number in 0..<50 { queue.insert(number, at: -number) }
        var copy = queue
        expect(drain(&queue).count, is: 50)
        expect(drain(&copy).map(\.1), is: Array((0..<50).reversed()))
    }
}
