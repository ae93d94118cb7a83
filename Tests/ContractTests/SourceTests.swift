import ColdProducers
import Glibc
import HotSignals
import MemoizedSequences
import ReactiveServer
import ReactiveSignals
import ReactiveSignalsFoundation
import ReactiveSignalsTesting
import TestSupport
import Testing

/// A source of values, which has no input: see `Entry.sources`.
private struct SourceEntry: Sendable, CustomTestStringConvertible {
    let form: String
    let testDescription: String
    /// Creates the source. Its closures, if any, retain the probe.
    let make: @Sendable (TestScheduler, Probe) -> Cold

    init(_ form: String, _ variant: String = "", _ make: @escaping @Sendable (TestScheduler, Probe) -> Cold) {
        self.form = form
        testDescription = variant.isEmpty ? form : "\(form), \(variant)"
        self.make = make
    }

    /// A source that can be suspended.
    private static func numbers() -> SignalProducer<Int, Never> {
        SignalProducer(
            AsyncStream<Int> { continuation in
                for number in 1...3 { continuation.yield(number) }
                continuation.finish()
            })
    }

    private static let suspending = FlattenStrategy.Suspending.concurrent(limit: 1, waiting: 1, whenFull: .suspend)

    static let all = [
        SourceEntry("SignalProducer.attempt(_:)#5") { _, w in Cold.attempt { () throws(TestError) in w.see(1) } },
        SourceEntry("SignalProducer.attempt(_:)#6") { _, w in Cold.attempt { w.see(.failure(TestError())) } },
        SourceEntry("SignalProducer.timer(interval:on:leeway:)") { clock, w in
            SignalProducer<_, Never>.timer(interval: .seconds(1), on: clock).map { _ in w.see(1) }.promoteError()
        },
        SourceEntry("SignalProducer.timer(after:on:)") { clock, w in
            SignalProducer<_, Never>.timer(after: .seconds(1), on: clock).map { _ in w.see(1) }.promoteError()
        },
        SourceEntry("SignalProducer.interval(_:_:on:)") { clock, w in
            SignalProducer<Int, Never>.interval([1, 2, 3], .seconds(1), on: clock).map { w.see($0) }.promoteError()
        },
        SourceEntry("SignalProducer.interval(_:on:)") { clock, w in
            SignalProducer.interval(.seconds(1), on: clock).map { w.see($0) }.promoteError()
        },
        SourceEntry("MemoizedSequence.producer(on:)") { clock, w in
            [1, 2, 3].memoized.map { w.see($0) }.producer(on: clock).promoteError()
        },
        SourceEntry("SignalProducer.buffer(upTo:whenFull:on:)") { clock, w in
            numbers().map { w.see($0) }.buffer(upTo: 2, whenFull: .suspend, on: clock).promoteError()
        },
        SourceEntry("SignalProducer.mapAsync(maxConcurrent:ordered:_:)") { _, w in
            numbers().mapAsync(maxConcurrent: 2) { number in w.see(number) }.promoteError()
        },
        SourceEntry("SignalProducer.zip(with:bufferLimit:whenFull:)") { _, w in
            numbers().map { w.see($0) }.zip(with: numbers(), bufferLimit: 1, whenFull: .suspend).map { $0.0 }
                .promoteError()
        },
        SourceEntry("SignalProducer.flatMap(_:_:)#2") { _, w in
            numbers().promoteError().flatMap(suspending) { Cold(value: w.see($0)) }
        },
        SourceEntry("SignalProducer.flatMap(_:_:)#3") { _, w in
            numbers().promoteError().flatMap(suspending) { number in SignalProducer.async { w.see(number) } }
        },
        SourceEntry("SignalProducer.flatMap(_:_:)#4") { _, w in
            numbers().flatMap(suspending) { number in Cold.async { () async throws(TestError) in w.see(number) } }
        },
        SourceEntry("SignalProducer.flatMap(_:_:)#2", "none of which can fail") { _, w in
            numbers().flatMap(suspending) { number in SignalProducer.async { w.see(number) } }.promoteError()
        },
        SourceEntry("SignalProducer.flatten(_:)") { _, w in
            numbers().promoteError(TestError.self).map { Cold(value: w.see($0)) }.flatten(suspending)
        },
        SourceEntry("SignalProducer.flatten(_:)#2") { _, w in
            numbers().promoteError(TestError.self).map { number in SignalProducer.async { w.see(number) } }
                .flatten(suspending)
        },
        SourceEntry("SignalProducer.flatten(_:)#3") { _, w in
            numbers().map { number in Cold.async { () async throws(TestError) in w.see(number) } }.flatten(suspending)
        },
        SourceEntry("SignalProducer.flatten(_:)", "none of which can fail") { _, w in
            numbers().map { number in SignalProducer.async { w.see(number) } }.flatten(suspending).promoteError()
        },
        SourceEntry("SignalProducer.async(priority:_:)") { _, w in
            Cold.async { () async throws(TestError) in w.see(1) }
        },
        SourceEntry("SignalProducer.async(priority:_:)#2") { _, w in
            SignalProducer.async { w.see(1) }.promoteError()
        },
        SourceEntry("SignalProducer.unfold(_:_:)") { _, w in
            Cold.unfold(0) { state throws(TestError) in
                if state == 2 { throw TestError() }
                return (state == 0 ? w.see(state) : state, state + 1)
            }
        },
        SourceEntry("SignalProducer.unfold(_:_:)#2") { _, w in
            SignalProducer.unfold(0) { $0 < 2 ? ($0 == 0 ? w.see($0) : $0, $0 + 1) : nil }.promoteError()
        },
        SourceEntry("SignalProducer.unfold(_:async:)") { _, w in
            Cold.unfold(0) { state async throws(TestError) in
                if w.see(state) == 2 { throw TestError() }
                return (state, state + 1)
            }
        },
        SourceEntry("SignalProducer.unfold(_:async:)#2") { _, w in
            SignalProducer.unfold(0) { state async in w.see(state) < 2 ? (state, state + 1) : nil }.promoteError()
        },
        // The operating system's sources ignore the clock. These end with it, or fail at once.
        SourceEntry("SignalProducer.unixSignal(_:)") { clock, w in
            SignalProducer.unixSignal(SIGWINCH).heard(clock, w)
        },
        SourceEntry("SignalProducer.unixSignal(_:)#2") { clock, w in
            SignalProducer.unixSignal([SIGWINCH, SIGCONT]).heard(clock, w)
        },
        SourceEntry("SignalProducer.readable(fileDescriptor:)") { _, w in
            SignalProducer.readable(fileDescriptor: -1).mapError { _ in w.see(TestError()) }
        },
        SourceEntry("SignalProducer.writable(fileDescriptor:)") { _, w in
            SignalProducer.writable(fileDescriptor: -1).mapReplace(1).mapError { _ in w.see(TestError()) }
        },
        SourceEntry("SignalProducer.processExit(pid:)") { _, w in
            SignalProducer.processExit(pid: 0).mapReplace(1).mapError { _ in w.see(TestError()) }
        },
        SourceEntry("SignalProducer.replaying(contentsOf:as:stream:)") { _, w in
            SignalProducer.replaying(contentsOf: recording, as: Int.self).map { w.see($0) }
                .mapError { _ in TestError() }
        },
        SourceEntry("SignalProducer.replaying(contentsOf:as:stream:speed:on:)") { clock, w in
            SignalProducer.replaying(contentsOf: recording, as: Int.self, on: clock).map { w.see($0) }
                .mapError { _ in TestError() }
        },
        SourceEntry("SignalProducer.replaying(contentsOf:as:failingWith:stream:)") { _, w in
            SignalProducer.replaying(contentsOf: recording, as: Int.self, failingWith: TestError.self)
                .map { w.see($0) }.mapError { _ in TestError() }
        },
        SourceEntry("SignalProducer.replaying(contentsOf:as:failingWith:stream:speed:on:)") { clock, w in
            SignalProducer.replaying(contentsOf: recording, as: Int.self, failingWith: TestError.self, on: clock)
                .map { w.see($0) }.mapError { _ in TestError() }
        },
    ]
}

