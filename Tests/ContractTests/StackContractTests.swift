import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Contract 10 of the design for long chains: the number of operators needs a moderate stack. For the number of events,
/// see `OperatorContractTests`.
@Suite("Stack contract", .watched)
struct StackContractTests {
    @Test(
        "10: a long chain of operators is built, delivers, ends and is released on 8 MiB", .notUnderThreadSanitizer,
        arguments: Chain.all)
    func longChains(_ chain: Chain) {
        #if DEBUG
        let stages = 2_000
        #else
        let stages = Sanitizer.current == nil ? 2_000 : 250
        #endif
        for end in 0..<4 {
            let recorder = Recorder()
            let probes = ProbeCounter()
            onThread(stackSize: 8 << 20) {
                let (source, input) = Numbers.pipe()
                var result = source
                let probe = probes.probe()
                for stage in 0..<stages { result = chain.extend(result, stage, probe) }
                let disposable = result.observe { recorder.record($0) }
                input.sendNext(0)
                switch end {
                case 0: input.sendCompleted()
                case 1: input.sendError(TestError())
                case 2: disposable?.dispose()
                // Ends by the release of the input.
                default: break
                }
            }
            expect(recorder.values, is: [0])
            #expect(recorder.terminals == (end == 2 ? 0 : 1))
            expect(recorder.violations, is: [])
            expect(probes.alive, is: 0)
        }
    }

    private typealias Join =
        @Sendable (SignalProducer<Int, Never>, SignalProducer<Int, Never>) ->
        SignalProducer<Int, Never>

    private static let joins: [(name: String, join: Join)] = [
        ("concat", { $0.concat($1) }),
        ("merge", { $0.merge(with: $1) }),
        ("prefix", { $1.prefix($0) }),
        ("switchIfEmpty", { $0.filter { _ in false }.switchIfEmpty($1) }),
        ("start(on:)", { $0.start(on: ImmediateScheduler()).concat($1) }),
        ("take(until:)", { $0.take(until: SignalProducer<Int, Never>.never).concat($1) }),
    ]

    @Test(
        "10: many producers, joined one by one, send their values in order on 8 MiB", .notUnderThreadSanitizer,
        arguments: joins.indices)
    func joined(_ index: Int) {
        let join = Self.joins[index].join
        #if DEBUG
        let count = 300
        #else
        let count = Sanitizer.current == nil ? 2_000 : 250
        #endif
        let values = Log<Int>()
        let ends = Log<String>()
        onThread(stackSize: 8 << 20) {
            let parts = (0..<count).map { number in
                number % 2 == 0
                    ? SignalProducer<Int, Never>(value: number)
                    : SignalProducer<Int, Never> { observer, _ in
                        observer.sendNext(number)
                        observer.sendCompleted()
                    }
            }
            parts.reduce(.empty) { join($0, $1) }.start { event in
                if let value = event.value { values.append(value) } else { ends.append("\(event)") }
            }
        }
        let expected = Self.joins[index].name == "switchIfEmpty" ? [count - 1] : Array(0..<count)
        expect(values.all, is: expected)
        expect(ends.all, is: ["COMPLETED"])
    }

    private typealias Gather =
        @Sendable ([SignalProducer<Int, Never>]) -> SignalProducer<Int, Never>

    private static let gatherings: [(name: String, gather: Gather)] = [
        ("concat", { .concat($0) }),
        ("merge", { .merge($0) }),
        ("race", { .race($0) }),
        ("flatten", { SignalProducer($0).flatten(.concurrent(limit: 3)) }),
        ("combineLatest", { SignalProducer.combineLatest($0).map { $0[0] } }),
        ("zip", { SignalProducer.zip($0).map { $0[0] } }),
        ("forkJoin", { SignalProducer.forkJoin($0).map { $0[0] } }),
        ("firstSuccess", { SignalProducer.firstSuccess($0).flatMapError { _ in .empty } }),
    ]

