import ColdProducers
import HotSignals
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport

// The operators in the module of producers. An operator on producers also acts as one on signals: it is applied to the
// source's producer, and its result is the signal of a start. Observers miss events sent during the start.

typealias Cold = SignalProducer<Int, TestError>
private typealias Safe = SignalProducer<Int, Never>

extension SignalProducer where Value == Int, Failure == TestError {
    /// The signal of a new start.
    fileprivate var hot: Numbers { startWithSignal { signal, _ in signal } }
}

extension Signal where Value == Int, Failure == TestError {
    /// The same signal without errors: errors and completions become a value and a completion.
    fileprivate var safe: Signal<Int, Never> { materialize().map { $0.value ?? -1 } }
}

extension SignalProducer where Value == Int, Failure == TestError {
    fileprivate var safe: Safe { materialize().map { $0.value ?? -1 } }
}

extension FlattenStrategy {
    static let all: [FlattenStrategy] = [
        .merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle, .concurrent(limit: 2, ordered: true),
        .concat(waiting: 1_000_000, whenFull: .dropNewest),
    ]
}

extension Entry {
    /// An operator on producers.
    ///
    /// - Parameter apply: Applies the operator. Its result is started once.
    static func cold(
        _ form: String, _ variant: String = "", transparent: Bool = false, asynchronous: Bool = false,
        completion: Event<Int, TestError> = .completed, interruption: Event<Int, TestError> = .interrupted,
        error: Event<Int, TestError> = .error(TestError()),
        limit: Int? = nil, terminalsSeen: Set<Terminal> = [], failsAtFour: Bool = false, maySendNothing: Bool = false,
        mayCoalesce: Bool = false, isIdentity: Bool = false, isAnonymous: Bool = false,
        _ apply: @escaping @Sendable (Cold, Probe) -> Cold
    ) -> Entry {
        Entry(
            form, variant, transparent: transparent, asynchronous: asynchronous, completion: completion,
            interruption: interruption, error: error, limit: limit, terminalsSeen: terminalsSeen,
            failsAtFour: failsAtFour, maySendNothing: maySendNothing, mayCoalesce: mayCoalesce, isIdentity: isIdentity,
            isAnonymous: isAnonymous, cold: apply
        ) { source, probe in apply(source.producer, probe).hot }
    }

    static let producers = transforming + selecting + timed + succeeding + joining + sharing + flattening

    /// Sources, which have no input, and operators that need a source made of async code: see `SourceTests`.
    static let sources: Set<String> = [
        "SignalProducer.attempt(_:)#5", "SignalProducer.attempt(_:)#6",
        "SignalProducer.timer(interval:on:leeway:)", "SignalProducer.timer(after:on:)",
        "SignalProducer.interval(_:_:on:)", "SignalProducer.interval(_:on:)", "MemoizedSequence.producer(on:)",
        "SignalProducer.unixSignal(_:)", "SignalProducer.unixSignal(_:)#2", "SignalProducer.processExit(pid:)",
        "SignalProducer.readable(fileDescriptor:)", "SignalProducer.writable(fileDescriptor:)",
        "SignalProducer.async(priority:_:)", "SignalProducer.async(priority:_:)#2",
        "SignalProducer.buffer(upTo:whenFull:on:)", "SignalProducer.zip(with:bufferLimit:whenFull:)",
        "SignalProducer.mapAsync(maxConcurrent:ordered:_:)",
        "SignalProducer.flatMap(_:_:)#2", "SignalProducer.flatMap(_:_:)#3", "SignalProducer.flatMap(_:_:)#4",
        "SignalProducer.flatten(_:)", "SignalProducer.flatten(_:)#2", "SignalProducer.flatten(_:)#3",
        "SignalProducer.unfold(_:_:)", "SignalProducer.unfold(_:_:)#2", "SignalProducer.unfold(_:async:)",
        "SignalProducer.unfold(_:async:)#2",
        "SignalProducer.replaying(contentsOf:as:stream:)", "SignalProducer.replaying(contentsOf:as:stream:speed:on:)",
        "SignalProducer.replaying(contentsOf:as:failingWith:stream:)",
        "SignalProducer.replaying(contentsOf:as:failingWith:stream:speed:on:)",
    ]

    private static func logging(to probe: Probe) -> EventLogger {
        { _, event, _, _, _ in _ = probe.see(event) }
    }

    private static let endless = Lifetime.Token()

