import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting

// The operators of the module of producers. An operator on producers is one on signals too: the source is made a producer of,
// and the result is the signal of a start. What is sent in the start itself reaches nobody.

typealias Cold = SignalProducer<Int, TestError>
private typealias Safe = SignalProducer<Int, Never>

extension SignalProducer where Value == Int, Failure == TestError {
    /// The signal of a start.
    fileprivate var hot: Numbers { startWithSignal { signal, _ in signal } }
}

extension Signal where Value == Int, Failure == TestError {
    /// The same without an error: an error is a value and completion, so is a completion.
    fileprivate var safe: Signal<Int, Never> { materialize().map { $0.value ?? -1 } }
}

extension FlattenStrategy {
    static let all: [FlattenStrategy] = [.merge, .concat, .concurrent(limit: 2), .latest, .race, .throttle]
}

extension Entry {
    static let producers = transforming + selecting + timed + succeeding + joining + sharing + flattening

    /// Those that have no input and so cannot be applied to anything: see `ColdSourceTests`.
    static let sources: Set<String> = [
        "SignalProducer.attempt(_:)#2", "SignalProducer.attemptResult(_:)#2",
        "SignalProducer.timer(interval:on:leeway:)", "SignalProducer.timer(after:on:)",
        "SignalProducer.interval(_:_:on:)", "SignalProducer.interval(_:on:)", "MemoizedSequence.producer(on:)",
    ]

    private static func logging(to witness: Witness) -> EventLogger {
        { _, event, _, _, _ in _ = witness.see(event) }
    }

    private static let endless = Lifetime.Token()

