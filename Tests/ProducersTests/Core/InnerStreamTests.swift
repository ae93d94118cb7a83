import HotSignals
import ProducerTestSupport
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// The operators that send streams of their source's values.
enum SplittingForm: CaseIterable, Sendable {
    case windowCount, windowUntil, windowEvery, groups, limitedGroups
}

/// One of these operators, applied to a producer or to a signal. Each of its streams has two values: the first 1 and 2,
/// the next 3 and 4, and so on.
private final class Splitting: Sendable {
    private let form: SplittingForm
    private let isHot: Bool
    let population = Population()
    private let clock = TestScheduler()
    private let manual = Manual()
    private let trigger = Trigger()

    init(_ form: SplittingForm, isHot: Bool) {
        self.form = form
        self.isHot = isHot
    }

    /// The streams. Each call applies the operator.
    var streams: SignalProducer<Numbers, TestError> { isHot ? hot : cold }

    private func counted() -> Numbers {
        let member = population.member()
        return manual.producer.map { value in
            member.touch()
            return value
        }
    }

    private var cold: SignalProducer<Numbers, TestError> {
        let source = counted()
        return switch form {
        case .windowCount: source.window(count: 2)
        case .windowUntil: source.window(until: trigger.producer, bufferLimit: 2, whenFull: .fail, raising: .second)
        case .windowEvery:
            source.window(every: .seconds(5), on: clock, bufferLimit: 2, whenFull: .fail, raising: .second)
        case .groups: source.groupBy { ($0 - 1) / 2 }.map(\.producer)
        case .limitedGroups:
            source.groupBy(
                { ($0 - 1) / 2 }, bufferLimit: 2, idle: .seconds(5), maxKeys: 2, whenFull: .fail, raising: .second,
                on: clock
            ).map(\.producer)
        }
    }

    private var hot: SignalProducer<Numbers, TestError> {
        counted().startWithSignal { started, interrupter -> SignalProducer<Numbers, TestError> in
            // The start is disposed of when nothing observes the signal.
            let source = Signal<Int, TestError> { observer, lifetime in
                lifetime += started.observe(observer)
                lifetime += interrupter
            }
            return switch form {
            case .windowCount: source.window(count: 2).producer
            case .windowUntil:
                trigger.producer.startWithSignal { started, interrupter -> SignalProducer<Numbers, TestError> in
                    let trigger = Signal<Int, Never> { observer, lifetime in
                        lifetime += started.observe(observer)
                        lifetime += interrupter
                    }
                    return source.window(until: trigger, bufferLimit: 2, whenFull: .fail, raising: .second).producer
                }
            case .windowEvery:
                source.window(every: .seconds(5), on: clock, bufferLimit: 2, whenFull: .fail, raising: .second)
                    .producer
            case .groups: source.groupBy { ($0 - 1) / 2 }.map(\.producer).producer
            case .limitedGroups:
                source.groupBy(
                    { ($0 - 1) / 2 }, bufferLimit: 2, idle: .seconds(5), maxKeys: 2, whenFull: .fail,
                    raising: .second, on: clock
                ).map(\.producer).producer
            }
        }
    }

    func send(_ values: Int...) {
        for value in values { manual.input?.sendNext(value) }
    }

    /// Whether a stream ends only with the source.
    var endsWithSource: Bool { form == .groups }

    /// Ends the stream that has received two values, in a way that the operator has.
    func close() {
        switch form {
        case .windowCount, .groups: break
        case .windowUntil: trigger.input?.sendNext(0)
        case .windowEvery, .limitedGroups: clock.advance(by: .seconds(5))
        }
    }

    func complete() { manual.input?.sendCompleted() }

