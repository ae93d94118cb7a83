import HotSignals
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport
import Testing

/// One way to use an operator.
struct Entry: Sendable, CustomTestStringConvertible {
    /// The method in the compiler's notation, `take(first:)`, numbered if several have the same name. In the module of
    /// producers, with its type: `SignalProducer.take(first:)`.
    let form: String
    let testDescription: String
    /// Whether it sends exactly the values of the source, in order.
    let isTransparent: Bool
    /// Whether events arrive on another thread.
    let isAsynchronous: Bool
    /// The terminal event it sends for a completion.
    let completion: Event<Int, TestError>
    /// The terminal event it sends for an interruption.
    let interruption: Event<Int, TestError>
    /// The terminal event it sends for an error.
    let error: Event<Int, TestError>
    /// The number of values after which it ends early, if it does.
    let limit: Int?
    /// The terminal events for which it calls its closures.
    let terminalsSeen: Set<Terminal>
    /// Whether it fails at the value 4.
    let failsAtFour: Bool
    /// Whether it may send no value at all.
    let maySendNothing: Bool
    /// Whether it may drop values that are replaced by later ones.
    let mayCoalesce: Bool
    /// Whether it returns the signal that it is applied to.
    let isIdentity: Bool
    /// Whether its name does not include its source, because it is applied only when started.
    let isAnonymous: Bool
    /// The values it sends for a source that sends these and completes, if known.
    let model: (@Sendable ([Int]) -> [Int])?
    /// Applies the operator. Its closures, if any, retain the probe and report every call to it.
    let apply: @Sendable (Numbers, Probe) -> Numbers
    /// Applies an operator on producers directly, without signals before and after it.
    let applyCold: (@Sendable (Cold, Probe) -> Cold)?

    init(
        _ form: String, _ variant: String = "", transparent: Bool = false, asynchronous: Bool = false,
        completion: Event<Int, TestError> = .completed, interruption: Event<Int, TestError> = .interrupted,
        error: Event<Int, TestError> = .error(TestError()),
        limit: Int? = nil, terminalsSeen: Set<Terminal> = [], failsAtFour: Bool = false, maySendNothing: Bool = false,
        mayCoalesce: Bool = false, isIdentity: Bool = false, isAnonymous: Bool = false,
        model: (@Sendable ([Int]) -> [Int])? = nil,
        cold applyCold: (@Sendable (Cold, Probe) -> Cold)? = nil,
        _ apply: @escaping @Sendable (Numbers, Probe) -> Numbers
    ) {
        self.form = form
        testDescription = variant.isEmpty ? form : "\(form), \(variant)"
        isTransparent = transparent
        isAsynchronous = asynchronous
        self.completion = completion
        self.interruption = interruption
        self.error = error
        self.limit = limit
        self.terminalsSeen = terminalsSeen
        self.failsAtFour = failsAtFour
        self.maySendNothing = maySendNothing
        self.mayCoalesce = mayCoalesce
        self.isIdentity = isIdentity
        self.isAnonymous = isAnonymous
        self.model = model
        self.apply = apply
        self.applyCold = applyCold
    }

    /// The operator's part of the result's name.
    var name: String { methodName(of: form) }

    /// The properties to check for it.
    var contract: OperatorContract {
        let isShared = [
            "replayLazily", "replayEagerly", "share", "autoconnect", "cached", "producer",
        ].contains(name)
        // Operators that must exhaust one source before they start the other, that keep running while their shared
        // result is retained, or that disposal does not stop.
        let exhausting = [
            "replayLazily", "replayEagerly", "autoconnect", "zip", "withLatest", "forever", "on two", "for ever",
            "uninterruptible",
        ]
        let isNamedElsewise =
            isIdentity || ["autoconnect", "named", "producer", "recordEvents", "tapped"].contains(name)
        var traits = OperatorTraits(
            isTransparent: isTransparent, isAsynchronous: isAsynchronous, completion: completion,
            interruption: interruption, error: error, limit: limit, terminalsSeen: terminalsSeen,
            failsAtFour: failsAtFour, maySendNothing: maySendNothing, mayCoalesce: mayCoalesce,
            isIdentity: isIdentity, isAnonymous: isAnonymous || name == "named", sharesStarts: isShared,
            isEager: name == "replayEagerly",
            exhaustsSource: exhausting.contains(where: testDescription.contains),
            printedName: isNamedElsewise ? nil : name, model: model)
        traits.outlivesDisposal = name == "uninterruptible"
        return OperatorContract(name: testDescription, traits: traits, apply: apply, applyCold: applyCold)
    }

    /// Applies the operator with a probe whose counts are not used.
    func apply(_ source: Numbers) -> Numbers { apply(source, ProbeCounter().probe()) }

    /// Never ends.
    private static let endless = Lifetime.Token()

    private static func logging(to probe: Probe) -> EventLogger {
        { _, event, _, _, _ in _ = probe.see(event) }
    }