    private static let transforming: [Entry] = [
        Entry("SignalProducer.map(_:)", transparent: true) { source, w in source.producer.map { w.see($0) }.hot },
        Entry("SignalProducer.map(_:)#2", transparent: true) { source, _ in
            let path: any KeyPath<Int, Int> & Sendable = \.self
            return source.producer.map(path).hot
        },
        Entry("SignalProducer.map(_:)", "filter, scan and map", transparent: true) { source, w in
            source.producer.map { w.see($0) }.filter { _ in true }.scan(into: 0) { $0 = $1 }.map { $0 }.hot
        },
        Entry("SignalProducer.mapReplace(_:)") { source, _ in source.producer.mapReplace(7).hot },
        Entry("SignalProducer.compactMap(_:)", "odd numbers") { source, w in
            source.producer.compactMap { w.see($0 % 2 == 0 ? nil : $0) }.hot
        },
        Entry("SignalProducer.skipNil()", transparent: true) { source, w in
            source.producer.map { w.see(Optional($0)) }.skipNil().hot
        },
        Entry("SignalProducer.scan(_:_:)") { source, w in source.producer.scan(0) { w.see($0 &+ $1) }.hot },
        Entry("SignalProducer.scan(into:_:)", transparent: true) { source, w in
            source.producer.scan(into: 0) { $0 = w.see($1) }.hot
        },
        Entry("SignalProducer.scanMap(_:_:)") { source, w in
            source.producer.scanMap(0) { (w.see($0 &+ $1), $0) }.hot
        },
        Entry("SignalProducer.scanMap(into:_:)", transparent: true) { source, w in
            source.producer.scanMap(into: 0) {
                $0 = w.see($1)
                return $0
            }.hot
        },
        Entry("SignalProducer.reduce(_:_:)") { source, w in source.producer.reduce(0) { w.see($0 &+ $1) }.hot },
        Entry("SignalProducer.reduce(into:_:)") { source, w in
            source.producer.reduce(into: 0) { $0 = w.see($1) }.hot
        },
        Entry("SignalProducer.combinePrevious(_:)", transparent: true) { source, _ in
            source.producer.combinePrevious(0).map { $0.1 }.hot
        },
        Entry("SignalProducer.combinePrevious()") { source, _ in
            source.producer.combinePrevious().map { $0.1 }.hot
        },
        Entry("SignalProducer.collect()") { source, _ in source.producer.collect().map(\.count).hot },
        Entry("SignalProducer.collect(count:)", "3") { source, _ in
            source.producer.collect(count: 3).map(\.count).hot
        },
        Entry("SignalProducer.collect(_:)", "ended after") { source, w in
            source.producer.collect { w.see($0.count == 3) }.map(\.count).hot
        },
        Entry("SignalProducer.collect(_:)#2", "ended before") { source, w in
            source.producer.collect { values, _ in w.see(values.count == 3) }.map(\.count).hot
        },
        Entry("SignalProducer.flatten()", "two each") { source, w in
            source.producer.map { [w.see($0), $0] }.flatten().hot
        },
        Entry("SignalProducer.materialize()", error: .completed) { source, _ in
            source.producer.materialize().map { $0.value ?? -1 }.promoteError(TestError.self).hot
        },
        Entry("SignalProducer.dematerialize()", transparent: true) { source, _ in
            source.producer.materialize().dematerialize().hot
        },
        Entry("SignalProducer.materializeResults()", error: .completed) { source, _ in
            source.producer.materializeResults().map { (try? $0.get()) ?? -1 }.promoteError(TestError.self).hot
        },
        Entry("SignalProducer.dematerializeResults()", transparent: true) { source, _ in
            source.producer.materializeResults().dematerializeResults().hot
        },
        Entry("SignalProducer.mapError(_:)", transparent: true, terminalsSeen: [.error]) { source, w in
            source.producer.mapError { w.see($0) }.hot
        },
        Entry("SignalProducer.promoteError(_:)", "to its own", transparent: true, isIdentity: true) { source, _ in
            source.producer.promoteError(TestError.self).hot
        },
        Entry("SignalProducer.promoteError(_:)#2", "from none", error: .completed) { source, _ in
            source.safe.producer.promoteError(TestError.self).hot
        },
        Entry("SignalProducer.promoteError(_:)#3", "from none to none", error: .completed) { source, _ in
            source.safe.producer.promoteError(Never.self).promoteError(TestError.self).hot
        },
        Entry("SignalProducer.attempt(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.producer.attempt { (value) throws(TestError) in
                if w.see(value) == 4 { throw TestError() }
            }.hot
        },
        Entry("SignalProducer.attemptResult(_:)", transparent: true) { source, w in
            source.producer.attemptResult { value in
                _ = w.see(value)
                return .success(())
            }.hot
        },
        Entry("SignalProducer.attemptMap(_:)", "fails at 4", failsAtFour: true) { source, w in
            source.producer.attemptMap { (value) throws(TestError) in
                guard w.see(value) != 4 else { throw TestError() }
                return value
            }.hot
        },
        Entry("SignalProducer.attemptMapResult(_:)", transparent: true) { source, w in
            source.producer.attemptMapResult { .success(w.see($0)) }.hot
        },
        Entry("SignalProducer.allSatisfy(_:)", "less than 4") { source, w in
            source.producer.allSatisfy { w.see($0 < 4) }.map { $0 ? 1 : 0 }.hot
        },
        Entry("SignalProducer.contains(where:)", "4") { source, w in
            source.producer.contains { w.see($0 == 4) }.map { $0 ? 1 : 0 }.hot
        },
        Entry("SignalProducer.negate()") { source, w in
            source.producer.map { w.see($0 > 2) }.negate().map { $0 ? 1 : 0 }.hot
        },
        Entry("SignalProducer.groupBy(_:)", "flattened", transparent: true) { source, w in
            source.producer.groupBy { w.see($0) % 2 }.flatten(.merge).hot
        },
        Entry("Signal.groupBy(_:)", "flattened", transparent: true) { source, w in
            source.groupBy { w.see($0) % 2 }.flatten(.merge)
        },
        Entry("SignalProducer.named(_:)", transparent: true) { source, _ in source.producer.named("a name").hot },
        Entry("SignalProducer.lift(_:)", transparent: true) { source, w in
            source.producer.lift { $0.map { w.see($0) } }.hot
        },
    ]

    private static let selecting: [Entry] = [
        Entry("SignalProducer.filter(_:)", "even numbers") { source, w in
            source.producer.filter { w.see($0 % 2 == 0) }.hot
        },
        Entry("SignalProducer.ignoreValues()", maySendNothing: true) { source, _ in
            source.producer.ignoreValues().promoteValue(Int.self).hot
        },
        Entry("SignalProducer.promoteValue(_:)", maySendNothing: true) { source, _ in
            source.producer.ignoreValues().promoteValue().hot
        },
        Entry("SignalProducer.take(first:)", "all", transparent: true) { source, _ in
            source.producer.take(first: .max).hot
        },
        Entry("SignalProducer.take(first:)", "3", limit: 3) { source, _ in source.producer.take(first: 3).hot },
        Entry("SignalProducer.take(last:)", "2") { source, _ in source.producer.take(last: 2).hot },
        Entry("SignalProducer.take(while:)", "less than 4") { source, w in
            source.producer.take(while: { w.see($0 < 4) }).hot
        },
        Entry("SignalProducer.take(throughWhile:)", "less than 4") { source, w in
            source.producer.take(throughWhile: { w.see($0 < 4) }).hot
        },
        Entry("SignalProducer.take(until:)", "that never fires", transparent: true) { source, _ in
            source.producer.take(until: Safe.never).hot
        },
        Entry("SignalProducer.take(untilReplacement:)", "itself", transparent: true) { source, w in
            source.producer.take(untilReplacement: source.producer.map { w.see($0) }).hot
        },
        Entry("SignalProducer.take(during:)", transparent: true) { source, _ in
            source.producer.take(during: Lifetime(endless)).hot
        },
        Entry("SignalProducer.skip(first:)", "2") { source, _ in source.producer.skip(first: 2).hot },
        Entry("SignalProducer.skip(while:)", "less than 3") { source, w in
            source.producer.skip(while: { w.see($0 < 3) }).hot
        },
        Entry("SignalProducer.skip(until:)", "its first event", transparent: true) { source, _ in
            source.producer.skip(until: source.producer.materialize()).hot
        },
        Entry("SignalProducer.skip(until:)", "the first event of the signal", transparent: true) { source, _ in
            source.producer.skip(until: source.materialize()).hot
        },
        Entry("SignalProducer.skipRepeats()") { source, _ in source.producer.skipRepeats().hot },
        Entry("SignalProducer.skipRepeats(_:)", transparent: true) { source, w in
            source.producer.skipRepeats { _, _ in w.see(false) }.hot
        },
        Entry("SignalProducer.uniqueValues()") { source, _ in source.producer.uniqueValues().hot },
        Entry("SignalProducer.uniqueValues(_:)") { source, w in
            source.producer.uniqueValues { w.see($0 / 2) }.hot
        },
        Entry("SignalProducer.uniqueValues(capacity:)") { source, _ in
            source.producer.uniqueValues(capacity: 2).hot
        },
        Entry("SignalProducer.uniqueValues(capacity:_:)") { source, w in
            source.producer.uniqueValues(capacity: 3) { w.see($0) }.hot
        },
        Entry(
            "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
            transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in
            source.producer.on(
                event: { _ in w.see(()) }, next: { _ in w.see(()) }, error: { _ in w.see(()) },
                completed: { w.see(()) }, interrupted: { w.see(()) }, terminated: { w.see(()) }
            ).hot
        },
        Entry(
            "SignalProducer.on(starting:started:event:next:error:completed:interrupted:terminated:disposed:)",
            "disposed", transparent: true, terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.on(next: { _ in w.see(()) }, disposed: { w.see(()) }).hot },
        Entry(
            "SignalProducer.logEvents(identifier:events:fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in
            source.producer.logEvents(
                events: [.next, .error, .completed, .interrupted, .disposed], logger: logging(to: w)
            ).hot
        },
        Entry("SignalProducer.logNext(fileName:functionName:lineNumber:logger:)", transparent: true) { source, w in
            source.producer.logNext(logger: logging(to: w)).hot
        },
        Entry(
            "SignalProducer.logError(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.error]
        ) { source, w in source.producer.logError(logger: logging(to: w)).hot },
        Entry(
            "SignalProducer.logCompleted(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.completed]
        ) { source, w in source.producer.logCompleted(logger: logging(to: w)).hot },
        Entry(
            "SignalProducer.logInterrupted(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: [.interrupted]
        ) { source, w in source.producer.logInterrupted(logger: logging(to: w)).hot },
        Entry(
            "SignalProducer.logAll(fileName:functionName:lineNumber:logger:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases)
        ) { source, w in source.producer.logAll(logger: logging(to: w)).hot },
    ]

    private static let timed: [Entry] = [
        Entry("SignalProducer.observe(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.producer.observe(on: ImmediateScheduler()).hot
        },
        Entry("SignalProducer.observe(on:)", "QueueScheduler", transparent: true, asynchronous: true) { source, _ in
            source.producer.observe(on: QueueScheduler()).hot
        },
        Entry("SignalProducer.start(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.producer.start(on: ImmediateScheduler()).hot
        },
        Entry("SignalProducer.timeout(after:raising:on:)", "that is not up", transparent: true) { source, _ in
            source.producer.timeout(after: .seconds(1), raising: TestError(), on: TestScheduler()).hot
        },
        Entry("SignalProducer.timeout(after:raising:on:)#2", "of one that cannot fail", error: .completed) {
            source, _ in
            source.safe.producer.timeout(after: .seconds(1), raising: TestError(), on: TestScheduler()).hot
        },
        Entry("SignalProducer.delay(_:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.producer.delay(.zero, on: QueueScheduler()).hot
        },
        Entry("SignalProducer.throttle(_:on:)", asynchronous: true, maySendNothing: true) { source, _ in
            source.producer.throttle(.zero, on: QueueScheduler()).hot
        },
        Entry("SignalProducer.debounce(_:on:discardWhenCompleted:)", asynchronous: true, maySendNothing: true) {
            source, _ in source.producer.debounce(.zero, on: QueueScheduler()).hot
        },
        Entry(
            "SignalProducer.collect(every:on:skipEmpty:discardWhenCompleted:)", asynchronous: true,
            maySendNothing: true
        ) { source, _ in
            source.producer.collect(every: .milliseconds(1), on: QueueScheduler(), skipEmpty: true).map(\.count).hot
        },
        Entry("SignalProducer.lazyMap(on:transform:)", "ImmediateScheduler") { source, w in
            source.producer.lazyMap(on: ImmediateScheduler()) { w.see($0) }.hot
        },
        Entry("SignalProducer.lazyMap(on:transform:)", "QueueScheduler", asynchronous: true, mayCoalesce: true) {
            source, w in source.producer.lazyMap(on: QueueScheduler()) { w.see($0) }.hot
        },
    ]

    /// What begins again gets the signal when it has ended, which is an interruption.
    private static let succeeding: [Entry] = [
        Entry("SignalProducer.concat(value:)") { source, _ in source.producer.concat(value: 9).hot },
        Entry("SignalProducer.concat(error:)", completion: .error(TestError())) { source, _ in
            source.producer.concat(error: TestError()).hot
        },
        Entry("SignalProducer.concat(_:)", transparent: true, interruption: .completed) { source, _ in
            source.producer.concat(.empty).hot
        },
        Entry(
            "SignalProducer.concat(_:)#2", "a collection", transparent: true, interruption: .completed,
            isAnonymous: true
        ) { source, _ in Cold.concat([.empty, source.producer, source.producer]).hot },
        Entry("SignalProducer.concat(_:)#3", "two", transparent: true, interruption: .completed, isAnonymous: true) {
            source, _ in Cold.concat(.empty, source.producer).hot
        },
        Entry("SignalProducer.prefix(value:)", transparent: true) { source, _ in
            source.producer.prefix(value: 8).hot
        },
        Entry("SignalProducer.prefix(_:)", transparent: true, interruption: .completed) { source, _ in
            source.producer.prefix(Cold(value: 8)).hot
        },
        Entry("SignalProducer.then(_:)") { source, _ in source.producer.then(Cold(value: 9)).hot },
        Entry("SignalProducer.then(_:)#2", "what cannot fail") { source, _ in
            source.producer.then(Safe(value: 9)).hot
        },
        Entry("SignalProducer.then(_:)#3", "made late", terminalsSeen: [.completed]) { source, w in
            source.producer.then { w.see(Cold(value: 9)) }.hot
        },
        Entry("SignalProducer.then(_:)#4", "after what cannot fail", error: .completed) { source, _ in
            source.safe.producer.then(Cold(value: 9)).hot
        },
        Entry("SignalProducer.then(_:)#5", "none of which can fail", error: .completed) { source, _ in
            source.safe.producer.then(Safe(value: 9)).promoteError(TestError.self).hot
        },
        Entry("SignalProducer.repeat(_:)", "once", transparent: true) { source, _ in source.producer.repeat(1).hot },
        Entry("SignalProducer.repeat(_:)", "twice", transparent: true, completion: .interrupted) { source, _ in
            source.producer.repeat(2).hot
        },
        Entry("SignalProducer.repeatForever()", transparent: true, completion: .interrupted) { source, _ in
            source.producer.repeatForever().hot
        },
        Entry("SignalProducer.repeat(while:)", transparent: true, terminalsSeen: [.completed]) { source, w in
            source.producer.repeat(while: { w.see(false) }).hot
        },
        Entry("SignalProducer.retry(upTo:)", "2", transparent: true, error: .interrupted) { source, _ in
            source.producer.retry(upTo: 2).hot
        },
        Entry("SignalProducer.retry(upTo:interval:on:)", "0", transparent: true) { source, _ in
            source.producer.retry(upTo: 0, interval: .seconds(1), on: TestScheduler()).hot
        },
        Entry(
            "SignalProducer.retry(upTo:interval:on:)", "1", transparent: true, asynchronous: true, error: .interrupted
        ) { source, _ in source.producer.retry(upTo: 1, interval: .zero, on: QueueScheduler()).hot },
        Entry(
            "SignalProducer.retry(_:on:)", transparent: true, asynchronous: true, error: .interrupted,
            terminalsSeen: [.error]
        ) { source, w in
            source.producer.retry(.exponential(from: .zero, upTo: 1) { _, _ in w.see(true) }, on: QueueScheduler()).hot
        },
        Entry("SignalProducer.flatMapError(_:)", transparent: true, error: .completed, terminalsSeen: [.error]) {
            source, w in source.producer.flatMapError { _ in w.see(Cold(value: 9)) }.hot
        },
        Entry("Signal.flatMapError(_:)", transparent: true, error: .completed, terminalsSeen: [.error]) { source, w in
            source.flatMapError { _ in w.see(Cold.empty) }
        },
        Entry("SignalProducer.deferred(_:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.deferred { source }.hot
        },
        Entry(
            "SignalProducer.using(resource:release:producer:)", transparent: true,
            terminalsSeen: Set(Terminal.allCases), isAnonymous: true
        ) { source, w in Cold.using(resource: { 1 }, release: { _ in w.see(()) }, producer: { _ in source }).hot },
        Entry("SignalProducer.using(resource:producer:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.using(resource: { SimpleDisposable() }, producer: { _ in source.producer }).hot
        },
    ]

    private static let joining: [Entry] = [
        Entry(
            "SignalProducer.merge(_:)", "one that has ended", transparent: true, interruption: .completed,
            isAnonymous: true
        ) {
            source, _ in Cold.merge(source.producer, .empty).hot
        },
        Entry("SignalProducer.merge(_:)#2", "the same three times", interruption: .completed, isAnonymous: true) {
            source, _ in Cold.merge([source.producer, source.producer, source.producer]).hot
        },
        Entry("SignalProducer.merge(with:)", "diamond", interruption: .completed, isAnonymous: true) { source, w in
            source.producer.merge(with: source.map { w.see($0) }).hot
        },
        Entry("SignalProducer.race(_:)", transparent: true, isAnonymous: true) { source, _ in
            Cold.race(.never, source.producer).hot
        },
        Entry("SignalProducer.race(_:)#2", "the same three times", transparent: true, isAnonymous: true) { source, _ in
            Cold.race([source.producer, source.producer, source.producer]).hot
        },
        Entry("SignalProducer.combineLatest(_:)", "three") { source, w in
            SignalProducer.combineLatest(source.producer, source.producer, source.producer.map { w.see($0) })
                .map { $0.2 }.hot
        },
        Entry("SignalProducer.combineLatest(_:_:)", "two") { source, w in
            SignalProducer.combineLatest(source.producer, source.producer.map { w.see($0) }).map { $0.1 }.hot
        },
        Entry("SignalProducer.combineLatest(_:)#2", "a collection of one", transparent: true) { source, _ in
            Cold.combineLatest([source.producer]).map { $0[0] }.hot
        },
        Entry("SignalProducer.combineLatest(with:)") { source, w in
            source.producer.combineLatest(with: source.map { w.see($0) }).map { $0.0 }.hot
        },
        Entry("SignalProducer.zip(_:)", "three", transparent: true) { source, w in
            SignalProducer.zip(source.producer, source.producer.map { w.see($0) }, source.producer).map { $0.2 }.hot
        },
        Entry("SignalProducer.zip(_:_:)", "two", transparent: true) { source, _ in
            SignalProducer.zip(source.producer, source.producer).map { $0.1 }.hot
        },
        Entry("SignalProducer.zip(_:)#2", "a collection", transparent: true) { source, _ in
            Cold.zip([source.producer, source.producer]).map { $0[1] }.hot
        },
        Entry("SignalProducer.zip(with:)", transparent: true) { source, w in
            source.producer.zip(with: source.map { w.see($0) }).map { $0.0 }.hot
        },
        Entry("SignalProducer.and(_:)") { source, w in
            source.producer.map { $0 > 1 }.and(source.producer.map { w.see($0 < 4) }).map { $0 ? 1 : 0 }.hot
        },
        Entry("SignalProducer.or(_:)") { source, w in
            source.producer.map { $0 > 3 }.or(source.map { w.see($0 < 2) }).map { $0 ? 1 : 0 }.hot
        },
        Entry("SignalProducer.sample(on:)", "its own events") { source, _ in
            source.producer.sample(on: source.producer.materialize()).hot
        },
        Entry("SignalProducer.sample(with:)", "its own events") { source, _ in
            source.producer.sample(with: source.materialize()).map { $0.0 }.hot
        },
        Entry("Signal.sample(on:)", "its own events") { source, _ in
            source.sample(on: source.producer.materialize())
        },
        Entry("Signal.sample(with:)", "its own events") { source, _ in
            source.sample(with: source.producer.materialize()).map { $0.0 }
        },
        Entry("SignalProducer.withLatest(from:)", "its own events", transparent: true) { source, _ in
            source.producer.withLatest(from: source.producer.materialize()).map { $0.0 }.hot
        },
        // The signal is observed before the producer starts: its first value comes too early.
        Entry("Signal.withLatest(from:)", "its own events") { source, _ in
            source.withLatest(from: source.producer.materialize()).map { $0.0 }
        },
        Entry("SignalProducer.lift(_:)", "an operator on two", transparent: true) { source, _ in
            source.producer.lift { values in { others in values.zip(with: others).map { $0.0 } } }(source.producer).hot
        },
        Entry("SignalProducer.lift(_:)", "an operator on two, with a signal", transparent: true) { source, _ in
            source.producer.lift { values in { others in values.zip(with: others).map { $0.0 } } }(source).hot
        },
    ]

    private static let sharing: [Entry] = [
        Entry("SignalProducer.replayLazily(upTo:)", "0", transparent: true) { source, _ in
            source.producer.replayLazily(upTo: 0).hot
        },
        Entry("SignalProducer.replayLazily(upTo:)", "2", transparent: true) { source, _ in
            source.producer.replayLazily(upTo: 2).hot
        },
        Entry("SignalProducer.replayEagerly(upTo:)", transparent: true) { source, _ in
            source.producer.replayEagerly(upTo: 2).hot
        },
        Entry("SignalProducer.share(replay:while:)", "observed", transparent: true) { source, _ in
            source.producer.share(replay: 2, while: .observed).hot
        },
        Entry("SignalProducer.share(replay:while:)", "for ever", transparent: true) { source, _ in
            source.producer.share(while: .forever).hot
        },
        Entry("Connection.autoconnect()", transparent: true, isAnonymous: true) { source, _ in
            source.producer.multicast(replay: 2).autoconnect().hot
        },
    ]

    private static let flattening: [Entry] =
        FlattenStrategy.all.flatMap(flattening(_:)) + [
            Entry("Signal.flatMap(_:_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.flatMap(.merge) { Safe(value: w.see($0)) }
            },
            Entry("Signal.flatMap(_:_:)#3", "into results", transparent: true) { source, w in
                source.flatMap(.concat) { value -> Result<Int, TestError> in .success(w.see(value)) }
            },
            Entry("Signal.flatMap(_:_:)#4", "from what cannot fail", error: .completed) { source, w in
                source.safe.flatMap(.latest) { Cold(value: $0) }
            },
            Entry("Signal.flatMap(_:_:)#5", "none of which can fail", error: .completed) { source, w in
                source.safe.flatMap(.merge) { Safe(value: $0) }.promoteError(TestError.self)
            },
            Entry("SignalProducer.flatMap(_:_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.producer.flatMap(.merge) { Safe(value: w.see($0)) }.hot
            },
            Entry("SignalProducer.flatMap(_:_:)#3", "into results", transparent: true) { source, w in
                source.producer.flatMap(.concat) { value -> Result<Int, TestError> in .success(w.see(value)) }.hot
            },
            Entry("SignalProducer.flatMap(_:_:)#4", "from what cannot fail", error: .completed) { source, w in
                source.safe.producer.flatMap(.latest) { Cold(value: $0) }.hot
            },
            Entry("SignalProducer.flatMap(_:_:)#5", "none of which can fail", error: .completed) { source, w in
                source.safe.producer.flatMap(.merge) { Safe(value: $0) }.promoteError(TestError.self).hot
            },
            Entry("Signal.flatten(_:)", transparent: true) { source, w in
                source.map { Cold(value: w.see($0)) }.flatten(.merge)
            },
            Entry("Signal.flatten(_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.map { Safe(value: w.see($0)) }.flatten(.throttle)
            },
            Entry("Signal.flatten(_:)#3", "from what cannot fail", error: .completed) { source, _ in
                source.safe.map { Cold(value: $0) }.flatten(.latest)
            },
            Entry("Signal.flatten(_:)#4", "none of which can fail", error: .completed) { source, _ in
                source.safe.map { Safe(value: $0) }.flatten(.concat).promoteError(TestError.self)
            },
            Entry("SignalProducer.flatten(_:)", transparent: true) { source, w in
                source.producer.map { Cold(value: w.see($0)) }.flatten(.merge).hot
            },
            Entry("SignalProducer.flatten(_:)#2", "into what cannot fail", transparent: true) { source, w in
                source.producer.map { Safe(value: w.see($0)) }.flatten(.throttle).hot
            },
            Entry("SignalProducer.flatten(_:)#3", "from what cannot fail", error: .completed) { source, _ in
                source.safe.producer.map { Cold(value: $0) }.flatten(.latest).hot
            },
            Entry("SignalProducer.flatten(_:)#4", "none of which can fail", error: .completed) { source, _ in
                source.safe.producer.map { Safe(value: $0) }.flatten(.concat).promoteError(TestError.self).hot
            },
        ]

    private static func flattening(_ strategy: FlattenStrategy) -> [Entry] {
        // Of a race only the first value's producer is started. The latest signal is replaced before it sends anything.
        let isRace = strategy == .race
        let isLatest = strategy == .latest
        return [
            Entry("Signal.flatMap(_:_:)", "\(strategy) of values", transparent: !isRace) { source, w in
                source.flatMap(strategy) { Cold(value: w.see($0)) }
            },
            Entry("Signal.flatMap(_:_:)", "\(strategy) of signals", maySendNothing: isLatest) { source, w in
                source.flatMap(strategy) { _ in source.take(first: 1).map { w.see($0) } }
            },
            Entry("SignalProducer.flatMap(_:_:)", "\(strategy) of values", transparent: !isRace) { source, w in
                source.producer.flatMap(strategy) { Cold(value: w.see($0)) }.hot
            },
            Entry("SignalProducer.flatMap(_:_:)", "\(strategy) of signals", maySendNothing: isLatest) { source, w in
                source.producer.flatMap(strategy) { _ in source.take(first: 1).map { w.see($0) } }.hot
            },
        ]
    }
}

