import ColdProducers
import HotSignals
import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("Contention")
struct ContentionTests {
    private static let quiet = Numbers(contention: .enqueue) { _, _ in }
    private static let plain = Numbers.never

    private static func safe(_ numbers: Numbers) -> SignalProducer<Int, Never> {
        numbers.flatMapError { _ in SignalProducer<Int, Never>.empty }
    }

    /// The contention policy of each operator's result.
    private static let unary: [(name: String, apply: @Sendable (Numbers) -> Contention)] = [
        ("map", { $0.map { $0 }.contention }), ("named", { $0.named("a").contention }),
        ("on", { $0.on(next: { _ in }).contention }), ("concat", { $0.concat(plain).contention }),
        ("concat of it", { plain.concat($0).contention }), ("prefix", { $0.prefix(plain).contention }),
        ("prefix of it", { plain.prefix($0).contention }), ("prefix(value:)", { $0.prefix(value: 1).contention }),
        ("then", { $0.then(plain).contention }), ("then it", { plain.then($0).contention }),
        ("flatMapError", { $0.flatMapError { _ in plain }.contention }), ("repeat", { $0.repeat(2).contention }),
        ("retry", { $0.retry(upTo: 2).contention }), ("start(on:)", { $0.start(on: ImmediateScheduler()).contention }),
        ("groupBy", { $0.groupBy { $0 }.contention }), ("flatMap", { $0.flatMap(.merge) { _ in plain }.contention }),
        ("lift", { $0.lift { $0.map { $0 } }.contention }),
        ("withLatest", { $0.withLatest(from: safe(plain)).contention }),
        ("withLatest of it", { plain.withLatest(from: safe($0)).contention }),
        ("merge", { Numbers.merge(plain, $0).contention }), ("race", { Numbers.race(plain, $0).contention }),
        ("concat of several", { Numbers.concat(plain, $0).contention }),
        ("combineLatest", { plain.combineLatest(with: $0).contention }),
        ("combineLatest of three", { SignalProducer.combineLatest(plain, plain, $0).contention }),
        ("combineLatest of many", { Numbers.combineLatest([plain, $0]).contention }),
        ("zip", { plain.zip(with: $0).contention }), ("replayLazily", { $0.replayLazily(upTo: 1).contention }),
        ("share", { $0.share(while: .observed).contention }),
        ("share for ever", { $0.share(while: .forever).contention }),
        ("multicast", { $0.multicast().producer.contention }),
        ("autoconnect", { $0.multicast().autoconnect().contention }),
    ]

    @Test("an operator on a source that enqueues under contention enqueues as well", arguments: unary.indices)
    func inherited(_ index: Int) {
        let (name, apply) = Self.unary[index]
        expect(apply(Self.quiet), is: .enqueue, "\(name)")
        expect(apply(Self.plain), is: .wait, "\(name)")
    }
}
