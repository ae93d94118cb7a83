import ReactiveAsync
import TestSupport
import Testing

@Suite("Ring")
struct RingTests {
    @Test("returns elements in order for any size and position in the buffer")
    func order() {
        var random = SplitMix64(seed: 1)
        var ring = Ring<Int>()
        var model: [Int] = []
        for number in 0..<20_000 {
            // Grows for a while, then shrinks, and so on.
            if random.number(in: 0...9) < (number / 1_000 % 2 == 0 ? 7 : 3) {
                ring.append(number)
                model.append(number)
            } else {
                #expect(ring.takeFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            expect(ring.count, is: model.count)
        }
        ring.deallocate()
        #expect(ring.takeFirst() == nil)
    }

    @Test("can be used after it has released the memory of a burst, and keeps a small buffer")
    func shrinks() {
        var ring = Ring<Int>()
        for count in [5_000, 3, 1_024, 1_025] {
            for number in 0..<count { ring.append(number) }
            for number in 0..<count {
                #expect(ring.capacity >= count)
                #expect(ring.takeFirst() == number)
            }
            expect(ring.capacity, is: [5_000: 0, 3: 16, 1_024: 1_024, 1_025: 0][count]!)
            #expect(ring.takeFirst() == nil)
        }
        ring.deallocate()
    }

    @Test("releases each element when it is taken and the rest when it is deallocated")
    func life() {
        let population = Population()
        var ring = Ring<Population.Member>()
        for _ in 0..<40 { ring.append(population.member()) }
        for left in (20..<40).reversed() {
            _ = ring.takeFirst()
            expect(population.alive, is: left)
        }
        for _ in 0..<5 { ring.append(population.member()) }
        expect(population.alive, is: 25)
        ring.deallocate()
        expect(population.alive, is: 0)
    }
}
