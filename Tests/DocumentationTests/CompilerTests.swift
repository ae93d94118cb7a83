import TestSupport
import Testing

/// The compiler's diagnostics for everyday code, both correct and wrong.
@Suite("Compiler diagnostics", .watched)
struct CompilerTests {
    private static func messages(about codes: [String]) async throws -> [OldNamesOutcome.Message] {
        try await Command.onThread { try OldNamesOutcome.check(codes) }
    }

    @Test("are absent for everyday code")
    func everyday() async throws {
        for message in try await Self.messages(about: Self.everyday) where message.kind != "declared" {
            Issue.record("\(message.row.map { Self.everyday[$0] } ?? "the setup"): \(message.text)")
        }
    }

    @Test("report errors in an action's closure, without a crash of the compiler")
    func actions() async throws {
        let arguments = [
            "(state: property, enabledIf: { $0 > 0 })", "(state: property, enabledIf: { $0.none })",
            "(state: property, policy: .restart)", "(state: property, enabledIf: { $0 > 0 }, policy: .restart)",
            "(enabledIf: property.map { $0 > 0 }, policy: .queue(waiting: 1))",
            "(enabledIf: { $0 > 0 }, state: property)",
            "(unwrapping: property)", "(state: property)", "(none: property)", "",
        ]
        let closures = ["{ a in a.none }", "{ a, b in a.none }", "{ none }", "{ a in SignalProducer(value: a.none) }"]
        let codes = ["Action<Int, Int, Failed>", "Action<Void, Int, Failed>", "Action"].flatMap { type in
            arguments.flatMap { list in closures.map { "_ = \(type)\(list) \($0)" } }
        }
        let messages = try await Self.messages(about: codes)
        for (number, code) in codes.enumerated() {
            #expect(messages.contains { $0.row == number && $0.kind == "error" }, "\(code)")
        }
    }

    @Test("name the mistake at its place")
    func mistakes() async throws {
        let messages = try await Self.messages(about: Self.mistakes.map(\.code))
        for (number, mistake) in Self.mistakes.enumerated() {
            let said = messages.filter { $0.row == number && $0.kind != "note" }.map(\.text)
            #expect(said == [mistake.message], "\(mistake.code)")
        }
    }

