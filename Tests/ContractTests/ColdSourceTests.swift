import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

extension Entry {
    /// The operators on producers.
    fileprivate static let cold = table.filter { $0.applyCold != nil }

    /// Those that send the values of a source that sends in its start, and ask it for no more than is taken.
    ///
    /// Not those that share the work, which goes on while somebody holds what shares it, and not those that have to hear the one
    /// source out before they begin the other.
    fileprivate static let frugal = cold.filter { entry in
        let drains = [
            "replayLazily", "replayEagerly", "autoconnect", "zip", "withLatest", "forever", "on two",
        ]
        return entry.isTransparent && !entry.isAsynchronous && entry.error == .error(TestError())
            && !drains.contains(where: entry.testDescription.contains) && !entry.testDescription.hasSuffix("for ever")
    }

    fileprivate func apply(_ source: Cold, _ witness: Witness = Census().witness()) -> Cold {
        applyCold?(source, witness) ?? source
    }
}

/// A source whose starts are counted, and which the test sends for: all of its inputs.
private final class Driven: Sendable {
    let (starts, disposals) = (Count(), Count())
    private let kept = Locked<[Numbers.Observer]>([])

    var inputs: [Numbers.Observer] { kept.withLock { $0 } }

    var producer: Cold {
        Cold { [self] observer, lifetime in
            starts.increment()
            kept.withLock { $0.append(observer) }
            lifetime.observeEnded { self.disposals.increment() }
        }
    }

    /// Ends what has been started. To be called at last: the inputs hold what holds this.
    func end() {
        let inputs = kept.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
        for input in inputs { input.sendInterrupted() }
    }
}

/// Contracts 1, 2, 8 and 11 of the design: operators on producers with all kinds of sources.
@Suite("Cold sources", .watched)
struct ColdSourceTests {
    /// Many, for one that begins again and again.
    private static let many = 100

    @Test("1, 2: a source that sends in its start goes through", arguments: Entry.cold)
    func synchronous(_ entry: Entry) {
        let recorder = Recorder()
        entry.apply(Cold(1...9)).take(first: Self.many).start { recorder.record($0) }
        recorder.ended.wait()
        #expect(recorder.violations == [])
        #expect(recorder.terminals == 1)
        // What is replayed eagerly is over when it is started.
        let isLate = entry.form.contains("replayEagerly")
        guard entry.isTransparent, !entry.failsAtFour, !isLate else { return }
        // A prefix comes first.
        let values = recorder.values.first == 8 ? Array(recorder.values.dropFirst()) : recorder.values
        #expect(values.starts(with: 1...9))
    }

    @Test("1, 2: so does one that sends on another thread", arguments: Entry.cold)
    func asynchronous(_ entry: Entry) {
        let recorder = Recorder()
        let scheduler = QueueScheduler()
        entry.apply(Cold(1...9).start(on: scheduler)).take(first: Self.many).start { recorder.record($0) }
        recorder.ended.wait()
        #expect(recorder.violations == [])
        #expect(recorder.terminals == 1)
    }

    @Test("8: an endless source that sends in its start stops when enough has been taken", arguments: Entry.frugal)
    func endless(_ entry: Entry) {
        let (recorder, numbers) = (Recorder(), ManyNumbers())
        entry.apply(Cold(numbers)).take(first: 3).start { recorder.record($0) }
        #expect(recorder.events.count == 4)
        #expect(recorder.events.last == .completed)
        // One more where the source is its own trigger.
        #expect(numbers.asked.value <= 4)
    }

    @Test("8: so it does when it is disposed of from inside", arguments: Entry.frugal)
    func endlessDisposal(_ entry: Entry) {
        let (recorder, numbers) = (Recorder(), ManyNumbers())
        entry.apply(Cold(numbers)).startWithSignal { signal, interrupter in
            signal.observe { event in
                recorder.record(event)
                if recorder.values.count == 3 { interrupter.dispose() }
            }
        }
        #expect(recorder.values.count == 3)
        #expect(recorder.events.last == .interrupted)
        #expect(recorder.terminals == 1)
        // One more where the source is its own trigger.
        #expect(numbers.asked.value <= 4)
    }

    @Test(
        "1, 2: a source that breaks the rules, on four threads at once, does not break the contract",
        arguments: Entry.cold)
    func misbehaving(_ entry: Entry) {
        withThreads(4) { threads in
            for round in 0..<20 {
                let (recorder, source) = (Recorder(), Driven())
                let disposable = entry.apply(source.producer).start { recorder.record($0) }
                threads.race { thread in
                    for input in source.inputs {
                        for value in 0..<5 { input.sendNext(thread * 10 + value) }
                        switch (thread + round) % 4 {
                        case 0: input.sendCompleted()
                        case 1: input.sendError(TestError())
                        case 2: input.sendInterrupted()
                        default: break
                        }
                        input.sendNext(99)
                    }
                }
                disposable.dispose()
                recorder.ended.wait()
                source.end()
                #expect(recorder.violations == [])
                #expect(recorder.terminals == 1)
            }
        }
    }

    @Test("1: events after the end, sent in the start itself, reach nobody", arguments: Entry.cold)
    func afterTheEnd(_ entry: Entry) {
        let recorder = Recorder()
        entry.apply(
            Cold { observer, _ in
                observer.sendNext(1)
                observer.sendError(TestError())
                observer.sendNext(2)
                observer.sendCompleted()
                observer.sendInterrupted()
            }
        ).start { recorder.record($0) }
        recorder.ended.wait()
        #expect(!entry.isTransparent || !recorder.values.contains(2))
        #expect(recorder.terminals == 1)
        #expect(recorder.violations == [])
        if entry.error == .error(TestError()) { #expect(recorder.events.last == entry.error) }
    }

    @Test("11: a source that drops its observer at once ends, exactly once", arguments: Entry.cold)
    func dropped(_ entry: Entry) {
        let recorder = Recorder()
        entry.apply(Cold { _, _ in }).start { recorder.record($0) }
        recorder.ended.wait()
        #expect(recorder.terminals == 1)
        #expect(recorder.violations == [])
        #expect(recorder.events.last == entry.interruption)
    }

    @Test("8: a source that sends nothing is disposed of, and interrupts", arguments: Entry.cold)
    func silent(_ entry: Entry) {
        let census = Census()
        let (recorder, source) = (Recorder(), Driven())
        let start = { (witness: Witness) in
            entry.apply(source.producer, census.witness()).start { witness.see(recorder.record($0)) }
        }
        let disposable = start(census.witness())
        withThreads(4) { threads in threads.race { _ in disposable.dispose() } }
        recorder.ended.wait()
        #expect(recorder.events.last == .interrupted)
        #expect(recorder.terminals == 1)
        #expect(source.starts.value > 0)
        #expect(source.disposals.value == source.starts.value)
        source.end()
        census.waitUntilEmpty()
        #expect(census.alive == 0)
    }

    @Test("8: disposal from the observer's own callback, and then nothing more", arguments: Entry.cold)
    func ownCallback(_ entry: Entry) {
        let (recorder, source) = (Recorder(), Driven())
        let own = SerialDisposable()
        own.inner = entry.apply(source.producer).start { event in
            recorder.record(event)
            own.dispose()
        }
        for input in source.inputs {
            for value in 1...3 { input.sendNext(value) }
        }
        for input in source.inputs { input.sendCompleted() }
        // Where nothing came of that: what it has started since is still at work.
        own.dispose()
        recorder.ended.wait()
        #expect(recorder.terminals == 1)
        #expect(recorder.events.count == 1 || recorder.values.count == 1 && recorder.events.last == .interrupted)
        source.end()
    }
}
