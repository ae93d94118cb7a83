import ReactiveSignals
import TestSupport
import Testing

@Suite("take(during:)")
struct TakeDuringTests {
    @Test("matches its documentation's diagram")
    func diagram() {
        let drawn = played("--1--2--3--4--|", "-------x") { source, end in
            let (lifetime, token) = Lifetime.make()
            end.observeNext { _ in token.dispose() }
            return source.take(during: lifetime)
        } drawing: {
            $0
        }
        expect(drawn, is: "--1--2-|")
    }

    @Test("forwards all events while the lifetime lasts")
    func passes() {
        let (lifetime, token) = Lifetime.make()
        expectModel {
            $0.take(during: lifetime)
        } does: { values, ending in
            values.map(String.init) + [ending?.text].compactMap(\.self)
        }
        expectForwardsTerminals { $0.take(during: lifetime) }
        withExtendedLifetime(token) {}
    }

    @Test("completes and releases the source when the token of the lifetime is disposed of or released")
    func completes() {
        for isReleased in [false, true] {
            let population = Population()
            let (source, input) = Source.pipe()
            var token: Lifetime.Token? = Lifetime.Token()
            // Set above.
            let log = source.holding(population.member()).take(during: Lifetime(token!)).logged()
            input.sendNext(1)
            expect(population.alive, is: 1)
            if !isReleased { token?.dispose() }
            token = nil
            expect(population.alive, is: 0)
            input.sendNext(2)
            input.sendError(.first)
            expect(log.all, is: ["1", "completed"])
        }
    }

    @Test("lasts as long as the object that owns the token")
    func object() {
        final class Owner: Sendable {
            let token = Lifetime.Token()
        }
        let (source, input) = Source.pipe()
        var owner: Owner? = Owner()
        // Set above.
        let log = source.take(during: Lifetime(owner!.token)).logged()
        input.sendNext(1)
        withExtendedLifetime(owner) {}
        owner = nil
        input.sendNext(2)
        expect(log.all, is: ["1", "completed"])
    }

    @Test("interrupts its observers and does not observe the source if the lifetime has already ended")
    func ended() {
        let population = Population()
        let (source, input) = Source.pipe()
        let result = source.holding(population.member()).take(during: .empty)
        expect(population.alive, is: 0)
        input.sendNext(1)
        expect(result.logged().all, is: ["interrupted"])
        let (lifetime, token) = Lifetime.make()
        token.dispose()
        expect(source.take(during: lifetime).logged().all, is: ["interrupted"])
    }

    @Test("does not retain the lifetime, and the lifetime does not retain a result that is disposed of or has ended")
    func retainsNothing() {
        let population = Population()
        let (source, input) = Source.pipe()
        let token = Lifetime.Token()
        weak var weakly: Lifetime?
        let result = {
            let lifetime = Lifetime(token)
            weakly = lifetime
            return source.take(during: lifetime)
        }()
        #expect(weakly == nil)
        _ = source.holding(population.member()).take(during: Lifetime(token))
        expect(population.alive, is: 0, "nobody ever observed")
        source.holding(population.member()).take(during: Lifetime(token)).observe { _ in }?.dispose()
        expect(population.alive, is: 0, "disposed of")
        source.take(during: Lifetime(token)).observe { [member = population.member()] _ in member.touch() }
        input.sendCompleted()
        expect(population.alive, is: 0, "ended")
        withExtendedLifetime(result) {}
        withExtendedLifetime(token) {}
    }

    @Test("applied twice with one lifetime, ends both results, the later one first")
    func twice() {
        let (source, input) = Source.pipe()
        let (lifetime, token) = Lifetime.make()
        let log = Log<String>()
        source.take(during: lifetime).observe { log.append("first \($0.text)") }
        source.take(during: lifetime).take(during: lifetime).observe { log.append("second \($0.text)") }
        input.sendNext(1)
        token.dispose()
        expect(log.all, is: ["first 1", "second 1", "second completed", "first completed"])
        withExtendedLifetime(input) {}
    }

    @Test("when its observer ends the lifetime, completes after the current event and before re-entrant ones")
    func endedInside() {
        let (source, input) = Source.pipe()
        let (lifetime, token) = Lifetime.make()
        let result = source.take(during: lifetime)
        let log = Log<String>()
        result.observe { event in
            log.append("a \(event.text)")
            token.dispose()
            input.sendNext(2)
        }
        result.observe { log.append("b \($0.text)") }
        input.sendNext(1)
        expect(log.all, is: ["a 1", "b 1", "a completed", "b completed"])
    }

    @Test("does not block the thread that ends the lifetime during another thread's delivery")
    func neverWaits() {
        let pipe = Source.pipe()
        let (lifetime, token) = Lifetime.make()
        let log = pipe.output.take(during: lifetime).logged()
        let occupation = Occupation(of: pipe, sending: .next(1))
        // This would deadlock if it waited.
        token.dispose()
        #expect(lifetime.hasEnded)
        expect(log.all, is: ["1"])
        occupation.end()
        expect(log.all, is: ["1", "completed"])
    }

    @Test("ends once when the end of the lifetime, the end of the source and its application race")
    func race() {
        for _ in 0..<500 {
            let (source, input) = Source.pipe()
            let (lifetime, token) = Lifetime.make()
            let log = source.take(during: lifetime).logged()
            let late = Log<String>()
            onThreads(3, "take(during:)") { index in
                switch index {
                case 0: token.dispose()
                case 1: input.sendError(.first)
                default: source.take(during: lifetime).observe { late.append($0.text) }
                }
            }
            #expect(log.all == ["completed"] || log.all == ["error first"])
            // A thread of the library may deliver the event.
            #expect(becomesTrue { late.count > 0 })
            expect(late.count, is: 1)
        }
    }

    @Test("has the operator's name")
    func name() {
        let (lifetime, token) = Lifetime.make()
        expect(Source.never.take(during: lifetime).name, is: "[never] -take(during:)")
        expect(Source.never.take(during: .empty).name, is: "[never] -take(during:)")
        withExtendedLifetime(token) {}
    }
}
