package import PeerSupport
import ReactiveSignals
import ReactiveSignalsTesting

/// One event through each operator, with closures spelled out where they are used.
package enum OperatorWorkloads {
    typealias Numbers = Signal<Int, Never>

    /// What is sent, an operator, and an observer that counts; and the row whose figure is to be taken off: the same without
    /// the operator.
    package struct Row: Sendable {
        package let name: String
        package let base: String?
        package let prepare: @Sendable () -> Run

        init(_ name: String, over base: String? = "no operator", _ prepare: @escaping @Sendable () -> Run) {
            self.name = name
            self.base = base
            self.prepare = prepare
        }
    }

    package static let table = plain + values + other + joining + scheduled

    private static let plain = [
        Row("no operator", over: nil) { through { $0 } },
        Row("no operator, optionals", over: nil) { throughOptionals { $0 } },
        Row("no operator, events", over: nil) { throughEvents { $0 } },
        Row("no operator, results", over: nil) { throughResults { $0 } },
        Row("no operator, errors", over: nil) { throughFallible { $0 } },
        Row("no operator, four values", over: nil) { throughFew { $0 } },
        Row("no operator, sequences", over: nil) { throughSequences { $0 } },
        Row("no operator, booleans", over: nil) { throughBooleans { $0 } },
    ]

    private static let values = [
        Row("map") { through { $0.map { $0 &+ 1 } } },
        Row("mapReplace") { through { $0.mapReplace(7) } },
        Row("filter") { through { $0.filter { $0 >= 0 } } },
        Row("compactMap") { through { $0.compactMap { $0 >= 0 ? $0 : nil } } },
        Row("ignoreValues") { through { $0.ignoreValues() } },
        Row("scan") { through { $0.scan(0) { $0 &+ $1 } } },
        Row("scan(into:)") { through { $0.scan(into: 0) { $0 &+= $1 } } },
        Row("scanMap") { through { $0.scanMap(0) { ($0 &+ 1, $1) } } },
        Row("scanMap(into:)") { through { $0.scanMap(into: 0, accumulate) } },
        Row("reduce") { through { $0.reduce(0) { $0 &+ $1 } } },
        Row("take(first:)") { through { $0.take(first: .max) } },
        Row("take(last: 4)") { through { $0.take(last: 4) } },
        Row("take(while:)") { through { $0.take(while: { $0 >= 0 }) } },
        Row("take(throughWhile:)") { through { $0.take(throughWhile: { $0 >= 0 }) } },
        Row("skip(first:)") { through { $0.skip(first: 0) } },
        Row("skip(while:)") { through { $0.skip(while: { $0 < 0 }) } },
        Row("skipRepeats") { through { $0.skipRepeats() } },
        Row("skipRepeats(_:)") { through { $0.skipRepeats { $0 == $1 } } },
        Row("combinePrevious") { through { $0.combinePrevious() } },
        Row("combinePrevious(_:)") { through { $0.combinePrevious(0) } },
        Row("collect(count: 16)") { through { $0.collect(count: 16) } },
        Row("on(next:)") { through { $0.on(next: { _ in }) } },
        Row("materialize") { through { $0.materialize() } },
        Row("materializeResults") { through { $0.materializeResults() } },
        Row("mapError", over: "no operator, errors") { throughFallible { $0.mapError { $0 } } },
        Row("promoteError") { through { $0.promoteError(Failed.self) } },
        Row("allSatisfy") { through { $0.allSatisfy { $0 >= 0 } } },
        Row("contains(where:)") { through { $0.contains { $0 < 0 } } },
        Row("concat(value:)") { through { $0.concat(value: 1) } },
        Row("take(during:)") { through { $0.take(during: Lifetime(endless)) } },
        Row("logEvents, of errors") { through { $0.logEvents(events: [.error]) } },
    ]

    private static let other = [
        Row("uniqueValues", over: "no operator, four values") { throughFew { $0.uniqueValues() } },
        Row("uniqueValues(capacity: 8)", over: "no operator, four values") {
            throughFew { $0.uniqueValues(capacity: 8) }
        },
        Row("skipNil", over: "no operator, optionals") { throughOptionals { $0.skipNil() } },
        Row("dematerialize", over: "no operator, events") { throughEvents { $0.dematerialize() } },
        Row("dematerializeResults", over: "no operator, results") { throughResults { $0.dematerializeResults() } },
        Row("attempt", over: "no operator, errors") { throughFallible { $0.attempt(check) } },
        Row("attemptMap", over: "no operator, errors") { throughFallible { $0.attemptMap(increment) } },
        Row("timeout", over: "no operator, errors") {
            throughFallible { $0.timeout(after: .seconds(9), raising: Failed(), on: TestScheduler()) }
        },
        Row("flatten of one element", over: "no operator, sequences") { throughSequences { $0.flatten() } },
        Row("negate", over: "no operator, booleans") { throughBooleans { $0.negate() } },
    ]

    private static let joining = [
        Row("take(until:)") { through { $0.take(until: Numbers.never) } },
        Row("take(untilReplacement:)") { through { $0.take(untilReplacement: .never) } },
        Row("skip(until: materialize)") { through { $0.skip(until: $0.materialize()) } },
        Row("sample(with: itself)") { through { $0.sample(with: $0) } },
        Row("withLatest(from: itself)") { through { $0.withLatest(from: $0) } },
        Row("merge(with: never)") { through { $0.merge(with: .never) } },
        Row("combineLatest(with: itself)") { through { $0.combineLatest(with: $0) } },
        Row("zip(with: itself)") { through { $0.zip(with: $0) } },
    ]

    private static let scheduled = [
        Row("observe(on:)") { on { $0.observe(on: $1) } },
        Row("lazyMap") { on { $0.lazyMap(on: $1) { $0 } } },
        Row("delay") { on { $0.delay(.milliseconds(1), on: $1) } },
        Row("throttle") { on { $0.throttle(.milliseconds(1), on: $1) } },
        Row("debounce") { on { $0.debounce(.milliseconds(1), on: $1) } },
        Row("collect(every:)") { on { $0.collect(every: .milliseconds(1), on: $1) } },
    ]

    @Sendable private static func accumulate(_ sum: inout Int, _ value: Int) -> Int {
        sum &+= value
        return sum
    }

    @Sendable private static func check(_ value: Int) throws(Failed) {
        if value < 0 { throw Failed() }
    }

    @Sendable private static func increment(_ value: Int) throws(Failed) -> Int { value &+ 1 }

    private static let endless = Lifetime.Token()

    private struct Failed: Error {}

    @inline(__always)
    private static func through<Value, Failure>(_ operation: (Numbers) -> Signal<Value, Failure>) -> Run {
        let (signal, input) = Numbers.pipe()
        let seen = Sum()
        operation(signal).observe { event in
            if case .next = event { seen.add(1) }
        }
        return { count in
            for value in 0..<count { input.sendNext(value) }
            withExtendedLifetime(signal) {}
        }
    }

    /// Values of another type.
    @inline(__always)
    private static func sending<Sent, Value, Failure>(
        _ make: @escaping (Int) -> Sent, _ operation: (Signal<Sent, Failure>) -> Signal<Value, some Error>
    ) -> Run {
        let (signal, input) = Signal<Sent, Failure>.pipe()
        let seen = Sum()
        operation(signal).observe { event in
            if case .next = event { seen.add(1) }
        }
        return { count in
            for value in 0..<count { input.sendNext(make(value)) }
            withExtendedLifetime(signal) {}
        }
    }

    @inline(__always)
    private static func throughOptionals<Value>(_ operation: (Signal<Int?, Never>) -> Signal<Value, Never>) -> Run {
        sending({ $0 }, operation)
    }

    /// Each of four values again and again.
    @inline(__always)
    private static func throughFew(_ operation: (Numbers) -> Numbers) -> Run { sending({ $0 & 3 }, operation) }

    @inline(__always)
    private static func throughEvents<Value>(
        _ operation: (Signal<Event<Int, Never>, Never>) -> Signal<Value, Never>
    ) -> Run { sending({ .next($0) }, operation) }

    @inline(__always)
    private static func throughResults<Value>(
        _ operation: (Signal<Result<Int, Never>, Never>) -> Signal<Value, Never>
    ) -> Run { sending({ .success($0) }, operation) }

    @inline(__always)
    private static func throughFallible(_ operation: (Signal<Int, Failed>) -> Signal<Int, Failed>) -> Run {
        sending({ $0 }, operation)
    }

    @inline(__always)
    private static func throughSequences<Value>(
        _ operation: (Signal<CollectionOfOne<Int>, Never>) -> Signal<Value, Never>
    ) -> Run { sending({ CollectionOfOne($0) }, operation) }

    @inline(__always)
    private static func throughBooleans(_ operation: (Signal<Bool, Never>) -> Signal<Bool, Never>) -> Run {
        sending({ $0 & 1 == 0 }, operation)
    }

    /// As many events as are asked for, then the time for them to arrive.
    @inline(__always)
    private static func on<Value>(_ operation: (Numbers, TestScheduler) -> Signal<Value, Never>) -> Run {
        let scheduler = TestScheduler()
        let (signal, input) = Numbers.pipe()
        let seen = Sum()
        operation(signal, scheduler).observe { event in
            if case .next = event { seen.add(1) }
        }
        return { count in
            for value in 0..<count { input.sendNext(value) }
            scheduler.advance(by: .milliseconds(2))
            withExtendedLifetime(signal) {}
        }
    }
}
