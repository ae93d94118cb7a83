import ReactiveSignals
import TestSupport
import Testing

@Suite("partition")
struct PartitionTests {
    @Test("divides the values, and ends both signals with the source")
    func model() {
        for limit in 1...4 {
            expectModel {
                $0.partition { $0 >= limit }.matches
            } does: { values, ending in
                values.filter { $0 >= limit }.map(String.init) + [ending?.text].compactMap(\.self)
            }
            expectModel {
                $0.partition { $0 >= limit }.others
            } does: { values, ending in
                values.filter { $0 < limit }.map(String.init) + [ending?.text].compactMap(\.self)
            }
        }
    }

    @Test("tests each value once for any number of observers, and observes the source once")
    func testsOnce() {
        let (source, input) = Source.pipe()
        let tested = Log<Int>()
        let (matches, others) = source.partition { value in
            tested.append(value)
            return value > 1
        }
        let logs = (0..<2).map { _ in (matches.logged(), others.logged()) }
        for value in 1...3 { input.sendNext(value) }
        input.sendError(.first)
        expect(tested.all, is: [1, 2, 3])
        for (matches, others) in logs {
            expect(matches.all, is: ["2", "3", "error first"])
            expect(others.all, is: ["1", "error first"])
        }
    }

    @Test("keeps serving one signal when the other is released, then releases the source")
    func disposal() {
        let population = Population()
        let (source, input) = Source.pipe()
        var (matches, others): (Source?, Source?) = source.holding(population.member()).partition { $0 > 1 }
        let (first, second) = (Log<String>(), Log<String>())
        let firstDisposable = matches?.observe { first.append($0.text) }
        let secondDisposable = others?.observe { second.append($0.text) }
        (matches, others) = (nil, nil)
        for value in 1...2 { input.sendNext(value) }
        firstDisposable?.dispose()
        for value in 1...2 { input.sendNext(value) }
        expect(population.alive, is: 1)
        secondDisposable?.dispose()
        expect(population.alive, is: 0)
        expect(first.all, is: ["2"])
        expect(second.all, is: ["1", "1"])
    }

    @Test("delivers values that an observer of one signal sends for the other in order")
    func reentrant() {
        let (source, input) = Source.pipe()
        let log = Log<String>()
        let (matches, others) = source.partition { $0 > 1 }
        matches.observe { event in
            log.append("begin \(event.text)")
            if event.value == 2 { input.sendNext(1) }
            log.append("end \(event.text)")
        }
        others.observe { log.append($0.text) }
        input.sendNext(2)
        expect(log.all, is: ["begin 2", "end 2", "1"])
        input.sendCompleted()
    }

    @Test("forwards errors, completion and interruption")
    func terminals() {
        expectForwardsTerminals { $0.partition { _ in true }.matches }
        expectForwardsTerminals { $0.partition { _ in true }.others }
    }

    @Test("releases its closure when the source ends")
    func releases() {
        expectReleasesClosure { source, member in
            source.partition { _ in
                member.touch()
                return true
            }.matches
        }
    }

    @Test("has the operator's name")
    func name() {
        let (matches, others) = Source.never.partition { _ in true }
        expect(matches.name, is: "[[never] -partition:] -matches")
        expect(others.name, is: "[[never] -partition:] -others")
    }
}