    /// Code that compiles. The type of the result is stated where it matters.
    private static let everyday: [String] = [
        // A former name
        "let _: ActionPolicy = .queue(limit: 2)",
        // Closures that return a result
        "let _: Signal<Int, Failed> = signal.attempt { validate($0) }",
        "let _: Signal<Int, Failed> = signal.attempt(validate)",
        "let _: Signal<Int, Failed> = signal.attempt { half($0) }",
        "let _: Signal<Int, Failed> = signal.attempt { $0 > 0 ? .success(()) : .failure(Failed()) }",
        "let _: Signal<Int, Failed> = signal.attempt { x in guard x > 0 else { return .failure(Failed()) }; return .success(()) }",
        "let _: Signal<Int, Failed> = signal.attempt { print($0) }",
        "let _: Signal<Int, Failed> = signal.attempt { (x) throws(Failed) in if x > 1 { throw Failed() } }",
        "let some = signal.attemptMap { half($0) }; let _: Signal<Int, Failed> = some",
        "let some = signal.attemptMap(half); let _: Signal<Int, Failed> = some",
        "let some = signal.attemptMap { $0 + 1 }; let _: Signal<Int, Failed> = some",
        "let _: SignalProducer<Int, Failed> = producer.attempt { validate($0) }",
        "let _: SignalProducer<Int, Failed> = producer.attempt { half($0) }",
        "let some = producer.attemptMap { half($0) }; let _: SignalProducer<Int, Failed> = some",
        "let some = producer.attemptMap { $0 + 1 }; let _: SignalProducer<Int, Failed> = some",
        "let _: SignalProducer<Int, Failed> = .attempt { half(1) }",
        // Closures that throw, of streams that cannot fail before
        "let some = safe.attempt { try load($0) }; let _: Signal<Int, any Error> = some",
        "let some = safe.attempt { validate($0) }; let _: Signal<Int, Failed> = some",
        "let some = safe.attempt { print($0) }; let _: Signal<Int, Never> = some",
        "let some = safe.attemptMap { half($0) }; let _: Signal<Int, Failed> = some",
        "let some = safe.attemptMap { $0 + 1 }; let _: Signal<Int, Never> = some",
        "let some = safeProducer.attempt { try load($0) }; let _: SignalProducer<Int, any Error> = some",
        "let some = safeProducer.attempt { print($0) }; let _: SignalProducer<Int, Never> = some",
        "let some = safeProducer.attemptMap { try half($0).get() }; let _: SignalProducer<Int, any Error> = some",
        "let some = safeProducer.attemptMap { $0 + 1 }; let _: SignalProducer<Int, Never> = some",
        "let some = safe.timeout(after: .seconds(1), raising: Failed(), on: scheduler); let _: Signal<Int, Failed> = some",
        // Implicit member syntax
        "let some = producer.flatMapError { _ in .empty }; let _: SignalProducer<Int, Never> = some",
        "let _: SignalProducer<Int, Failed> = producer.flatMapError { _ in .empty }",
        "property <~ producer.flatMapError { _ in .empty }",
        "producer.flatMapError { _ in .init(value: 1) }.startWithNext { print($0) }",
        "_ = signal.flatMapError { _ in .empty }",
        "_ = producer.take(until: .empty); _ = producer.take(until: .timer(after: .seconds(1), on: scheduler))",
        "_ = producer.skip(until: .never); _ = producer.then(.empty); _ = producer.then(.init(value: \"\"))",
        "_ = producer.zip(with: .init(value: 1)); _ = producer.sample(on: .interval(.seconds(1), on: scheduler))",
        "_ = producer.flatMap(.latest) { x in if x > 0 { return producer }; return .empty }",
        "let _: SignalProducer<Int, Failed> = producer.flatMap(.latest) { x in if x > 0 { return .empty }; return producer }",
        "let _: SignalProducer<Int, Failed> = safeProducer.flatMap(.latest) { $0 > 0 ? .empty : producer }",
        "_ = SignalProducer<Int, Never>.deferred { .empty }; _ = Property(initial: 0, then: .empty)",
        // Leading dots for a second stream
        "_ = signal.combineLatest(with: .never); _ = signal.zip(with: .empty); _ = signal.merge(with: .never)",
        "_ = signal.zip(with: .never, bufferLimit: 1, whenFull: .dropOldest); _ = signal.take(untilReplacement: .never)",
        "_ = signal.sample(on: .never); _ = signal.sample(with: .empty); _ = signal.withLatest(from: .never)",
        "_ = signal.sample(on: .interval(.seconds(1), on: scheduler)); _ = signal.withLatest(from: .init(value: 1))",
        "_ = signal.take(until: .empty); _ = signal.skip(until: .never); _ = signal.collect(until: .never)",
        "_ = signal.window(until: .never, bufferLimit: 1, whenFull: .dropOldest); _ = signal.switchIfEmpty(.never)",
        "let flags = signal.map { $0 > 0 }; _ = flags.and(.never); _ = flags.or(.empty); _ = Signal.all(flags, .never)",
        "let flags = signal.map { $0 > 0 }; _ = Signal.any(flags, flags, .never); _ = Signal.all([flags, .never])",
        "_ = Signal.combineLatest(signal, .never); _ = Signal.merge(signal, .never); _ = Signal.zip([signal, .never])",
        "_ = signal.expand(.concat) { $0 > 0 ? .init(value: $0 - 1) : .empty }; _ = signal.expand(.merge) { _ in .never }",
        "let some = producer.combineLatest(with: .never); let _: SignalProducer<(Int, Never), Failed> = some",
        "_ = producer.combineLatest(with: .init(value: 1)); _ = producer.zip(with: .never); _ = producer.merge(with: .empty)",
        "_ = producer.zip(with: .init(value: 1), bufferLimit: 1, whenFull: .dropOldest); _ = producer.concat(.never)",
        "_ = producer.zip(with: .init(value: 1), bufferLimit: 1, whenFull: .suspend); _ = producer.prefix(.init(value: 1))",
        "_ = producer.sample(on: .never); _ = producer.sample(with: .empty); _ = producer.sample(on: .init(value: 1))",
        "_ = producer.withLatest(from: .never); _ = producer.withLatest(from: .init(value: 1))",
        "_ = producer.take(until: .never); _ = producer.take(until: .init(value: 1)); _ = producer.take(untilReplacement: .never)",
        "_ = producer.skip(until: .empty); _ = producer.collect(until: .never); _ = producer.cached(until: .never)",
        "_ = producer.cached(until: .interval(.seconds(1), on: scheduler)); _ = producer.switchIfEmpty(.init(value: 1))",
        "_ = producer.window(until: .never, bufferLimit: 1, whenFull: .dropOldest)",
        "func use() async throws { try await producer.run(until: .never); try await producer.run(until: .init(value: 1)) }",
        "let flags = producer.map { $0 > 0 }; _ = flags.and(.init(value: true)); _ = flags.or(.empty)",
        "let flags = producer.map { $0 > 0 }; _ = SignalProducer.all(flags, .init(value: true)); _ = SignalProducer.any(flags, flags)",
        "_ = SignalProducer.combineLatest(producer, .never); _ = SignalProducer.zip(producer, .init(value: 1))",
        "let some = SignalProducer.merge(producer, .never); let _: SignalProducer<Int, Failed> = some",
        "let some = producer.then(.empty); let _: SignalProducer<Int, Failed> = some",
        "let some = safeProducer.then(.empty); let _: SignalProducer<Int, Never> = some",
        "let some = safeProducer.then(.init(value: \"\")); let _: SignalProducer<String, Never> = some",
        "let some = safeProducer.then(.init([\"\"])); let _: SignalProducer<String, Never> = some",
        "let some = safeProducer.then(.init(result: half(1))); let _: SignalProducer<Int, Failed> = some",
        "let _: SignalProducer<Int, Failed> = safeProducer.then(.init(error: Failed()))",
        "let some = producer.then(.init(result: half(1))); let _: SignalProducer<Int, Failed> = some",
        "let some = producer.then { .init(value: \"\") }; let _: SignalProducer<String, Failed> = some",
        "let some = producer.expand(.concat) { $0 > 0 ? .init(value: $0 - 1) : .empty }; let _: SignalProducer<Int, Failed> = some",
        "_ = producer.expand(.merge) { x in if x > 0 { return .empty }; return producer }",
        "let some = producer.flatMap(.merge) { $0 > 0 ? .init(value: \"\") : .empty }; let _: SignalProducer<String, Failed> = some",
        "_ = producer.flatMap(.concat(waiting: 1, whenFull: .fail), raising: Failed()) { $0 > 0 ? .init(value: \"\") : .empty }",
        "_ = safeProducer.flatMap(.concat(waiting: 1, whenFull: .fail), raising: Failed()) { _ in .init(value: \"\") }",
        "let some = Bool.random() ? producer : .empty; let _: SignalProducer<Int, Failed> = some",
        "let _: SignalProducer<Never, Never> = .never; let _: Signal<Never, Never> = .empty",
        "_ = producer.retry { _ in .timer(after: .seconds(1), on: scheduler) }; _ = producer.retry { _ in .never }",
        "_ = producer.retry { $0.take(first: 3) }; _ = producer.retry { _ in signal }; _ = producer.retry { _ in producer }",
        "let _: SignalProducer<Int, Failed> = .using(resource: { 1 }, release: { _ in }) { $0 > 0 ? .init(value: $0) : .empty }",
        "_ = SignalProducer<Int, Failed>.using(resource: { 1 }, release: { _ in await Task.yield() }) { .init([$0, 2]) }",
        "_ = SignalProducer<Int, Failed>.using(resource: { SimpleDisposable() }) { _ in .never }",
        "_ = SignalProducer<Int, Failed>.using(resource: { 1 }, release: { _ in await Task.yield() }) { _ in signal }",
        // A signal with a property or a producer, and the other way round
        "let some = signal.withLatest(from: property); let _: Signal<(Int, Int), Failed> = some",
        "let some = safe.withLatest(from: property.map { \"\\($0)\" }); let _: Signal<(Int, String), Never> = some",
        "_ = signal.withLatest(from: safe); _ = signal.withLatest(from: safeProducer); _ = signal.sample(on: safeProducer)",
        "_ = signal.sample(on: property); _ = signal.sample(with: property); _ = signal.sample(on: trigger)",
        "_ = safeProducer.combineLatest(with: property); _ = producer.combineLatest(with: signal); _ = producer.zip(with: signal)",
        "_ = producer.zip(with: signal, bufferLimit: 1, whenFull: .dropOldest); _ = safeProducer.merge(with: property)",
        "_ = producer.concat(signal); _ = safeProducer.prefix(property); _ = producer.sample(on: property)",
        "_ = producer.skip(until: trigger); _ = producer.take(untilReplacement: signal); _ = producer.withLatest(from: property)",
        "_ = producer.collect(until: trigger); _ = producer.cached(until: trigger); _ = producer.switchIfEmpty(signal)",
        "_ = producer.window(until: trigger, bufferLimit: 1, whenFull: .dropOldest); _ = producer.then(property)",
        "_ = Property.combineLatest([property, property], emptySentinel: [1]); _ = Property.zip([property], emptySentinel: [])",
        "final class Box: Sendable { nonisolated(unsafe) var x = 0 }; BindingTarget(lifetime: .empty, object: Box(), keyPath: \\.x) <~ safe",
        // Trailing closures of operators with several closures
        "producer.on(started: {}) { print($0 + 1) }.start(); producer.on(disposed: {}) { print($0 + 1) }.start()",
        "_ = signal.on(completed: {}) { print($0 + 1) }; _ = signal.on(error: { print($0) }) { print($0 + 1) }",
        "_ = signal.on { print($0 + 1) }; _ = signal.on(next: { print($0 + 1) }); _ = signal.on(event: { print($0) })",
        "_ = signal.on(next: { print($0 + 1) }, error: { _ in }, completed: {}, interrupted: {}, terminated: {}, disposed: {})",
        "_ = producer.on(starting: {}, started: {}, event: { _ in }, next: { print($0 + 1) }, error: { _ in }, terminated: {})",
        "_ = producer.on(started: { print(1) }); _ = producer.on(completed: { print(1) }); _ = producer.on(next: { _ in }, disposed: {})",
        "_ = signal.breakpoint { $0 > 1 }; _ = Signal<Int, Failed>.Observer { print($0 + 1) }",
        "_ = Action<Int, Int, Failed>(state: property) { state, input in .init(value: state + input) }",
        "_ = RetryPolicy<Failed>.constant(.seconds(1)) { _, attempt in attempt < 3 }",
        // The same without implicit member syntax
        "_ = producer.flatMap(.latest) { _ in producer }; _ = producer.flatMap(.latest) { _ in safeProducer }",
        "_ = safeProducer.flatMap(.latest) { _ in producer }; _ = safeProducer.flatMap(.latest) { _ in safeProducer }",
        "_ = safeProducer.flatMap(.latest) { _ in property }; _ = producer.flatMap(.latest) { half($0) }",
        "_ = producer.then(producer); _ = producer.then(safeProducer); _ = safeProducer.then(producer)",
        "_ = safeProducer.then(safeProducer); _ = producer.then { producer }; _ = producer.take(until: trigger)",
        "_ = producer.take(until: property); _ = safeProducer.zip(with: property); _ = producer.flatMapError { _ in safe }",
        // Overloads that must resolve to the given types
        "let some = producer.flatMap(.merge) { x in SignalProducer { o, _ in o.sendNext(x) } }; let _: SignalProducer<Int, Failed> = some",
        "let some = safeProducer.flatMap(.concat) { _ in safeProducer }; let _: SignalProducer<Int, Never> = some",
        "let some = safe.flatMap(.concat(waiting: 1, whenFull: .fail), raising: Failed()) { _ in safe }; let _: Signal<Int, Failed> = some",
        "let some = safe.map { _ in safe }.flatten(.merge); let _: Signal<Int, Never> = some",
        "let some = safe.map { _ in safe }.flatten(.merge, raising: Failed()); let _: Signal<Int, Failed> = some",
        "_ = safeProducer\((0..<6).map { _ in ".flatMap(.merge) { SignalProducer(value: $0 + 1) }" }.joined())",
        "_ = producer\((0..<6).map { _ in ".flatMap(.merge) { $0 > 0 ? .empty : producer }" }.joined())",
        "let _: SignalProducer<Int, Never> = SignalProducer(property); _ = SignalProducer(signal); _ = SignalProducer([1, 2])",
        "_ = ScopedDisposable(disposable); let scoped = ScopedDisposable(bag); scoped += disposable",
        "struct View { @Property(initial: 0, then: safe) var latest: Int; func show() { _ = $latest.producer } }",
        "final class View { @Property var latest: Int; init() { _latest = Property(property) } }",
        "func use() async { await withSignalScope { scope in safe.observe(in: scope) { _ in }; return () } }",
        "func use() async throws { try await withSignalScope { scope in signal.observe(in: scope) { _ in }; return () } }",
        "func use() async { let all = safeProducer.collect(); _ = all.map { $0.count }; _ = await safeProducer.collectAll() }",
    ]

