import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// An operator on producers, which passes on all values of its source.
private struct ColdChain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Cold) -> Cold

    init(_ name: String, _ apply: @escaping @Sendable (Cold) -> Cold) {
        testDescription = name
        self.apply = apply
    }

    static let all =
        [
            ColdChain("none") { $0 }, ColdChain("map") { $0.map { $0 } },
            ColdChain("map, filter, scan") { $0.map { $0 }.filter { _ in true }.scan(into: 0) { $0 = $1 } },
            ColdChain("on") { $0.on(next: { _ in }, disposed: {}) }, ColdChain("concat") { $0.concat(Cold.empty) },
            ColdChain("observe(on:)") { $0.observe(on: ImmediateScheduler()) },
            ColdChain("retry") { $0.retry(upTo: 0) }, ColdChain("then") { Cold.empty.then($0) },
            ColdChain("flatMapError") { $0.flatMapError { Cold(error: $0) } },
            ColdChain("share") { $0.share(while: .observed) }, ColdChain("replayLazily") { $0.replayLazily(upTo: 1) },
            ColdChain("zip") { $0.zip(with: Cold(0..<1_000)).map { $0.0 } },
            ColdChain("merge") { $0.merge(with: Cold.empty) },
            ColdChain("groupBy") { $0.groupBy { $0 % 2 }.flatten(.merge) },
        ]
        + FlattenStrategy.all.map { strategy in
            ColdChain("the outer of flatMap(\(strategy))") { $0.flatMap(strategy) { Cold(value: $0) } }
        }
        + FlattenStrategy.all.map { strategy in
            ColdChain("the inner of flatMap(\(strategy))") { source in Cold(value: 0).flatMap(strategy) { _ in source }
            }
        }
}

@Suite("Cold sources", .watched)
struct ColdSourceTests {
    @Test(
        "1, 2: a source that breaks the rules, on four threads at once, does not break the contract",
        arguments: ColdChain.all)
    private func misbehaving(_ chain: ColdChain) {
        withThreads(4) { threads in
            for round in 0..<50 {
                let recorder = Recorder()
                let kept = Locked<Numbers.Observer?>(nil)
                chain.apply(Cold { observer, _ in kept.withLock { $0 = observer } }).start { recorder.record($0) }
                threads.race { thread in
                    let input = kept.withLock { $0 }
                    for value in 0..<5 { input?.sendNext(thread * 10 + value) }
                    switch (thread + round) % 4 {
                    case 0: input?.sendCompleted()
                    case 1: input?.sendError(TestError())
                    case 2: input?.sendInterrupted()
                    default: break
                    }
                    input?.sendNext(99)
                }
                kept.withLock { $0 }?.sendCompleted()
                recorder.ended.wait()
                #expect(recorder.violations == [])
                #expect(recorder.terminals == 1)
            }
        }
    }

    @Test("1: events after the end, sent in the start itself, reach nobody", arguments: ColdChain.all)
    private func afterTheEnd(_ chain: ColdChain) {
        let recorder = Recorder()
        chain.apply(
            Cold { observer, _ in
                observer.sendNext(1)
                observer.sendError(TestError())
                observer.sendNext(2)
                observer.sendCompleted()
                observer.sendInterrupted()
            }
        ).start { recorder.record($0) }
        #expect(recorder.events.last == .error(TestError()))
        #expect(recorder.terminals == 1)
        #expect(recorder.violations == [])
    }

    @Test("11: a source that drops its observer at once ends, exactly once", arguments: ColdChain.all)
    private func dropped(_ chain: ColdChain) {
        let recorder = Recorder()
        chain.apply(Cold { _, _ in }).start { recorder.record($0) }
        recorder.ended.wait()
        #expect(recorder.events.count == 1)
    }

    @Test("8: a source that sends nothing is disposed of, and interrupts", arguments: ColdChain.all)
    private func silent(_ chain: ColdChain) {
        let census = Census()
        let (recorder, disposals) = (Recorder(), Count())
        let kept = Locked<Numbers.Observer?>(nil)
        let start = { (witness: Witness) in
            chain.apply(
                Cold { observer, lifetime in
                    kept.withLock { $0 = observer }
                    lifetime.observeEnded { disposals.increment() }
                }
            ).start { witness.see(recorder.record($0)) }
        }
        let disposable = start(census.witness())
        withThreads(4) { threads in threads.race { _ in disposable.dispose() } }
        #expect(recorder.events == [.interrupted])
        #expect(disposals.value == 1)
        let dropped = kept.withLock { $0.take() }
        withExtendedLifetime(dropped) {}
        #expect(census.alive == 0)
    }

    @Test("8: disposal from the observer's own callback, and then nothing more", arguments: ColdChain.all)
    private func ownCallback(_ chain: ColdChain) {
        let recorder = Recorder()
        let kept = Locked<Numbers.Observer?>(nil)
        let own = SerialDisposable()
        own.inner = chain.apply(Cold { observer, _ in kept.withLock { $0 = observer } }).start { event in
            recorder.record(event)
            own.dispose()
        }
        let input = kept.withLock { $0 }
        for value in 1...3 { input?.sendNext(value) }
        input?.sendCompleted()
        #expect(recorder.events == [.next(1), .interrupted])
    }
}