    /// Represents the end of the source for operators on signals that cannot fail; closures do not count calls for it.
    static let end = -1

    /// No operator.
    static let plain = Entry("none", transparent: true, isIdentity: true) { source, _ in source }

    /// Every operator, in every form.
    static let table = signals + producers + withProperties

    /// The operators in the module of signals.
    static let signals: [Entry] = [
        Entry("map(_:)", transparent: true, model: { $0 }) { source, w in source.map { w.see($0) } },
        Entry("filter(_:)", transparent: true) { source, w in source.filter { _ in w.see(true) } },
        Entry("filter(_:)", "even numbers", model: { $0.filter { $0 % 2 == 0 } }) { source, w in
            source.filter { w.see($0 % 2 == 0) }
        },
        Entry("compactMap(_:)", transparent: true) { source, w in source.compactMap { w.see(Optional($0)) } },
        Entry("compactMap(_:)", "odd numbers") { source, w in source.compactMap { w.see($0 % 2 == 0 ? nil : $0) } },
        Entry("scan(_:_:)", model: { $0.reduce(into: []) { $0.append(($0.last ?? 0) + $1) } }) { source, w in
            source.scan(0) { w.see($0 &+ $1) }
        },
        Entry("scan(into:_:)", transparent: true) { source, w in source.scan(into: 0) { $0 = w.see($1) } },
        Entry("take(first:)", "all", transparent: true) { source, _ in source.take(first: .max) },
        Entry("take(first:)", "3", limit: 3, model: { Array($0.prefix(3)) }) { source, _ in source.take(first: 3) },
        Entry("take(while:)", "all", transparent: true) { source, w in source.take(while: { _ in w.see(true) }) },
        Entry("take(while:)", "less than 4") { source, w in source.take(while: { w.see($0 < 4) }) },
        Entry("skip(first:)", "none", transparent: true) { source, _ in source.skip(first: 0) },
        Entry("skip(first:)", "2", model: { Array($0.dropFirst(2)) }) { source, _ in source.skip(first: 2) },
        Entry("skipRepeats()") { source, _ in source.skipRepeats() },
        Entry("skipRepeats(_:)", transparent: true) { source, w in source.skipRepeats { _, _ in w.see(false) } },
        Entry("combinePrevious(_:)", transparent: true) { source, _ in source.combinePrevious(0).map { $0.1 } },
        Entry("combinePrevious()") { source, _ in source.combinePrevious().map { $0.1 } },
        Entry("collect()") { source, _ in source.collect().map(\.count) },
        Entry("collect(count:)", "1") { source, _ in source.collect(count: 1).map(\.count) },
        Entry("collect(count:)", "3") { source, _ in source.collect(count: 3).map(\.count) },
        Entry("collect(_:)", "ended after") { source, w in source.collect { w.see($0.count == 3) }.map(\.count) },
        Entry("collect(_:)#2", "ended before") { source, w in
            source.collect { values, _ in w.see(values.count == 3) }.map(\.count)
        },
        Entry(
            "on(event:next:error:completed:interrupted:terminated:disposed:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) {
            source, w in
            source.on(
                event: { _ in w.see(()) }, next: { _ in w.see(()) }, error: { _ in w.see(()) },
                completed: { w.see(()) }, interrupted: { w.see(()) }, terminated: { w.see(()) })
        },
        Entry(
            "on(event:next:error:completed:interrupted:terminated:disposed:)", "disposed", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.on(next: { _ in w.see(()) }, disposed: { w.see(()) }) },
        Entry("tapped(by:)", transparent: true, terminalsSeen: Set(Terminal.allCases)) { source, w in
            source.tapped(by: ProbeTap(probe: w))
        },
        Entry("Signal.recordEvents(to:)", transparent: true) { source, _ in source.recordEvents(to: .off) },
        Entry("Signal.recordEvents(to:)", "while it is on", transparent: true) { source, _ in
            source.recordEvents(to: .on)
        },
        Entry("breakpoint(next:error:completed:interrupted:)", transparent: true, terminalsSeen: Set(Terminal.allCases))
        {
            source, w in
            source.breakpoint(
                next: { _ in w.see(false) }, error: { _ in w.see(false) }, completed: { w.see(false) },
                interrupted: { w.see(false) })
        },
        Entry("materialize()", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }.promoteError(TestError.self)
        },
        Entry("named(_:)", transparent: true) { source, _ in source.map { $0 }.named("a name") },
        Entry("observe(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.observe(on: ImmediateScheduler())
        },
        Entry("observe(on:)", "QueueScheduler", transparent: true, asynchronous: true) { source, _ in
            source.observe(on: QueueScheduler())
        },
        // Not transparent, because an interruption overtakes values that are being transformed.
        Entry("mapAsync(maxConcurrent:ordered:_:)", "in order", asynchronous: true) { source, w in
            DispatchExecutor.shared.within {
                source.mapAsync(maxConcurrent: 3) { (value) async throws(TestError) in w.see(value) }
            }
        },
        Entry("mapAsync(maxConcurrent:ordered:_:)", "as they come", asynchronous: true) { source, w in
            DispatchExecutor.shared.within {
                source.mapAsync(maxConcurrent: 3, ordered: false) { (value) async throws(TestError) in w.see(value) }
            }
        },
        Entry(
            "mapAsync(maxConcurrent:ordered:_:)", "fails at 4", asynchronous: true, failsAtFour: true
        ) { source, w in
            DispatchExecutor.shared.within {
                source.mapAsync(maxConcurrent: 1) { (value) async throws(TestError) in
                    guard w.see(value) != 4 else { throw TestError() }
                    return value
                }
            }
        },
        Entry("mapReplace(_:)") { source, _ in source.mapReplace(7) },
        Entry("map(_:)#2", transparent: true) { source, _ in
            let path: any KeyPath<Int, Int> & Sendable = \.self
            return source.map(path)
        },
        Entry("skipNil()", transparent: true) { source, w in source.map { w.see(Optional($0)) }.skipNil() },
        Entry("ignoreValues()", maySendNothing: true) { source, _ in source.ignoreValues().promoteValue(Int.self) },
        Entry("promoteValue(_:)", maySendNothing: true) { source, _ in source.ignoreValues().promoteValue() },
        Entry("take(last:)", "2") { source, _ in source.take(last: 2) },
        Entry("take(throughWhile:)", "all", transparent: true) { source, w in
            source.take(throughWhile: { _ in w.see(true) })
        },
        Entry("take(throughWhile:)", "less than 4") { source, w in source.take(throughWhile: { w.see($0 < 4) }) },
        Entry("take(until:)", "that never fires", transparent: true) { source, _ in
            source.take(until: Signal<Int, Never>.never)
        },
        Entry("take(untilReplacement:)", "itself", transparent: true) { source, w in
            source.take(untilReplacement: source.map { w.see($0) })
        },
        Entry("take(during:)", transparent: true) { source, _ in source.take(during: Lifetime(endless)) },
        Entry("skip(while:)", "none", transparent: true) { source, w in source.skip(while: { _ in w.see(false) }) },
        Entry("skip(while:)", "less than 3") { source, w in source.skip(while: { w.see($0 < 3) }) },
        Entry("skip(until:)", "its first event", transparent: true) { source, _ in
            source.skip(until: source.materialize())
        },
        Entry("skip(until:)", "that never fires", maySendNothing: true) { source, _ in
            source.skip(until: Signal<Int, Never>.never)
        },
        Entry("uniqueValues()") { source, _ in source.uniqueValues() },
        Entry("uniqueValues(_:)") { source, w in source.uniqueValues { w.see($0 / 2) } },
        Entry("uniqueValues(capacity:)") { source, _ in source.uniqueValues(capacity: 2) },
        Entry("uniqueValues(capacity:_:)") { source, w in source.uniqueValues(capacity: 3) { w.see($0) } },
        Entry("scanMap(_:_:)") { source, w in source.scanMap(0) { (w.see($0 &+ $1), $0) } },
        Entry("scanMap(into:_:)", transparent: true) { source, w in
            source.scanMap(into: 0) {
                $0 = w.see($1)
                return $0
            }
        },
        Entry("reduce(_:_:)") { source, w in source.reduce(0) { w.see($0 &+ $1) } },
        Entry("reduce(into:_:)") { source, w in source.reduce(into: 0) { $0 = w.see($1) } },
        Entry("dematerialize()", transparent: true) { source, _ in source.materialize().dematerialize() },
        Entry("materializeResults()", error: .completed) { source, _ in
            source.materializeResults().map { (try? $0.get()) ?? -1 }.promoteError(TestError.self)
        },
        Entry("dematerializeResults()", transparent: true) { source, _ in
            source.materializeResults().dematerializeResults()
        },
        Entry("flatten()", "one each", transparent: true) { source, w in source.map { [w.see($0)] }.flatten() },
        Entry("flatten()", "two each") { source, w in source.map { [w.see($0), $0] }.flatten() },
        Entry("mapError(_:)", transparent: true, terminalsSeen: [.error]) { source, w in
            source.mapError { w.see($0) }
        },
        Entry("promoteError(_:)", "to its own", transparent: true, isIdentity: true) { source, _ in
            source.promoteError(TestError.self)
        },
        Entry("promoteError(_:)#2", "from none", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? Self.end }.promoteError(TestError.self)
        },
        Entry("promoteError(_:)#3", "from none to none", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }.promoteError(Never.self).promoteError(TestError.self)
        },
        Entry("attempt(_:)", transparent: true) { source, w in
            source.attempt { (value) throws(TestError) in _ = w.see(value) }
        },
        Entry("attempt(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.attempt { (value) throws(TestError) in
                if w.see(value) == 4 { throw TestError() }
            }
        },
        Entry("attempt(_:)#2", "result", transparent: true) { source, w in
            source.attempt { value in
                _ = w.see(value)
                return .success(())
            }
        },
        Entry("attempt(_:)#3", "from none", error: .completed) { source, w in
            source.materialize().map { $0.value ?? Self.end }.attempt { (value) throws(TestError) in
                if value != Self.end { _ = w.see(value) }
            }
        },
        Entry("attempt(_:)#4", "result, from none", error: .completed) { source, w in
            source.materialize().map { $0.value ?? Self.end }.attempt { value -> Result<Void, TestError> in
                if value != Self.end { _ = w.see(value) }
                return .success(())
            }
        },
        Entry("attemptMap(_:)", transparent: true) { source, w in
            source.attemptMap { (value) throws(TestError) in w.see(value) }
        },
        Entry("attemptMap(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.attemptMap { (value) throws(TestError) in
                guard w.see(value) != 4 else { throw TestError() }
                return value
            }
        },
        Entry("attemptMap(_:)#2", "result", transparent: true) { source, w in
            source.attemptMap { .success(w.see($0)) }
        },
        Entry("attemptMap(_:)#3", "from none", error: .completed) { source, w in
            source.materialize().map { $0.value ?? Self.end }.attemptMap { (value) throws(TestError) in
                value == Self.end ? value : w.see(value)
            }
        },
        Entry("attemptMap(_:)#4", "result, from none", error: .completed) { source, w in
            source.materialize().map { $0.value ?? Self.end }.attemptMap {
                Result<Int, TestError>.success($0 == Self.end ? $0 : w.see($0))
            }
        },
        Entry("allSatisfy(_:)", "less than 4") { source, w in
            source.allSatisfy { w.see($0 < 4) }.map { $0 ? 1 : 0 }
        },
        Entry("contains(where:)", "4") { source, w in
            source.contains { w.see($0 == 4) }.map { $0 ? 1 : 0 }
        },
        Entry("count()", model: { [$0.count] }) { source, _ in source.count() },
        Entry("min()", model: { $0.min().map { [$0] } ?? [] }) { source, _ in source.min() },
        Entry("min(by:)") { source, w in source.min { w.see($0 < $1) } },
        Entry("max()", model: { $0.max().map { [$0] } ?? [] }) { source, _ in source.max() },
        Entry("max(by:)") { source, w in source.max { w.see($0 < $1) } },
        Entry("first(where:)", "3", limit: 3) { source, w in source.first { w.see($0 == 3) } },
        Entry("last(where:)") { source, w in source.last { w.see($0 < 4) } },
        Entry("element(at:)", "2", limit: 3) { source, _ in source.element(at: 2) },
        Entry("exactlyOne(orError:)", "of one") { source, _ in source.count().exactlyOne(orError: TestError()) },
        Entry("exactlyOne(orError:)#2", "from none", error: .completed) { source, _ in
            source.materialize().count().exactlyOne(orError: TestError())
        },
        Entry("defaultIfEmpty(_:)", transparent: true) { source, _ in source.defaultIfEmpty(9) },
        Entry("ignoreErrors(complete:)", "completes", transparent: true, error: .completed) { source, _ in
            source.ignoreErrors().promoteError(TestError.self)
        },
        Entry("ignoreErrors(complete:)", "interrupts", transparent: true, error: .interrupted) { source, _ in
            source.ignoreErrors(complete: false).promoteError(TestError.self)
        },
        Entry("slidingWindow(_:)", "1", transparent: true) { source, _ in source.slidingWindow(1).map { $0[0] } },
        Entry("slidingWindow(_:)", "2", model: { Array(zip($0, $0.dropFirst()).map(+)) }) { source, _ in
            source.slidingWindow(2).map { $0.reduce(0, &+) }
        },
        Entry("slidingWindow(upTo:)", "1", transparent: true) { source, _ in
            source.slidingWindow(upTo: 1).map { $0[0] }
        },
        Entry("slidingWindow(upTo:)", "2", model: { Array(zip([0] + $0, $0).map(+)) }) { source, _ in
            source.slidingWindow(upTo: 2).map { $0.reduce(0, &+) }
        },
        Entry("concat(value:)", interruption: .completed) { source, _ in source.concat(value: 9) },
        Entry("concat(error:)", completion: .error(TestError()), interruption: .error(TestError())) { source, _ in
            source.concat(error: TestError())
        },
        Entry("negate()") { source, w in source.map { w.see($0 > 2) }.negate().map { $0 ? 1 : 0 } },
        Entry("and(_:)") { source, w in
            source.map { $0 > 1 }.and(source.map { w.see($0 < 4) }).map { $0 ? 1 : 0 }
        },
        Entry("or(_:)") { source, w in
            source.map { $0 > 3 }.or(source.map { w.see($0 < 2) }).map { $0 ? 1 : 0 }
        },
        Entry("all(_:)") { source, w in
            Signal.all([source.map { $0 > 1 }, source.map { w.see($0 < 4) }]).map { $0 ? 1 : 0 }
        },
        Entry("any(_:)") { source, w in
            Signal.any([source.map { $0 > 3 }, source.map { w.see($0 < 2) }]).map { $0 ? 1 : 0 }
        },
        Entry("all(_:_:)") { source, w in
            Signal.all(source.map { $0 > 1 }, source.map { w.see($0 < 4) }).map { $0 ? 1 : 0 }
        },
        Entry("any(_:_:)") { source, w in
            Signal.any(source.map { $0 > 3 }, source.map { w.see($0 < 2) }).map { $0 ? 1 : 0 }
        },
        Entry("sample(on:)", "its own events") { source, _ in source.sample(on: source.materialize()) },
        Entry("sample(with:)", "its own events") { source, _ in
            source.sample(with: source.materialize()).map { $0.0 }
        },
        Entry("withLatest(from:)", "its own events", transparent: true) { source, _ in
            source.withLatest(from: source.materialize()).map { $0.0 }
        },
        Entry("timeout(after:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.timeout(after: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("timeout(after:raising:on:)#2", "of one that cannot fail", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }
                .timeout(after: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("delay(_:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.delay(.zero, on: QueueScheduler())
        },
        Entry("delay(on:by:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.delay(on: QueueScheduler()) { _ in .zero }
        },
        Entry("throttle(_:on:latest:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.throttle(.zero, on: QueueScheduler())
        },
        Entry(
            "throttle(_:on:latest:discardWhenCompleted:)", "that keeps the first", asynchronous: true,
            maySendNothing: true
        ) { source, _ in source.throttle(.zero, on: QueueScheduler(), latest: false, discardWhenCompleted: false) },
        Entry(
            "throttle(_:on:latest:discardWhenCompleted:onDropped:)", asynchronous: true, maySendNothing: true
        ) { source, _ in source.throttle(.zero, on: QueueScheduler()) { _ in } },
        Entry("buffer(upTo:whenFull:raising:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.buffer(upTo: 1_000, whenFull: .dropOldest, on: QueueScheduler())
        },
        Entry("buffer(upTo:whenFull:raising:on:onDropped:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.buffer(upTo: 1_000, whenFull: .dropOldest, on: QueueScheduler()) { _ in }
        },
        Entry("pace(every:on:buffer:whenFull:raising:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.pace(every: .nanoseconds(1), on: QueueScheduler(), buffer: 1_000, whenFull: .dropOldest)
        },
        Entry(
            "rateLimit(_:per:burst:buffer:whenFull:raising:on:)", asynchronous: true, maySendNothing: true
        ) { source, _ in
            source.rateLimit(1_000, per: .nanoseconds(1), buffer: 1_000, whenFull: .dropOldest, on: QueueScheduler())
        },
        Entry("collect(every:upTo:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.collect(every: .seconds(1), upTo: 1, on: QueueScheduler()).map { $0[0] }
        },
        Entry("slidingWindow(for:on:)", transparent: true) { source, _ in
            // Ten values per window: a clock that stands still would copy all values for each value.
            let clock = ScriptedClock()
            return source.slidingWindow(for: .seconds(1), on: clock).map {
                clock.tick(.milliseconds(100))
                return $0[$0.count - 1]
            }
        },
        Entry("take(for:on:)", "that is not over", transparent: true) { source, _ in
            source.take(for: .seconds(1), on: TestScheduler())
        },
        Entry("skip(for:on:)", "that is over", transparent: true) { source, _ in
            source.skip(for: .zero, on: TestScheduler())
        },
        Entry("timestamped(on:)", transparent: true) { source, _ in
            source.timestamped(on: TestScheduler()).map(\.value)
        },
        Entry("timeInterval(on:)", transparent: true) { source, _ in
            source.timeInterval(on: TestScheduler()).map(\.value)
        },
        Entry("heartbeat(every:on:_:)", "of one that is never silent", transparent: true) { source, _ in
            source.heartbeat(every: .seconds(1), on: TestScheduler()) { 0 }
        },
        Entry("onIdle(_:on:_:)", transparent: true) { source, _ in
            source.onIdle(.seconds(1), on: TestScheduler()) { _ in }
        },
        Entry("timeout(between:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.timeout(between: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("timeout(between:raising:on:)#2", "of one that cannot fail", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }
                .timeout(between: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("timeout(afterFirst:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.timeout(afterFirst: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("timeout(afterFirst:raising:on:)#2", "of one that cannot fail", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }
                .timeout(afterFirst: .seconds(1), raising: TestError(), on: TestScheduler())
        },
        Entry("debounce(on:discardWhenCompleted:by:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.debounce(on: QueueScheduler()) { _ in .zero }
        },
        Entry("debounce(_:on:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.debounce(.zero, on: QueueScheduler())
        },
        Entry("settle(for:atMost:on:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.settle(for: .zero, atMost: .zero, on: QueueScheduler())
        },
        Entry("collect(every:on:skipEmpty:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) {
            source, _ in
            source.collect(every: .milliseconds(1), on: QueueScheduler(), skipEmpty: true).map(\.count)
        },
        Entry("lazyMap(on:transform:)", "ImmediateScheduler") { source, w in
            source.lazyMap(on: ImmediateScheduler()) { w.see($0) }
        },
        Entry("lazyMap(on:transform:)", "QueueScheduler", asynchronous: true, mayCoalesce: true) { source, w in
            source.lazyMap(on: QueueScheduler()) { w.see($0) }
        },
        Entry(
            "logEvents(identifier:events:fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.logEvents(logger: logging(to: w)) },
        Entry("logNext(fileName:functionName:lineNumber:logger:)", transparent: true) { source, w in
            source.logNext(logger: logging(to: w))
        },
        Entry("logError(fileName:functionName:lineNumber:logger:)", transparent: true, terminalsSeen: [.error]) {
            source, w in source.logError(logger: logging(to: w))
        },
        Entry("logCompleted(fileName:functionName:lineNumber:logger:)", transparent: true, terminalsSeen: [.completed])
        {
            source, w in source.logCompleted(logger: logging(to: w))
        },
        Entry(
            "logInterrupted(fileName:functionName:lineNumber:logger:)", transparent: true, terminalsSeen: [.interrupted]
        ) {
            source, w in source.logInterrupted(logger: logging(to: w))
        },
        Entry(
            "logAll(fileName:functionName:lineNumber:logger:)", transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) {
            source, w in source.logAll(logger: logging(to: w))
        },
        Entry("merge(_:)", "one that has ended", transparent: true, interruption: .completed) { source, _ in
            Signal.merge(source, .empty)
        },
        Entry("merge(_:)", "the same three times", interruption: .completed) { source, _ in
            Signal.merge(source, source, source)
        },
        Entry("merge(_:)#2", "collection of one", transparent: true, interruption: .completed) { source, _ in
            Signal.merge([source].prefix(1))
        },
        Entry("merge(with:)", "diamond", interruption: .completed) { source, w in
            source.merge(with: source.map { w.see($0) })
        },
        Entry("merge(with:)", "both parts of a partition", transparent: true, interruption: .completed) { source, w in
            let (matches, others) = source.partition { w.see($0 > 2) }
            return matches.merge(with: others)
        },
        Entry("combineLatest(_:_:_:)", "three") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }, source).map { $0.2 }
        },
        Entry("combineLatest(_:_:_:_:)", "four") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }, source, source).map { $0.3 }
        },
        Entry("combineLatest(_:_:_:_:_:)", "five") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }, source, source, source).map { $0.4 }
        },
        Entry("combineLatest(_:_:_:_:_:_:)", "six") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }, source, source, source, source).map { $0.5 }
        },
        Entry("combineLatest(_:)", "seven") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }, source, source, source, source, source).map { $0.6 }
        },
        Entry("combineLatest(_:_:)", "two") { source, w in
            Signal.combineLatest(source, source.map { w.see($0) }).map { $0.1 }
        },
        Entry("combineLatest(_:)#2", "collection of one", transparent: true) { source, _ in
            Signal.combineLatest([source]).map { $0[0] }
        },
        Entry("combineLatest(_:)#2", "collection of three") { source, _ in
            Signal.combineLatest([source, source, source]).map { $0[2] }
        },
        Entry("combineLatest(with:)") { source, w in
            source.combineLatest(with: source.map { w.see($0) }).map { $0.0 }
        },
        Entry("zip(_:_:_:)", "three", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source).map { $0.2 }
        },
        Entry("zip(_:_:_:_:)", "four", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source, source).map { $0.3 }
        },
        Entry("zip(_:_:_:_:_:)", "five", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source, source, source).map { $0.4 }
        },
        Entry("zip(_:_:_:_:_:_:)", "six", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source, source, source, source).map { $0.5 }
        },
        Entry("zip(_:)", "seven", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source, source, source, source, source).map { $0.6 }
        },
        Entry("zip(_:_:)", "two", transparent: true) { source, _ in Signal.zip(source, source).map { $0.1 } },
        Entry("zip(_:)#2", "collection", transparent: true) { source, _ in
            Signal.zip([source, source]).map { $0[1] }
        },
        Entry("zip(with:)", transparent: true) { source, w in
            source.zip(with: source.map { w.see($0) }).map { $0.0 }
        },
        Entry("zip(with:bufferLimit:whenFull:raising:)", transparent: true) { source, w in
            source.zip(with: source.map { w.see($0) }, bufferLimit: 1_000_000, whenFull: .fail, raising: TestError())
                .map { $0.0 }
        },
        Entry("collect(until:)", "its own events") { source, w in
            source.map { w.see($0) }.collect(until: source.materialize()).map(\.count)
        },
        Entry("applying(_:named:argument:)", transparent: true) { source, w in
            source.applying(ProbedOperator(probe: w))
        },
        Entry("map(_:)", "filter, scan and map", transparent: true) { source, w in
            source.map { w.see($0) }.filter { _ in true }.scan(into: 0) { $0 = $1 }.map { $0 }
        },
        Entry("merge(_:)", "of a zip and a combineLatest", interruption: .interrupted) { source, w in
            let pairs = source.zip(with: source.map { w.see($0) }).map { $0.0 }
            return Signal.combineLatest(pairs, source.merge(with: pairs)).map { $0.0 }
        },
    ]

    /// One per way of building operators, for races of many rounds.
    static let raced =
        [plain]
        + table.filter {
            [
                "map(_:)", "take(first:), 3", "observe(on:), ImmediateScheduler", "merge(_:), the same three times",
                "combineLatest(_:_:), two", "zip(_:_:), two", "SignalProducer.map(_:)",
                "Signal.flatMap(_:raising:_:), .merge of values",
                "SignalProducer.flatMap(_:raising:_:), .latest of values",
            ].contains($0.testDescription)
        }
}

