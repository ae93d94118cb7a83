import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

// What the tests of timed operators share.

/// Plays a diagram, one character per second, and lists what the operator sends and when: `1 at 2` for a value after
/// two seconds. It marks events that do not arrive on the scheduler.
///
/// A digit is a value, `|` the completion, `X` an error, `!` an interruption. Each second, the scheduler first runs
/// what is due, then the event is sent from outside the scheduler, then the scheduler runs what that has scheduled for
/// the same instant. At the end, the observer is disposed of, after which no event may arrive.
///
/// - Parameter end: The second at which the observer is disposed of.
func timeline<Value>(
    of diagram: String, until end: Int = 100, _ transform: (Source, TestScheduler) -> Signal<Value, TestError>
) -> [String] {
    let scheduler = TestScheduler()
    let (source, input) = Source.pipe()
    let log = Log<String>()
    let disposable = transform(source, scheduler).observe { log.append(when($0, scheduler)) }
    for (second, mark) in diagram.enumerated() {
        scheduler.advance(to: TestScheduler.Instant(offset: .seconds(second)))
        guard let event = Event(mark: mark) else { continue }
        input.send(event)
        scheduler.advance()
    }
    scheduler.advance(to: TestScheduler.Instant(offset: .seconds(end)))
    disposable?.dispose()
    let results = log.all
    input.sendNext(0)
    // This would not return if something kept repeating.
    scheduler.run()
    expect(log.all, is: results, "nothing comes after disposal")
    return results
}

/// Ends the source and runs the scheduler until it is empty. An action that waits forever on a scheduler of its own
/// would keep itself alive: it retains the signal, which retains the scheduler.
func wind(_ input: Source.Observer, up scheduler: TestScheduler) {
    input.sendInterrupted()
    scheduler.run()
}

/// Expects an operator to end on its scheduler, and promptly, if its source has ended or its input is released.
func expectEndsOnScheduler<Value>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Source, TestScheduler) -> Signal<Value, TestError>
) {
    for ended in [Source.empty, terminated(.error(.first)), terminated(.interrupted)] {
        let scheduler = TestScheduler()
        let log = transform(ended, scheduler).logged()
        #expect(log.all.isEmpty, "the source had ended", sourceLocation: sourceLocation)
        scheduler.advance()
        expect(log.all, is: ["interrupted"], "the source had ended", sourceLocation: sourceLocation)
    }

    let scheduler = TestScheduler()
    let log = {
        let (source, input) = Source.pipe()
        let log = transform(source, scheduler).logged()
        withExtendedLifetime(input) {}
        return log
    }()
    #expect(log.all.isEmpty, "the input was released", sourceLocation: sourceLocation)
    scheduler.advance()
    expect(log.all, is: ["interrupted"], "the input was released", sourceLocation: sourceLocation)

    let (source, input) = Source.pipe()
    let result = transform(source, scheduler)
    input.sendInterrupted()
    scheduler.advance()
    expect(result.logged().all, is: ["interrupted"], "the result has ended", sourceLocation: sourceLocation)
}

/// Expects pending values to be dropped and released at once on disposal and on these terminal events.
func expectDropsPending<Value>(
    by terminals: [Event<Population.Member, TestError>] = [.error(.first), .interrupted],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Signal<Population.Member, TestError>, TestScheduler) -> Signal<Value, TestError>
) {
    let population = Population()
    weak var weakly: TestScheduler?
    do {
        let scheduler = TestScheduler()
        weakly = scheduler
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let count = Counter()
        let disposable = transform(source, scheduler).observe { _ in count.increment() }
        input.sendNext(population.member())
        input.sendNext(population.member())
        #expect(population.alive > 0, "on its way", sourceLocation: sourceLocation)
        disposable?.dispose()
        expect(population.alive, is: 0, "disposed of", sourceLocation: sourceLocation)
        input.sendNext(population.member())
        expect(population.alive, is: 0, "sent afterwards", sourceLocation: sourceLocation)
        scheduler.run()
        expect(count.value, is: 0, "disposed of", sourceLocation: sourceLocation)

        _ = transform(source, scheduler)
        input.sendNext(population.member())
        expect(population.alive, is: 0, "nobody ever observed", sourceLocation: sourceLocation)

        let released = transform(source, scheduler).observe { _ in }
        input.sendNext(population.member())
        #expect(population.alive > 0, "on its way", sourceLocation: sourceLocation)
        released?.dispose()
    }
    #expect(weakly == nil, "the scheduler is released", sourceLocation: sourceLocation)

    for event in terminals {
        let scheduler = TestScheduler()
        weakly = scheduler
        let (source, input) = Signal<Population.Member, TestError>.pipe()
        let result = transform(source, scheduler)
        let log = Log<String>()
        result.observe { log.append($0.isTerminating ? $0.text : "a value") }
        input.sendNext(population.member())
        input.sendNext(population.member())
        #expect(population.alive > 0, "on its way", sourceLocation: sourceLocation)
        input.send(event)
        expect(population.alive, is: 0, "\(event.text)", sourceLocation: sourceLocation)
        #expect(log.all.allSatisfy { $0 == event.text }, sourceLocation: sourceLocation)
        scheduler.run()
        expect(log.all, is: [event.text], sourceLocation: sourceLocation)
        withExtendedLifetime(result) {}
    }
    #expect(weakly == nil, "the scheduler is released", sourceLocation: sourceLocation)
}

/// A test scheduler with an adjustable clock and a hook that runs when the clock is read.
final class SkewedScheduler: DelayScheduler {
    let base = TestScheduler()
    private let skew = Locked(Duration.zero)
    private let reading = Locked<(@Sendable () -> Void)?>(nil)

    /// Sets the offset of the clock.
    func skew(by duration: Duration) { skew.withLock { $0 = duration } }

    /// Runs an action the next time the clock is read, as another thread might.
    func whenReadNext(_ action: @escaping @Sendable () -> Void) { reading.withLock { $0 = action } }

    var now: TestScheduler.Instant {
        reading.withLock { $0.take() }?()
        return base.now.advanced(by: skew.withLock { $0 })
    }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { base.schedule(action) }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { base.schedule(after: delay, leeway: leeway, action) }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { base.schedule(after: delay, interval: interval, leeway: leeway, action) }
}

/// A scheduler whose delayed actions come late: at the next multiple of a resolution.
final class CoarseScheduler: DelayScheduler {
    let base = TestScheduler()
    private let resolution: Duration

    init(resolution: Duration) { self.resolution = resolution }

    var now: TestScheduler.Instant { base.now }

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? { base.schedule(action) }

    func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        if delay <= .zero { return base.schedule(action) }
        let due = now.offset + delay
        let steps = (due / resolution).rounded(.up)
        return base.schedule(after: resolution * Int(steps) - now.offset, leeway: leeway, action)
    }

    func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? { base.schedule(after: delay, interval: interval, leeway: leeway, action) }
}
