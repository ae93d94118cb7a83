import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// One way to use an operator on properties.
struct PropertyEntry: Sendable, CustomTestStringConvertible {
    /// The method in the compiler's notation, with its type, numbered if several have the same name:
    /// `PropertyProtocol.map(_:)#2`.
    let form: String
    let testDescription: String
    /// How often its closure is called per value.
    let callsPerValue: Int
    /// Whether its result starts a new graph, which follows this graph's events.
    let isNewGraph: Bool
    /// The result's value for a value of the source. The source is only ever set to larger numbers.
    let result: @Sendable (Int) -> Int
    /// Applies the operator. Its closure, if any, retains the probe and reports every call to it.
    let apply: @Sendable (Property<Int>, Probe) -> Property<Int>

    private init(
        _ form: String, _ variant: String = "", calls: Int = 0, isNewGraph: Bool = false,
        result: @escaping @Sendable (Int) -> Int = { $0 },
        _ apply: @escaping @Sendable (Property<Int>, Probe) -> Property<Int>
    ) {
        self.form = form
        testDescription = variant.isEmpty ? form : "\(form), \(variant)"
        callsPerValue = calls
        self.isNewGraph = isNewGraph
        self.result = result
        self.apply = apply
    }

    /// Applies the operator with a probe whose counts are not used.
    func apply(_ source: Property<Int>) -> Property<Int> { apply(source, ProbeCounter().probe()) }

    func apply(_ source: MutableProperty<Int>, _ probe: Probe) -> Property<Int> { apply(Property(source), probe) }

    func apply(_ source: MutableProperty<Int>) -> Property<Int> { apply(Property(source)) }

    static let table = plain + combining + logic + flattening

    /// The operators whose result is part of the source's graph.
    static let ofOneGraph = table.filter { !$0.isNewGraph }

    private static let plain: [PropertyEntry] = [
        PropertyEntry("PropertyProtocol.map(_:)", calls: 1) { source, w in source.map { w.see($0) } },
        PropertyEntry("PropertyProtocol.map(_:)#2") { source, _ in
            let path: any KeyPath<Int, Int> & Sendable = \.self
            return source.map(path)
        },
        PropertyEntry("PropertyProtocol.mapReplace(_:)", result: { _ in 7 }) { source, _ in source.mapReplace(7) },
        PropertyEntry("PropertyProtocol.filter(initial:_:)", "all", calls: 1) { source, w in
            source.filter(initial: -1) { _ in w.see(true) }
        },
        PropertyEntry("PropertyProtocol.skipRepeats()") { source, _ in source.skipRepeats() },
        PropertyEntry("PropertyProtocol.skipRepeats(_:)") { source, w in source.skipRepeats { w.see($0 == $1) } },
        PropertyEntry("PropertyProtocol.uniqueValues()") { source, _ in source.uniqueValues() },
        PropertyEntry("PropertyProtocol.uniqueValues(_:)", calls: 1) { source, w in source.uniqueValues { w.see($0) } },
        PropertyEntry("PropertyProtocol.combinePrevious(_:)") { source, _ in source.combinePrevious(0).map { $0.1 } },
        PropertyEntry("PropertyProtocol.scan(_:_:)", calls: 1) { source, w in source.scan(0) { w.see($1) } },
        PropertyEntry("PropertyProtocol.tapped(by:)") { source, _ in source.tapped(by: SilentTap()) },
        PropertyEntry("PropertyProtocol.debounced(_:on:)", isNewGraph: true) { source, _ in
            source.debounced(.zero, on: HastyScheduler())
        },
        PropertyEntry("PropertyProtocol.throttled(_:on:)", isNewGraph: true) { source, _ in
            source.throttled(.zero, on: HastyScheduler())
        },
    ]

