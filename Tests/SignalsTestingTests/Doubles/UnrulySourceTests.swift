import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("UnrulySource", .watched)
struct UnrulySourceTests {
    private typealias Source = UnrulySource<Int, TestError>

    @Test("without violations, follows the rules")
    func wellBehaved() {
        let source = Source([1, 2], end: .error(.second))
        expect(
            source.producer.record(on: TestScheduler()).events.map(\.event), is: [.next(1), .next(2), .error(.second)])
        expect(source.sent, is: 3)
        let (signal, play) = source.pipe()
        let log = signal.logged()
        #expect(log.all.isEmpty)
        play()
        play()
        expect(log.all, is: ["1", "2", "error second"])
        expect(source.sent, is: 6)
    }

    @Test(
        "a stream follows the rules even if the source does not",
        arguments: [
            .sendsAfterEnd, .endsTwice, [.sendsAfterEnd, .endsTwice], .sendsFromInside,
            [.sendsAfterEnd, .endsTwice, .sendsFromInside], .ignoresDisposal,
        ] as [Source.Violations])
    private func gated(violations: Source.Violations) {
        let source = Source([1, 2, 3], violations: violations)
        let expected = 4 + (violations.contains(.endsTwice) ? 1 : 0) + (violations.contains(.sendsAfterEnd) ? 3 : 0)
        let log = Log<String>()
        source.producer.start { log.append($0.text) }
        expect(log.all, is: ["1", "2", "3", "completed"])
        expect(source.sent, is: expected)
        let (signal, play) = source.pipe()
        let hot = signal.logged()
        play()
        expect(hot.all, is: ["1", "2", "3", "completed"])
        expect(source.sent, is: 2 * expected)
    }

    @Test("an observer made of closures receives every event")
    func raw() {
        let source = Source([1, 2], violations: [.endsTwice, .sendsAfterEnd])
        let log = Log<String>()
        source.play(into: Signal<Int, TestError>.Observer { log.append($0.text) })
        expect(log.all, is: ["1", "2", "completed", "interrupted", "1", "2"])
        let interrupted = Source([], end: .interrupted, violations: .endsTwice)
        interrupted.play(into: Signal<Int, TestError>.Observer { log.append($0.text) })
        expect(log.all.suffix(2), is: ["interrupted", "completed"])
    }

    @Test("with .sendsFromInside, sends the next event while the last one is delivered")
    func inside() {
        let log = Log<String>()
        let source = Source([1, 2], violations: .sendsFromInside)
        source.producer
            .on(next: { _ in log.append("sent \(source.sent)") })
            .start { log.append($0.text) }
        // The second value was sent before the first one reached the final observer.
        expect(log.all, is: ["sent 2", "1", "sent 2", "2", "completed"])
    }

    @Test("with .sendsFromInside, sends the second end while the first one is delivered")
    func insideTheEnd() {
        let log = Log<String>()
        let source = Source([1], violations: [.sendsFromInside, .endsTwice])
        source.producer
            .on(completed: { log.append("sent \(source.sent)") })
            .start { log.append($0.text) }
        expect(log.all, is: ["1", "sent 3", "completed"])
    }

    @Test("with .sendsFromManyThreads, sends each value once, and a stream serializes them")
    func threads() async throws {
        let scheduler = TestScheduler()
        let numbers = Array(0..<10_000)
        for violations in [.sendsFromManyThreads, [.sendsFromManyThreads, .sendsFromInside, .endsTwice]]
            as [Source.Violations]
        {
            let source = Source(numbers, violations: violations)
            let inside = AtomicOccupancy()
            let recorder = source.producer
                .on(next: { _ in inside.enter() })
                .on(next: { _ in inside.leave() })
                .record(on: scheduler)
            #expect(try await recorder.terminated() == .completed)
            expect(recorder.values.sorted(), is: numbers)
            expect(inside.overlaps, is: 0)
        }
    }

    @Test("stops when it is disposed of, unless it ignores disposal")
    func disposal() {
        let obedient = Source([1, 2, 3])
        obedient.producer.take(first: 1).start()
        expect(obedient.sent, is: 1)
        let deaf = Source([1, 2, 3], violations: .ignoresDisposal)
        let log = Log<String>()
        deaf.producer.take(first: 1).start { log.append($0.text) }
        expect(deaf.sent, is: 4)
        expect(log.all, is: ["1", "completed"])
        let raw = Source([1, 2, 3], violations: [.sendsAfterEnd])
        raw.play(into: Signal<Int, TestError>.Observer { _ in }, until: .empty)
        expect(raw.sent, is: 0)
    }

    @Test("with .neverEnds, does not end, and releases everything when it is disposed of")
    func endless() {
        let population = Population()
        let source = UnrulySource<Population.Member, Never>([population.member()], violations: .neverEnds)
        do {
            let recorder = source.producer.record(on: TestScheduler())
            expect(recorder.values.count, is: 1)
            #expect(!recorder.hasTerminated)
            let observed = source.producer.start { [member = population.member()] _ in member.touch() }
            expect(population.alive, is: 2)
            observed.dispose()
            expect(population.alive, is: 1)
        }
        let log = Log<String>()
        do {
            let (signal, play) = source.pipe()
            let observer = signal.observe { log.append($0.isTerminating ? $0.text : "value") }
            play()
            observer?.dispose()
        }
        expect(log.all, is: ["value"])
        expect(population.alive, is: 1)
    }

    @Test("leaks nothing")
    func released() {
        let population = Population()
        do {
            let source = UnrulySource<Population.Member, Never>(
                [population.member(), population.member()], violations: [.sendsAfterEnd, .endsTwice, .sendsFromInside])
            source.producer.start()
            let (signal, play) = source.pipe()
            signal.observe { _ in }
            play()
            let unplayed = source.pipe()
            #expect(unplayed.output.logged().all.isEmpty)
        }
        expect(population.alive, is: 0)
    }

    @Test(
        "with .neverEnds, leaks nothing when it is released",
        arguments: [.neverEnds, [.neverEnds, .sendsFromInside], [.neverEnds, .ignoresDisposal]]
            as [UnrulySource<Population.Member, Never>.Violations])
    private func letGo(violations: UnrulySource<Population.Member, Never>.Violations) {
        let population = Population()
        do {
            let source = UnrulySource<Population.Member, Never>([population.member()], violations: violations)
            source.producer.start { [member = population.member()] _ in member.touch() }.dispose()
            let (signal, play) = source.pipe()
            let start = signal.observe { [member = population.member()] _ in member.touch() }
            play()
            start?.dispose()
        }
        do {
            let source = UnrulySource<Population.Member, Never>([population.member()], violations: violations)
            let (signal, play) = source.pipe()
            play()
            withExtendedLifetime(signal) {}
        }
        expect(population.alive, is: 0)
    }

    @Test("traps if the end is not a terminal event or there is no thread")
    func misused() async throws {
        let end = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UnrulySource<Int, Never>([], end: .next(1))
        }
        end.expectTrap("UnrulySource(end: NEXT 1): the end must be a terminal event")
        let threads = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = UnrulySource<Int, Never>([], threads: 0)
        }
        threads.expectTrap("UnrulySource(threads: 0): the number of threads must be positive")
    }
}

/// Counts overlapping calls.
private final class AtomicOccupancy: Sendable {
    private let inside = Counter()
    private let outside = Counter()
    private let seen = Counter()

    var overlaps: Int { seen.value }

    func enter() {
        if inside.increment() != outside.value + 1 { seen.increment() }
    }

    func leave() { outside.increment() }
}