extension Joint {
    /// Those of producers.
    static let producers: [Joint] = [
        Joint("SignalProducer.merge(_:)", 3) { Cold.merge($0[0].producer, $0[1].producer, $0[2].producer).hot },
        Joint("SignalProducer.merge(_:)#2", 3) { Cold.merge($0).hot },
        Joint("SignalProducer.merge(with:)", 2) { $0[0].producer.merge(with: $0[1]).hot },
        Joint("SignalProducer.combineLatest(_:)", 3) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer, $0[2].producer)
                .map { $0.0 &+ $0.1 &+ $0.2 }.hot
        },
        Joint("SignalProducer.combineLatest(_:_:)", 2) {
            SignalProducer.combineLatest($0[0].producer, $0[1].producer).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.combineLatest(_:)#2", 3) {
            Cold.combineLatest($0.map(\.producer)).map { $0.reduce(0, &+) }.hot
        },
        Joint("SignalProducer.combineLatest(with:)", 2) {
            $0[0].producer.combineLatest(with: $0[1]).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.zip(_:)", 3) {
            SignalProducer.zip($0[0].producer, $0[1].producer, $0[2].producer).map { $0.0 &+ $0.1 &+ $0.2 }.hot
        },
        Joint("SignalProducer.zip(_:_:)", 2) {
            SignalProducer.zip($0[0].producer, $0[1].producer).map { $0.0 &+ $0.1 }.hot
        },
        Joint("SignalProducer.zip(_:)#2", 3) { Cold.zip($0.map(\.producer)).map { $0.reduce(0, &+) }.hot },
        Joint("SignalProducer.zip(with:)", 2) { $0[0].producer.zip(with: $0[1]).map { $0.0 &+ $0.1 }.hot },
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
