import HotSignals
import TestSupport
import Testing

@Suite("Queue")
struct QueueTests {
    @Test("is empty initially")
    func empty() {
        var queue = Queue<Int>()
        #expect(queue.isEmpty)
        expect(queue.count, is: 0)
        #expect(queue.first == nil)
        #expect(queue.popFirst() == nil)
        expect(queue.count, is: 0)
    }

    @Test("returns elements in insertion order for any count", arguments: [1, 3, 4, 5, 8, 9, 1_000])
    func order(count: Int) {
        var queue = Queue<Int>()
        for number in 0..<count {
            queue.append(number)
            expect(queue.first, is: 0)
            expect(queue.count, is: number + 1)
        }
        for number in 0..<count {
            #expect(!queue.isEmpty)
            expect(queue.first, is: number)
            expect(queue.popFirst(), is: number)
        }
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test("matches an array for every sequence of up to fourteen operations")
    func everySequence() {
        // The bits of `steps` below the highest one select append or pop.
        for steps in 1..<(1 << 15) {
            var queue = Queue<Int>()
            var array: [Int] = []
            var isEqual = true
            var rest = steps
            while rest > 1 {
                if rest & 1 == 1 {
                    queue.append(rest)
                    array.append(rest)
                } else {
                    isEqual = isEqual && queue.popFirst() == (array.isEmpty ? nil : array.removeFirst())
                }
                isEqual = isEqual && queue.count == array.count && queue.first == array.first
                rest >>= 1
            }
            #expect(isEqual, "\(String(steps, radix: 2))")
        }
    }

    @Test("keeps its order when it grows with its head anywhere in the ring")
    func growsAnywhere() {
        for size in [4, 8, 16] {
            for head in 0..<size {
                var queue = Queue<Int>()
                for number in 0..<size { queue.append(number) }
                for number in 0..<head {
                    expect(queue.popFirst(), is: number)
                    queue.append(size + number)
                }
                // The queue is full: the next element does not fit.
                queue.append(size + head)
                #expect((0...size).map { _ in queue.popFirst() } == (head...head + size).map { $0 })
                #expect(queue.isEmpty)
            }
        }
    }

    @Test("inserts an element before the first one, with its head anywhere in the ring")
    func prepends() {
        for count in 0...9 {
            for head in 0..<16 {
                var queue = Queue<Int>()
                for _ in 0..<head {
                    queue.append(-1)
                    queue.popFirst()
                }
                for number in 0..<count { queue.append(number) }
                queue.prepend(100)
                let isEqual = ([100] + Array(0..<count)).allSatisfy { queue.popFirst() == $0 }
                #expect(isEqual && queue.isEmpty, "\(count) elements from \(head)")
            }
        }
    }

    @Test("can be used after it has released most of its memory")
    func shrinks() {
        var queue = Queue<Int>()
        for count in [3, 100, 3] {
            for number in 0..<count { queue.append(number) }
            for number in 0..<count { expect(queue.popFirst(), is: number) }
            #expect(queue.capacity <= 32)
            #expect(queue.popFirst() == nil && queue.first == nil)
        }
    }

    @Test("releases the memory of a burst although it never becomes empty, and keeps the order")
    func trickle() {
        var queue = Queue<Int>()
        for number in 0..<10_000 { queue.append(number) }
        var largest = queue.capacity
        for number in 0..<9_990 {
            expect(queue.popFirst(), is: number)
            #expect(queue.capacity <= largest)
            largest = queue.capacity
        }
        expect(largest, is: 64)
        for number in 10_000..<20_000 {
            queue.append(number)
            expect(queue.popFirst(), is: number - 10)
        }
        expect(queue.capacity, is: 64)
        expect(queue.count, is: 10)
    }

    @Test("distinguishes a nil element from no element")
    func optional() {
        var queue = Queue<Int?>()
        queue.append(nil)
        queue.append(1)
        expect(queue.first, is: .some(nil))
        expect(queue.popFirst(), is: .some(nil))
        expect(queue.popFirst(), is: .some(1))
        expect(queue.popFirst(), is: Int??.none)
    }

    @Test("releases an element when it is removed, and the rest with itself")
    func releases() {
        let population = Population()
        var queue = Queue<Population.Member>()
        for _ in 0..<6 { queue.append(population.member()) }
        expect(population.alive, is: 6)
        for left in [5, 4, 3] {
            queue.popFirst()
            expect(population.alive, is: left)
        }
        for _ in 0..<9 { queue.append(population.member()) }
        expect(population.alive, is: 12)
        queue = Queue()
        expect(population.alive, is: 0)
    }

    @Test("has value semantics: a copy is independent")
    func copies() {
        var queue = Queue<Int>()
        for number in 0..<3 { queue.append(number) }
        var copy = queue
        queue.popFirst()
        copy.append(3)
        queue.append(9)
        expect((0..<3).map { _ in queue.popFirst() }, is: [1, 2, 9])
        expect((0..<4).map { _ in copy.popFirst() }, is: [0, 1, 2, 3])
    }
}
