import HotSignals
import ReactiveSignals
import Testing

/// One way to use an operator.
struct Entry: Sendable, CustomTestStringConvertible {
    /// The method as the compiler writes it, and in parentheses which of those that are called so.
    let form: String
    let testDescription: String
    /// Whether exactly the values of the source come out, in order.
    let isTransparent: Bool
    /// Whether events arrive on another thread.
    let isAsynchronous: Bool
    /// What comes out of an interruption.
    let interruption: Event<Int, TestError>
    /// What comes out of an error.
    let error: Event<Int, TestError>
    /// The number of values with which it ends, if it ends early.
    let limit: Int?
    /// Whether it calls its closures for terminal events, too.
    let seesTerminals: Bool
    /// Applies the operator. Its closures, if it takes any, hold the witness and tell it of every call.
    let apply: @Sendable (Numbers, Witness) -> Numbers

    init(
        _ form: String, _ variant: String = "", transparent: Bool = false, asynchronous: Bool = false,
        interruption: Event<Int, TestError> = .interrupted, error: Event<Int, TestError> = .error(TestError()),
        limit: Int? = nil, seesTerminals: Bool = false, _ apply: @escaping @Sendable (Numbers, Witness) -> Numbers
    ) {
        self.form = form
        testDescription = variant.isEmpty ? form : "\(form), \(variant)"
        isTransparent = transparent
        isAsynchronous = asynchronous
        self.interruption = interruption
        self.error = error
        self.limit = limit
        self.seesTerminals = seesTerminals
        self.apply = apply
    }

    /// Applies the operator with a witness that nobody asks.
    func apply(_ source: Numbers) -> Numbers { apply(source, Census().witness()) }

    /// No operator at all.
    static let plain = Entry("none", transparent: true) { source, _ in source }

    /// Every operator, in every form.
    static let table: [Entry] = [
        Entry("map(_:)", transparent: true) { source, w in source.map { w.see($0) } },
        Entry("filter(_:)", transparent: true) { source, w in source.filter { _ in w.see(true) } },
        Entry("filter(_:)", "even numbers") { source, w in source.filter { w.see($0 % 2 == 0) } },
        Entry("compactMap(_:)", transparent: true) { source, w in source.compactMap { w.see(Optional($0)) } },
        Entry("compactMap(_:)", "odd numbers") { source, w in source.compactMap { w.see($0 % 2 == 0 ? nil : $0) } },
        Entry("scan(_:_:)") { source, w in source.scan(0) { w.see($0 &+ $1) } },
        Entry("scan(into:_:)", transparent: true) { source, w in source.scan(into: 0) { $0 = w.see($1) } },
        Entry("take(first:)", "all", transparent: true) { source, _ in source.take(first: .max) },
        Entry("take(first:)", "3", limit: 3) { source, _ in source.take(first: 3) },
        Entry("take(while:)", "all", transparent: true) { source, w in source.take(while: { _ in w.see(true) }) },
        Entry("take(while:)", "less than 4") { source, w in source.take(while: { w.see($0 < 4) }) },
        Entry("skip(first:)", "none", transparent: true) { source, _ in source.skip(first: 0) },
        Entry("skip(first:)", "2") { source, _ in source.skip(first: 2) },
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
        Entry("on(event:next:error:completed:interrupted:terminated:disposed:)", transparent: true, seesTerminals: true)
        {
            source, w in
            source.on(
                event: { _ in w.see(()) }, next: { _ in w.see(()) }, error: { _ in w.see(()) },
                completed: { w.see(()) }, interrupted: { w.see(()) }, terminated: { w.see(()) })
        },
        Entry(
            "on(event:next:error:completed:interrupted:terminated:disposed:)", "disposed", transparent: true,
            seesTerminals: true
        ) { source, w in source.on(next: { _ in w.see(()) }, disposed: { w.see(()) }) },
        Entry("materialize()", error: .completed) { source, _ in
            source.materialize().map { $0.value ?? -1 }.derive("fallible") { FallibleSink(downstream: $0) }
        },
        Entry("named(_:)", transparent: true) { source, _ in source.map { $0 }.named("a name") },
        Entry("observe(on:)", "ImmediateScheduler", transparent: true) { source, _ in
            source.observe(on: ImmediateScheduler())
        },
        Entry("observe(on:)", "QueueScheduler", transparent: true, asynchronous: true) { source, _ in
            source.observe(on: QueueScheduler())
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
        Entry("combineLatest(_:)", "three") { source, w in
            Signal.combineLatest(source, source, source.map { w.see($0) }).map { $0.2 }
        },
        Entry("combineLatest(_:)", "five") { source, w in
            Signal.combineLatest(source, source, source.map { w.see($0) }, source, source).map { $0.4 }
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
        Entry("zip(_:)", "three", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source).map { $0.2 }
        },
        Entry("zip(_:)", "five", transparent: true) { source, w in
            Signal.zip(source, source.map { w.see($0) }, source, source, source).map { $0.4 }
        },
        Entry("zip(_:_:)", "two", transparent: true) { source, _ in Signal.zip(source, source).map { $0.1 } },
        Entry("zip(_:)#2", "collection", transparent: true) { source, _ in
            Signal.zip([source, source]).map { $0[1] }
        },
        Entry("zip(with:)", transparent: true) { source, w in
            source.zip(with: source.map { w.see($0) }).map { $0.0 }
        },
        Entry("map(_:)", "filter, scan and map", transparent: true) { source, w in
            source.map { w.see($0) }.filter { _ in true }.scan(into: 0) { $0 = $1 }.map { $0 }
        },
        Entry("merge(_:)", "of a zip and a combineLatest", interruption: .interrupted) { source, w in
            let pairs = source.zip(with: source.map { w.see($0) }).map { $0.0 }
            return Signal.combineLatest(pairs, source.merge(with: pairs)).map { $0.0 }
        },
    ]

    static let synchronous = table.filter { !$0.isAsynchronous }
    static let transparent = table.filter { $0.isTransparent }
    static let transparentAndSynchronous = synchronous.filter { $0.isTransparent }
    /// One for each way in which operators are built, for races of many rounds.
    static let raced =
        [plain]
        + table.filter {
            [
                "map(_:)", "take(first:), 3", "observe(on:), ImmediateScheduler", "merge(_:), the same three times",
                "combineLatest(_:_:), two", "zip(_:_:), two",
            ].contains($0.testDescription)
        }
}

/// One way to use an operator that has several inputs, each of which may be another signal.
struct Joint: Sendable, CustomTestStringConvertible {
    let form: String
    var testDescription: String { form }
    let inputCount: Int
    /// The name of its result has this in it.
    var name: String { "+" + form.prefix { $0.isLetter } + ":" }
    let join: @Sendable ([Numbers]) -> Numbers