    private static let transforming: [Entry] = [
        .cold("SignalProducer.waitingForWork()", transparent: true) { source, _ in source.producer.waitingForWork() },
        .cold("SignalProducer.uninterruptible()", transparent: true) { source, _ in source.producer.uninterruptible() },
        .cold("SignalProducer.map(_:)", transparent: true) { source, w in source.producer.map { w.see($0) } },
        .cold("SignalProducer.map(_:)#2", transparent: true) { source, _ in
            let path: any KeyPath<Int, Int> & Sendable = \.self
            return source.producer.map(path)
        },
        .cold("SignalProducer.map(_:)", "filter, scan and map", transparent: true) { source, w in
            source.producer.map { w.see($0) }.filter { _ in true }.scan(into: 0) { $0 = $1 }.map { $0 }
        },
        .cold("SignalProducer.mapAsync(maxConcurrent:ordered:_:)", asynchronous: true) { source, w in
            source.producer.mapAsync(maxConcurrent: 3) { (value) async throws(TestError) in w.see(value) }
                .withTasksOnDispatch
        },
        .cold("SignalProducer.mapReplace(_:)") { source, _ in source.producer.mapReplace(7) },
        .cold("SignalProducer.compactMap(_:)", "odd numbers") { source, w in
            source.producer.compactMap { w.see($0 % 2 == 0 ? nil : $0) }
        },
        .cold("SignalProducer.skipNil()", transparent: true) { source, w in
            source.producer.map { w.see(Optional($0)) }.skipNil()
        },
        .cold("SignalProducer.scan(_:_:)") { source, w in source.producer.scan(0) { w.see($0 &+ $1) } },
        .cold("SignalProducer.scan(into:_:)", transparent: true) { source, w in
            source.producer.scan(into: 0) { $0 = w.see($1) }
        },
        .cold("SignalProducer.scanMap(_:_:)") { source, w in
            source.producer.scanMap(0) { (w.see($0 &+ $1), $0) }
        },
        .cold("SignalProducer.scanMap(into:_:)", transparent: true) { source, w in
            source.producer.scanMap(into: 0) {
                $0 = w.see($1)
                return $0
            }
        },
        .cold("SignalProducer.reduce(_:_:)") { source, w in source.producer.reduce(0) { w.see($0 &+ $1) } },
        .cold("SignalProducer.reduce(into:_:)") { source, w in
            source.producer.reduce(into: 0) { $0 = w.see($1) }
        },
        .cold("SignalProducer.combinePrevious(_:)", transparent: true) { source, _ in
            source.producer.combinePrevious(0).map { $0.1 }
        },
        .cold("SignalProducer.combinePrevious()") { source, _ in
            source.producer.combinePrevious().map { $0.1 }
        },
        .cold("SignalProducer.collect()") { source, _ in source.producer.collect().map(\.count) },
        .cold("SignalProducer.collect(count:)", "3") { source, _ in
            source.producer.collect(count: 3).map(\.count)
        },
        .cold("SignalProducer.collect(_:)", "ended after") { source, w in
            source.producer.collect { w.see($0.count == 3) }.map(\.count)
        },
        .cold("SignalProducer.collect(_:)#2", "ended before") { source, w in
            source.producer.collect { values, _ in w.see(values.count == 3) }.map(\.count)
        },
        .cold("SignalProducer.flatten()", "two each") { source, w in
            source.producer.map { [w.see($0), $0] }.flatten()
        },
        .cold("SignalProducer.materialize()", error: .completed) { source, _ in
            source.producer.materialize().map { $0.value ?? -1 }.promoteError(TestError.self)
        },
        .cold("SignalProducer.dematerialize()", transparent: true) { source, _ in
            source.producer.materialize().dematerialize()
        },
        .cold("SignalProducer.materializeResults()", error: .completed) { source, _ in
            source.producer.materializeResults().map { (try? $0.get()) ?? -1 }.promoteError(TestError.self)
        },
        .cold("SignalProducer.dematerializeResults()", transparent: true) { source, _ in
            source.producer.materializeResults().dematerializeResults()
        },
        .cold("SignalProducer.mapError(_:)", transparent: true, terminalsSeen: [.error]) { source, w in
            source.producer.mapError { w.see($0) }
        },
        .cold("SignalProducer.promoteError(_:)", "to its own", transparent: true, isIdentity: true) { source, _ in
            source.producer.promoteError(TestError.self)
        },
        .cold("SignalProducer.promoteError(_:)#2", "from none", error: .completed) { source, _ in
            source.safe.producer.promoteError(TestError.self)
        },
        .cold("SignalProducer.promoteError(_:)#3", "from none to none", error: .completed) { source, _ in
            source.safe.producer.promoteError(Never.self).promoteError(TestError.self)
        },
        .cold("SignalProducer.attempt(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.producer.attempt { (value) throws(TestError) in
                if w.see(value) == 4 { throw TestError() }
            }
        },
        .cold("SignalProducer.attempt(_:)#2", "result", transparent: true) { source, w in
            source.producer.attempt { value in
                _ = w.see(value)
                return .success(())
            }
        },
        .cold("SignalProducer.attempt(_:)#3", "from none", error: .completed) { source, w in
            source.safe.producer.attempt { (value) throws(TestError) in if value != Self.end { _ = w.see(value) } }
        },
        .cold("SignalProducer.attempt(_:)#4", "result, from none", error: .completed) { source, w in
            source.safe.producer.attempt { value -> Result<Void, TestError> in
                if value != Self.end { _ = w.see(value) }
                return .success(())
            }
        },
        .cold("SignalProducer.attemptMap(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.producer.attemptMap { (value) throws(TestError) in
                guard w.see(value) != 4 else { throw TestError() }
                return value
            }
        },
        .cold("SignalProducer.attemptMap(_:)#2", "result", transparent: true) { source, w in
            source.producer.attemptMap { .success(w.see($0)) }
        },
        .cold("SignalProducer.attemptMap(_:)#3", "from none", error: .completed) { source, w in
            source.safe.producer.attemptMap { (value) throws(TestError) in value == Self.end ? value : w.see(value) }
        },
        .cold("SignalProducer.attemptMap(_:)#4", "result, from none", error: .completed) { source, w in
            source.safe.producer.attemptMap { Result<Int, TestError>.success($0 == Self.end ? $0 : w.see($0)) }
        },
        .cold("SignalProducer.allSatisfy(_:)", "less than 4") { source, w in
            source.producer.allSatisfy { w.see($0 < 4) }.map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.contains(where:)", "4") { source, w in
            source.producer.contains { w.see($0 == 4) }.map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.count()") { source, _ in source.producer.count() },
        .cold("SignalProducer.min()") { source, _ in source.producer.min() },
        .cold("SignalProducer.min(by:)") { source, w in source.producer.min { w.see($0 < $1) } },
        .cold("SignalProducer.max()") { source, _ in source.producer.max() },
        .cold("SignalProducer.max(by:)") { source, w in source.producer.max { w.see($0 < $1) } },
        .cold("SignalProducer.last(where:)") { source, w in source.producer.last { w.see($0 < 4) } },
        .cold("SignalProducer.exactlyOne(orError:)", "of one") { source, _ in
            source.producer.count().exactlyOne(orError: TestError())
        },
        .cold("SignalProducer.exactlyOne(orError:)#2", "from none", error: .completed) { source, _ in
            source.safe.producer.count().exactlyOne(orError: TestError())
        },
        .cold("SignalProducer.slidingWindow(_:)", "2") { source, _ in
            source.producer.slidingWindow(2).map { $0.reduce(0, &+) }
        },
        .cold("SignalProducer.slidingWindow(upTo:)", "2") { source, _ in
            source.producer.slidingWindow(upTo: 2).map { $0.reduce(0, &+) }
        },
        .cold("SignalProducer.ignoreErrors(complete:)", "completes", transparent: true, error: .completed) {
            source, _ in source.producer.ignoreErrors().promoteError(TestError.self)
        },
        .cold("SignalProducer.ignoreErrors(complete:)", "interrupts", transparent: true, error: .interrupted) {
            source, _ in source.producer.ignoreErrors(complete: false).promoteError(TestError.self)
        },
        .cold("SignalProducer.negate()") { source, w in
            source.producer.map { w.see($0 > 2) }.negate().map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.groupBy(_:)", "flattened", transparent: true) { source, w in
            source.producer.groupBy { w.see($0) % 2 }.flatten(.merge)
        },
        Entry("Signal.groupBy(_:)", "flattened", transparent: true) { source, w in
            source.groupBy { w.see($0) % 2 }.flatten(.merge)
        },
        .cold(
            "SignalProducer.groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)", "flattened", transparent: true
        ) { source, w in
            source.producer.groupBy(
                { w.see($0) % 2 }, bufferLimit: 1, idle: .seconds(1), maxKeys: 2, whenFull: .dropOldest,
                on: TestScheduler()
            ).flatten(.merge)
        },
        Entry("Signal.groupBy(_:bufferLimit:idle:maxKeys:whenFull:raising:on:)", "flattened", transparent: true) {
            source, w in
            source.groupBy(
                { w.see($0) % 2 }, bufferLimit: 1, idle: .seconds(1), maxKeys: 2, whenFull: .dropOldest,
                on: TestScheduler()
            ).flatten(.merge)
        },
        .cold("SignalProducer.window(count:)", "flattened", transparent: true) { source, w in
            source.producer.map { w.see($0) }.window(count: 2).flatten(.merge)
        },
        Entry("Signal.window(count:)", "flattened", transparent: true) { source, w in
            source.map { w.see($0) }.window(count: 2).flatten(.merge)
        },
        .cold("SignalProducer.window(until:bufferLimit:whenFull:raising:)", "flattened", transparent: true) {
            source, w in
            source.producer.map { w.see($0) }.window(until: Safe.never, bufferLimit: 2, whenFull: .dropOldest)
                .flatten(.merge)
        },
        Entry("Signal.window(until:bufferLimit:whenFull:raising:)", "flattened", transparent: true) { source, w in
            source.map { w.see($0) }
                .window(until: Signal<Int, Never>.never, bufferLimit: 2, whenFull: .dropOldest).flatten(.merge)
        },
        .cold("SignalProducer.window(every:on:bufferLimit:whenFull:raising:)", "flattened", transparent: true) {
            source, w in
            source.producer.map { w.see($0) }
                .window(every: .seconds(1), on: TestScheduler(), bufferLimit: 2, whenFull: .dropOldest).flatten(.merge)
        },
        Entry("Signal.window(every:on:bufferLimit:whenFull:raising:)", "flattened", transparent: true) { source, w in
            source.map { w.see($0) }
                .window(every: .seconds(1), on: TestScheduler(), bufferLimit: 2, whenFull: .dropOldest).flatten(.merge)
        },
        .cold("SignalProducer.applying(_:named:argument:)", transparent: true) { source, w in
            source.producer.applying(ProbedOperator(probe: w))
        },
        .cold("SignalProducer.named(_:)", transparent: true) { source, _ in source.producer.named("a name") },
        .cold("SignalProducer.lift(_:)", transparent: true) { source, w in
            source.producer.lift { $0.map { w.see($0) } }
        },
    ]

    private static let selecting: [Entry] = [
        .cold("SignalProducer.filter(_:)", "even numbers") { source, w in
            source.producer.filter { w.see($0 % 2 == 0) }
        },
        .cold("SignalProducer.ignoreValues()", maySendNothing: true) { source, _ in
            source.producer.ignoreValues().promoteValue(Int.self)
        },
        .cold("SignalProducer.promoteValue(_:)", maySendNothing: true) { source, _ in
            source.producer.ignoreValues().promoteValue()
        },
        .cold("SignalProducer.take(first:)", "all", transparent: true) { source, _ in
            source.producer.take(first: .max)
        },
        .cold("SignalProducer.take(first:)", "3", limit: 3) { source, _ in source.producer.take(first: 3) },
        .cold("SignalProducer.first(where:)", "3", limit: 3) { source, w in source.producer.first { w.see($0 == 3) } },
        .cold("SignalProducer.element(at:)", "2", limit: 3) { source, _ in source.producer.element(at: 2) },
        .cold("SignalProducer.take(last:)", "2") { source, _ in source.producer.take(last: 2) },
        .cold("SignalProducer.take(while:)", "less than 4") { source, w in
            source.producer.take(while: { w.see($0 < 4) })
        },
        .cold("SignalProducer.take(throughWhile:)", "less than 4") { source, w in
            source.producer.take(throughWhile: { w.see($0 < 4) })
        },
        .cold("SignalProducer.take(until:)", "that never fires", transparent: true) { source, _ in
            source.producer.take(until: Safe.never)
        },
        .cold("SignalProducer.take(untilReplacement:)", "itself", transparent: true) { source, w in
            source.producer.take(untilReplacement: source.producer.map { w.see($0) })
        },
        .cold("SignalProducer.take(during:)", transparent: true) { source, _ in
            source.producer.take(during: Lifetime(endless))
        },
        .cold("SignalProducer.skip(first:)", "2") { source, _ in source.producer.skip(first: 2) },
        .cold("SignalProducer.skip(while:)", "less than 3") { source, w in
            source.producer.skip(while: { w.see($0 < 3) })
        },
        .cold("SignalProducer.skip(until:)", "its first event", transparent: true) { source, _ in
            source.producer.skip(until: source.producer.materialize())
        },
        Entry("SignalProducer.skip(until:)", "the first event of the signal", transparent: true) { source, _ in
            source.producer.skip(until: source.materialize()).hot
        },
        .cold("SignalProducer.skipRepeats()") { source, _ in source.producer.skipRepeats() },
        .cold("SignalProducer.skipRepeats(_:)", transparent: true) { source, w in
            source.producer.skipRepeats { _, _ in w.see(false) }
        },
        .cold("SignalProducer.uniqueValues()") { source, _ in source.producer.uniqueValues() },
        .cold("SignalProducer.uniqueValues(_:)") { source, w in
            source.producer.uniqueValues { w.see($0 / 2) }
        },
        .cold("SignalProducer.uniqueValues(capacity:)") { source, _ in
            source.producer.uniqueValues(capacity: 2)
        },
        .cold("SignalProducer.uniqueValues(capacity:_:)") { source, w in
            source.producer.uniqueValues(capacity: 3) { w.see($0) }
        },
        .cold(
            "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
            transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in
            source.producer.on(
                event: { _ in w.see(()) }, next: { _ in w.see(()) }, error: { _ in w.see(()) },
                completed: { w.see(()) }, interrupted: { w.see(()) }, terminated: { w.see(()) }
            )
        },
        .cold(
            "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
            "disposed", transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.on(next: { _ in w.see(()) }, disposed: { w.see(()) }) },
        .cold(
            "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
            "started", transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.on(starting: {}, started: {}, event: { _ in w.see(()) }) },
        .cold(
            "SignalProducer.tapped(by:)", transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.tapped(by: ProbeTap(probe: w)) },
        .cold("SignalProducer.recordEvents(to:)", transparent: true) { source, _ in
            source.producer.recordEvents(to: .off)
        },
        .cold("SignalProducer.recordEvents(to:)", "while it is on", transparent: true) { source, _ in
            source.producer.recordEvents(to: .on)
        },
        .cold(
            "SignalProducer.breakpoint(next:error:completed:interrupted:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in
            source.producer.breakpoint(
                next: { _ in w.see(false) }, error: { _ in w.see(false) }, completed: { w.see(false) },
                interrupted: { w.see(false) })
        },
        .cold(
            "SignalProducer.logEvents(identifier:events:fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in
            source.producer.logEvents(
                events: [.next, .error, .completed, .interrupted, .disposed], logger: logging(to: w)
            )
        },
        .cold("SignalProducer.logNext(fileName:functionName:lineNumber:logger:)", transparent: true) { source, w in
            source.producer.logNext(logger: logging(to: w))
        },
        .cold(
            "SignalProducer.logError(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.error]
        ) { source, w in source.producer.logError(logger: logging(to: w)) },
        .cold(
            "SignalProducer.logCompleted(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.completed]
        ) { source, w in source.producer.logCompleted(logger: logging(to: w)) },
        .cold(
            "SignalProducer.logInterrupted(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.interrupted]
        ) { source, w in source.producer.logInterrupted(logger: logging(to: w)) },
        .cold(
            "SignalProducer.logAll(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.logAll(logger: logging(to: w)) },
    ]

    private static let timed: [Entry] = [
        .cold("SignalProducer.observe(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.producer.observe(on: ImmediateScheduler())
        },
        .cold("SignalProducer.observe(on:)", "QueueScheduler", transparent: true, asynchronous: true) { source, _ in
            source.producer.observe(on: QueueScheduler())
        },
        .cold("SignalProducer.start(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.producer.start(on: ImmediateScheduler())
        },
        .cold("SignalProducer.timeout(after:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(after: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.timeout(after:raising:on:)#2", "of one that cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.timeout(after: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.delay(_:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.producer.delay(.zero, on: QueueScheduler())
        },
        .cold("SignalProducer.delay(on:by:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.producer.delay(on: QueueScheduler()) { _ in .zero }
        },
        .cold(
            "SignalProducer.throttle(_:on:latest:discardWhenCompleted:onDropped:)", asynchronous: true,
            maySendNothing: true
        ) { source, _ in source.producer.throttle(.zero, on: QueueScheduler()) { _ in } },
        .cold("SignalProducer.throttle(_:on:latest:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) {
            source, _ in
            source.producer.throttle(.zero, on: QueueScheduler())
        },
        .cold("SignalProducer.buffer(upTo:whenFull:raising:on:)", asynchronous: true, maySendNothing: true) {
            source, _ in
            source.producer.buffer(upTo: 1_000, whenFull: .dropOldest, on: QueueScheduler())
        },
        .cold("SignalProducer.buffer(upTo:whenFull:raising:on:onDropped:)", asynchronous: true, maySendNothing: true) {
            source, _ in
            source.producer.buffer(upTo: 1_000, whenFull: .dropOldest, on: QueueScheduler()) { _ in }
        },
        .cold("SignalProducer.pace(every:on:buffer:whenFull:raising:)", asynchronous: true, maySendNothing: true) {
            source, _ in
            source.producer.pace(every: .nanoseconds(1), on: QueueScheduler(), buffer: 1_000, whenFull: .dropOldest)
        },
        .cold(
            "SignalProducer.rateLimit(_:per:burst:buffer:whenFull:raising:on:)", asynchronous: true,
            maySendNothing: true
        ) { source, _ in
            source.producer.rateLimit(
                1_000, per: .nanoseconds(1), buffer: 1_000, whenFull: .dropOldest, on: QueueScheduler())
        },
        .cold("SignalProducer.collect(every:upTo:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.producer.collect(every: .seconds(1), upTo: 1, on: QueueScheduler()).map { $0[0] }
        },
        .cold("SignalProducer.slidingWindow(for:on:)", transparent: true) { source, _ in
            // Ten values per window: a clock that stands still would copy all values for each value.
            let clock = ScriptedClock()
            return source.producer.slidingWindow(for: .seconds(1), on: clock).map {
                clock.tick(.milliseconds(100))
                return $0[$0.count - 1]
            }
        },
        .cold("SignalProducer.take(for:on:)", "that is not over", transparent: true) { source, _ in
            source.producer.take(for: .seconds(1), on: TestScheduler())
        },
        .cold("SignalProducer.skip(for:on:)", "that is over", transparent: true) { source, _ in
            source.producer.skip(for: .zero, on: TestScheduler())
        },
        .cold("SignalProducer.timestamped(on:)", transparent: true) { source, _ in
            source.producer.timestamped(on: TestScheduler()).map(\.value)
        },
        .cold("SignalProducer.timeInterval(on:)", transparent: true) { source, _ in
            source.producer.timeInterval(on: TestScheduler()).map(\.value)
        },
        .cold("SignalProducer.heartbeat(every:on:_:)", "of one that is never silent", transparent: true) { source, _ in
            source.producer.heartbeat(every: .seconds(1), on: TestScheduler()) { 0 }
        },
        .cold("SignalProducer.onIdle(_:on:_:)", transparent: true) { source, _ in
            source.producer.onIdle(.seconds(1), on: TestScheduler()) { _ in }
        },
        .cold("SignalProducer.delayStart(_:on:)", "HastyScheduler", transparent: true) { source, _ in
            source.producer.delayStart(.seconds(1), on: HastyScheduler())
        },
        .cold("SignalProducer.timeout(between:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(between: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.timeout(between:raising:on:)#2", "of one that cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.timeout(between: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.timeout(afterFirst:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(afterFirst: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.timeout(afterFirst:raising:on:)#2", "of one that cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.timeout(afterFirst: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        .cold("SignalProducer.timeout(after:switchingTo:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(after: .seconds(1), switchingTo: .empty, on: TestScheduler())
        },
        .cold("SignalProducer.timeout(between:switchingTo:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(between: .seconds(1), switchingTo: .empty, on: TestScheduler())
        },
        .cold("SignalProducer.debounce(on:discardWhenCompleted:by:)", asynchronous: true, maySendNothing: true) {
            source, _ in source.producer.debounce(on: QueueScheduler()) { _ in .zero }
        },
        .cold("SignalProducer.debounce(_:on:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) {
            source, _ in source.producer.debounce(.zero, on: QueueScheduler())
        },
        .cold("SignalProducer.settle(for:atMost:on:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) {
            source, _ in source.producer.settle(for: .zero, atMost: .zero, on: QueueScheduler())
        },
        .cold(
            "SignalProducer.collect(every:on:skipEmpty:discardWhenCompleted:)", asynchronous: true,
            maySendNothing: true
        ) { source, _ in
            source.producer.collect(every: .milliseconds(1), on: QueueScheduler(), skipEmpty: true).map(\.count)
        },
        .cold("SignalProducer.lazyMap(on:transform:)", "ImmediateScheduler") { source, w in
            source.producer.lazyMap(on: ImmediateScheduler()) { w.see($0) }
        },
        .cold("SignalProducer.lazyMap(on:transform:)", "QueueScheduler", asynchronous: true, mayCoalesce: true) {
            source, w in source.producer.lazyMap(on: QueueScheduler()) { w.see($0) }
        },
    ]

    /// When these start their source again, the signal has already ended, which interrupts.
    private static let succeeding: [Entry] = [
        .cold("SignalProducer.concat(value:)", interruption: .completed) { source, _ in
            source.producer.concat(value: 9)
        },
        .cold(
            "SignalProducer.concat(error:)", completion: .error(TestError()), interruption: .error(TestError())
        ) { source, _ in
            source.producer.concat(error: TestError())
        },
        .cold("SignalProducer.concat(_:)", transparent: true, interruption: .completed) { source, _ in
            source.producer.concat(.empty)
        },
        .cold("SignalProducer.concat(_:)#4", "a signal", transparent: true, interruption: .completed) { source, _ in
            source.producer.concat(Numbers.empty).concat(.empty)
        },
        .cold(
            "SignalProducer.concat(_:)#2", "a collection", transparent: true, interruption: .completed,
            isAnonymous: true
        ) { source, _ in Cold.concat([.empty, source.producer, source.producer]) },
        .cold("SignalProducer.concat(_:)#3", "two", transparent: true, interruption: .completed, isAnonymous: true) {
            source, _ in Cold.concat(.empty, source.producer)
        },
        .cold("SignalProducer.prefix(value:)", transparent: true, interruption: .completed) { source, _ in
            source.producer.prefix(value: 8)
        },
        .cold("SignalProducer.prefix(_:)", transparent: true, interruption: .completed) { source, _ in
            source.producer.prefix(.init(value: 8))
        },
        .cold("SignalProducer.prefix(_:)#2", "a signal", transparent: true, interruption: .completed) { source, _ in
            source.producer.prefix(Numbers.empty)
        },
        .cold("SignalProducer.then(_:)") { source, _ in source.producer.then(Cold(value: 9)) },
        .cold("SignalProducer.then(_:)#2", "what cannot fail") { source, _ in
            source.producer.then(Safe(value: 9))
        },
        .cold("SignalProducer.then(_:)#3", "made late", terminalsSeen: [.completed]) { source, w in
            source.producer.then { w.see(Cold(value: 9)) }
        },
        .cold("SignalProducer.then(_:)#4", "after what cannot fail", error: .completed) { source, _ in
            source.safe.producer.then(Cold(value: 9))
        },
        .cold("SignalProducer.then(_:)#5", "none of which can fail", error: .completed) { source, _ in
            source.safe.producer.then(Safe(value: 9)).promoteError(TestError.self)
        },
        .cold("SignalProducer.defaultIfEmpty(_:)", transparent: true) { source, _ in source.producer.defaultIfEmpty(9)
        },
        .cold("SignalProducer.switchIfEmpty(_:)", transparent: true) { source, _ in
            source.producer.switchIfEmpty(.empty)
        },
        .cold("SignalProducer.switchIfEmpty(_:)", "of none", transparent: true, isAnonymous: true) { source, _ in
            Cold.empty.switchIfEmpty(source)
        },
        Entry("Signal.switchIfEmpty(_:)", transparent: true) { source, _ in source.switchIfEmpty(Cold.empty) },
        .cold("SignalProducer.repeat(_:)", "once", transparent: true) { source, _ in source.producer.repeat(1) },
        .cold("SignalProducer.repeat(_:)", "twice", transparent: true, completion: .interrupted) { source, _ in
            source.producer.repeat(2)
        },
        .cold("SignalProducer.repeatForever()", transparent: true, completion: .interrupted) { source, _ in
            source.producer.repeatForever()
        },
        .cold("SignalProducer.repeat(while:)", transparent: true, terminalsSeen: [.completed]) { source, w in
            source.producer.repeat(while: { w.see(false) })
        },
        .cold("SignalProducer.start(limitedBy:)", transparent: true) { source, _ in
            source.producer.start(limitedBy: RateLimiter(1_000_000, per: .seconds(1), on: TestScheduler()))
        },
        .cold("SignalProducer.retry(upTo:)", "2", transparent: true, error: .interrupted) { source, _ in
            source.producer.retry(upTo: 2)
        },
        .cold("SignalProducer.retry(upTo:interval:on:)", "0", transparent: true) { source, _ in
            source.producer.retry(upTo: 0, interval: .seconds(1), on: TestScheduler())
        },
        .cold(
            "SignalProducer.retry(upTo:interval:on:)", "1", transparent: true, asynchronous: true, error: .interrupted
        ) { source, _ in source.producer.retry(upTo: 1, interval: .zero, on: QueueScheduler()) },
        .cold(
            "SignalProducer.retry(_:on:)", transparent: true, asynchronous: true, error: .interrupted,
            terminalsSeen: [.error]
        ) { source, w in
            source.producer.retry(.exponential(from: .zero, upTo: 1) { _, _ in w.see(true) }, on: QueueScheduler())
        },
        // Each value is a success, so it goes on for ever if the source sends one.
        .cold(
            "SignalProducer.retry(_:on:)", "resetOnSuccess(after:)", transparent: true, asynchronous: true,
            error: .interrupted, terminalsSeen: [.error]
        ) { source, w in
            source.producer.retry(
                .exponential(from: .zero, upTo: 1) { _, _ in w.see(true) }.resetOnSuccess(after: .seconds(3_600)),
                on: QueueScheduler())
        },
        .cold("SignalProducer.retry(when:)", transparent: true, error: .interrupted, terminalsSeen: [.error]) {
            source, w in
            source.producer.retry { errors in
                errors.scan(0) { count, _ in w.see(count + 1) }
                    .attempt { (count) throws(TestError) in
                        if count > 2 { throw TestError() }
                    }
            }
        },
        .cold(
            "SignalProducer.retry(when:)#2", "by what cannot fail", transparent: true, error: .interrupted,
            terminalsSeen: [.error]
        ) { source, w in source.producer.retry { $0.map { w.see($0) }.take(first: 3) } },
        .cold("SignalProducer.flatMapError(_:)", transparent: true, error: .completed, terminalsSeen: [.error]) {
            source, w in source.producer.flatMapError { _ in w.see(Cold(value: 9)) }
        },
        Entry("Signal.flatMapError(_:)", transparent: true, error: .completed, terminalsSeen: [.error]) { source, w in
            source.flatMapError { _ in w.see(Cold.empty) }
        },
        .cold("SignalProducer.deferred(_:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.deferred { source }
        },
        .cold(
            "SignalProducer.using(resource:release:producer:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases), isAnonymous: true
        ) { source, w in Cold.using(resource: { 1 }, release: { _ in w.see(()) }, producer: { _ in source }) },
        .cold(
            "SignalProducer.using(resource:release:producer:)#2", "asynchronously", transparent: true,
            isAnonymous: true
        ) { source, _ in
            Cold.using(resource: { 1 }, release: { _ in await Task.yield() }, producer: { _ in source })
        },
        .cold("SignalProducer.using(resource:producer:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.using(resource: { SimpleDisposable() }, producer: { _ in source.producer })
        },
    ]

    private static let joining: [Entry] = [
        .cold(
            "SignalProducer.merge(_:)", "one that has ended", transparent: true, interruption: .completed,
            isAnonymous: true
        ) {
            source, _ in Cold.merge(source.producer, .empty)
        },
        .cold("SignalProducer.merge(_:)#2", "the same three times", interruption: .completed, isAnonymous: true) {
            source, _ in Cold.merge([source.producer, source.producer, source.producer])
        },
        .cold(
            "SignalProducer.merge(with:)#2", "a signal", transparent: true, interruption: .completed, isAnonymous: true
        ) {
            source, _ in source.producer.merge(with: Numbers.empty)
        },
        .cold("SignalProducer.merge(with:)", "diamond", interruption: .completed, isAnonymous: true) { source, w in
            source.producer.merge(with: source.map { w.see($0) })
        },
        .cold(
            "SignalProducer.merge(with:)", "both parts of a partition", transparent: true, interruption: .completed,
            isAnonymous: true
        ) { source, w in
            let (matches, others) = source.producer.partition { w.see($0 > 2) }
            return matches.merge(with: others)
        },
        .cold("SignalProducer.race(_:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.race(.never, source.producer)
        },
        .cold("SignalProducer.race(_:)#2", "the same three times", transparent: true, isAnonymous: true) { source, _ in
            Cold.race([source.producer, source.producer, source.producer])
        },
        .cold("SignalProducer.firstSuccess(_:)", transparent: true, interruption: .completed, isAnonymous: true) {
            source, w in
            Cold.firstSuccess([source.producer.map { w.see($0) }.prefix(value: 8)]).mapError { $0.errors[0] }
        },
        .cold(
            "SignalProducer.firstSuccess(_:staggeredBy:on:)", transparent: true, interruption: .completed,
            isAnonymous: true
        ) { source, w in
            Cold.firstSuccess(
                [.empty, source.producer.map { w.see($0) }.prefix(value: 8)], staggeredBy: .seconds(1),
                on: TestScheduler()
            ).mapError { $0.errors[0] }
        },
        .cold("SignalProducer.combineLatest(_:_:_:)", "three") { source, w in
            SignalProducer.combineLatest(
                source.producer, source.producer.map { w.see($0) }, source.producer
            ).map { $0.2 }
        },
        .cold("SignalProducer.combineLatest(_:_:_:_:)", "four") { source, w in
            SignalProducer.combineLatest(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer
            ).map { $0.3 }
        },
        .cold("SignalProducer.combineLatest(_:_:_:_:_:)", "five") { source, w in
            SignalProducer.combineLatest(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer
            ).map { $0.4 }
        },
        .cold("SignalProducer.combineLatest(_:_:_:_:_:_:)", "six") { source, w in
            SignalProducer.combineLatest(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer
            ).map { $0.5 }
        },
        .cold("SignalProducer.combineLatest(_:)", "seven") { source, w in
            SignalProducer.combineLatest(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer, source.producer
            ).map { $0.6 }
        },
        .cold("SignalProducer.combineLatest(_:_:)", "two") { source, w in
            SignalProducer.combineLatest(source.producer, source.producer.map { w.see($0) }).map { $0.1 }
        },
        .cold("SignalProducer.combineLatest(_:)#2", "a collection of one", transparent: true) { source, _ in
            Cold.combineLatest([source.producer]).map { $0[0] }
        },
        .cold("SignalProducer.combineLatest(_:emptySentinel:)", transparent: true) { source, _ in
            Cold.combineLatest([source.producer], emptySentinel: []).map { $0[0] }
        },
        .cold("SignalProducer.combineLatest(with:)") { source, w in
            source.producer.combineLatest(with: source.map { w.see($0) }).map { $0.0 }
        },
        .cold("SignalProducer.zip(_:_:_:)", "three", transparent: true) { source, w in
            SignalProducer.zip(source.producer, source.producer.map { w.see($0) }, source.producer).map { $0.2 }
        },
        .cold("SignalProducer.zip(_:_:_:_:)", "four", transparent: true) { source, w in
            SignalProducer.zip(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer
            ).map { $0.3 }
        },
        .cold("SignalProducer.zip(_:_:_:_:_:)", "five", transparent: true) { source, w in
            SignalProducer.zip(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer
            ).map { $0.4 }
        },
        .cold("SignalProducer.zip(_:_:_:_:_:_:)", "six", transparent: true) { source, w in
            SignalProducer.zip(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer
            ).map { $0.5 }
        },
        .cold("SignalProducer.zip(_:)", "seven", transparent: true) { source, w in
            SignalProducer.zip(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer, source.producer
            ).map { $0.6 }
        },
        .cold("SignalProducer.zip(_:_:)", "two", transparent: true) { source, _ in
            SignalProducer.zip(source.producer, source.producer).map { $0.1 }
        },
        .cold("SignalProducer.zip(_:)#2", "a collection", transparent: true) { source, _ in
            Cold.zip([source.producer, source.producer]).map { $0[1] }
        },
        .cold("SignalProducer.zip(_:emptySentinel:)", transparent: true) { source, _ in
            Cold.zip([source.producer, source.producer], emptySentinel: []).map { $0[1] }
        },
        .cold("SignalProducer.zip(with:)", transparent: true) { source, w in
            source.producer.zip(with: source.map { w.see($0) }).map { $0.0 }
        },
        .cold("SignalProducer.zip(with:bufferLimit:whenFull:raising:)", transparent: true) { source, w in
            source.producer.zip(
                with: source.map { w.see($0) }, bufferLimit: 1_000_000, whenFull: .fail, raising: TestError()
            ).map { $0.0 }
        },
        .cold("SignalProducer.collect(until:)", "its own events") { source, w in
            source.producer.map { w.see($0) }.collect(until: source.producer.materialize()).map(\.count)
        },
        .cold("SignalProducer.forkJoin(_:maxConcurrent:)") { source, w in
            Cold.forkJoin([source.producer, source.producer.map { w.see($0) }], maxConcurrent: 2)
                .map { $0[0] }
        },
        .cold("SignalProducer.forkJoin(_:_:)", "two") { source, w in
            SignalProducer.forkJoin(source.producer.map { w.see($0) }, source.producer).map { $0.0 }
        },
        .cold("SignalProducer.forkJoin(_:_:_:)", "three") { source, w in
            SignalProducer.forkJoin(source.producer, source.producer.map { w.see($0) }, source.producer).map { $0.2 }
        },
        .cold("SignalProducer.forkJoin(_:_:_:_:)", "four") { source, w in
            SignalProducer.forkJoin(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer
            ).map { $0.3 }
        },
        .cold("SignalProducer.forkJoin(_:_:_:_:_:)", "five") { source, w in
            SignalProducer.forkJoin(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer
            ).map { $0.4 }
        },
        .cold("SignalProducer.forkJoin(_:_:_:_:_:_:)", "six") { source, w in
            SignalProducer.forkJoin(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer
            ).map { $0.5 }
        },
        .cold("SignalProducer.forkJoin(_:)", "seven") { source, w in
            SignalProducer.forkJoin(
                source.producer, source.producer.map { w.see($0) }, source.producer, source.producer, source.producer,
                source.producer, source.producer
            ).map { $0.6 }
        },
        .cold("SignalProducer.and(_:)") { source, w in
            source.producer.map { $0 > 1 }.and(source.producer.map { w.see($0 < 4) }).map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.or(_:)") { source, w in
            source.producer.map { $0 > 3 }.or(source.map { w.see($0 < 2) }).map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.all(_:)") { source, w in
            SignalProducer.all([source.producer.map { $0 > 1 }, source.producer.map { w.see($0 < 4) }])
                .map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.any(_:)") { source, w in
            SignalProducer.any([source.producer.map { $0 > 3 }, source.producer.map { w.see($0 < 2) }])
                .map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.all(_:_:)") { source, w in
            SignalProducer.all(source.producer.map { $0 > 1 }, source.producer.map { w.see($0 < 4) })
                .map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.any(_:_:)") { source, w in
            SignalProducer.any(source.producer.map { $0 > 3 }, source.producer.map { w.see($0 < 2) })
                .map { $0 ? 1 : 0 }
        },
        .cold("SignalProducer.sample(on:)", "its own events") { source, _ in
            source.producer.sample(on: source.producer.materialize())
        },
        .cold("SignalProducer.sample(with:)", "its own events") { source, _ in
            source.producer.sample(with: source.materialize()).map { $0.0 }
        },
        Entry("Signal.sample(on:)", "its own events") { source, _ in
            source.sample(on: source.producer.materialize())
        },
        Entry("Signal.sample(with:)", "its own events") { source, _ in
            source.sample(with: source.producer.materialize()).map { $0.0 }
        },
        .cold("SignalProducer.withLatest(from:)", "its own events", transparent: true) { source, _ in
            source.producer.withLatest(from: source.producer.materialize()).map { $0.0 }
        },
        // The signal is observed before the producer starts, so its first value has no partner yet.
        Entry("Signal.withLatest(from:)", "its own events") { source, _ in
            source.withLatest(from: source.producer.materialize()).map { $0.0 }
        },
        .cold("SignalProducer.lift(_:)", "an operator on two", transparent: true) { source, _ in
            source.producer.lift { values in { others in values.zip(with: others).map { $0.0 } } }(source.producer)
        },
        Entry("SignalProducer.lift(_:)", "an operator on two, with a signal", transparent: true) { source, _ in
            source.producer.lift { values in { others in values.zip(with: others).map { $0.0 } } }(source).hot
        },
    ]

    private static let sharing: [Entry] = [
        .cold("SignalProducer.replayLazily(upTo:)", "0", transparent: true) { source, _ in
            source.producer.replayLazily(upTo: 0)
        },
        .cold("SignalProducer.replayLazily(upTo:)", "2", transparent: true) { source, _ in
            source.producer.replayLazily(upTo: 2)
        },
        .cold("SignalProducer.replayEagerly(upTo:)", transparent: true) { source, _ in
            source.producer.replayEagerly(upTo: 2)
        },
        .cold("SignalProducer.share(replay:while:)", "observed", transparent: true) { source, _ in
            source.producer.share(replay: 2, while: .observed)
        },
        .cold("SignalProducer.share(replay:while:)", "for ever", transparent: true) { source, _ in
            source.producer.share(while: .forever)
        },
        .cold("SignalProducer.share(replay:while:)", "observed, with a grace", transparent: true) { source, _ in
            source.producer.share(replay: 2, while: .observed(grace: .zero, expiry: .seconds(1), on: HastyScheduler()))
        },
        .cold("SignalProducer.cached(for:on:keepsErrors:)", transparent: true) { source, _ in
            source.producer.cached(for: .seconds(1), on: TestScheduler())
        },
        .cold("SignalProducer.cached(until:keepsErrors:)", transparent: true) { source, _ in
            source.producer.cached(until: Safe.never)
        },
        .cold("SingleFlight.producer(for:)", transparent: true, isAnonymous: true) { source, _ in
            SingleFlight { (_: Int) in source.producer }.producer(for: 0)
        },
        Entry("Connection.autoconnect()", transparent: true, isAnonymous: true) { source, _ in
            source.producer.multicast(replay: 2).autoconnect().hot
        },
    ]

    private static let flattening: [Entry] =
        FlattenStrategy.all.flatMap(flattening(_:)) + unbounded + bounding + expanding + perKey + delaying

    private static let bounded = FlattenStrategy.concat(waiting: 1_000_000, whenFull: .fail)

    private static let expanding: [Entry] = [FlattenStrategy.merge, .concat, .concurrent(limit: 2)].flatMap {
        strategy in
        [
            Entry("Signal.expand(_:raising:_:)", "\(strategy)", transparent: true) { source, w in
                source.expand(strategy) { _ in w.see(Cold.empty) }
            },
            .cold("SignalProducer.expand(_:raising:_:)", "\(strategy)", transparent: true) { source, w in
                source.producer.expand(strategy) { _ in w.see(Cold.empty) }
            },
            .cold("SignalProducer.expand(_:raising:_:)", "\(strategy), twice") { source, w in
                source.producer.expand(strategy) { $0 < 100 ? w.see(Cold(value: $0 + 100)) : .empty }
            },
        ]
    }

    /// Operators that delay errors.
    private static let delaying: [Entry] = [
        .cold("SignalProducer.flatMap(_:delayErrors:_:)", "the first", transparent: true) { source, w in
            source.producer.flatMap(.merge, delayErrors: .first) { w.see(Cold(value: $0)) }
        },
        .cold(
            "SignalProducer.flatMap(_:delayErrors:_:)#2", "from what cannot fail", error: .completed
        ) { source, w in
            source.safe.producer.flatMap(.concat, delayErrors: .first) {
                $0 == Self.end ? Cold(value: $0) : w.see(Cold(value: $0))
            }
        },
        .cold("SignalProducer.flatMap(_:delayErrors:_:)#3", "all", transparent: true) { source, w in
            source.producer.flatMap(.concat, delayErrors: .all) { w.see(Cold(value: $0)) }.mapError { $0.errors[0] }
        },
        .cold(
            "SignalProducer.flatMap(_:delayErrors:_:)#4", "all, from what cannot fail", error: .completed
        ) { source, w in
            source.safe.producer.flatMap(.merge, delayErrors: .all) {
                $0 == Self.end ? Cold(value: $0) : w.see(Cold(value: $0))
            }
            .mapError { $0.errors[0] }
        },
        Entry("Signal.flatMap(_:delayErrors:_:)", "the first", transparent: true) { source, w in
            source.flatMap(.merge, delayErrors: .first) { w.see(Cold(value: $0)) }
        },
        Entry(
            "Signal.flatMap(_:delayErrors:_:)#2", "from what cannot fail", error: .completed
        ) { source, w in
            source.safe.flatMap(.merge, delayErrors: .first) {
                $0 == Self.end ? Cold(value: $0) : w.see(Cold(value: $0))
            }
        },
        Entry("Signal.flatMap(_:delayErrors:_:)#3", "all", transparent: true) { source, w in
            source.flatMap(.merge, delayErrors: .all) { w.see(Cold(value: $0)) }.mapError { $0.errors[0] }
        },
        Entry(
            "Signal.flatMap(_:delayErrors:_:)#4", "all, from what cannot fail", error: .completed
        ) { source, w in
            source.safe.flatMap(.merge, delayErrors: .all) { $0 == Self.end ? Cold(value: $0) : w.see(Cold(value: $0)) }
                .mapError { $0.errors[0] }
        },
        .cold(
            "SignalProducer.merge(_:delayErrors:)", transparent: true, interruption: .completed, isAnonymous: true
        ) { source, w in Cold.merge([source.producer.map { w.see($0) }], delayErrors: .first) },
        .cold(
            "SignalProducer.merge(_:delayErrors:)#2", transparent: true, interruption: .completed, isAnonymous: true
        ) { source, _ in Cold.merge([source.producer], delayErrors: .all).mapError { $0.errors[0] } },
        .cold(
            "SignalProducer.concat(_:delayErrors:)", transparent: true, interruption: .completed, isAnonymous: true
        ) { source, w in Cold.concat([source.producer.map { w.see($0) }], delayErrors: .first) },
        .cold(
            "SignalProducer.concat(_:delayErrors:)#2", transparent: true, interruption: .completed, isAnonymous: true
        ) { source, _ in Cold.concat([source.producer], delayErrors: .all).mapError { $0.errors[0] } },
        .cold("SignalProducer.combineLatest(_:delayErrors:)", transparent: true) { source, w in
            Cold.combineLatest([source.producer.map { w.see($0) }], delayErrors: .first).map { $0[0] }
        },
        .cold("SignalProducer.combineLatest(_:delayErrors:)#2", transparent: true) { source, w in
            Cold.combineLatest([source.producer.map { w.see($0) }], delayErrors: .all).map { $0[0] }
                .mapError { $0.errors[0] }
        },
    ]

    private static let perKey: [Entry] = [
        Entry("Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)", "into what can fail", transparent: true) {
            source, w in
            source.flatMap(
                perKey: { w.see($0) % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Cold(value: $0) }
        },
        .cold(
            "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)", "into what can fail",
            transparent: true
        ) { source, w in
            source.producer.flatMap(
                perKey: { w.see($0) % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Cold(value: $0) }
        },
        Entry(
            "Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#2", "into what cannot fail", transparent: true
        ) { source, w in
            source.flatMap(
                perKey: { w.see($0) % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Safe(value: $0) }
        },
        .cold(
            "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#2", "into what cannot fail",
            transparent: true
        ) { source, w in
            source.producer.flatMap(
                perKey: { w.see($0) % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Safe(value: $0) }
        },
        Entry(
            "Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#3", "from what cannot fail", error: .completed
        ) { source, _ in
            source.safe.flatMap(
                perKey: { $0 % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Cold(value: $0) }
        },
        .cold(
            "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)#3", "from what cannot fail",
            error: .completed
        ) { source, _ in
            source.safe.producer.flatMap(
                perKey: { $0 % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Cold(value: $0) }
        },
        Entry(
            "Signal.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)", "none of which can fail",
            error: .completed
        ) { source, _ in
            source.safe.flatMap(
                perKey: { $0 % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Safe(value: $0) }.promoteError(TestError.self)
        },
        .cold(
            "SignalProducer.flatMap(perKey:_:idle:maxKeys:whenFull:raising:on:_:)", "none of which can fail",
            error: .completed
        ) { source, _ in
            source.safe.producer.flatMap(
                perKey: { $0 % 2 }, .concat, idle: .zero, maxKeys: 2, whenFull: .dropOldest, on: TestScheduler()
            ) { Safe(value: $0) }.promoteError(TestError.self)
        },
    ]

    private static let bounding: [Entry] = [
        Entry("Signal.flatMap(_:raising:_:)", "bounded", transparent: true) { source, w in
            source.flatMap(bounded, raising: TestError()) { Cold(value: w.see($0)) }
        },
        Entry("Signal.flatMap(_:raising:_:)#2", "bounded, into what cannot fail", transparent: true) { source, w in
            source.flatMap(bounded, raising: TestError()) { Safe(value: w.see($0)) }
        },
        Entry("Signal.flatMap(_:raising:_:)#3", "bounded, from what cannot fail", error: .completed) { source, _ in
            source.safe.flatMap(bounded, raising: TestError()) { Cold(value: $0) }
        },
        Entry("Signal.flatMap(_:raising:_:)#4", "bounded, none of which can fail", error: .completed) { source, _ in
            source.safe.flatMap(bounded, raising: TestError()) { Safe(value: $0) }
        },
        Entry("Signal.flatten(_:raising:)", "bounded", transparent: true) { source, w in
            source.map { Cold(value: w.see($0)) }.flatten(bounded, raising: TestError())
        },
        Entry("Signal.flatten(_:raising:)#2", "bounded, into what cannot fail", transparent: true) { source, w in
            source.map { Safe(value: w.see($0)) }.flatten(bounded, raising: TestError())
        },
        Entry("Signal.flatten(_:raising:)#3", "bounded, from what cannot fail", error: .completed) { source, _ in
            source.safe.map { Cold(value: $0) }.flatten(bounded, raising: TestError())
        },
        Entry("Signal.flatten(_:raising:)#4", "bounded, none of which can fail", error: .completed) { source, _ in
            source.safe.map { Safe(value: $0) }.flatten(bounded, raising: TestError())
        },
        .cold("SignalProducer.flatMap(_:raising:_:)", "bounded", transparent: true) { source, w in
            source.producer.flatMap(bounded, raising: TestError()) { Cold(value: w.see($0)) }
        },
        .cold("SignalProducer.flatMap(_:raising:_:)#2", "bounded, into what cannot fail", transparent: true) {
            source, w in
            source.producer.flatMap(bounded, raising: TestError()) { Safe(value: w.see($0)) }
        },
        .cold("SignalProducer.flatMap(_:raising:_:)#3", "bounded, from what cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.flatMap(bounded, raising: TestError()) { Cold(value: $0) }
        },
        .cold("SignalProducer.flatMap(_:raising:_:)#4", "bounded, none of which can fail", error: .completed) {
            source, _ in
            source.safe.producer.flatMap(bounded, raising: TestError()) { Safe(value: $0) }
        },
        .cold("SignalProducer.flatten(_:raising:)", "bounded", transparent: true) { source, w in
            source.producer.map { Cold(value: w.see($0)) }.flatten(bounded, raising: TestError())
        },
        .cold("SignalProducer.flatten(_:raising:)#2", "bounded, into what cannot fail", transparent: true) {
            source, w in
            source.producer.map { Safe(value: w.see($0)) }.flatten(bounded, raising: TestError())
        },
        .cold("SignalProducer.flatten(_:raising:)#3", "bounded, from what cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.map { Cold(value: $0) }.flatten(bounded, raising: TestError())
        },
        .cold("SignalProducer.flatten(_:raising:)#4", "bounded, none of which can fail", error: .completed) {
            source, _ in
            source.safe.producer.map { Safe(value: $0) }.flatten(bounded, raising: TestError())
        },
    ]

    private static let unbounded: [Entry] =
        [
            Entry("Signal.flatMap(_:raising:_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.flatMap(.merge) { Safe(value: w.see($0)) }
            },
            Entry("Signal.flatMap(_:_:)", "into results", transparent: true) { source, w in
                source.flatMap(.concat) { value -> Result<Int, TestError> in .success(w.see(value)) }
            },
            Entry("Signal.flatMap(_:raising:_:)#3", "from what cannot fail", error: .completed) { source, w in
                source.safe.flatMap(.latest) { Cold(value: $0) }
            },
            Entry("Signal.flatMap(_:raising:_:)", "none of which can fail", error: .completed) { source, w in
                source.safe.flatMap(.merge) { Safe(value: $0) }.promoteError(TestError.self)
            },
            .cold("SignalProducer.flatMap(_:raising:_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.producer.flatMap(.merge) { Safe(value: w.see($0)) }
            },
            .cold("SignalProducer.flatMap(_:_:)", "into results", transparent: true) { source, w in
                source.producer.flatMap(.concat) { value -> Result<Int, TestError> in .success(w.see(value)) }
            },
            .cold("SignalProducer.flatMap(_:raising:_:)#3", "from what cannot fail", error: .completed) { source, w in
                source.safe.producer.flatMap(.latest) { Cold(value: $0) }
            },
            .cold("SignalProducer.flatMap(_:raising:_:)", "none of which can fail", error: .completed) { source, w in
                source.safe.producer.flatMap(.merge) { Safe(value: $0) }.promoteError(TestError.self)
            },
            Entry("Signal.flatten(_:raising:)", transparent: true) { source, w in
                source.map { Cold(value: w.see($0)) }.flatten(.merge)
            },
            Entry("Signal.flatten(_:raising:)#2", "into what cannot fail", transparent: true) { source, w in
                source.map { Safe(value: w.see($0)) }.flatten(.throttle)
            },
            Entry("Signal.flatten(_:raising:)#3", "from what cannot fail", error: .completed) { source, _ in
                source.safe.map { Cold(value: $0) }.flatten(.latest)
            },
            Entry("Signal.flatten(_:raising:)", "none of which can fail", error: .completed) { source, _ in
                source.safe.map { Safe(value: $0) }.flatten(.concat).promoteError(TestError.self)
            },
            .cold("SignalProducer.flatten(_:raising:)", transparent: true) { source, w in
                source.producer.map { Cold(value: w.see($0)) }.flatten(.merge)
            },
            .cold("SignalProducer.flatten(_:raising:)#2", "into what cannot fail", transparent: true) { source, w in
                source.producer.map { Safe(value: w.see($0)) }.flatten(.throttle)
            },
            .cold("SignalProducer.flatten(_:raising:)#3", "from what cannot fail", error: .completed) { source, _ in
                source.safe.producer.map { Cold(value: $0) }.flatten(.latest)
            },
            .cold("SignalProducer.flatten(_:raising:)", "none of which can fail", error: .completed) { source, _ in
                source.safe.producer.map { Safe(value: $0) }.flatten(.concat).promoteError(TestError.self)
            },
        ]

    private static func flattening(_ strategy: FlattenStrategy) -> [Entry] {
        // A race starts only the first value's producer. With .latest, a signal is replaced before it sends anything.
        let isRace = strategy == .race
        let isLatest = strategy == .latest
        return [
            Entry("Signal.flatMap(_:raising:_:)", "\(strategy) of values", transparent: !isRace) { source, w in
                source.flatMap(strategy) { Cold(value: w.see($0)) }
            },
            Entry("Signal.flatMap(_:raising:_:)", "\(strategy) of signals", maySendNothing: isLatest) { source, w in
                source.flatMap(strategy) { _ in source.take(first: 1).map { w.see($0) } }
            },
            .cold("SignalProducer.flatMap(_:raising:_:)", "\(strategy) of values", transparent: !isRace) { source, w in
                source.producer.flatMap(strategy) { Cold(value: w.see($0)) }
            },
            .cold("SignalProducer.flatMap(_:raising:_:)", "\(strategy) of signals", maySendNothing: isLatest) {
                source, w in
                source.producer.flatMap(strategy) { _ in source.take(first: 1).map { w.see($0) } }
            },
        ]
    }
}

extension Joint {
    /// The operators on producers.
    static let producers: [Joint] = [
        Joint("SignalProducer.merge(_:)", 3) { Cold.merge($0[0].producer, $0[1].producer, $0[2].producer).hot },
        Joint("SignalProducer.merge(_:)#2", 3) { Cold.merge($0).hot },
        Joint("SignalProducer.merge(_:delayErrors:)", 3) { Cold.merge($0, delayErrors: .first).hot },
        Joint("SignalProducer.merge(_:delayErrors:)#2", 3) {
            Cold.merge($0, delayErrors: .all).mapError { $0.errors[0] }.hot
        },
        Joint("SignalProducer.combineLatest(_:delayErrors:)", 3) {
            Cold.combineLatest($0.map(\.producer), delayErrors: .first).map { $0.reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:delayErrors:)#2", 3) {
            Cold.combineLatest($0.map(\.producer), delayErrors: .all).map { $0.reduce(0, &+) }
                .mapError { $0.errors[0] }.hot
        },
        Joint("SignalProducer.merge(with:)", 2) { $0[0].producer.merge(with: $0[1].producer).hot },
        Joint("SignalProducer.merge(with:)#2", 2) { $0[0].producer.merge(with: $0[1]).hot },
        Joint("SignalProducer.combineLatest(_:_:_:)", 3) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer, $0[2].producer)
                .map { $0.0 &+ $0.1 &+ $0.2 }.hot
        },
        Joint("SignalProducer.combineLatest(_:_:_:_:)", 4) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer)
                .map { [$0.0, $0.1, $0.2, $0.3].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:_:_:_:_:)", 5) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer)
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:_:_:_:_:_:)", 6) {
            SignalProducer.combineLatest(
                $0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer, $0[5].producer
            )
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:)", 7) {
            SignalProducer.combineLatest(
                $0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer, $0[5].producer,
                $0[6].producer
            )
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:_:)", 2) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.combineLatest(_:)#2", 3) {
            Cold.combineLatest($0.map(\.producer)).map { $0.reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(_:emptySentinel:)", 3) {
            Cold.combineLatest($0.map(\.producer), emptySentinel: []).map { $0.reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(with:)", 2) {
            $0[0].producer.combineLatest(with: $0[1]).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.zip(_:_:_:)", 3) {
            SignalProducer.zip($0[0].producer, $0[1].producer, $0[2].producer)
                .map { $0.0 &+ $0.1 &+ $0.2 }.hot
        },
        Joint("SignalProducer.zip(_:_:_:_:)", 4) {
            SignalProducer.zip($0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer)
                .map { [$0.0, $0.1, $0.2, $0.3].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.zip(_:_:_:_:_:)", 5) {
            SignalProducer.zip($0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer)
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.zip(_:_:_:_:_:_:)", 6) {
            SignalProducer.zip(
                $0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer, $0[5].producer
            )
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.zip(_:)", 7) {
            SignalProducer.zip(
                $0[0].producer, $0[1].producer, $0[2].producer, $0[3].producer, $0[4].producer, $0[5].producer,
                $0[6].producer
            )
            .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6].reduce(0, &+) }.hot
        },
        Joint("SignalProducer.zip(_:_:)", 2) {
            SignalProducer.zip($0[0].producer, $0[1].producer).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.zip(_:)#2", 3) { Cold.zip($0.map(\.producer)).map { $0.reduce(0, &+) }.hot },
        Joint("SignalProducer.zip(_:emptySentinel:)", 3) {
            Cold.zip($0.map(\.producer), emptySentinel: []).map { $0.reduce(0, &+) }.hot
        },
        Joint("SignalProducer.zip(with:)", 2) { $0[0].producer.zip(with: $0[1]).map { $0.0 &+ $0.1 }.hot },
        Joint("SignalProducer.zip(with:bufferLimit:whenFull:raising:)", 2) {
            $0[0].producer.zip(with: $0[1], bufferLimit: 1_000_000, whenFull: .fail, raising: TestError())
                .map { $0.0 &+ $0.1 }.hot
        },
    ]

    static let guidedProducers: [Joint] = [
        Joint("SignalProducer.take(until:)", 2) { $0[0].producer.take(until: $0[1].materialize()).hot },
        Joint("SignalProducer.take(untilReplacement:)", 2) { $0[0].producer.take(untilReplacement: $0[1]).hot },
        Joint("SignalProducer.skip(until:)", 2) { $0[0].producer.skip(until: $0[1].materialize()).hot },
        Joint("SignalProducer.sample(on:)", 2) { $0[0].producer.sample(on: $0[1].materialize()).hot },
        Joint("SignalProducer.withLatest(from:)", 2) {
            $0[0].producer.withLatest(from: $0[1].materialize()).map { $0.0 }.hot
        },
        Joint("SignalProducer.and(_:)", 2) {
            $0[0].producer.map { $0 > 1 }.and($0[1].map { $0 > 0 }).map { $0 ? 1_000 : 0 }.hot
        },
        Joint("Signal.flatMap(_:_:), .merge", 2) { inputs in
            let second = inputs[1]
            return inputs[0].flatMap(.merge) { _ in second.take(first: 2) }
        },
        Joint("Signal.flatMap(_:_:), .latest", 2) { inputs in
            let second = inputs[1]
            return inputs[0].flatMap(.latest) { _ in second }
        },
    ]
}
