package import PeerSupport
import ReactiveDiagnostics
import ReactiveSignals

package enum ReactiveSignalsPeer {
    typealias Numbers = Signal<Int, Never>

    package static func observers(_ observers: Int, _ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        for _ in 0..<observers { signal.observeNext(functions.observe) }
        return run(signal, input)
    }

    package static func mapFilterMap(_ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        signal
            .map(functions.transform).filter(functions.isKept).map(functions.transform)
            .observeNext(functions.observe)
        return run(signal, input)
    }

    package static func tenMaps(_ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        signal
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform)
            .observeNext(functions.observe)
        return run(signal, input)
    }

    package static func visibleObservers(_ observers: Int) -> Run {
        let (signal, input) = Numbers.pipe()
        let sum = Sum()
        for _ in 0..<observers { signal.observeNext { sum.add($0) } }
        return run(signal, input)
    }

    package static func visibleMapFilterMap() -> Run {
        let (signal, input) = Numbers.pipe()
        let sum = Sum()
        signal.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &+ 1 }.observeNext { sum.add($0) }
        return run(signal, input)
    }

    package static func visibleTenMaps() -> Run {
        let (signal, input) = Numbers.pipe()
        let sum = Sum()
        signal
            .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
            .map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }
            .observeNext { sum.add($0) }
        return run(signal, input)
    }

    /// Another workload, while ``StreamGraph`` records what it creates.
    package static func recorded(_ prepare: @escaping () -> Run) -> Run {
        { count in
            StreamGraph.start()
            defer { StreamGraph.stop() }
            prepare()(count)
        }
    }

    private static func run(_ signal: Numbers, _ input: Numbers.Observer) -> Run {
        { count in
            for value in 0..<count { input.sendNext(value) }
            withExtendedLifetime(signal) {}
        }
    }

    package static func zip(_ functions: Functions) -> Run {
        let (first, firstInput) = Numbers.pipe()
        let (second, secondInput) = Numbers.pipe()
        Signal.zip(first, second).observeNext(functions.observePair)
        return alternate(firstInput, secondInput)
    }

    package static func combineLatest(_ functions: Functions) -> Run {
        let (first, firstInput) = Numbers.pipe()
        let (second, secondInput) = Numbers.pipe()
        Signal.combineLatest(first, second).observeNext(functions.observePair)
        return alternate(firstInput, secondInput)
    }

    private static func alternate(_ first: Numbers.Observer, _ second: Numbers.Observer) -> Run {
        { count in
            for value in 0..<count / 2 {
                first.sendNext(value)
                second.sendNext(value)
            }
        }
    }

    package static func nested(_ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        signal.observeNext { value in
            functions.observe(value)
            if value == 0 { input.sendNext(1) }
        }
        return { count in
            for _ in 0..<count { input.sendNext(0) }
            withExtendedLifetime(signal) {}
        }
    }

    package static func observeDispose(among others: Int, _ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        for _ in 0..<others { signal.observeNext(functions.observe) }
        return { count in
            for _ in 0..<count { signal.observeNext(functions.observe)?.dispose() }
            withExtendedLifetime(input) {}
        }
    }

    package static func visibleObserveDispose() -> Run {
        let (signal, input) = Numbers.pipe()
        return { count in
            for _ in 0..<count { signal.observeNext { _ in }?.dispose() }
            withExtendedLifetime(input) {}
        }
    }

    package static func twoThreads(_ functions: Functions) -> Run {
        let (signal, input) = Numbers.pipe()
        signal.observeNext(functions.observe)
        let threads = TwoThreads { count in
            for value in 0..<count { input.sendNext(value) }
        }
        return { count in
            threads.run(count)
            withExtendedLifetime(signal) {}
        }
    }

    package static func queue() -> Run {
        let last = Last()
        let (signal, input) = Numbers.pipe()
        signal.observe(on: QueueScheduler(name: "rs")).observeNext(last.observe)
        return { count in
            for value in (0..<count).reversed() { input.sendNext(value) }
            last.wait()
            withExtendedLifetime(signal) {}
        }
    }

    package static func memory() -> Run {
        let kept = Kept<(Numbers, Numbers.Observer, (any Disposable)?)>()
        return { count in
            for _ in 0..<count {
                let (signal, input) = Numbers.pipe()
                kept.keep((signal, input, signal.observe { _ in }))
            }
        }
    }

    package static func memoryOfStage() -> Run {
        let sources = Kept<(output: Numbers, input: Numbers.Observer)>()
        let kept = Kept<Numbers>()
        for _ in 0..<10_000 { sources.keep(Numbers.pipe()) }
        var next = 0
        return { count in
            for _ in 0..<count {
                kept.keep(sources[next].output.map { $0 &+ 1 })
                next += 1
            }
        }
    }

    package static func memoryOfObservedStage() -> Run {
        let sources = Kept<(output: Numbers, input: Numbers.Observer)>()
        let kept = Kept<(Numbers, (any Disposable)?)>()
        for _ in 0..<10_000 { sources.keep(Numbers.pipe()) }
        var next = 0
        return { count in
            for _ in 0..<count {
                let stage = sources[next].output.map { $0 &+ 1 }
                kept.keep((stage, stage.observe { _ in }))
                next += 1
            }
        }
    }
}
