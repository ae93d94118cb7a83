// In optimized code, and where the stack can be measured.
#if canImport(Glibc) && !DEBUG
import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 10 of the design for every operator: the stack that a chain takes for each of its operators.
@Suite("Stack use of operators", .watched)
struct StackUseTests {
    @Test("10: a chain of 10,000 of an operator fits on the stack", .notUnderSanitizers)
    func operators() {
        for entry in Entry.table where !entry.isIdentity {
            let use = Phase.allCases.compactMap { Self.use(of: entry, $0) }.max() ?? 0
            #expect(use <= entry.operatorCount * Self.limit(of: entry), "\(entry) takes \(use) bytes of stack")
        }
    }

    @Test("10: so does a chain in which it alternates with another one", .notUnderSanitizers, arguments: others.indices)
    func alternating(_ index: Int) {
        // `repeatForever()` would repeat for ever what another operator completes.
        for entry in Entry.table
        where !entry.isIdentity && entry.applyCold != nil && entry.form != "SignalProducer.repeatForever()" {
            let use = Phase.allCases.compactMap { Self.use(of: entry, $0, and: Self.others[index]) }.max() ?? 0
            let limit = Self.goOn.contains(entry.form) ? Self.largeLimit : Self.limit(of: entry)
            #expect(use <= (entry.operatorCount + 1) * limit, "\(entry) and another take \(use) bytes of stack")
        }
    }

    private static let others: [@Sendable (Cold) -> Cold] = [
        { $0.concat(.empty) }, { $0.take(until: SignalProducer<Int, Never>.never) }, { $0.merge(with: .empty) },
        { $0.map { $0 } }, { $0.flatMap(.merge) { .init(value: $0) } },
    ]

    /// On 8 MiB.
    private static let (usualLimit, largeLimit) = ((8 << 20) / 10_000, (8 << 20) / 3_500)

    /// The bytes of stack that an operator may take.
    private static func limit(of entry: Entry) -> Int { large.contains(entry.form) ? largeLimit : usualLimit }

    /// Operators that go on after the source has begun. So others that are between them begin inside one another.
    private static let goOn: Set<String> = [
        "SignalProducer.tapped(by:)", "SignalProducer.replayLazily(upTo:)",
        // With `started`.
        "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
        // Of the parts of a partition, which share a start.
        "SignalProducer.merge(with:)",
    ]

    /// The operators of which 3,500 fit.
    private static let large: Set<String> = [
        // On a scheduler that runs its action at once, as in the table: the whole rest of the work is in that action.
        "SignalProducer.observe(on:)", "lazyMap(on:transform:)", "SignalProducer.lazyMap(on:transform:)",
        "Signal.throttle(while:on:)", "SignalProducer.throttle(while:on:)",
        // With gates, starts or signals for parts of the result.
        "Signal.expand(_:raising:_:)", "SignalProducer.expand(_:raising:_:)",
        "Signal.flatMap(_:_:)", "SignalProducer.flatMap(_:_:)",
        "Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)",
        "Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#2",
        "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)",
        "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#2",
        "Signal.groupBy(_:)", "SignalProducer.groupBy(_:)",
        "Signal.groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)",
        "SignalProducer.groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)",
        "SignalProducer.window(until:bufferLimit:whenFull:raising:)",
        "SignalProducer.window(every:on:bufferLimit:whenFull:raising:)",
        "SignalProducer.retry(when:)", "SignalProducer.retry(when:)#2",
        "SignalProducer.share(replay:while:)", "SignalProducer.cached(for:on:keepsErrors:)",
        "SignalProducer.cached(until:keepsErrors:)", "SingleFlight.producer(for:)",
        "SignalProducer.lift(_:)",
        // A tap surrounds what begins the source.
        "SignalProducer.logEvents(identifier:events:fileName:functionName:lineNumber:logger:)",
        "SignalProducer.logNext(fileName:functionName:lineNumber:logger:)",
        "SignalProducer.logError(fileName:functionName:lineNumber:logger:)",
        "SignalProducer.logCompleted(fileName:functionName:lineNumber:logger:)",
        "SignalProducer.logInterrupted(fileName:functionName:lineNumber:logger:)",
        "SignalProducer.logAll(fileName:functionName:lineNumber:logger:)",
    ]

    /// How a stream ends.
    private enum Phase: CaseIterable {
        /// Not at all.
        case start
        case completion, error, disposal, release
    }

