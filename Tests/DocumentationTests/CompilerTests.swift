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
            "(enabledIf: property.map { $0 > 0 }, policy: .queue(limit: 1))",
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
        // The same without implicit member syntax
        "_ = producer.flatMap(.latest) { _ in producer }; _ = producer.flatMap(.latest) { _ in safeProducer }",
        "_ = safeProducer.flatMap(.latest) { _ in producer }; _ = safeProducer.flatMap(.latest) { _ in safeProducer }",
        "_ = safeProducer.flatMap(.latest) { _ in property }; _ = producer.flatMap(.latest) { half($0) }",
        "_ = producer.then(producer); _ = producer.then(safeProducer); _ = safeProducer.then(producer)",
        "_ = safeProducer.then(safeProducer); _ = producer.then { producer }; _ = producer.take(until: trigger)",
        "_ = producer.take(until: property); _ = safeProducer.zip(with: property); _ = producer.flatMapError { _ in safe }",
        // Overloads that must resolve to the given types
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

    private static let mistakes: [(code: String, message: String)] = [
        ("_ = producer.attempt { try load($0) }", "invalid conversion of thrown error type 'any Error' to 'Failed'"),
        (
            "struct View { @Property var count = 0 }",
            "incorrect argument label in call (have 'wrappedValue:', expected 'value:')"
        ),
        ("_ = producer.flatMap(.latest) { $0.none }", "value of type 'Int' has no member 'none'"),
        ("_ = producer.flatMapError { $0.none }", "value of type 'Failed' has no member 'none'"),
        (
            "_ = producer.take(until: 3)",
            "cannot convert value of type 'Int' to expected argument type 'SignalProducer<Never, Never>'"
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