    private static let combining: [PropertyEntry] = [
        PropertyEntry("PropertyProtocol.combineLatest(with:)") { source, _ in
            source.combineLatest(with: source.map { $0 }).map { min($0.0, $0.1) }
        },
        PropertyEntry("Property.combineLatest(_:_:)") { source, _ in
            Property.combineLatest(source.map { $0 }, source).map { max($0.0, $0.1) }
        },
        PropertyEntry("Property.combineLatest(_:)") { source, _ in
            Property.combineLatest(source, source.map { $0 }, Property(value: 0)).map { $0.0 &+ $0.1 &- $0.0 &+ $0.2 }
        },
        PropertyEntry("Property.combineLatest(_:emptySentinel:)") { source, _ in
            Property.combineLatest([source, source.map { $0 }.map { $0 }]).map { $0.max()! }
        },
        PropertyEntry("PropertyProtocol.zip(with:)") { source, _ in
            source.zip(with: source.map { $0 }).map { max($0.0, $0.1) }
        },
        PropertyEntry("Property.zip(_:)") { source, _ in
            Property.zip(source, source.map { $0 }, source).map { min($0.0, $0.1, $0.2) }
        },
        PropertyEntry("Property.zip(_:emptySentinel:)") { source, _ in
            Property.zip([source, source.map { $0 }]).map { $0.min()! }
        },
    ]

    private static let logic: [PropertyEntry] = [
        PropertyEntry("PropertyProtocol.negate()", result: { $0 % 2 }) { source, _ in
            source.map { $0 % 2 == 1 }.negate().map { $0 ? 0 : 1 }
        },
        PropertyEntry("PropertyProtocol.and(_:)", result: { $0 % 6 == 0 ? 1 : 0 }) { source, _ in
            source.map { $0 % 2 == 0 }.and(source.map { $0 % 3 == 0 }).map { $0 ? 1 : 0 }
        },
        PropertyEntry("PropertyProtocol.or(_:)", result: { $0 % 2 == 0 || $0 % 3 == 0 ? 1 : 0 }) { source, _ in
            source.map { $0 % 2 == 0 }.or(source.map { $0 % 3 == 0 }).map { $0 ? 1 : 0 }
        },
        PropertyEntry("Property.all(_:)", result: { $0 % 6 == 0 ? 1 : 0 }) { source, _ in
            Property.all([source.map { $0 % 2 == 0 }, source.map { $0 % 3 == 0 }]).map { $0 ? 1 : 0 }
        },
        PropertyEntry("Property.all(_:_:)", result: { $0 % 6 == 0 ? 1 : 0 }) { source, _ in
            Property.all(source.map { $0 % 2 == 0 }, source.map { $0 % 3 == 0 }).map { $0 ? 1 : 0 }
        },
        PropertyEntry("Property.any(_:_:)", result: { $0 % 2 == 0 || $0 % 3 == 0 ? 1 : 0 }) { source, _ in
            Property.any(source.map { $0 % 2 == 0 }, source.map { $0 % 3 == 0 }).map { $0 ? 1 : 0 }
        },
        PropertyEntry("Property.any(_:)", result: { $0 % 2 == 0 || $0 % 3 == 0 ? 1 : 0 }) { source, _ in
            Property.any([source.map { $0 % 2 == 0 }, source.map { $0 % 3 == 0 }]).map { $0 ? 1 : 0 }
        },
    ]

    private static let strategies: [FlattenStrategy] = [.latest, .merge, .concat]

    private static let flattening = strategies.flatMap { strategy in
        [
            PropertyEntry("PropertyProtocol.flatMap(_:_:)", "\(strategy)", calls: 1, isNewGraph: true) { source, w in
                source.flatMap(strategy) { Property(value: w.see($0)) }
            },
            PropertyEntry("PropertyProtocol.flatten(_:)", "\(strategy)", isNewGraph: true) { source, _ in
                source.map { Property(value: $0) }.flatten(strategy)
            },
        ]
    }
}

@Suite("Property operator table")
struct PropertyTableTests {
    @Test("contains exactly the public methods that return a property")
    func isComplete() throws {
        var declared: Set<String> = []
        for symbol in try SymbolGraph.of("ReactiveProperties").symbols
        where symbol.isMethod && !symbol.isSynthesized && symbol.returnType.hasPrefix("Property<")
            && ["PropertyProtocol", "Property", "MutableProperty"].contains(symbol.path[0])
        {
            let name = symbol.path.joined(separator: ".")
            var form = name
            var number = 1
            while !declared.insert(form).inserted {
                number += 1
                form = "\(name)#\(number)"
            }
        }
        let known = Set(PropertyEntry.table.map(\.form))
        expect(declared.subtracting(known).sorted(), is: [], "without an entry in the table")
        expect(known.subtracting(declared).sorted(), is: [], "not in the module")
    }

    @Test("contains no entry twice")
    func isUnambiguous() {
        expect(Set(PropertyEntry.table.map(\.testDescription)).count, is: PropertyEntry.table.count)
    }
}
