// In optimized code, and where the stack can be measured.
#if canImport(Glibc) && !DEBUG
import HotSignals
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 10 of the design for every operator: the stack that a chain takes for each of its operators.
@Suite("Stack use of operators", .watched)
struct StackUseTests {
    @Test(
        "10: a chain of 2,000 of an operator fits on the stack, whatever the source", .notUnderSanitizers,
        arguments: Origin.allCases)
    fileprivate func operators(from origin: Origin) {
        for entry in Entry.table + Self.forms where !entry.isIdentity {
            if origin != .signal, entry.applyCold == nil || entry.isAsynchronous { continue }
            let use = origin.phases.compactMap { Self.use(of: entry, origin, $0) }.max() ?? 0
            #expect(use <= entry.operatorCount * Self.limit, "\(entry) takes \(use) bytes of stack")
        }
    }

    @Test(
        "10: a chain of 250 fits under a sanitizer", .enabled(if: Sanitizer.current != nil), arguments: Origin.allCases)
    fileprivate func underSanitizers(from origin: Origin) {
        for entry in Entry.table + Self.forms where !entry.isIdentity {
            if origin != .signal, entry.applyCold == nil || entry.isAsynchronous { continue }
            let length = 250 / entry.operatorCount
            for phase in origin.phases where Self.isCounted(entry, origin, phase, nil) {
                // A stack that is too small ends the process, and the sanitizer says so.
                onThread(stackSize: 8 << 20) {
                    TestedChain(entry, origin, phase, length, and: nil).perform { $0() }
                }
            }
        }
    }

    @Test("10: so does a chain in which it alternates with another one", .notUnderSanitizers, arguments: others.indices)
    func alternating(_ index: Int) {
        // `repeatForever()` would repeat for ever what another operator completes.
        for entry in Entry.table
        where !entry.isIdentity && entry.applyCold != nil && entry.form != "SignalProducer.repeatForever()" {
            let use = Phase.allCases.compactMap { Self.use(of: entry, .signal, $0, and: Self.others[index]) }.max() ?? 0
            #expect(use <= (entry.operatorCount + 1) * Self.limit, "\(entry) and another take \(use) bytes of stack")
        }
    }

    private static let others: [@Sendable (Cold) -> Cold] = [
        { $0.concat(.empty) }, { $0.take(until: .never) }, { $0.merge(with: .empty) }, { $0.map { $0 } },
        { $0.flatMap(.merge) { .init(value: $0) } },
    ]

    /// The bytes of stack that an operator may take: 2,000 fit on 8 MiB.
    private static let limit = (8 << 20) / 2_000

    /// Shared, because a stream that never ends keeps its clock, and the clock keeps the stream.
    private static let clock = TestScheduler()

    /// Forms that are not in the table, because there they would start the source several times: collections of one
    /// source, and inner streams that are sequences or have a start handler.
    private static let forms: [Entry] =
        [
            .cold("race of an array") { source, _ in .race([source, .never]) },
            .cold("merge of an array") { source, _ in .merge([source, .empty]) },
            .cold("concat of an array") { source, _ in .concat([source, .empty]) },
            .cold("concat of sequences") { source, _ in .concat([Cold([]), source, Cold([])]) },
            .cold("combineLatest of an array") { source, _ in Cold.combineLatest([source, Cold([1])]).map { $0[0] } },
            .cold("zip of an array") { source, _ in Cold.zip([source, Cold([1])]).map { $0[0] } },
            .cold("zip, bounded") { source, _ in
                source.zip(with: Cold([1, 1]), bufferLimit: 2, whenFull: .dropOldest).map { $0.0 }
            },
            .cold("forkJoin of an array") { source, _ in Cold.forkJoin([source]).map { $0[0] } },
            .cold("forkJoin of one at a time") { source, _ in
                Cold.forkJoin([source, Cold([1])], maxConcurrent: 1).map { $0[0] }
            },
            .cold("forkJoin of two types") { source, _ in
                SignalProducer.forkJoin(source, Cold([1])).map { $0.0 }
            },
            .cold("firstSuccess of an array") { source, _ in
                Cold.firstSuccess([source]).mapError { $0.errors.first ?? TestError() }
            },
            .cold("firstSuccess, staggered") { source, _ in
                Cold.firstSuccess([source, .never], staggeredBy: .seconds(1), on: clock)
                    .mapError { $0.errors.first ?? TestError() }
            },
            .cold("expand to nothing, in breadth") { source, _ in source.expand(.merge) { _ in .empty } },
            .cold("expand to nothing, in depth") { source, _ in source.expand(.concat) { _ in .empty } },
            .cold("expand to sequences") { source, _ in source.expand(.concurrent(limit: 2)) { _ in Cold([]) } },
            .cold("cached") { source, _ in source.cached(until: .never) },
            .cold("switchIfEmpty") { source, _ in source.switchIfEmpty(.never) },
            .cold("deferred") { source, _ in .deferred { source } },
            .cold("using") { source, _ in .using(resource: { 1 }, release: { _ in }, producer: { _ in source }) },
            .cold("multicast") { source, _ in source.multicast().autoconnect() },
        ]
        + FlattenStrategy.all.flatMap { strategy -> [Entry] in
            [
                .cold("flatMap, \(strategy) of sequences") { source, _ in source.flatMap(strategy) { Cold([$0]) } },
                .cold("flatMap, \(strategy) of start handlers") { source, _ in
                    source.flatMap(strategy) { value in
                        Cold { observer, _ in
                            observer.sendNext(value)
                            observer.sendCompleted()
                        }
                    }
                },
                .cold("flatten, \(strategy) of an array") { source, _ in
                    SignalProducer<Cold, TestError>([source]).flatten(strategy)
                },
            ]
        }

