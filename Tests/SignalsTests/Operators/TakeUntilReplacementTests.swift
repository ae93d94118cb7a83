import ReactiveSignals
import TestSupport
import Testing

@Suite("take(untilReplacement:)")
struct TakeUntilReplacementTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        expect(
            played("--1--2--3--4--|", "-------a-----b----|", { $0.take(untilReplacement: $1) }, drawing: \.self),
            is: "--1--2-a-----b----|")
    }

    @Test("forwards the source without its completion until the replacement's first event, then the replacement")
    func model() {
        expectModel(others: [.next(0), .completed, .error(.second), .interrupted]) { (source, replacement: Source) in
            source.take(untilReplacement: replacement)
        } does: { steps in
            var isReplaced = false
            return steps.compactMap { step in
                switch step {
                case .source(.completed): return nil
                case .source(let event): return isReplaced ? nil : event.text
                case .other(let event):
                    isReplaced = true
                    return event.text
                }
            }
        }
    }

    @Test("releases the source at the replacement's first event")
    func letsGoOfSource() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (replacement, replacementInput) = Source.pipe()
        let log = source.holding(population.member()).take(untilReplacement: replacement).logged()
        input.sendNext(1)
        expect(population.alive, is: 1)
        replacementInput.sendNext(2)
        expect(population.alive, is: 0)
        input.sendError(.first)
        replacementInput.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("waits for the replacement after the source has completed")
    func completedSource() {
        let (source, input) = Source.pipe()
        let (replacement, replacementInput) = Source.pipe()
        let log = source.take(untilReplacement: replacement).logged()
        input.sendCompleted()
        #expect(log.all.isEmpty)
        replacementInput.sendNext(1)
        replacementInput.sendInterrupted()
        expect(log.all, is: ["1", "interrupted"])
    }

    @Test("interrupts its observers if either signal has already ended")
    func ended() {
        let (signal, input) = Source.pipe()
        for ended in [Source.empty, terminated(.error(.first)), terminated(.completed), terminated(.interrupted)] {
            expect(signal.take(untilReplacement: ended).logged().all, is: ["interrupted"])
            expect(ended.take(untilReplacement: signal).logged().all, is: ["interrupted"])
        }
        withExtendedLifetime(input) {}
    }

    @Test("is interrupted when an input is released before the replacement sends")
    func released() {
        for isReplacement in [false, true] {
            let (kept, input) = Source.pipe()
            let log = {
                let (signal, released) = Source.pipe()
                defer { withExtendedLifetime(released) {} }
                return isReplacement
                    ? kept.take(untilReplacement: signal).logged() : signal.take(untilReplacement: kept).logged()
            }()
            expect(log.all, is: ["interrupted"])
            withExtendedLifetime(input) {}
        }
    }

    @Test("with itself as the replacement, sends every event once")
    func itself() {
        let (source, input) = Source.pipe()
        let log = source.take(untilReplacement: source).logged()
        input.sendNext(1)
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["1", "2", "completed"])
    }

    @Test("drops source values that its observer sends after the replacement's first value")
    func reentrant() {
        let (source, input) = Source.pipe()
        let (replacement, replacementInput) = Source.pipe()
        let log = Log<String>()
        source.take(untilReplacement: replacement).observe { event in
            log.append(event.text)
            guard let value = event.value, value < 3 else { return }
            replacementInput.sendNext(value + 10)
            input.sendNext(value + 1)
        }
        input.sendNext(1)
        expect(log.all.first, is: "1")
        #expect(log.all.contains("11"))
        // Source values may come before the replacement's first value, but not after.
        let first = log.all.firstIndex { $0.count == 2 } ?? 0
        #expect(log.all[first...].allSatisfy { $0.count == 2 })
        input.sendNext(4)
        #expect(!log.all.contains("4"))
        replacementInput.sendInterrupted()
    }

    @Test("releases both signals when it is no longer observed or retained")
    func letsGo() {
        let population = Population()
        let (source, input) = Source.pipe()
        let (replacement, replacementInput) = Source.pipe()
        _ = source.holding(population.member()).take(untilReplacement: replacement.holding(population.member()))
        expect(population.alive, is: 0, "nobody ever observed")
        let log = Log<String>()
        let disposable = source.holding(population.member())
            .take(untilReplacement: replacement.holding(population.member())).observe { log.append($0.text) }
        expect(population.alive, is: 2)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of")
        input.sendNext(1)
        replacementInput.sendNext(2)
        #expect(log.all.isEmpty)
    }

    @Test("sends no source value after the replacement's first one when both send from different threads")
    func threads() {
        for _ in 0..<200 {
            let (source, input) = Source.pipe()
            let (replacement, replacementInput) = Source.pipe()
            let log = Log<Int>()
            source.take(untilReplacement: replacement).observe { log.append($0.value ?? 0) }
            onThreads(2, "take(untilReplacement:)") { index in
                for value in 1...20 { (index == 0 ? input : replacementInput).sendNext(index * 100 + value) }
            }
            let values = log.all
            let isOrdered = zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
            #expect(isOrdered)
            expect(values.suffix(20), is: Array(101...120))
        }
    }

    @Test("has the operator's name")
    func name() {
        expect(Source.never.take(untilReplacement: .never).name, is: "[never] -take(untilReplacement:)")
    }
}
