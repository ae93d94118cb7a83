import Dispatch
import OpenCombine
import OpenCombineDispatch
package import PeerSupport

package enum OpenCombinePeer {
    typealias Subject = PassthroughSubject<Int, Never>

    package static func observers(_ observers: Int, _ functions: Functions) -> Run {
        let subject = Subject()
        let cancellables = (0..<observers).map { _ in subject.sink(receiveValue: functions.observe) }
        return run(subject, keeping: cancellables)
    }

    package static func mapFilterMap(_ functions: Functions) -> Run {
        let subject = Subject()
        let cancellable =
            subject
            .map(functions.transform).filter(functions.isKept).map(functions.transform)
            .sink(receiveValue: functions.observe)
        return run(subject, keeping: [cancellable])
    }

    /// The same as a user would write it. It costs OpenCombine more than twice as much as ten stages do.
    package static func tenComposedMaps(_ functions: Functions) -> Run {
        let subject = Subject()
        let cancellable =
            subject
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform).map(functions.transform).map(functions.transform)
            .map(functions.transform).map(functions.transform)
            .sink(receiveValue: functions.observe)
        return run(subject, keeping: [cancellable])
    }

    /// Ten stages, of which each is one: `map` called on what is known to be a map composes the closures instead, see
    /// ``tenComposedMaps(_:)``.
    package static func tenMaps(_ functions: Functions) -> Run {
        @inline(__always) func map<P: Publisher<Int, Never>>(_ upstream: P) -> Publishers.Map<P, Int> {
            upstream.map(functions.transform)
        }
        let subject = Subject()
        let stages = map(map(map(map(map(map(map(map(map(map(subject))))))))))
        let cancellable = stages.sink(receiveValue: functions.observe)
        return run(subject, keeping: [cancellable])
    }

    package static func visibleObservers(_ observers: Int) -> Run {
        let subject = Subject()
        let sum = Sum()
        let cancellables = (0..<observers).map { _ in subject.sink { sum.add($0) } }
        return run(subject, keeping: cancellables)
    }

    package static func visibleMapFilterMap() -> Run {
        let subject = Subject()
        let sum = Sum()
        let cancellable = subject.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 &+ 1 }.sink { sum.add($0) }
        return run(subject, keeping: [cancellable])
    }

    package static func visibleTenMaps() -> Run {
        @inline(__always) func map<P: Publisher<Int, Never>>(_ upstream: P) -> Publishers.Map<P, Int> {
            upstream.map { $0 &+ 1 }
        }
        let subject = Subject()
        let sum = Sum()
        let cancellable = map(map(map(map(map(map(map(map(map(map(subject)))))))))).sink { sum.add($0) }
        return run(subject, keeping: [cancellable])
    }

    private static func run(_ subject: Subject, keeping cancellables: [AnyCancellable]) -> Run {
        { count in
            for value in 0..<count { subject.send(value) }
            withExtendedLifetime(cancellables) {}
        }
    }

    package static func zip(_ functions: Functions) -> Run {
        let first = Subject()
        let second = Subject()
        let cancellable = first.zip(second).sink(receiveValue: functions.observePair)
        return { count in
            for value in 0..<count / 2 {
                first.send(value)
                second.send(value)
            }
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func observeDispose(among others: Int, _ functions: Functions) -> Run {
        let subject = Subject()
        let cancellables = (0..<others).map { _ in subject.sink(receiveValue: functions.observe) }
        return { count in
            for _ in 0..<count {
                let cancellable = subject.sink(receiveValue: functions.observe)
                cancellable.cancel()
            }
            withExtendedLifetime(cancellables) {}
        }
    }

    package static func visibleObserveDispose() -> Run {
        let subject = Subject()
        return { count in
            for _ in 0..<count { subject.sink { _ in }.cancel() }
        }
    }

    package static func twoThreads(_ functions: Functions) -> Run {
        // A subject is safe to send into from many threads, but does not say so to the compiler.
        nonisolated(unsafe) let subject = Subject()
        let cancellable = subject.sink(receiveValue: functions.observe)
        let threads = TwoThreads { count in
            for value in 0..<count { subject.send(value) }
        }
        return { count in
            threads.run(count)
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func queue() -> Run {
        let last = Last()
        let subject = Subject()
        let cancellable = subject.receive(on: DispatchQueue.OCombine(DispatchQueue(label: "oc")))
            .sink(receiveValue: last.observe)
        return { count in
            for value in (0..<count).reversed() { subject.send(value) }
            last.wait()
            withExtendedLifetime(cancellable) {}
        }
    }

    package static func memory() -> Run {
        let kept = Kept<(Subject, AnyCancellable)>()
        return { count in
            for _ in 0..<count {
                let subject = Subject()
                kept.keep((subject, subject.sink(receiveValue: { _ in })))
            }
        }
    }

    package static func memoryOfStage() -> Run {
        let sources = Kept<Subject>()
        let kept = Kept<Publishers.Map<Subject, Int>>()
        for _ in 0..<10_000 { sources.keep(Subject()) }
        var next = 0
        return { count in
            for _ in 0..<count {
                kept.keep(sources[next].map { $0 &+ 1 })
                next += 1
            }
        }
    }

    package static func memoryOfObservedStage() -> Run {
        let sources = Kept<Subject>()
        let kept = Kept<(Publishers.Map<Subject, Int>, AnyCancellable)>()
        for _ in 0..<10_000 { sources.keep(Subject()) }
        var next = 0
        return { count in
            for _ in 0..<count {
                let stage = sources[next].map { $0 &+ 1 }
                kept.keep((stage, stage.sink(receiveValue: { _ in })))
                next += 1
            }
        }
    }
}