/// An operator as the user would write it.
struct ProbedOperator: StreamOperator {
    let probe: Probe

    mutating func receive(_ value: Int, to output: inout OperatorOutput<Int, TestError>) {
        output.sendNext(probe.see(value))
    }
}

/// The method name in `SignalProducer.take(first:)`: `take`.
private func methodName(of form: String) -> String {
    String(form.prefix { $0 != "(" }.split(separator: ".").last ?? "")
}

/// One way to use an operator with several inputs, each of which may be a different signal.
struct Joint: Sendable, CustomTestStringConvertible {
    let form: String
    var testDescription: String { form }
    let inputCount: Int
    /// The part that its result's name contains.
    var name: String { "+" + methodName(of: form) + ":" }
    let join: @Sendable ([Numbers]) -> Numbers

    init(_ form: String, _ inputCount: Int, _ join: @escaping @Sendable ([Numbers]) -> Numbers) {
        self.form = form
        self.inputCount = inputCount
        self.join = join
    }

    var isMerge: Bool { methodName(of: form) == "merge" }
    /// Whether its name does not include its inputs: a merge of producers merges a sequence, which it reads only when
    /// started.
    var isAnonymous: Bool { isMerge && form.hasPrefix("SignalProducer") }
    var isZip: Bool { methodName(of: form) == "zip" }