    private static let anotherFailure =
        "'merge(with:)' is unavailable: the other stream fails in another way: promoteError() or mapError(_:) comes first"

    private static let failingTrigger =
        "'take(until:)' is unavailable: the trigger can fail: handle its errors first, as with flatMapError"
    private static let coldTrigger =
        "'take(until:)' is unavailable: the trigger of a signal is a signal: write 'producer.take(until:)' for another one"
    private static let wrongCase = "'let' binding pattern cannot appear in an expression"

    private static let mistakes: [(code: String, message: String)] = [
        ("_ = producer.attempt { try load($0) }", "invalid conversion of thrown error type 'any Error' to 'Failed'"),
        (
            "struct View { @Property var count = 0 }",
            "incorrect argument label in call (have 'wrappedValue:', expected 'value:')"
        ),
        ("_ = producer.flatMap(.latest) { $0.none }", "value of type 'Int' has no member 'none'"),
        (
            "_ = producer.flatMap(.latest) { _ in Signal<Int, Never>.empty.promoteError(CancellationError.self) }",
            "instance method 'flatMap(_:raising:_:)' requires the types 'Failed' and 'CancellationError' be equivalent"
        ),
        (
            "_ = safeProducer.flatMap(.latest) { _ in await Task.yield(); return producer }",
            "cannot pass function of type '@Sendable (Int) async -> SignalProducer<Int, Failed>' to parameter expecting "
                + "synchronous function type"
        ),
        (
            "_ = safeProducer.flatMap(.latest) { producer }",
            "contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored"
        ),
        ("_ = producer.flatMapError { $0.none }", "value of type 'Failed' has no member 'none'"),
        (
            "_ = producer.take(until: 3)",
            "cannot convert value of type 'Int' to expected argument type '(Int) -> Bool'"
        ),
        ("_ = producer.take(until: producer)", failingTrigger),
        ("_ = producer.take(until: signal)", failingTrigger),
        ("_ = signal.take(until: signal)", failingTrigger),
        ("_ = signal.take(until: producer)", failingTrigger),
        ("_ = signal.take(until: safeProducer)", coldTrigger),
        ("_ = signal.take(until: property)", coldTrigger),
        // A former name in a pattern, reported there, and not at the call around the closure
        ("producer.start { if case .failed(let e) = $0 { print(e) } }", wrongCase),
        ("signal.observe { event in switch event { case .failed(let e): print(e); default: break } }", wrongCase),
        ("action.apply(1).start { if case .error(.producerFailed(let e)) = $0 { print(e) } }", wrongCase),
        (
            "_ = action.apply(1).mapError { error -> Failed in if case .producerFailed(let e) = error { return e }; return Failed() }",
            wrongCase
        ),
        ("_ = signal.merge(with: safe)", anotherFailure),
        ("_ = producer.merge(with: safeProducer)", anotherFailure),
        (
            "property <~ Signal<String, Failed>.never",
            "'<~' is unavailable: the source's values are of another type than the target's, and it can fail: map them, "
                + "and handle errors first"
        ),
    ]
}
