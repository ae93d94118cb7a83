import ReactiveSignals
import TestSupport
import Testing

@Suite("Signal: name")
struct SignalNameTests {
    @Test("sources are named after the function that creates them")
    func sources() {
        expect(Source.pipe().output.name, is: "pipe")
        expect(Source.never.name, is: "never")
        expect(Source.empty.name, is: "empty")
        expect(Source { _, _ in }.name, is: "signal")
    }

    @Test("operators append their names")
    func operators() {
        let signal = Source.never.named("username")
        expect(
            signal.skipRepeats().take(first: 3).filter { _ in true }.name,
            is: "[[[username] -skipRepeats] -take: 3] -filter:")
    }

    @Test("every operator has its name")
    func everyOperator() {
        let x = Source.never.named("x")
        let y = Source.never.named("y")
        let names: [(String, String)] = [
            (x.map { $0 }.name, "[x] -map:"),
            (x.filter { _ in true }.name, "[x] -filter:"),
            (x.compactMap { $0 }.name, "[x] -compactMap:"),
            (x.scan(0, +).name, "[x] -scan:"),
            (x.scan(into: 0) { $0 += $1 }.name, "[x] -scan:"),
            (x.take(first: 0).name, "[x] -take: 0"),
            (x.take(first: 12).name, "[x] -take: 12"),
            (x.take(while: { _ in true }).name, "[x] -take(while:)"),
            (x.skip(first: 2).name, "[x] -skip: 2"),
            (x.skipRepeats().name, "[x] -skipRepeats"),
            (x.skipRepeats { $0 == $1 }.name, "[x] -skipRepeats:"),
            (x.combinePrevious().name, "[x] -combinePrevious"),
            (x.combinePrevious(0).name, "[x] -combinePrevious:"),
            (x.collect().name, "[x] -collect"),
            (x.collect(count: 2).name, "[x] -collect(count: 2)"),
            (x.collect { $0.isEmpty }.name, "[x] -collect:"),
            (x.collect { $0.count > $1 }.name, "[x] -collect:"),
            (x.on().name, "[x] -on"),
            (x.materialize().name, "[x] -materialize"),
            (x.observe(on: ImmediateScheduler()).name, "[x] -observe(on:)"),
            (x.merge(with: y).name, "+merge: (x, y)"),
            (x.combineLatest(with: y).name, "+combineLatest: (x, y)"),
            (x.zip(with: y).name, "+zip: (x, y)"),
            (Signal.zip(x, y, x).map { $0.0 }.name, "[+zip: (x, y, x)] -map:"),
        ]
        for (name, expected) in names { expect(name, is: expected) }
    }

    @Test("a given name replaces the derived one, can be replaced again, and is the description")
    func given() {
        let signal = Source.never.map { $0 }
        #expect(signal.named("first") === signal)
        expect(signal.name, is: "first")
        signal.named("second")
        expect("\(signal)", is: "second")
        expect(signal.filter { _ in true }.description, is: "[second] -filter:")
    }

    @Test("a name given later appears in existing derived signals")
    func later() {
        let signal = Source.never
        let derived = signal.map { $0 }
        signal.named("late")
        expect(derived.name, is: "[late] -map:")
    }

    @Test("operators with several inputs list their names, including nested ones")
    func nested() {
        let x = Source.never.named("x")
        let merged = x.map { $0 }.merge(with: Source.never.named("y").skip(first: 1))
        expect(merged.take(first: 2).name, is: "[+merge: ([x] -map:, [y] -skip: 1)] -take: 2")
    }

    @Test("a name can be set and read by several threads")
    func threads() {
        let signal = Source.never
        let derived = signal.map { $0 }
        onThreads(3, "names") { index in
            for round in 0..<200 {
                if index == 0 { signal.named("name \(round)") } else { _ = derived.name }
            }
        }
        expect(derived.name, is: "[name 199] -map:")
    }
}
