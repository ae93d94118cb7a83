import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

@Suite("SignalProducerConvertible")
struct SignalProducerConvertibleTests {
    private func events(_ source: some SignalProducerConvertible<Int, TestError>) -> [String] {
        source.producer.logged().all
    }

    @Test("a producer converts to itself")
    func producer() {
        expect(events(Numbers([1, 2])), is: ["1", "2", "completed"])
        expect(Numbers.empty.named("x").producer.name, is: "x")
    }

    @Test("a signal's producer observes it from the start on")
    func signal() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let producer = signal.producer
        input.sendNext(1)
        let log = producer.logged()
        input.sendNext(2)
        input.sendCompleted()
        expect(log.all, is: ["2", "completed"])
        expect(events(signal), is: ["interrupted"])
    }

    @Test("a result's producer sends its value or its error")
    func result() {
        #expect(Result<Int, TestError>.success(1).producer.logged().all == ["1", "completed"])
        #expect(Result<Int, TestError>.failure(.second).producer.logged().all == ["error second"])
    }

    @Test("streams of several kinds fit in one collection")
    func mixed() {
        let streams: [any SignalProducerConvertible<Int, TestError>] = [
            Numbers(value: 1), Signal<Int, TestError>.empty, Numbers(value: 2),
        ]
        expect(Numbers.concat(streams.map { $0.producer }).logged().all, is: ["1", "2", "completed"])
    }

    @Test("a producer can be created from any convertible")
    func made() {
        let (signal, input) = Signal<Int, TestError>.pipe()
        let log = SignalProducer(signal).logged()
        input.sendNext(1)
        let property = MutableProperty(3)
        expect(SignalProducer(property).take(first: 1).logged().all, is: ["3", "completed"])
        let group: any SignalProducerConvertible<Int, TestError> = Numbers(value: 4)
        expect(SignalProducer(group).logged().all, is: ["4", "completed"])
        expect(log.all, is: ["1"])
    }

    @Test("implicit member syntax works for stream parameters, and is equivalent to the full form")
    func leadingDots() {
        let clock = TestScheduler()
        let numbers = Numbers([1, 2])
        expect(numbers.take(until: .empty).logged().all, is: ["completed"])
        expect(numbers.take(until: .init(value: "now")).logged().all, is: ["completed"])
        expect(numbers.skip(until: .empty).logged().all, is: ["1", "2", "completed"])
        expect(numbers.skip(until: .init(value: "now")).logged().all, is: ["1", "2", "completed"])
        expect(numbers.then(.empty).logged().all, is: ["completed"])
        expect(numbers.then(.init(value: "a")).logged().all, is: ["a", "completed"])
        expect(numbers.zip(with: .init(value: "a")).map { "\($0)" }.logged().all, is: ["(1, \"a\")", "completed"])
        expect(numbers.combineLatest(with: .init(value: 5)).map(+).logged().all, is: ["7", "completed"])
        expect(numbers.withLatest(from: .init(value: 5)).map(+).logged().all, is: ["6", "7", "completed"])
        expect(numbers.take(untilReplacement: .init(value: 7)).logged().all, is: ["7", "completed"])
        expect(Numbers.deferred { .empty }.logged().all, is: ["completed"])
        expect(Property(initial: 1, then: .init(value: 2)).value, is: 2)

        let sampled = numbers.concat(.never).sample(on: .timer(interval: .seconds(1), on: clock)).startLogged()
        let pairs = numbers.concat(.never).sample(with: .interval(.seconds(1), on: clock)).map { $0.0 + $0.1 }
            .startLogged()
        clock.advance(by: .seconds(2))
        expect(sampled.log.all, is: ["2", "2"])
        expect(pairs.log.all, is: ["2", "3"])
        for start in [sampled, pairs] { start.disposable.dispose() }
    }

    @Test("implicit member syntax works in the closure of flatMapError")
    func leadingDotsOfErrors() {
        let failing = Numbers(value: 1).concat(error: .first)
        let safe: SignalProducer<Int, Never> = failing.flatMapError { _ in .empty }
        expect(safe.logged().all, is: ["1", "completed"])
        let other: Numbers = failing.flatMapError { _ in .init(error: .second) }
        expect(other.logged().all, is: ["1", "error second"])
        let statements = failing.flatMapError { error in
            if error == .second { return .init(value: 2) }
            return .empty
        }
        expect(statements.logged().all, is: ["1", "completed"])

        let (signal, input) = Signal<Int, TestError>.pipe()
        let logs = [
            signal.flatMapError { _ in .init(value: 7) }.logged(),
            (signal.flatMapError { _ in .init(error: .second) } as Signal<Int, TestError>).logged(),
        ]
        input.sendError(.first)
        expect(logs.map(\.all), is: [["7", "completed"], ["error second"]])
    }

    @Test("implicit member syntax works in the closure of flatMap")
    func leadingDotsOfFlatMap() {
        let odd: @Sendable (Int) -> Numbers = { Numbers(value: $0 * 10) }
        let failing = Numbers([1, 2, 3]).flatMap(.concat) { number in
            if number % 2 == 1 { return odd(number) }
            return .empty
        }
        expect(failing.logged().all, is: ["10", "30", "completed"])
        let safe = SignalProducer<Int, Never>([1, 2, 3])
        let promoted: Numbers = safe.flatMap(.concat) { number in
            guard number % 2 == 1 else { return .empty }
            return odd(number)
        }
        expect(promoted.logged().all, is: ["10", "30", "completed"])
        let neither: SignalProducer<String, Never> = safe.flatMap(.concat) { number in
            guard number % 2 == 1 else { return .empty }
            return .init(value: "a")
        }
        expect(neither.logged().all, is: ["a", "a", "completed"])

        let (signal, input) = Signal<Int, Never>.pipe()
        let (unsafe, unsafeInput) = Signal<Int, TestError>.pipe()
        let logs = [
            (signal.flatMap(.merge) { $0 > 1 ? .empty : .init(value: 5) } as Signal<Int, Never>).logged(),
            (signal.flatMap(.merge) { $0 > 1 ? .empty : odd($0) } as Signal<Int, TestError>).logged(),
            (unsafe.flatMap(.merge) { $0 > 1 ? .empty : odd($0) } as Signal<Int, TestError>).logged(),
        ]
        for number in [1, 2] {
            input.sendNext(number)
            unsafeInput.sendNext(number)
        }
        expect(logs.map(\.all), is: [["5"], ["10"], ["10"]])
    }
}