    /// Sends an error from one input. If the operator delays errors, the others complete after it.
    func fail(_ inputs: [Numbers.Observer], at failing: Int) {
        inputs[failing].sendError(TestError())
        guard form.contains("delayErrors") else { return }
        for (number, input) in inputs.enumerated() where number != failing { input.sendCompleted() }
    }

    static let table = signals + producers

    static let signals: [Joint] = [
        Joint("merge(_:)", 3) { Signal.merge($0[0], $0[1], $0[2]) },
        Joint("merge(_:)#2", 3) { Signal.merge($0) },
        Joint("merge(with:)", 2) { $0[0].merge(with: $0[1]) },
        Joint("combineLatest(_:_:_:)", 3) {
            Signal.combineLatest($0[0], $0[1], $0[2])
                .map { $0.0 &+ $0.1 &+ $0.2 }
        },
        Joint("combineLatest(_:_:_:_:)", 4) {
            Signal.combineLatest($0[0], $0[1], $0[2], $0[3])
                .map { [$0.0, $0.1, $0.2, $0.3].reduce(0, &+) }
        },
        Joint("combineLatest(_:_:_:_:_:)", 5) {
            Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4].reduce(0, &+) }
        },
        Joint("combineLatest(_:_:_:_:_:_:)", 6) {
            Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5].reduce(0, &+) }
        },
        Joint("combineLatest(_:)", 7) {
            Signal.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6].reduce(0, &+) }
        },
        Joint("combineLatest(_:_:)", 2) { Signal.combineLatest($0[0], $0[1]).map { $0.0 &+ $0.1 } },
        Joint("combineLatest(_:)#2", 3) { Signal.combineLatest($0).map { $0.reduce(0, &+) } },
        Joint("combineLatest(with:)", 2) { $0[0].combineLatest(with: $0[1]).map { $0.0 &+ $0.1 } },
        Joint("zip(_:_:_:)", 3) {
            Signal.zip($0[0], $0[1], $0[2])
                .map { $0.0 &+ $0.1 &+ $0.2 }
        },
        Joint("zip(_:_:_:_:)", 4) {
            Signal.zip($0[0], $0[1], $0[2], $0[3])
                .map { [$0.0, $0.1, $0.2, $0.3].reduce(0, &+) }
        },
        Joint("zip(_:_:_:_:_:)", 5) {
            Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4].reduce(0, &+) }
        },
        Joint("zip(_:_:_:_:_:_:)", 6) {
            Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5].reduce(0, &+) }
        },
        Joint("zip(_:)", 7) {
            Signal.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6])
                .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6].reduce(0, &+) }
        },
        Joint("zip(_:_:)", 2) { Signal.zip($0[0], $0[1]).map { $0.0 &+ $0.1 } },
        Joint("zip(_:)#2", 3) { Signal.zip($0).map { $0.reduce(0, &+) } },
        Joint("zip(with:)", 2) { $0[0].zip(with: $0[1]).map { $0.0 &+ $0.1 } },
        Joint("zip(with:bufferLimit:whenFull:raising:)", 2) {
            $0[0].zip(with: $0[1], bufferLimit: 1_000_000, whenFull: .fail, raising: TestError()).map { $0.0 &+ $0.1 }
        },
    ]

    /// Operators whose second input only controls the first.
    static let guided: [Joint] = [
        Joint("take(until:)", 2) { $0[0].take(until: $0[1].materialize()) },
        Joint("take(untilReplacement:)", 2) { $0[0].take(untilReplacement: $0[1]) },
        Joint("skip(until:)", 2) { $0[0].skip(until: $0[1].materialize()) },
        Joint("sample(on:)", 2) { $0[0].sample(on: $0[1].materialize()) },
        Joint("sample(with:)", 2) { $0[0].sample(with: $0[1].materialize()).map { $0.0 } },
        Joint("withLatest(from:)", 2) { $0[0].withLatest(from: $0[1].materialize()).map { $0.0 } },
        Joint("collect(until:)", 2) { $0[0].collect(until: $0[1].materialize()).map(\.count) },
        Joint("and(_:)", 2) { $0[0].map { $0 > 1 }.and($0[1].map { $0 > 0 }).map { $0 ? 1_000 : 0 } },
        Joint("or(_:)", 2) { $0[0].map { $0 > 1 }.or($0[1].map { $0 > 0 }).map { $0 ? 1_000 : 0 } },
        Joint("all(_:)", 2) { Signal.all([$0[0].map { $0 > 1 }, $0[1].map { $0 > 0 }]).map { $0 ? 1_000 : 0 } },
        Joint("any(_:)", 2) { Signal.any([$0[0].map { $0 > 1 }, $0[1].map { $0 > 0 }]).map { $0 ? 1_000 : 0 } },
    ]
}

