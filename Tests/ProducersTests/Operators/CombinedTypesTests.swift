import ProducerTestSupport
import ReactiveSignals
import TestSupport
import Testing

/// The forms for two to six inputs, and the one for any number, of types with different sizes and alignments.
@Suite("combineLatest, zip and forkJoin of several types")
struct CombinedTypesTests {
    private typealias Failure = TestError

    private static let (int, text, bool) = (
        SignalProducer<Int, Failure>(value: 1), SignalProducer<String, Failure>(value: "two"),
        SignalProducer<Bool, Failure>(value: true)
    )
    private static let (byte, list, half, last) = (
        SignalProducer<UInt8, Failure>(value: 4), SignalProducer<[Int], Failure>(value: [5]),
        SignalProducer<Float, Failure>(value: 6), SignalProducer<Int?, Failure>(value: nil)
    )

    /// What tuples of two to seven values look like.
    private static let expected = [
        #"(1, "two")"#, #"(1, "two", true)"#, #"(1, "two", true, 4)"#, #"(1, "two", true, 4, [5])"#,
        #"(1, "two", true, 4, [5], 6.0)"#, #"(1, "two", true, 4, [5], 6.0, nil)"#,
    ]

    private func texts<Value>(_ producer: SignalProducer<Value, Failure>) -> [String] { producer.logged().all }

    @Test("combineLatest of producers")
    func combineLatest() {
        let (a, b, c, d, e, f, g) = (Self.int, Self.text, Self.bool, Self.byte, Self.list, Self.half, Self.last)
        let all = [
            texts(SignalProducer.combineLatest(a, b)), texts(SignalProducer.combineLatest(a, b, c)),
            texts(SignalProducer.combineLatest(a, b, c, d)), texts(SignalProducer.combineLatest(a, b, c, d, e)),
            texts(SignalProducer.combineLatest(a, b, c, d, e, f)),
            texts(SignalProducer.combineLatest(a, b, c, d, e, f, g)),
        ]
        expect(all, is: Self.expected.map { [$0, "completed"] })
    }

    @Test("zip of producers")
    func zip() {
        let (a, b, c, d, e, f, g) = (Self.int, Self.text, Self.bool, Self.byte, Self.list, Self.half, Self.last)
        let all = [
            texts(SignalProducer.zip(a, b)), texts(SignalProducer.zip(a, b, c)),
            texts(SignalProducer.zip(a, b, c, d)), texts(SignalProducer.zip(a, b, c, d, e)),
            texts(SignalProducer.zip(a, b, c, d, e, f)), texts(SignalProducer.zip(a, b, c, d, e, f, g)),
        ]
        expect(all, is: Self.expected.map { [$0, "completed"] })
    }

    @Test("forkJoin of producers")
    func forkJoin() {
        let (a, b, c, d, e, f, g) = (Self.int, Self.text, Self.bool, Self.byte, Self.list, Self.half, Self.last)
        let all = [
            texts(SignalProducer.forkJoin(a, b)), texts(SignalProducer.forkJoin(a, b, c)),
            texts(SignalProducer.forkJoin(a, b, c, d)), texts(SignalProducer.forkJoin(a, b, c, d, e)),
            texts(SignalProducer.forkJoin(a, b, c, d, e, f)), texts(SignalProducer.forkJoin(a, b, c, d, e, f, g)),
        ]
        expect(all, is: Self.expected.map { [$0, "completed"] })
    }

    @Test("combineLatest and zip of signals")
    func signals() {
        let (a, sendA) = Signal<Int, Failure>.pipe()
        let (b, sendB) = Signal<String, Failure>.pipe()
        let (c, sendC) = Signal<Bool, Failure>.pipe()
        let (d, sendD) = Signal<UInt8, Failure>.pipe()
        let (e, sendE) = Signal<[Int], Failure>.pipe()
        let (f, sendF) = Signal<Float, Failure>.pipe()
        let (g, sendG) = Signal<Int?, Failure>.pipe()
        let latest = [
            texts(Signal.combineLatest(a, b)), texts(Signal.combineLatest(a, b, c)),
            texts(Signal.combineLatest(a, b, c, d)), texts(Signal.combineLatest(a, b, c, d, e)),
            texts(Signal.combineLatest(a, b, c, d, e, f)), texts(Signal.combineLatest(a, b, c, d, e, f, g)),
        ]
        let zipped = [
            texts(Signal.zip(a, b)), texts(Signal.zip(a, b, c)), texts(Signal.zip(a, b, c, d)),
            texts(Signal.zip(a, b, c, d, e)), texts(Signal.zip(a, b, c, d, e, f)),
            texts(Signal.zip(a, b, c, d, e, f, g)),
        ]
        sendG.sendNext(nil)
        sendF.sendNext(6)
        sendE.sendNext([5])
        sendD.sendNext(4)
        sendC.sendNext(true)
        sendB.sendNext("two")
        sendA.sendNext(1)
        for index in 0..<6 {
            // The last value completes the tuple.
            expect(latest[index]().last ?? "", is: Self.expected[index])
            expect(zipped[index](), is: [Self.expected[index]])
        }
        sendA.sendInterrupted()
        for index in 0..<6 {
            expect(latest[index]().last ?? "", is: "interrupted")
            expect(zipped[index](), is: [Self.expected[index], "interrupted"])
        }
    }

    private func texts<Value>(_ signal: Signal<Value, Failure>) -> () -> [String] {
        let log = signal.logged()
        return { log.all }
    }
}