    /// What a chain begins with.
    fileprivate enum Origin: CaseIterable {
        case signal
        /// A start handler that sends its value, and ends, before it returns.
        case handler
        case value, sequence

        var phases: [Phase] {
            switch self {
            case .signal, .handler: Phase.allCases
            case .value, .sequence: [.completion]
            }
        }
    }

    /// How a stream ends.
    fileprivate enum Phase: CaseIterable {
        /// Not at all.
        case start
        case completion, error, disposal, release
    }

    /// Returns the bytes that a chain takes for each application of an operator, and of the `other` one behind it.
    /// `nil` if its length makes it start its source, or send a value, several times.
    private static func use(
        of entry: Entry, _ origin: Origin, _ phase: Phase, and other: (@Sendable (Cold) -> Cold)? = nil
    ) -> Int? {
        if !isCounted(entry, origin, phase, other) { return nil }
        let (short, long) = (
            use(of: entry, origin, 200, phase, other), use(of: entry, origin, 600, phase, other)
        )
        return (long - short) / 400
    }

    private static func isCounted(
        _ entry: Entry, _ origin: Origin, _ phase: Phase, _ other: (@Sendable (Cold) -> Cold)?
    ) -> Bool {
        // What is sent on another thread takes another stack.
        if entry.isAsynchronous, phase != .start, phase != .disposal { return false }
        // The starts of a value or of a sequence are not counted: a start handler tells.
        let counted = origin == .signal ? origin : .handler
        return (5...6).allSatisfy { length in
            let chain = TestedChain(entry, counted, phase, length, and: other)
            onThread(stackSize: 16 << 20) { chain.perform { $0() } }
            return chain.repetitions <= 1
        }
    }

    private static func use(
        of entry: Entry, _ origin: Origin, _ length: Int, _ phase: Phase, _ other: (@Sendable (Cold) -> Cold)?
    ) -> Int {
        let result = Locked(0)
        onThread(stackSize: 16 << 20) {
            guard let stack = OwnStack() else { return }
            let chain = TestedChain(entry, origin, phase, length, and: other)
            var use = 0
            chain.perform { step in use = max(use, stack.use(by: step)) }
            result.withLock { $0 = use }
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
    private let origin: StackUseTests.Origin
    private let phase: StackUseTests.Phase
    private let length: Int
    private let other: (@Sendable (Cold) -> Cold)?
    private let source: Numbers
    private let input: Locked<Numbers.Observer?>
    private let observation = Locked<(any Disposable)?>(nil)
    private let probe = ProbeCounter().probe()
    private let producer = Locked<Cold?>(nil)
    private let signal = Locked<Numbers?>(nil)
    private let starts = Locked(0)
    private let values = Locked(0)

    init(
        _ entry: Entry, _ origin: StackUseTests.Origin, _ phase: StackUseTests.Phase, _ length: Int,
        and other: (@Sendable (Cold) -> Cold)?
    ) {
        self.entry = entry
        self.origin = origin
        self.phase = phase
        self.length = length
        self.other = other
        let (source, input) = Numbers.pipe()
        // Another signal, which is released with what is derived from it.
        self.source = source.map { $0 }
        self.input = Locked(input)
    }

    /// How often the source is started or observed, or how often its value arrives, whichever is more.
    var repetitions: Int { max(starts.withLock { $0 }, values.withLock { $0 }) }

    /// Builds, starts, uses and releases the chain. Calls `run` for each step, which calls its argument.
    func perform(_ run: (() -> Void) -> Void) {
        run { build() }
        run { start() }
        run {
            if origin == .signal, phase != .start, !entry.isAsynchronous { input.withLock { $0 }?.sendNext(1) }
        }
        run {
            switch phase {
            case .start: break
            case .completion: input.withLock { $0 }?.sendCompleted()
            case .error: input.withLock { $0 }?.sendError(TestError())
            case .disposal: observation.withLock { $0 }?.dispose()
            case .release: releaseInput()
            }
        }
        run { release() }
    }

    private func build() {
        if let apply = entry.applyCold {
            var result = makeSource()
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

    private func makeSource() -> Cold {
        switch origin {
        case .signal:
            Cold.deferred { [starts, source] in
                starts.withLock { $0 += 1 }
                return source
            }
        case .handler:
            Cold { [starts, input, phase] observer, _ in
                let isFirst = starts.withLock { starts in
                    starts += 1
                    return starts == 1
                }
                guard isFirst else { return observer.sendInterrupted() }
                observer.sendNext(1)
                switch phase {
                case .completion: observer.sendCompleted()
                case .error: observer.sendError(TestError())
                case .start, .disposal, .release: input.withLock { $0 = observer }
                }
            }
        case .value: Cold(value: 1)
        case .sequence: Cold([1])
        }
    }

    private func start() {
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

    private func releaseInput() {
        let input = input.withLock { $0.take() }
        withExtendedLifetime(input) {}
    }

    private func release() {
        let observation = observation.withLock { $0.take() }
        withExtendedLifetime(observation) {}
        releaseInput()
    }
}
#endif