extension SignalProducer where Value == Int32, Failure == Never {
    /// Ends when the clock advances.
    fileprivate func heard(_ clock: TestScheduler, _ probe: Probe) -> Cold {
        map { probe.see(Int($0)) }
            .take(until: SignalProducer<_, Never>.timer(after: .seconds(1), on: clock).map { _ in }).promoteError()
    }
}

/// Contracts 1, 8 and 11 of the design for sources. Their tasks run on the clock.
@Suite("Source contract", .watched)
struct SourceTests {
    @Test("the list contains every source")
    func areComplete() {
        expect(Set(SourceEntry.all.map(\.form)), is: Entry.sources)
    }

    @Test("1: sends events, then one terminal event and nothing more", arguments: SourceEntry.all)
    private func grammar(_ entry: SourceEntry) async {
        let (clock, recorder) = (TestScheduler(), Recorder())
        await clock.run {
            let disposable = entry.make(clock, ProbeCounter().probe()).start { recorder.record($0) }
            await clock.advance(by: .seconds(9))
            #expect(!recorder.events.isEmpty)
            disposable.dispose()
            await clock.run()
        }
        expect(recorder.terminals, is: 1)
        expect(recorder.violations, is: [])
    }

    @Test("8: disposed of before its work starts, is interrupted and does no work", arguments: SourceEntry.all)
    private func notBegun(_ entry: SourceEntry) async {
        let (clock, recorder, probe) = (TestScheduler(), Recorder(), ProbeCounter().probe())
        await clock.run {
            entry.make(clock, probe).startWithSignal { signal, interrupter in
                signal.observe { recorder.record($0) }
                interrupter.dispose()
            }
            await clock.run()
        }
        expect(recorder.events, is: [.interrupted])
        expect(probe.calls, is: 0)
    }

