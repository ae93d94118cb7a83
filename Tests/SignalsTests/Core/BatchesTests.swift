import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Batches")
struct BatchesTests {
    @Test("requests a hop for the first element, and again only if elements arrived while a batch was handled")
    func hops() {
        let batches = Batches<Int>()
        #expect(batches.add(1))
        #expect(!batches.add(2))
        let batch = batches.take()
        expect(batch, is: [1, 2])
        #expect(!batches.add(3))
        #expect(batches.finish(batch))
        #expect(!batches.add(4))
        let second = batches.take()
        expect(second, is: [3, 4])
        #expect(!batches.finish(second))
        #expect(batches.add(5))
    }

    @Test("when stopped, drops waiting elements, disposes of the hop and accepts no more")
    func stops() {
        let population = Population()
        let batches = Batches<Population.Member>()
        let hop = SimpleDisposable()
        #expect(batches.add(population.member()))
        batches.keep(hop)
        batches.stop()
        #expect(hop.isDisposed)
        expect(population.alive, is: 0)
        #expect(!batches.add(population.member()))
        expect(population.alive, is: 0)
        let late = SimpleDisposable()
        batches.keep(late)
        #expect(late.isDisposed)
        #expect(batches.take().isEmpty)
    }

    @Test("reuses two buffers, but not those of a burst")
    func buffers() {
        let batches = Batches<Int>()
        /// The capacity of the buffer for a batch of this many elements.
        func capacity(for count: Int) -> Int {
            for number in 0..<count { _ = batches.add(number) }
            let batch = batches.take()
            let capacity = batch.capacity
            expect(batch, is: Array(0..<count))
            #expect(!batches.finish(batch))
            return capacity
        }
        // The elements of the next batch are added to the buffer of the last but one.
        for _ in 0..<2 { _ = capacity(for: 40) }
        for _ in 0..<2 { #expect(capacity(for: 1) >= 40) }
        for _ in 0..<2 { #expect(capacity(for: 1_000) >= 1_000) }
        for _ in 0..<2 { #expect(capacity(for: 1) < 40) }
    }

    @Test("releases the buffers of a burst while single elements keep coming")
    func trickle() {
        let batches = Batches<Int>()
        for number in 0..<1_000 { _ = batches.add(number) }
        var batch = batches.take()
        for number in 0..<1_000 { _ = batches.add(number) }
        #expect(batches.finish(batch))
        // The elements that come while a batch is handled: none of the batches is the last one.
        for _ in 0..<3 {
            batch = batches.take()
            _ = batches.add(0)
            #expect(batches.finish(batch))
        }
        batch = batches.take()
        #expect(batch.capacity <= 64)
    }

    @Test("releases a batch when it is finished")
    func releases() {
        let population = Population()
        let batches = Batches<Population.Member>()
        _ = batches.add(population.member())
        let isOneMore = batches.finish(batches.take())
        #expect(!isOneMore)
        expect(population.alive, is: 0)
    }
}