    /// Returns the bytes that a chain takes for each application of an operator, and of the `other` one behind it. `nil`
    /// if its length makes it start its source, or send a value, several times.
    private static func use(of entry: Entry, _ phase: Phase, and other: (@Sendable (Cold) -> Cold)? = nil) -> Int? {
        // What is sent on another thread takes another stack.
        if entry.isAsynchronous, phase != .start, phase != .disposal { return nil }
        if (5...6).contains(where: { trial(of: entry, $0, phase, other).repetitions > 1 }) { return nil }
        let (short, long) = (trial(of: entry, 200, phase, other).use, trial(of: entry, 600, phase, other).use)
        return (long - short) / 400
    }

    private static func trial(
        of entry: Entry, _ length: Int, _ phase: Phase, _ other: (@Sendable (Cold) -> Cold)?
    ) -> (use: Int, repetitions: Int) {
        let result = Locked((use: 0, repetitions: 0))
        onThread(stackSize: 16 << 20) {
            guard let stack = OwnStack() else { return }
            let chain = TestedChain(entry, length, and: other)
            let use = [
                stack.use { chain.build() },
                stack.use { chain.start() },
                stack.use {
                    if phase != .start, !entry.isAsynchronous { chain.input.withLock { $0 }?.sendNext(1) }
                },
                stack.use {
                    switch phase {
                    case .start: break
                    case .completion: chain.input.withLock { $0 }?.sendCompleted()
                    case .error: chain.input.withLock { $0 }?.sendError(TestError())
                    case .disposal: chain.observation.withLock { $0 }?.dispose()
                    case .release: chain.releaseInput()
                    }
                },
                stack.use { chain.release() },
            ]
            result.withLock { $0 = (use.max() ?? 0, chain.repetitions) }
        }
        return result.withLock { $0 }
    }
}

extension Entry {
    /// The number of operators that the result is made of, as its name tells.
    fileprivate var operatorCount: Int {
        let probe = ProbeCounter().probe()
        let source = Numbers.pipe().0
        let name =
            if let applyCold { applyCold(Cold(source), probe).streamName } else { apply(source, probe).core.name }
        let before = applyCold == nil ? source.core.name : Cold(source).streamName
        // As in `[+merge: (pipe, [pipe] -map:)] -filter:`.
        func count(_ name: StreamName) -> Int {
            let name = name.description
            return name.split(separator: "] -").count + name.count { $0 == "+" }
        }
        return max(1, count(name) - count(before))
    }
}

/// A chain of one operator, or of two, applied again and again.
private final class TestedChain: Sendable {
    private let entry: Entry
    private let length: Int
    private let other: (@Sendable (Cold) -> Cold)?
    private let source: Numbers
    let input: Locked<Numbers.Observer?>
    let observation = Locked<(any Disposable)?>(nil)
    private let probe = ProbeCounter().probe()
    private let producer = Locked<Cold?>(nil)
    private let signal = Locked<Numbers?>(nil)
    private let starts = Locked(0)
    private let values = Locked(0)

    init(_ entry: Entry, _ length: Int, and other: (@Sendable (Cold) -> Cold)?) {
        self.entry = entry
        self.length = length
        self.other = other
        let (source, input) = Numbers.pipe()
        // Another signal, which is released with what is derived from it.
        self.source = source.map { $0 }
        self.input = Locked(input)
    }

    /// How often the source is started or observed, or how often its value arrives, whichever is more.
    var repetitions: Int { max(starts.withLock { $0 }, values.withLock { $0 }) }

    func build() {
        if let apply = entry.applyCold {
            let source = source
            var result = Cold.deferred { [starts] in
                starts.withLock { $0 += 1 }
                return source
            }
            for _ in 0..<length {
                result = apply(result, probe)
                if let other { result = other(result) }
            }
            producer.withLock { $0 = result }
        } else {
            var result = source
            for _ in 0..<length { result = entry.apply(result, probe) }
            signal.withLock { $0 = result }
        }
    }

    func start() {
        let count: @Sendable (Event<Int, TestError>) -> Void = { [values] event in
            if case .next = event { values.withLock { $0 += 1 } }
        }
        if let producer = producer.withLock({ $0.take() }) {
            let start = producer.start(count)
            observation.withLock { $0 = start }
        } else {
            let observation = signal.withLock { $0.take() }?.observe(count)
            self.observation.withLock { $0 = observation }
            let observers = source.core.observerCount
            starts.withLock { $0 = observers }
        }
    }

    func releaseInput() {
        let input = input.withLock { $0.take() }
        withExtendedLifetime(input) {}
    }

    func release() {
        let observation = observation.withLock { $0.take() }
        withExtendedLifetime(observation) {}
        releaseInput()
    }
}
#endif
