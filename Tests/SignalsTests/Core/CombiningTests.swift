import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("Combining")
struct CombiningTests {
    @Test("lays out values of any size and alignment like a tuple in memory")
    func layout() {
        let (a, inputA) = Signal<Int8, Never>.pipe()
        let (b, inputB) = Signal<Int64, Never>.pipe()
        let (c, inputC) = Signal<Bool, Never>.pipe()
        let (d, inputD) = Signal<(Int32, Int8), Never>.pipe()
        let (e, inputE) = Signal<Int16, Never>.pipe()
        let (f, inputF) = Signal<Void, Never>.pipe()
        let (g, inputG) = Signal<String?, Never>.pipe()
        let latest = Signal.combineLatest(a, b, c, d, e, f, g).logged()
        let zipped = Signal.zip(g, f, e, d, c, b, a).logged()
        inputA.sendNext(1)
        inputB.sendNext(2)
        inputC.sendNext(true)
        inputD.sendNext((4, 5))
        inputE.sendNext(6)
        inputF.sendNext()
        inputG.sendNext("seven")
        #expect(latest.all == [#"(1, 2, true, (4, 5), 6, (), Optional("seven"))"#])
        #expect(zipped.all == [#"(Optional("seven"), (), 6, (4, 5), true, 2, 1)"#])
    }

    @Test("combines signals of Void only")
    func void() {
        let (a, inputA) = Signal<Void, Never>.pipe()
        let (b, inputB) = Signal<Void, Never>.pipe()
        let latest = a.combineLatest(with: b).logged()
        let zipped = Signal.zip([a, b]).logged()
        inputA.sendNext()
        inputB.sendNext()
        expect(latest.all, is: ["((), ())"])
        expect(zipped.all, is: ["[(), ()]"])
    }

    @Test("hands over values and terminal events when the result is busy on another thread")
    func handsOver() {
        for isZip in [false, true] {
            let a = Source.pipe(contention: .enqueue)
            let b = Source.pipe()
            let result = isZip ? a.output.zip(with: b.output) : a.output.combineLatest(with: b.output)
            let log = Log<String>()
            let stay = Log<@Sendable () -> Void>()
            result.observe { event in
                if log.count == 0 { stay.all.first?() }
                log.append(event.text)
            }
            b.input.sendNext(1)
            let occupation = Occupation {
                stay.append($0)
                a.input.sendNext(1)
            }
            b.input.sendNext(2)
            b.input.sendNext(3)
            b.input.sendError(.second)
            #expect(log.all.isEmpty)
            occupation.end()
            #expect(log.all == (isZip ? ["(1, 1)", "error second"] : ["(1, 1)", "(1, 2)", "(1, 3)", "error second"]))
        }
    }

    @Test("drops a handed-over value if the result has ended in the meantime")
    func dropsLate() {
        for isZip in [false, true] {
            let population = Population()
            let a = Signal<Population.Member, Never>.pipe()
            let b = Signal<Population.Member, Never>.pipe()
            let result = isZip ? a.output.zip(with: b.output) : a.output.combineLatest(with: b.output)
            result.observe { event in
                guard !event.isTerminating else { return }
                a.input.sendInterrupted()
                b.input.sendNext(population.member())
            }
            a.input.sendNext(population.member())
            b.input.sendNext(population.member())
            expect(population.alive, is: 0)
        }
    }
}
