import ProducerTestSupport
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A way in which a second input ends a chain.
private struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Ends when the trigger completes. The trigger sends 0 before that.
    let apply: @Sendable (Numbers, SignalProducer<Int, Never>) -> Numbers

    private init(_ name: String, _ apply: @escaping @Sendable (Numbers, SignalProducer<Int, Never>) -> Numbers) {
        testDescription = name
        self.apply = apply
    }

    private static func silent(_ trigger: SignalProducer<Int, Never>) -> Numbers {
        trigger.filter { _ in false }.promoteError()
    }

    static let all: [Ending] = [
        Ending("zip") { $0.zip(with: silent($1)).map(\.0) },
        Ending("zip of a collection") { .zip([$0, silent($1)]).map(\.[0]) },
        Ending("bounded zip") { $0.zip(with: silent($1), bufferLimit: 2, whenFull: .dropNewest).map(\.0) },
        Ending("take(until:)") { $0.take(until: $1.map { _ -> Void in }) },
        Ending("take(untilReplacement:)") { $0.take(untilReplacement: $1.promoteError()) },
        Ending("take(during:)") { source, trigger in
            let (lifetime, token) = Lifetime.make()
            trigger.startWithCompleted { token.dispose() }
            return source.take(during: lifetime)
        },
        Ending("race") { source, trigger in .race(source.filter { _ in false }, trigger.promoteError()) },
        Ending("a lifted take(until:)") { source, trigger in
            source.lift { source in { source.take(until: $0) } }(trigger.map { _ -> Void in })
        },
        Ending("flatMap(.race)") { source, trigger in
            Numbers([0, 1]).flatMap(.race) { $0 == 0 ? source.filter { _ in false } : trigger.promoteError() }
        },
    ]
}

/// What stands between the end and the observer.
private struct Wrapping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Numbers) -> Numbers

    private init(_ name: String, _ apply: @escaping @Sendable (Numbers) -> Numbers) {
        testDescription = name
        self.apply = apply
    }

    static let all: [Wrapping] =
        [
            Wrapping("nothing") { $0 },
            Wrapping("map") { $0.map { $0 } },
            Wrapping("lift") { $0.lift { $0.map { $0 } } },
            Wrapping("merge") { .merge($0, .empty) },
            Wrapping("concat") { $0.concat(.empty) },
            Wrapping("then") { $0.then($0.filter { _ in false }.take(first: 0)) },
            Wrapping("repeat") { $0.repeat(1) },
            Wrapping("flatMapError") { $0.flatMapError { _ in .empty } },
            Wrapping("switchIfEmpty") { $0.prefix(value: 0).switchIfEmpty(.never) },
            Wrapping("combineLatest") { $0.combineLatest(with: .init(value: 1)).map(\.0) },
        ] + strategies
    private static let strategies = [
        FlattenStrategy.merge, .concat, .concurrent(limit: 2), .concurrent(limit: 2, ordered: true), .latest, .race,
        .throttle,
    ].map { strategy in
        Wrapping("flatMap(\(strategy))") { chain in Numbers(value: 0).flatMap(strategy) { _ in chain } }
    }
}

@Suite("A disposal while an end is on its way", .watched)
struct DisposalDuringEndTests {
    @Test(
        "reports the interruption, and stops the work upstream when the observer returns", arguments: Ending.all,
        Wrapping.all)
    fileprivate func stops(ending: Ending, wrapping: Wrapping) {
        let (source, trigger, begun, ended) = (Manual(), Trigger(), Counter(), Counter())
        let inner = Numbers { observer, lifetime in
            begun.increment()
            lifetime.observeEnded {
                ended.increment()
                _ = observer
            }
        }
        let upstream = source.producer.flatMap(.merge) { _ in inner }
        let chain = wrapping.apply(ending.apply(upstream, trigger.producer)).collect()
        let start = SerialDisposable()
        let events = Log<String>()
        start.inner = chain.start { event in
            events.append(event.text)
            guard !event.isTerminating else { return }
            // The values are sent when the chain has ended. Its own end is still to come. Until this returns, what is
            // upstream may go on.
            start.dispose()
            source.input?.sendNext(2)
        }
        source.input?.sendNext(1)
        expect(begun.value, is: 1)
        trigger.input?.sendNext(0)
        trigger.input?.sendCompleted()
        expect(events.all.count, is: 2)
        expect(events.all.last, is: "interrupted")
        expect(source.disposals.value, is: source.starts.value)
        let begunBefore = begun.value
        source.input?.sendNext(3)
        expect(begun.value, is: begunBefore)
        expect(ended.value, is: begunBefore)
    }
}