    @Test(
        "8: disposed of at once, is interrupted and leaves nothing on the scheduler", arguments: SourceEntry.all)
    private func disposedAtOnce(_ entry: SourceEntry) async {
        let (clock, recorder, probe) = (TestScheduler(), Recorder(), ProbeCounter().probe())
        await clock.run {
            entry.make(clock, probe).start { recorder.record($0) }.dispose()
            let calls = probe.calls
            // This would not return if something kept repeating.
            await clock.run()
            expect(recorder.terminals, is: 1)
            #expect(recorder.events.count == 1 || calls == 1)
            expect(probe.calls, is: calls)
        }
    }

    @Test("8: disposed of from its observer's callback, sends nothing more", arguments: SourceEntry.all)
    private func ownCallback(_ entry: SourceEntry) async {
        let (clock, recorder, own) = (TestScheduler(), Recorder(), SerialDisposable())
        await clock.run {
            entry.make(clock, ProbeCounter().probe()).startWithSignal { signal, interrupter in
                own.inner = interrupter
                signal.observe { event in
                    recorder.record(event)
                    own.dispose()
                }
            }
            await clock.run()
        }
        #expect(recorder.events.count == 1 || recorder.values.count == 1 && recorder.events.last == .interrupted)
        expect(recorder.terminals, is: 1)
    }

    @Test("11: releases what it retains when it ends and when it is disposed of", arguments: SourceEntry.all)
    private func release(_ entry: SourceEntry) async {
        for isDisposed in [false, true] {
            let (clock, probes) = (TestScheduler(), ProbeCounter())
            await clock.run {
                let start = { (probe: Probe) in
                    entry.make(clock, probes.probe()).take(first: 2).start { _ in probe.see(()) }
                }
                let disposable = start(probes.probe())
                if isDisposed { disposable.dispose() }
                await clock.run()
                expect(probes.alive, is: 0)
                withExtendedLifetime((clock, disposable)) {}
            }
        }
    }
}