    /// Expects that the operator has released everything, or nothing.
    func expect(isStopped: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let count = isStopped ? 1 : 0
        TestSupport.expect(manual.disposals.value, is: count, comment, sourceLocation: sourceLocation)
        if form == .windowUntil {
            TestSupport.expect(trigger.disposals.value, is: count, comment, sourceLocation: sourceLocation)
        }
        guard isStopped else { return }
        let now = clock.now
        clock.run()
        #expect(clock.now == now, "a timer is left", sourceLocation: sourceLocation)
    }
}

@Suite("Windows and groups", .watched)
struct InnerStreamTests {
    /// An operator that ends the result when it has received two streams, or the third one.
    private struct Cut: Sendable {
        let name: String
        /// The number of streams that it lets through.
        let count: Int
        let apply: @Sendable (SignalProducer<Numbers, TestError>) -> SignalProducer<Numbers, TestError>

        static let all = [
            Cut(name: "take(first:)", count: 2) { $0.take(first: 2) },
            Cut(name: "element(at:)", count: 1) { $0.element(at: 1) },
            Cut(name: "first(where:)", count: 1) { streams in
                let number = Counter()
                return streams.first(where: { _ in number.increment() == 2 })
            },
            Cut(name: "take(while:)", count: 2) { streams in
                let number = Counter()
                return streams.take(while: { _ in number.increment() < 3 })
            },
        ]
    }

    @Test(
        "receive all their values after an operator has ended the result", arguments: SplittingForm.allCases,
        [false, true])
    func taken(form: SplittingForm, isHot: Bool) {
        for strategy in [FlattenStrategy.concat, .merge] {
            for cut in Cut.all {
                let (name, count) = (cut.name, cut.count)
                let splitting = Splitting(form, isHot: isHot)
                let log = cut.apply(splitting.streams).flatMap(strategy) { $0.collect() }.logged()
                splitting.send(1, 2)
                splitting.close()
                splitting.send(3)
                splitting.expect(isStopped: false, "\(name)")
                splitting.send(4)
                splitting.close()
                // Ends `take(while:)`.
                splitting.send(5)
                if splitting.endsWithSource {
                    splitting.send(6, 7, 4)
                    splitting.complete()
                    let values = count == 1 ? ["[3, 4, 4]"] : ["[1, 2]", "[3, 4, 4]"]
                    expect(log.all, is: values + ["completed"], "\(name), \(strategy)")
                } else {
                    let values = count == 1 ? ["[3, 4]"] : ["[1, 2]", "[3, 4]"]
                    expect(log.all, is: values + ["completed"], "\(name), \(strategy)")
                }
                splitting.expect(isStopped: true, "\(name)")
            }
        }
    }

    @Test("are released with the source if all is disposed of", arguments: SplittingForm.allCases, [false, true])
    func disposal(form: SplittingForm, isHot: Bool) {
        for strategy in [FlattenStrategy.concat, .merge, .latest] {
            let splitting = Splitting(form, isHot: isHot)
            let (log, disposable) = splitting.streams.take(first: 2).flatMap(strategy) { $0 }.startLogged()
            splitting.send(1, 2)
            splitting.close()
            splitting.send(3)
            splitting.expect(isStopped: false)
            disposable.dispose()
            expect(log.all.last, is: "interrupted")
            splitting.expect(isStopped: true)
            expect(splitting.population.alive, is: 0)
        }
    }

    @Test("go on without the result while they are observed", arguments: SplittingForm.allCases, [false, true])
    func observed(form: SplittingForm, isHot: Bool) {
        let splitting = Splitting(form, isHot: isHot)
        let starts = Log<(log: Log<String>, disposable: any Disposable)>()
        let result = splitting.streams.start { event in
            if let stream = event.value { starts.append(stream.startLogged()) }
        }
        splitting.send(1)
        result.dispose()
        splitting.send(2)
        splitting.close()
        splitting.send(3)
        expect(starts.count, is: 1, "no more streams are sent")
        if splitting.endsWithSource {
            expect(starts.all[0].log.all, is: ["1", "2"])
            splitting.expect(isStopped: false)
            starts.all[0].disposable.dispose()
        } else {
            expect(starts.all[0].log.all, is: ["1", "2", "completed"])
        }
        splitting.expect(isStopped: true)
        expect(splitting.population.alive, is: 0)
    }

