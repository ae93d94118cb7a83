import HotSignals
import ReactiveSignals
import TestSupport
import Testing

@Suite("flatten of sequences")
struct FlattenTests {
    /// The numbers from 1, with a counter of those computed.
    private struct Numbers: Sequence, Sendable {
        let computed: Counter
        let limit: Int

        init(computed: Counter, limit: Int = .max) {
            self.computed = computed
            self.limit = limit
        }

        func makeIterator() -> Iterator { Iterator(numbers: self) }

        struct Iterator: IteratorProtocol {
            let numbers: Numbers

            func next() -> Int? {
                guard numbers.computed.value < numbers.limit else { return nil }
                return numbers.computed.increment()
            }
        }
    }

    private typealias Endless = Signal<Numbers, TestError>

    @Test("sends the elements of each sequence in order")
    func flattens() {
        for arrays in sequences(of: [[], [1], [2, 3]], upTo: 4) {
            let (source, input) = Signal<[Int], TestError>.pipe()
            let result = source.flatten()
            #expect(type(of: result) == Source.self)
            let log = result.logged()
            for array in arrays { input.sendNext(array) }
            input.sendCompleted()
            #expect(log.all == arrays.flatMap(\.self).map(String.init) + ["completed"])
        }
    }

    @Test("accepts any sequence, including lazy ones")
    func kinds() {
        let (strings, stringInput) = Signal<String, Never>.pipe()
        let (ranges, rangeInput) = Signal<ClosedRange<Int>, Never>.pipe()
        let (strides, strideInput) = Signal<StrideTo<Int>, Never>.pipe()
        let characters = strings.flatten().logged()
        let numbers = ranges.flatten().logged()
        let steps = strides.flatten().logged()
        stringInput.sendNext("abc")
        rangeInput.sendNext(1...3)
        strideInput.sendNext(stride(from: 0, to: 10, by: 4))
        expect(characters.all, is: ["a", "b", "c"])
        expect(numbers.all, is: ["1", "2", "3"])
        expect(steps.all, is: ["0", "4", "8"])
        withExtendedLifetime((stringInput, rangeInput, strideInput)) {}
    }

    @Test("flattens one level only, and sends nil elements")
    func oneLevel() {
        let (nested, nestedInput) = Signal<[[Int]], Never>.pipe()
        let (optionals, optionalInput) = Signal<[Int?], Never>.pipe()
        let arrays = nested.flatten().logged()
        let values = optionals.flatten().logged()
        nestedInput.sendNext([[1, 2], []])
        optionalInput.sendNext([nil, 1])
        expect(arrays.all, is: ["[1, 2]", "[]"])
        expect(values.all, is: ["nil", "Optional(1)"])
        withExtendedLifetime((nestedInput, optionalInput)) {}
    }

    @Test("stops iterating an endless sequence when the signal ends", arguments: 1...4)
    func endless(count: Int) {
        let population = Population()
        let computed = Counter()
        let (source, input) = Endless.pipe()
        let log = source.holding(population.member()).flatten().take(first: count).logged()
        input.sendNext(Numbers(computed: computed))
        #expect(log.all == (1...count).map(String.init) + ["completed"])
        expect(population.alive, is: 0)
        withExtendedLifetime(input) {}
    }

    @Test("computes no element after the one that ends the signal", arguments: 1...4)
    func computesNoMore(count: Int) {
        let computed = Counter()
        let (source, input) = Endless.pipe()
        let log = source.flatten().take(first: count).logged()
        input.sendNext(Numbers(computed: computed))
        expect(log.all.last, is: "completed")
        expect(computed.value, is: count)
        withExtendedLifetime(input) {}
    }

    @Test("stops iterating when its last observer is disposed of during a delivery")
    func disposedInside() {
        let computed = Counter()
        let (source, input) = Endless.pipe()
        let disposable = SerialDisposable()
        let log = Log<String>()
        disposable.inner = source.flatten().observe { event in
            log.append(event.text)
            if event.value == 3 { disposable.dispose() }
        }
        // The sequence is finite, so that the test ends even if the operator does not stop.
        input.sendNext(Numbers(computed: computed, limit: 1_000))
        expect(log.all, is: ["1", "2", "3"])
        expect(computed.value, is: 3)
        withExtendedLifetime(input) {}
    }

    @Test(
        "stops iterating when it is released during a delivery, even after an observer was added there",
        arguments: [true, false])
    func releasedInside(isAddedTo: Bool) {
        let computed = Counter()
        let (source, input) = Endless.pipe()
        let (held, disposable) = (Locked<Source?>(source.flatten()), SerialDisposable())
        let log = Log<String>()
        disposable.inner = held.withLock { $0 }?.observe { event in
            log.append(event.text)
            if event.value == 1, isAddedTo {
                held.withLock { $0 }?.take(first: 1).observe { log.append("new \($0.text)") }
            }
            guard event.value == 3 else { return }
            let signal = held.withLock { $0.take() }
            disposable.dispose()
            withExtendedLifetime(signal) {}
        }
        input.sendNext(Numbers(computed: computed, limit: 1))
        input.sendNext(Numbers(computed: computed, limit: 1_000))
        expect(log.all.filter { !$0.hasPrefix("new") }.last, is: "3")
        expect(computed.value, is: 3)
        withExtendedLifetime(input) {}
    }

    @Test("computes each element once for any number of observers")
    func computesOnce() {
        let computed = Counter()
        let (source, input) = Endless.pipe()
        let result = source.flatten()
        let logs = (0..<3).map { _ in result.logged() }
        input.sendNext(Numbers(computed: computed, limit: 2))
        expect(computed.value, is: 2)
        for log in logs { expect(log.all, is: ["1", "2"]) }
        withExtendedLifetime(input) {}
    }

    @Test("delivers re-entrant events, including the end, after the whole sequence")
    func reentrant() {
        let (source, input) = Signal<[Int], TestError>.pipe()
        let log = Log<String>()
        source.flatten().observe { event in
            log.append(event.text)
            if event.value == 1 {
                input.sendNext([8, 9])
                input.sendCompleted()
                input.sendNext([10])
            }
        }
        input.sendNext([1, 2, 3])
        expect(log.all, is: ["1", "2", "3", "8", "9", "completed"])
    }

    @Test("forwards errors, completion and interruption")
    func terminals() { expectForwardsTerminals { $0.map { [$0] }.flatten() } }

    @Test("retains nothing of a sequence that it has iterated")
    func releases() {
        let population = Population()
        let (source, input) = Signal<[Population.Member], TestError>.pipe()
        let log = source.flatten().map { _ in 1 }.logged()
        input.sendNext([population.member(), population.member()])
        expect(population.alive, is: 0)
        expect(log.all, is: ["1", "1"])
        withExtendedLifetime(input) {}
    }

    @Test("has the operator's name")
    func name() { #expect(Signal<[Int], Never>.never.flatten().name == "[never] -flatten") }
}
