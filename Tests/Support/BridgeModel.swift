import HotSignals
package import ReactiveSignals
package import Testing

/// A value that is counted while it is alive.
package final class Parcel: Sendable {
    package let number: Int
    private let member: Population.Member

    package init(_ number: Int, _ population: Population) {
        self.number = number
        member = population.member()
    }
}

/// How a stream ended. An abandoned one was interrupted by the release of its input.
package enum Ending: String, Sendable, CaseIterable {
    case completed, failed, interrupted, abandoned
}

/// A stream of parcels and the way to consume it that is under test.
package struct Bridge<Failure: Error>: Sendable {
    /// May be called from several threads at the same time.
    package let send: @Sendable (Parcel) -> Void
    package let end: @Sendable (Ending) -> Void
    package let values: @Sendable (BufferingPolicy) -> AsyncValues<Parcel, Failure>
    package let events: (@Sendable (BufferingPolicy) -> AsyncEvents<Parcel, Failure>)?
    /// The ways in which the stream can end.
    package let endings: [Ending]

    package init(
        endings: [Ending], send: @escaping @Sendable (Parcel) -> Void, end: @escaping @Sendable (Ending) -> Void,
        values: @escaping @Sendable (BufferingPolicy) -> AsyncValues<Parcel, Failure>,
        events: (@Sendable (BufferingPolicy) -> AsyncEvents<Parcel, Failure>)? = nil
    ) {
        self.send = send
        self.end = end
        self.values = values
        self.events = events
        self.endings = endings
    }
}

/// What a consumer received.
private struct Received: Sendable {
    var numbers: [Int] = []
    /// Nil if `values` ended with nil, which does not tell how.
    var ending: Ending?
    /// Whether it received everything up to the end.
    var wentToTheEnd = false
}

/// How long a consumer keeps consuming.
private enum Patience {
    case untilTheEnd
    case forValues(Int)
    case untilCancelled(afterTurns: Int)
}

/// Checks one round of random interleavings: several threads send and one of them ends the stream, while a consumer on
/// its own thread takes everything, stops, or is cancelled. Compares what it received with what was sent.
///
/// - Parameter make: Creates a bridge. Logs each parcel that passes, in order, before the consumer can receive it.
package func checkRandomRound<Failure: Error>(
    seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (_ sent: Log<Int>, _ population: Population) -> Bridge<Failure>
) {
    var random = SplitMix64(seed: seed)
    let population = Population()
    let sent = Log<Int>()
    let room = random.number(in: 1...5)
    let policy = random.pick([BufferingPolicy.unbounded, .newest(room), .oldest(room)])
    let senders = random.number(in: 1...3)
    let count = random.number(in: 0...40)
    let patience = random.pick([
        Patience.untilTheEnd, .forValues(random.number(in: 0...20)),
        .untilCancelled(afterTurns: random.number(in: 0...3_000)),
    ])
    var received = Received()
    var dropped = 0
    var ending = Ending.completed
    do {
        let bridge = make(sent, population)
        ending = random.pick(bridge.endings)
        // The number of its values after which the first thread ends the stream. Other threads may send too late.
        let endsAfter = random.number(in: count / 2...count)
        let consumer = Consumer(bridge, policy, usesEvents: random.once(in: 2), patience)
        // Sometimes it is already suspended when the first value arrives.
        if random.once(in: 3) { consumer.executor.run() }
        onThreads(senders + 2, "seed \(seed)") { [ending] index in
            switch index {
            case senders: consumer.run()
            case senders + 1: consumer.cancelIfImpatient()
            default:
                for number in 0..<count {
                    if index == 0, number == endsAfter { bridge.end(ending) }
                    bridge.send(Parcel(index * 1_000 + number + 1, population))
                }
                if index == 0 { bridge.end(ending) }
            }
        }
        received = consumer.received
        dropped = consumer.droppedCount
    }
    let comment = Comment(
        rawValue:
            "seed \(seed), \(policy), \(patience), \(ending), dropped \(dropped), sent \(sent.all), got \(received)")
    #expect(population.alive == 0, comment, sourceLocation: sourceLocation)
    verify(received, sent.all, ending, policy, dropped, comment, sourceLocation)
}