    @Test("stop with their last start if the result is over", arguments: SplittingForm.allCases, [false, true])
    func unobserved(form: SplittingForm, isHot: Bool) {
        let splitting = Splitting(form, isHot: isHot)
        let starts = Log<(log: Log<String>, disposable: any Disposable)>()
        let result = splitting.streams.start { event in
            guard let stream = event.value else { return }
            for _ in 0..<2 { starts.append(stream.startLogged()) }
        }
        splitting.send(1)
        result.dispose()
        starts.all[0].disposable.dispose()
        splitting.expect(isStopped: false)
        starts.all[1].disposable.dispose()
        splitting.expect(isStopped: true)
        expect(starts.all.map { $0.log.all }, is: [["1", "interrupted"], ["1", "interrupted"]])
        expect(splitting.population.alive, is: 0)
    }

    @Test(
        "wait for their first start while their producer is retained", arguments: SplittingForm.allCases, [false, true]
    )
    func retained(form: SplittingForm, isHot: Bool) {
        let splitting = Splitting(form, isHot: isHot)
        let streams = Log<Numbers>()
        splitting.streams.take(first: 1).start { event in
            if let stream = event.value { streams.append(stream) }
        }
        splitting.send(1)
        splitting.expect(isStopped: false)
        let log = streams.all[0].logged()
        splitting.send(2)
        expect(log.all.prefix(2), is: ["1", "2"])
        streams.removeAll()
        splitting.close()
        if splitting.endsWithSource { splitting.complete() }
        expect(log.all, is: ["1", "2", "completed"])
        splitting.expect(isStopped: true)

        let released = Splitting(form, isHot: isHot)
        released.streams.take(first: 1).start { event in
            if let stream = event.value { streams.append(stream) }
        }
        released.send(1)
        released.expect(isStopped: false)
        streams.removeAll()
        released.expect(isStopped: true)
        expect(released.population.alive, is: 0)
    }

    @Test("do not overflow if nobody can start them any more", arguments: SplittingForm.allCases, [false, true])
    func ignored(form: SplittingForm, isHot: Bool) {
        let splitting = Splitting(form, isHot: isHot)
        let (log, disposable) = splitting.streams.map { _ in 0 }.startLogged()
        splitting.send(1, 1, 1, 1)
        expect(log.all.allSatisfy { $0 == "0" }, is: true, "got \(log.all)")
        splitting.expect(isStopped: false)
        disposable.dispose()
        splitting.expect(isStopped: true)
    }

    @Test("store no values if nobody can start them any more")
    func memory() {
        let population = Population()
        let (source, input) = Signal<Population.Member, Never>.pipe()
        source.groupBy { _ in 0 }.observeNext { _ in }
        for _ in 0..<3 { input.sendNext(population.member()) }
        expect(population.alive, is: 0)
    }

    @Test("end once, and stop the source once, when the last start is disposed of beside the last value")
    func race() {
        for _ in 0..<raceRounds {
            let manual = Manual()
            let starts = Log<(log: Log<String>, disposable: any Disposable)>()
            let result = manual.producer.window(count: 2).start { event in
                if let stream = event.value { starts.append(stream.startLogged()) }
            }
            manual.input?.sendNext(1)
            let input = manual.input
            onThreads(3, "a window that loses its observers") { thread in
                switch thread {
                case 0: result.dispose()
                case 1: starts.all[0].disposable.dispose()
                default: input?.sendNext(2)
                }
            }
            expect(manual.disposals.value, is: 1)
            let events = starts.all[0].log.all
            expect(events.filter { $0 == "completed" || $0 == "interrupted" }.count, is: 1, "\(events)")
            manual.release()
        }
    }
}
