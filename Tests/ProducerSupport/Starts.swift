package import HotSignals
package import ReactiveSignals
package import ReactiveSignalsTesting
package import TestSupport
package import Testing

/// The numbers from 1, with a count of how many have been computed. Ends after many, so that a test fails instead of
/// hanging.
package struct Endless: Sequence, IteratorProtocol, Sendable {
    package let computed = Counter()
    private var number = 0

    package init() {}

    package mutating func next() -> Int? {
        guard number < 100_000 else { return nil }
        number += 1
        computed.increment()
        return number
    }
}

/// Ends after many numbers, like ``Endless``, but takes so long that a test would hang.
package struct Busy: Sequence, IteratorProtocol, Sendable {
    private var number = 0

    package init() {}

    package mutating func next() -> Int? {
        guard number < 500_000_000 else { return nil }
        number += 1
        return number
    }
}

extension SignalProducer {
    /// Starts with the disposable available from the first event on.
    package func startDisposably(_ action: @escaping @Sendable (Event<Value, Failure>, any Disposable) -> Void) {
        startWithSignal { signal, disposable in
            signal.observe { action($0, disposable) }
            return
        }
    }
}

package let terminals: [Event<Int, TestError>] = [.completed, .error(.first), .interrupted]

/// A producer that only sends a terminal event.
package func ending(with terminal: Event<Int, TestError>) -> Numbers {
    Numbers { observer, _ in observer.send(terminal) }
}

/// Expects that a disposal sends one `interrupted`, then reaches `on(disposed:)`, then the work, whenever it occurs.
///
/// - Parameters:
///   - values: The events that the observer receives when the source sends 1.
///   - transform: An operator whose source runs once the result is started.
package func expectInterrupts<Value>(
    values: [String] = ["1"], sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Numbers) -> SignalProducer<Value, TestError>
) {
    let log = Log<String>()
    let inputs = Log<Signal<Int, TestError>.Observer>()
    let source = Numbers { observer, lifetime in
        inputs.append(observer)
        lifetime.observeEnded { log.append("attached first") }
        lifetime.observeEnded { log.append("attached last") }
        observer.sendNext(1)
    }
    let producer = transform(source.on(disposed: { log.append("upstream disposed") }))
        .on(disposed: { log.append("disposed") })
    let ended = ["interrupted", "disposed", "upstream disposed", "attached last", "attached first"]

    let disposable = producer.start { log.append($0.text) }
    expect(log.all, is: values, sourceLocation: sourceLocation)
    #expect(!disposable.isDisposed, sourceLocation: sourceLocation)
    disposable.dispose()
    disposable.dispose()
    #expect(disposable.isDisposed, sourceLocation: sourceLocation)
    for input in inputs.all {
        input.sendNext(2)
        input.sendError(.second)
        input.sendCompleted()
    }
    expect(log.all, is: values + ended, "from outside", sourceLocation: sourceLocation)

    log.removeAll()
    inputs.removeAll()
    guard values.count == 1 else { return }
    producer.startDisposably { event, disposable in
        log.append(event.text)
        disposable.dispose()
        if event.value != nil { log.append("returns") }
    }
    for input in inputs.all { input.sendNext(2) }
    expect(log.all, is: [values[0], "returns"] + ended, "from inside", sourceLocation: sourceLocation)
    inputs.removeAll()
}

/// Expects that a start that is disposed of before its work begins does not begin the work.
package func expectDoesNotBegin<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ transform: (Numbers) -> SignalProducer<Value, TestError>
) {
    let starts = Counter()
    let producer = transform(
        Numbers { _, _ in starts.increment() }.on(starting: { starts.increment() }))
    let log = producer.startWithSignal { signal, disposable in
        defer { disposable.dispose() }
        return signal.logged()
    }
    expect(log.all, is: ["interrupted"], sourceLocation: sourceLocation)
    expect(starts.value, is: 0, sourceLocation: sourceLocation)
}