@Suite("Operator table")
struct OperatorTableTests {
    @Test("contains exactly the public methods that return a signal or a producer")
    func isComplete() throws {
        let signals = try declaredForms(in: "HotSignals", namingTypes: false)
        let producers = try declaredForms(in: "ColdProducers", namingTypes: true)
        let properties = try declaredForms(in: "ReactiveProperties", namingTypes: true)
        let server = try declaredForms(in: "ReactiveServer", namingTypes: true)
        let sequences = try declaredForms(in: "MemoizedSequences", namingTypes: true)
        // Without what it adds to types of Foundation, which only reads.
        let foundation = try declaredForms(in: "ReactiveSignalsFoundation", namingTypes: true)
            .filter { $0.hasPrefix("Signal.") || $0.hasPrefix("SignalProducer.") }
        let declared = signals.union(producers).union(properties).union(server).union(sequences).union(foundation)
        let known = Set(Entry.table.map(\.form)).union(Entry.sources)
        expect(declared.subtracting(known).sorted(), is: [], "without an entry in the table")
        expect(known.subtracting(declared).sorted(), is: [], "not in the module")
        let severalInputs = ["merge", "combineLatest", "zip"]
        let joining = declared.subtracting(Entry.sources).filter { form in
            severalInputs.contains { form.hasPrefix("\($0)(") || form.hasPrefix("SignalProducer.\($0)(") }
        }
        expect(Set(Joint.table.map(\.form)), is: joining)
    }

    @Test("contains no entry twice")
    func isUnambiguous() {
        expect(Set(Entry.table.map(\.testDescription)).count, is: Entry.table.count)
        expect(Set(Joint.table.map(\.testDescription)).count, is: Joint.table.count)
        expect(Entry.raced.count, is: 10)
    }

    /// The module's public methods that return a signal or a producer: `take(first:)`. Of several with the same name,
    /// all but the first are numbered.
    private func declaredForms(in module: String, namingTypes: Bool) throws -> Set<String> {
        var forms: Set<String> = []
        for symbol in try SymbolGraph.of(module).symbols
        where symbol.isMethod && ["Signal<", "SignalProducer<"].contains(where: symbol.returnType.hasPrefix) {
            let name = namingTypes ? symbol.path.joined(separator: ".") : symbol.name
            var form = name
            var number = 1
            while !forms.insert(form).inserted {
                number += 1
                form = "\(name)#\(number)"
            }
        }
        return forms
    }
}