private func verify(
    _ received: Received, _ sent: [Int], _ ending: Ending, _ policy: BufferingPolicy, _ dropped: Int,
    _ comment: Comment,
    _ sourceLocation: SourceLocation
) {
    let numbers = received.numbers
    #expect(Set(numbers).count == numbers.count, comment, sourceLocation: sourceLocation)
    switch policy {
    case .unbounded:
        #expect(numbers == Array(sent.prefix(numbers.count)), comment, sourceLocation: sourceLocation)
        #expect(dropped == 0, comment, sourceLocation: sourceLocation)
    case .suspending: preconditionFailure("nothing here can be suspended")
    case .newest(let room), .oldest(let room):
        // In order, but with gaps.
        var rest = sent[...]
        let isInOrder = numbers.allSatisfy { number in
            guard let index = rest.firstIndex(of: number) else { return false }
            rest = rest[(index + 1)...]
            return true
        }
        #expect(isInOrder, comment, sourceLocation: sourceLocation)
        guard received.wentToTheEnd else { break }
        if case .newest = policy {
            #expect(numbers.suffix(room) == sent.suffix(room), comment, sourceLocation: sourceLocation)
        } else {
            #expect(numbers.prefix(room) == sent.prefix(room), comment, sourceLocation: sourceLocation)
        }
    }
    guard received.wentToTheEnd else { return }
    #expect(numbers.count + dropped == sent.count, comment, sourceLocation: sourceLocation)
    // `values` reveals only whether the stream ended with an error.
    let end = ending == .abandoned ? .interrupted : ending
    let expected = received.ending == nil && end != .failed ? nil : end
    #expect(received.ending == expected, comment, sourceLocation: sourceLocation)
}

/// A task that consumes a bridge, and the executor of its jobs.
private final class Consumer<Failure: Error>: Sendable {
    let executor = HandDrivenExecutor()
    private let outcome = Locked(Received())
    private let isDone = DoneFlag()
    private let task: Locked<Task<Void, Never>?>
    private let patience: Patience
    private let countDrops: @Sendable () -> Int

    var received: Received { outcome.withLock { $0 } }
    var droppedCount: Int { countDrops() }

    init(_ bridge: Bridge<Failure>, _ policy: BufferingPolicy, usesEvents: Bool, _ patience: Patience) {
        self.patience = patience
        task = Locked(nil)
        let (outcome, isDone) = (outcome, isDone)
        let task: Task<Void, Never>
        if usesEvents, let events = bridge.events?(policy) {
            countDrops = { events.droppedCount }
            let iterator = events.makeAsyncIterator()
            task = Task(executorPreference: executor) {
                let received = await takeEvents(iterator, patience)
                outcome.withLock { $0 = received }
                isDone.raise()
            }
        } else {
            let values = bridge.values(policy)
            countDrops = { values.droppedCount }
            let iterator = values.makeAsyncIterator()
            task = Task(executorPreference: executor) {
                let received = await takeValues(iterator, patience)
                outcome.withLock { $0 = received }
                isDone.raise()
            }
        }
        self.task.withLock { $0 = task }
    }

    func run() {
        executor.run(until: isDone)
        // The task retains the iterator.
        let former = task.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }

    func cancelIfImpatient() {
        guard case .untilCancelled(let turns) = patience else { return }
        let counter = AtomicWord(0)
        for _ in 0..<turns { _ = counter.increment() }
        task.withLock { $0 }?.cancel()
    }
}

extension Patience {
    /// Whether a consumer that has received `count` values continues.
    fileprivate func lasts(for count: Int) -> Bool {
        if case .forValues(let limit) = self { count < limit } else { true }
    }
}

private nonisolated(nonsending) func takeValues<Failure: Error>(
    _ iterator: AsyncValues<Parcel, Failure>.Iterator, _ patience: Patience
) async -> Received {
    var iterator = iterator
    var received = Received()
    do {
        while patience.lasts(for: received.numbers.count) {
            guard let parcel = try await iterator.next(isolation: nil) else {
                received.wentToTheEnd = !Task.isCancelled
                break
            }
            received.numbers.append(parcel.number)
        }
    } catch {
        received.wentToTheEnd = true
        received.ending = .failed
    }
    if received.wentToTheEnd {
        let more = try? await iterator.next(isolation: nil)
        precondition(more == nil, "a value after the end")
    }
    return received
}

private nonisolated(nonsending) func takeEvents<Failure: Error>(
    _ iterator: AsyncEvents<Parcel, Failure>.Iterator, _ patience: Patience
) async -> Received {
    var iterator = iterator
    var received = Received()
    loop: while patience.lasts(for: received.numbers.count) {
        switch await iterator.next(isolation: nil) {
        case .next(let parcel): received.numbers.append(parcel.number)
        case .error: received.ending = .failed
        case .completed: received.ending = .completed
        case .interrupted: received.ending = .interrupted
        case nil: break loop
        }
        if received.ending != nil {
            received.wentToTheEnd = true
            let more = await iterator.next(isolation: nil)
            precondition(more == nil, "an event after the end")
            break
        }
    }
    return received
}