    @Test(
        "10: a collection of producers takes no stack for its elements", .notUnderThreadSanitizer,
        arguments: gatherings.indices)
    func gathered(_ index: Int) {
        #if DEBUG
        let count = 10_000
        #else
        let count = Sanitizer.current == nil ? 100_000 : 10_000
        #endif
        let ends = Log<String>()
        let values = Log<Int>()
        onThread(stackSize: 512 << 10) {
            let parts = (0..<count).map { number in
                number % 2 == 0
                    ? SignalProducer<Int, Never>(value: number)
                    : SignalProducer<Int, Never> { observer, _ in
                        observer.sendNext(number)
                        observer.sendCompleted()
                    }
            }
            Self.gatherings[index].gather(parts).start { event in
                if let value = event.value { values.append(value) } else { ends.append("\(event)") }
            }
        }
        let sendsAll = ["concat", "merge", "flatten"].contains(Self.gatherings[index].name)
        expect(values.all, is: sendsAll ? Array(0..<count) : [0])
        expect(ends.all, is: ["COMPLETED"])
    }

    @Test("10: a branch of a long chain ends while another one begins on another thread", .notUnderThreadSanitizer)
    func branches() {
        #if DEBUG
        let count = 250
        #else
        let count = Sanitizer.current == nil ? 1_900 : 250
        #endif
        let ends = Log<String>()
        onThread(stackSize: 8 << 20) {
            let (source, input) = Signal<Int, Never>.pipe()
            let long = (0..<count).reduce(source.producer) { result, _ in result.concat(.empty) }
            let begun = Log<Bool>()
            let second = SignalProducer<Int, Never> { observer, _ in
                onThread(stackSize: 8 << 20) { input.sendCompleted() }
                begun.append(true)
                observer.sendCompleted()
            }
            let both = long.merge(with: second)
            (0..<100).reduce(both) { result, _ in result.concat(.empty) }.start { ends.append("\($0)") }
            expect(begun.all, is: [true])
        }
        expect(ends.all, is: ["COMPLETED"])
    }

    @Test("10: an event that is left to another thread passes the end of a long chain", .notUnderThreadSanitizer)
    func longChainOfStarts() {
        #if DEBUG
        let stages = 500
        #else
        let stages = Sanitizer.current == nil ? 2_000 : 250
        #endif
        let (source, input) = Signal<Int, Never>.pipe(contention: .enqueue)
        let values = Log<Int>()
        let started = Locked<(signal: Signal<Int, Never>, start: any Disposable)?>(nil)
        onThread(stackSize: 8 << 20) {
            var producer = SignalProducer(source).observe(on: ImmediateScheduler())
            for _ in 0..<stages { producer = producer.concat(.empty) }
            producer.startWithSignal { signal, start in
                signal.observeNext { values.append($0) }
                started.withLock { $0 = (signal, start) }
            }
        }
        let gate = started.withLock { $0?.signal.core.gate }
        let thread = ThreadIdentity.current
        #expect(gate?.enterPassively(thread) == true)
        onThread(stackSize: 8 << 20) { input.sendNext(1) }
        expect(values.all, is: [])
        gate?.leavePassively(thread)
        #expect(becomesTrue { values.all == [1] })
        onThread(stackSize: 8 << 20) { started.withLock { $0.take() }?.start.dispose() }
    }
}

/// A way to extend a chain by one operator.
struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let extend: @Sendable (Numbers, _ stage: Int, Probe) -> Numbers

    static let all = [
        Chain(testDescription: "map") { source, _, w in source.map { w.see($0) } },
        Chain(testDescription: "mixed") { source, stage, w in
            switch stage % 7 {
            case 0: source.map { w.see($0) }
            case 1: source.filter { _ in w.see(true) }
            case 2: source.scan(into: 0) { $0 = w.see($1) }
            case 3: source.on(next: { _ in w.see(()) })
            case 4: source.take(first: 2)
            case 5: source.skipRepeats()
            default: source.compactMap { w.see($0) }
            }
        },
    ]
}