/// Expects that an operator stops an endless synchronous source, from downstream and from another thread.
package func expectStops(
    computed: Int = 3, sourceLocation: SourceLocation = #_sourceLocation, _ transform: @escaping (Numbers) -> Numbers
) {
    let numbers = Endless()
    let log = transform(Numbers(numbers)).take(first: 3).logged()
    expect(log.count, is: 4, sourceLocation: sourceLocation)
    expect(log.all.last, is: "completed", sourceLocation: sourceLocation)
    expect(numbers.computed.value, is: computed, "take(first:)", sourceLocation: sourceLocation)

    let producer = transform(Numbers(Busy()))
    let begun = Latch("no value has come")
    let last = Locked("")
    let ends = Counter()
    let disposables = Log<any Disposable>()
    let thread = TestThread("endless") {
        let isFirst = OnceFlag()
        producer.startDisposably { event, disposable in
            if isFirst.raise() {
                disposables.append(disposable)
                begun.open()
            }
            last.withLock { $0 = event.text }
            if event.isTerminating { ends.increment() }
        }
    }
    begun.wait()
    disposables.all[0].dispose()
    thread.join()
    expect(last.withLock { $0 }, is: "interrupted", "from another thread", sourceLocation: sourceLocation)
    expect(ends.value, is: 1, sourceLocation: sourceLocation)
}

/// Expects that nothing is held once a start has ended or has been disposed of, even while its disposable is held.
///
/// - Parameter transform: An operator with a closure that holds the member.
package func expectReleases<Value, Failure>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ transform: (Numbers, Population.Member) -> SignalProducer<Value, Failure>
) {
    for terminal in terminals + [nil] {
        let observers = Population()
        let inputs = Log<Signal<Int, TestError>.Observer>()
        let operators = Population()
        let work = Population()
        let comment: Comment = "\(terminal?.text ?? "disposal")"
        var disposable: (any Disposable)?
        do {
            let source = Numbers { observer, lifetime in
                let member = work.member()
                lifetime.observeEnded { member.touch() }
                inputs.append(observer)
            }
            let member = observers.member()
            disposable = transform(source, operators.member()).start { _ in member.touch() }
        }
        expect(observers.alive, is: 1, comment, sourceLocation: sourceLocation)
        // Several times, for operators that start the source again.
        for _ in 0..<5 {
            let latest = inputs.all.last
            if let terminal { latest?.send(terminal) } else { disposable?.dispose() }
        }
        inputs.removeAll()
        disposable?.dispose()
        expect(disposable?.isDisposed, is: true, comment, sourceLocation: sourceLocation)
        expect(work.alive, is: 0, comment, sourceLocation: sourceLocation)
        expect(observers.alive, is: 0, comment, sourceLocation: sourceLocation)
        expect(operators.alive, is: 0, comment, sourceLocation: sourceLocation)
        disposable = nil
        expect(observers.alive, is: 0, "\(comment), released", sourceLocation: sourceLocation)
        expect(operators.alive, is: 0, "\(comment), released", sourceLocation: sourceLocation)
    }
}

/// A scheduler that runs each action on another thread before `schedule` returns.
package final class HastyScheduler: DelayScheduler {
    private let clock = TestScheduler()

    package init() {}

    package var now: TestScheduler.Instant { clock.now }

    package func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        TestThread("hasty") { CurrentScheduler.run(on: self, action) }.join()
        return nil
    }

    package func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }

    package func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }
}

/// A scheduler whose first timers fire on another thread before `schedule` returns. The others wait for ``fireAll()``.
package final class OvertakingScheduler: DelayScheduler {
    /// A timer that knows whether it has fired.
    package final class Timer: Disposable {
        private let action: Locked<(@Sendable () -> Void)?>

        package init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

        package var isDisposed: Bool { action.withLock { $0 == nil } }

        package func dispose() {
            let action = action.withLock { $0.take() }
            withExtendedLifetime(action) {}
        }

        package func fire() {
            let action = action.withLock { $0.take() }
            action?()
        }
    }

    package let timers = Log<Timer>()
    private let clock = TestScheduler()
    private let overtaken: Int
    private let whileScheduling: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - overtaken: How many timers fire before `schedule` returns.
    ///   - whileScheduling: Called with the number of the timer, before `schedule` returns the timer.
    package init(overtaken: Int, whileScheduling: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.overtaken = overtaken
        self.whileScheduling = whileScheduling
    }

    package var now: TestScheduler.Instant { clock.now }

    /// Timers that have neither fired nor been disposed of.
    package var pending: Int { timers.all.count { !$0.isDisposed } }

    package func fireAll() {
        for timer in timers.all { timer.fire() }
    }

    package func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        let timer = Timer(action)
        timers.append(timer)
        let number = timers.count
        if number <= overtaken { TestThread("timer \(number)") { timer.fire() }.join() }
        whileScheduling(number)
        return timer
    }

    package func schedule(
        after delay: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }

    package func schedule(
        after delay: Duration, interval: Duration, leeway: Duration, _ action: @escaping @Sendable () -> Void
    ) -> (any Disposable)? {
        schedule(action)
    }
}