    init(_ form: String, _ inputCount: Int, _ join: @escaping @Sendable ([Numbers]) -> Numbers) {
        self.form = form
        self.inputCount = inputCount
        self.join = join
    }

    var isMerge: Bool { form.hasPrefix("merge") }

    static let table: [Joint] = [
        Joint("merge(_:)", 3) { Signal.merge($0[0], $0[1], $0[2]) },
        Joint("merge(_:)#2", 3) { Signal.merge($0) },
        Joint("merge(with:)", 2) { $0[0].merge(with: $0[1]) },
        Joint("combineLatest(_:)", 3) { Signal.combineLatest($0[0], $0[1], $0[2]).map { $0.0 &+ $0.1 &+ $0.2 } },
        Joint("combineLatest(_:_:)", 2) { Signal.combineLatest($0[0], $0[1]).map { $0.0 &+ $0.1 } },
        Joint("combineLatest(_:)#2", 3) { Signal.combineLatest($0).map { $0.reduce(0, &+) } },
        Joint("combineLatest(with:)", 2) { $0[0].combineLatest(with: $0[1]).map { $0.0 &+ $0.1 } },
        Joint("zip(_:)", 3) { Signal.zip($0[0], $0[1], $0[2]).map { $0.0 &+ $0.1 &+ $0.2 } },
        Joint("zip(_:_:)", 2) { Signal.zip($0[0], $0[1]).map { $0.0 &+ $0.1 } },
        Joint("zip(_:)#2", 3) { Signal.zip($0).map { $0.reduce(0, &+) } },
        Joint("zip(with:)", 2) { $0[0].zip(with: $0[1]).map { $0.0 &+ $0.1 } },
    ]
}

/// Makes a signal that cannot fail one of the table's type, within the same gate.
private struct FallibleSink<Downstream: Sink>: OperatorSink where Downstream.Failure == TestError {
    typealias Failure = Never

    let downstream: Downstream

    func next(_ value: Downstream.Value) { downstream.next(value) }

    func end(_ termination: Termination<Never>) {
        if case .completed = termination { downstream.end(.completed) } else { downstream.end(.interrupted) }
    }
}

@Suite("The table of operators")
struct OperatorTableTests {
    @Test("has every public method that returns a signal, and no other")
    func isComplete() throws {
        let declared = try declaredForms()
        let known = Set(Entry.table.map(\.form))
        #expect(declared.subtracting(known).sorted() == [], "without an entry in the table")
        #expect(known.subtracting(declared).sorted() == [], "not in the module")
        let severalInputs = ["merge", "combineLatest", "zip"]
        let joining = declared.filter { form in severalInputs.contains { form.hasPrefix($0 + "(") } }
        #expect(Set(Joint.table.map(\.form)) == joining)
    }

    @Test("has no entry twice")
    func isUnambiguous() {
        #expect(Set(Entry.table.map(\.testDescription)).count == Entry.table.count)
        #expect(Set(Joint.table.map(\.testDescription)).count == Joint.table.count)
        #expect(Entry.raced.count == 7)
    }

    /// The module's public methods that return a signal: `take(first:)`; of several with one name, all but the first with a
    /// number.
    private func declaredForms() throws -> Set<String> {
        var forms: Set<String> = []
        for symbol in try SymbolGraph.of("HotSignals").symbols
        where symbol.isMethod && symbol.returnType.hasPrefix("Signal<") {
            var form = symbol.name
            var number = 1
            while !forms.insert(form).inserted {
                number += 1
                form = "\(symbol.name)#\(number)"
            }
        }
        return forms
    }
}
