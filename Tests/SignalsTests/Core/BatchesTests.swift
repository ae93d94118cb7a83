import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Batches")
struct BatchesTests {
    @Test("asks for a hop for the first element, and for another one only if something came while a batch was handled")
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

    @Test("drops what waits when it is stopped, disposes of the hop, and takes nothing more")
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

    @Test("releases a batch that has been handled")
    func releases() {
        let population = Population()
        let batches = Batches<Population.Member>()
        _ = batches.add(population.member())
        let isOneMore = batches.finish(batches.take())
        #expect(!isOneMore)
        expect(population.alive, is: 0)
    }
}
