import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A lifted operator, applied so that it forwards the first value immediately.
private struct Lifted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Numbers) -> Numbers

    init(_ name: String, _ apply: @escaping @Sendable (Numbers) -> Numbers) {
        testDescription = name
        self.apply = apply
    }

    private static let endless = Lifetime.Token()

    static let all: [Lifted] = [
        Lifted("observe(on:)") { $0.observe(on: ImmediateScheduler()) },
        Lifted("lazyMap(on:transform:)") { $0.lazyMap(on: ImmediateScheduler()) { $0 } },
        Lifted("timeout(after:raising:on:)") { $0.timeout(after: .seconds(1), raising: .first, on: TestScheduler()) },
        Lifted("take(during:)") { $0.take(during: Lifetime(endless)) },
        Lifted("take(until:)") { $0.take(until: SignalProducer<Int, Never>.never) },
        Lifted("take(untilReplacement:)") { $0.take(untilReplacement: Numbers.never) },
        Lifted("skip(until:)") { $0.skip(until: SignalProducer<Int, Never>(value: 1)) },
        Lifted("withLatest(from:)") { $0.withLatest(from: SignalProducer<Int, Never>(value: 1)).map { $0.0 } },
        Lifted("combineLatest(with:)") { Numbers(value: 1).combineLatest(with: $0).map { $0.1 } },
        Lifted("lift(_:)") { $0.lift { $0.map { $0 } } },
    ]
}

@Suite("Lifted operators")
struct LiftedOperatorsTests {
    @Test("forward the values and the end of a synchronous source", arguments: Lifted.all)
    private func values(_ operation: Lifted) {
        let expected = operation.testDescription.hasPrefix("take(untilR") ? ["0", "1"] : ["0", "1", "completed"]
        let (log, disposable) = operation.apply(Numbers([0, 1])).startLogged()
        expect(log.all, is: expected)
        disposable.dispose()
    }

    @Test("interrupt on disposal, then dispose of the source", arguments: Lifted.all)
    private func disposal(_ operation: Lifted) {
        let manual = Manual()
        let (log, disposable) = operation.apply(manual.producer).startLogged()
        manual.input?.sendNext(1)
        disposable.dispose()
        manual.input?.sendNext(2)
        expect(log.all, is: ["1", "interrupted"])
        expect(manual.disposals.value, is: 1)
        manual.release()
    }

    @Test("stop an endless source when the result ends", arguments: Lifted.all)
    private func endlessSource(_ operation: Lifted) {
        let asked = Counter()
        let log = operation.apply(Numbers(CountedNumbers(asked))).take(first: 2).logged()
        expect(log.all, is: ["0", "1", "completed"])
        expect(asked.value, is: 2)
    }

    @Test("stop an endless source when they are disposed of during a delivery", arguments: Lifted.all)
    private func disposedSource(_ operation: Lifted) {
        let asked = Counter()
        let own = SerialDisposable()
        let log = Log<String>()
        // The source starts once the disposable exists.
        let (gate, open) = Signal<Int, TestError>.pipe()
        own.inner = gate.take(first: 1).producer
            .then(operation.apply(Numbers(CountedNumbers(asked))))
            .start { event in
                log.append(event.text)
                if event.value == 1 { own.dispose() }
            }
        open.sendNext(0)
        expect(log.all, is: ["0", "1", "interrupted"])
        expect(asked.value, is: 2)
    }

    @Test("start the argument first if it controls the receiver, and the receiver first otherwise")
    func order() {
        let log = Log<String>()
        let one = Numbers(value: 1).on(starting: { log.append("receiver") })
        let argument = SignalProducer<Int, Never>(value: 2).on(starting: { log.append("argument") })
        let other = Numbers(value: 2).on(starting: { log.append("argument") })
        let flags = (one.map { $0 > 0 }, other.map { $0 > 0 })
        func starts(_ producer: SignalProducer<some Sendable, TestError>) -> [String] {
            log.removeAll()
            producer.start()
            return log.all
        }
        let argumentFirst = ["argument", "receiver"]
        // A trigger that fires immediately ends the result before the receiver starts.
        expect(starts(one.take(until: argument)), is: ["argument"])
        expect(starts(one.take(untilReplacement: other)), is: ["argument"])
        expect(
            starts(one.take(until: SignalProducer<Int, Never>.never.on(starting: { log.append("argument") }))),
            is: argumentFirst)
        expect(starts(one.skip(until: argument)), is: argumentFirst)
        expect(starts(one.withLatest(from: argument)), is: argumentFirst)
        expect(starts(one.lift { a in { b in a.zip(with: b) } }(other)), is: argumentFirst)
        let receiverFirst = ["receiver", "argument"]
        expect(starts(one.sample(on: argument)), is: receiverFirst)
        expect(starts(one.sample(with: argument)), is: receiverFirst)
        expect(starts(flags.0.and(flags.1)), is: receiverFirst)
        expect(starts(flags.0.or(flags.1)), is: receiverFirst)
        expect(starts(one.combineLatest(with: other)), is: receiverFirst)
        expect(starts(one.zip(with: other)), is: receiverFirst)
        expect(starts(one.merge(with: other)), is: receiverFirst)
    }
}
