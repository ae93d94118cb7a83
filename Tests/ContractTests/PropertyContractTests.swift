import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

extension Recorder {
    func record(_ event: Event<Int, Never>) {
        switch event {
        case .next(let value): record(Event<Int, TestError>.next(value))
        case .completed: record(Event<Int, TestError>.completed)
        case .interrupted: record(Event<Int, TestError>.interrupted)
        }
    }
}

extension Property<Int> {
    /// Starts the producer.
    fileprivate func recorded() -> Recorder {
        let recorder = Recorder()
        producer.start { recorder.record($0) }
        return recorder
    }
}

/// A property that is released on demand.
private final class Holder: Sendable {
    private let held: Locked<MutableProperty<Int>?>

    init(_ value: Int = 0) { held = Locked(MutableProperty(value)) }

    /// Nil after its release.
    var property: MutableProperty<Int>? { held.withLock { $0 } }

    func release() {
        let released = held.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }
}

/// Contract 15 of the design, and the other contracts that concern properties, for every operator on properties.
@Suite("Property contract", .watched)
struct PropertyContractTests {
    // MARK: 15

    @Test("15: value and events follow the source, one event per change", arguments: PropertyEntry.table)
    func follows(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let recorder = property.recorded()
        for value in 0...9 {
            source.value = value
            expect(property.value, is: entry.result(value))
        }
        // The second 0 is a repeat, which some operators drop.
        let expected = (0...9).map(entry.result)
        #expect(recorder.values == expected || recorder.values == [entry.result(0)] + expected)
        expect(recorder.violations, is: [])
    }

    @Test(
        "15: a closure is called once per requested value, for any number of observers",
        arguments: PropertyEntry.table)
    func computedOnce(_ entry: PropertyEntry) {
        for observers in 0..<3 {
            let (source, probe) = (MutableProperty(0), ProbeCounter().probe())
            let property = entry.apply(source, probe)
            for _ in 0..<observers { _ = property.recorded() }
            for value in 1...5 {
                source.value = value
                _ = (property.value, property.value)
            }
            // Without observers, the first value has not been requested.
            let isFirstWanted = observers > 0 || probe.calls > 5 * entry.callsPerValue
            if entry.callsPerValue > 0 { expect(probe.calls, is: (isFirstWanted ? 6 : 5) * entry.callsPerValue) }
        }
    }

    @Test(
        "15: combined with its source, it never shows a mixture of old and new values",
        arguments: PropertyEntry.ofOneGraph)
    func glitch(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let near = entry.apply(source)
        let far = entry.apply(source.map { $0 }.map { $0 })
        let isMixed = Property.combineLatest(source, near, far).map { source, near, far in
            entry.result(source) != near || near != far
        }
        let (mixtures, events) = (Count(), Count())
        isMixed.producer.startWithNext { isMixed in
            events.increment()
            if isMixed { mixtures.increment() }
        }
        for value in 1...9 { source.value = value }
        expect(mixtures.value, is: 0)
        expect(events.value, is: 10, "one event a change")
    }

    @Test(
        "15: reading it during an event never shows a mixture of old and new values",
        arguments: PropertyEntry.ofOneGraph)
    func readsInside(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let mistakes = Log<String>()
        let check: @Sendable (Int) -> Void = { [weak source] _ in
            guard let source else { return }
            if property.value != entry.result(source.value) { mistakes.append("\(property.value) at \(source.value)") }
        }
        source.signal.observeNext(check)
        property.signal.observeNext(check)
        property.map { $0 }.signal.observeNext(check)
        for value in 1...9 { source.value = value }
        expect(mistakes.all, is: [])
    }

    @Test("15: the value is set before its event is delivered", arguments: PropertyEntry.table)
    func visible(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let mistakes = Log<String>()
        property.signal.observeNext { [weak property] value in
            guard let property else { return }
            if property.value != value { mistakes.append("\(property.value) when told of \(value)") }
        }
        for value in 1...9 { source.value = value }
        expect(mistakes.all, is: [])
        withExtendedLifetime(property) {}
    }

    @Test(
        "15: values set during an event are delivered after it, to all observers alike", arguments: PropertyEntry.table)
    func nested(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let early = property.recorded()
        let set: @Sendable (Int) -> Void = { [weak source] _ in
            guard let source, source.value < 9 else { return }
            source.value += 1
        }
        property.signal.observeNext(set)
        source.signal.observeNext(set)
        let late = property.recorded()
        source.value = 1
        let expected = (0...9).map(entry.result)
        for recorder in [early, late] {
            expect(recorder.values, is: expected)
            expect(recorder.violations, is: [])
        }
        expect(property.value, is: entry.result(9))
    }

    @Test(
        "15: with sets on four threads, all observers see one order that ends with the final value",
        arguments: PropertyEntry.table)
    func threads(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let recorders = [property.recorded(), property.recorded()]
        let mistakes = Log<String>()
        withThreads(4) { threads in
            threads.race { thread in
                for _ in 0..<100 {
                    let value = source.modify { value in
                        value += 1
                        return value
                    }
                    guard thread == 0, !entry.isNewGraph else { continue }
                    // A thread that sets a property sees derived values at once. Transparent ones only increase.
                    if entry.result(1_000) == 1_000, property.value < value { mistakes.append("late") }
                }
            }
        }
        expect(mistakes.all, is: [])
        expect(source.value, is: 400)
        expect(property.value, is: entry.result(400))
        for recorder in recorders {
            #expect(recorder.values == (0...400).map(entry.result))
            expect(recorder.violations, is: [])
        }
    }

    @Test(
        "15: a producer started during sets misses no value and receives none twice", arguments: PropertyEntry.table)
    func startRace(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let recorders = Log<Recorder>()
        withThreads(3) { threads in
            threads.race { thread in
                for _ in 0..<60 {
                    if thread == 0 { recorders.append(property.recorded()) } else { source.modify { $0 += 1 } }
                }
            }
        }
        let all = (0...120).map(entry.result)
        for recorder in recorders.all {
            #expect(!recorder.values.isEmpty)
            expect(recorder.values, is: Array(all.suffix(recorder.values.count)))
            expect(recorder.violations, is: [])
        }
    }

    @Test("15: created during sets, it has the final value", arguments: PropertyEntry.table)
    func makingRace(_ entry: PropertyEntry) {
        for _ in 0..<50 {
            let source = MutableProperty(0)
            let made = Locked<Property<Int>?>(nil)
            withThreads(2) { threads in
                threads.race { thread in
                    if thread == 0 {
                        let property = entry.apply(source)
                        made.withLock { $0 = property }
                    } else {
                        for value in 1...5 { source.value = value }
                    }
                }
            }
            // Set by the first thread.
            expect(made.withLock { $0! }.value, is: entry.result(5))
        }
    }

    // MARK: 11

    @Test("11: does not retain its source, and ends with it", arguments: PropertyEntry.table)
    func endsWithSource(_ entry: PropertyEntry) {
        let holder = Holder()
        weak let source = holder.property
        // Exists until `release`.
        let property = entry.apply(holder.property!)
        let recorder = property.recorded()
        holder.property?.value = 1
        holder.release()
        #expect(source == nil)
        expect(recorder.events, is: [.next(entry.result(0)), .next(entry.result(1)), .completed])
        expect(property.value, is: entry.result(1))
        let late = property.recorded()
        expect(late.events, is: [.next(entry.result(1)), .completed])
        expect(entry.apply(property).recorded().events.last, is: .completed)
    }

    @Test(
        "11: does not retain an intermediate property", arguments: PropertyEntry.table)
    func holdsNoProperty(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        weak var middle: Property<Int>?
        let property = {
            let derived = source.map { $0 }
            middle = derived
            return entry.apply(derived)
        }()
        #expect(middle == nil)
        source.value = 3
        expect(property.value, is: entry.result(3))
    }

    @Test("11: releases its closure when neither it nor an observer is left", arguments: PropertyEntry.table)
    func unwanted(_ entry: PropertyEntry) {
        let (source, probes) = (MutableProperty(0), ProbeCounter())
        do {
            let property = entry.apply(source, probes.probe())
            withExtendedLifetime(property) {}
        }
        expect(probes.alive, is: 0, "never observed")
        let observe = { (probe: Probe) in
            entry.apply(source, probe).map { $0 }.producer.start { _ in probe.see(()) }
        }
        let disposable = observe(probes.probe())
        source.value = 1
        expect(probes.alive, is: 1, "observed")
        disposable.dispose()
        expect(probes.alive, is: 0, "disposed of")
        source.value = 2
    }

    @Test("11: leaks nothing for any way of ending", arguments: PropertyEntry.table)
    func leaks(_ entry: PropertyEntry) {
        for end in 0..<4 {
            let probes = ProbeCounter()
            do {
                let holder = Holder()
                // Exists until `release`.
                let source = Property(holder.property!)
                let property = entry.apply(source, probes.probe())
                let (own, probe) = (SerialDisposable(), probes.probe())
                own.inner = property.producer.start { event in
                    probe.see(())
                    withExtendedLifetime((property, own)) {}
                    if end == 2, event.value == entry.result(3) { holder.release() }
                    if end == 3, event.value == entry.result(3) { own.dispose() }
                }
                for value in 1...4 { holder.property?.value = value }
                switch end {
                case 0: holder.release()
                case 1: own.dispose()
                default: break
                }
                // For operators that never reach that value: the observer retains its own start.
                own.dispose()
            }
            expect(probes.alive, is: 0, "end \(end)")
        }
    }

    // MARK: 8

    @Test("8: disposed of from its own callback, delivers nothing more", arguments: PropertyEntry.table)
    func disposedInOwn(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let property = entry.apply(source)
        let (own, recorder) = (SerialDisposable(), Recorder())
        own.inner = property.producer.start { event in
            recorder.record(event)
            if recorder.values.count == 2 { own.dispose() }
        }
        for value in 1...5 { source.value = value }
        expect(recorder.events, is: [.next(entry.result(0)), .next(entry.result(1)), .interrupted])
        expect(property.value, is: entry.result(5))
    }

    @Test("8: disposed of during an event of its source, delivers nothing more", arguments: PropertyEntry.table)
    func disposedInSource(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let own = SerialDisposable()
        source.signal.observeNext { _ in own.dispose() }
        let property = entry.apply(source)
        let recorder = Recorder()
        own.inner = property.producer.start { recorder.record($0) }
        for value in 1...5 { source.value = value }
        expect(recorder.events, is: [.next(entry.result(0)), .interrupted])
        expect(property.value, is: entry.result(5))
    }

    @Test(
        "8: disposed of from its own closure, delivers at most one value and one terminal event",
        arguments: PropertyEntry.table)
    func disposedInClosure(_ entry: PropertyEntry) {
        let source = MutableProperty(0)
        let own = SerialDisposable()
        let probe = ProbeCounter().probe(onCall: { own.dispose() })
        let recorder = Recorder()
        // The first call is for the first value.
        let property = entry.apply(source, probe)
        let second = SerialDisposable()
        own.inner = second
        second.inner = property.producer.start { recorder.record($0) }
        for value in 1...5 { source.value = value }
        expect(recorder.violations, is: [])
        #expect(recorder.terminals <= 1)
        if entry.callsPerValue > 0 { #expect(recorder.values.count <= 1) }
        expect(property.value, is: entry.result(5))
    }

    @Test(
        "8: delivers in order, ends once and leaks nothing when disposal and release race with sets",
        arguments: PropertyEntry.table)
    func races(_ entry: PropertyEntry) {
        let probes = ProbeCounter()
        withThreads(4) { threads in
            for round in 0..<150 {
                let (holder, recorder) = (Holder(), Recorder())
                let handle: Locked<Property<Int>?>
                let start: any Disposable
                do {
                    // Exists until `release`.
                    let property = entry.apply(holder.property!, probes.probe())
                    let probe = probes.probe()
                    start = property.producer.start { probe.see(recorder.record($0)) }
                    handle = Locked(property)
                }
                threads.race { thread in
                    switch thread {
                    case 0:
                        let handle = handle.withLock { $0.take() }
                        withExtendedLifetime(handle) {}
                    case 1 where round % 2 == 0: start.dispose()
                    case 2: for value in 1...3 { holder.property?.value = value }
                    default: if thread == 3 { holder.release() } else { _ = handle.withLock { $0 }?.recorded() }
                    }
                }
                // A start that finds the gate taken leaves queued events to other threads.
                recorder.ended.wait()
                expect(recorder.violations, is: [])
                expect(recorder.terminals, is: 1)
                expect(recorder.values, is: Array((0...3).map(entry.result).prefix(recorder.values.count)))
            }
        }
        #expect(becomesTrue { probes.alive == 0 })
    }

    @Test("8, 11, 15: delivers in order, ends once and leaks nothing when sets, starts, disposals and the end race")
    func propertyRaces() {
        let probes = ProbeCounter()
        withThreads(4) { threads in
            for round in 0..<raceRounds {
                let (holder, recorder) = (Holder(), Recorder())
                let late = Recorder()
                let start: any Disposable
                let producer: SignalProducer<Int, Never>
                do {
                    // Exists until `release`.
                    let property = holder.property!
                    let probe = probes.probe()
                    start = property.producer.start { probe.see(recorder.record($0)) }
                    producer = property.producer
                }
                threads.race { thread in
                    switch thread {
                    case 0: for value in 1...3 { holder.property?.value = value }
                    case 1: producer.start { late.record($0) }
                    case 2: if round % 2 == 0 { start.dispose() }
                    default: holder.release()
                    }
                }
                for recorder in [recorder, late] {
                    recorder.ended.wait()
                    expect(recorder.violations, is: [])
                    expect(recorder.terminals, is: 1)
                }
                // A property that has ended still delivers its last value.
                #expect(!late.values.isEmpty)
                expect(late.values, is: Array((late.values[0]...3).prefix(late.values.count)))
                expect(recorder.values, is: Array((0...3).prefix(recorder.values.count)))
                if round % 2 == 1 { expect(recorder.values.last, is: late.values.last) }
            }
        }
        #expect(becomesTrue { probes.alive == 0 })
    }

    // MARK: 10

    @Test(
        "10: a long chain is built, set, ended and released on 8 MiB", .notUnderThreadSanitizer,
        arguments: PropertyEntry.ofOneGraph)
    func chains(_ entry: PropertyEntry) {
        #if DEBUG
        let stages = 200
        #else
        let stages = Sanitizer.current == nil ? 2_000 : 500
        #endif
        for isEnded in [false, true] {
            let (recorder, probes) = (Recorder(), ProbeCounter())
            onThread(stackSize: 8 << 20) {
                let holder = Holder()
                // Exists until `release`.
                var property = Property(holder.property!)
                let probe = probes.probe()
                for _ in 0..<stages { property = entry.apply(property, probe) }
                property.signal.observe { recorder.record($0) }
                holder.property?.value = 1
                if isEnded { holder.release() }
            }
            expect(recorder.terminals, is: 1)
            expect(recorder.values.count, is: 1)
            expect(probes.alive, is: 0)
        }
    }

    @Test(
        "10: values set during events do not deepen the stack",
        .notUnderThreadSanitizer, arguments: PropertyEntry.table)
    func nestedStack(_ entry: PropertyEntry) {
        let last = Count()
        onThread(stackSize: 512 << 10) {
            let source = MutableProperty(0)
            let property = entry.apply(source)
            property.signal.observeNext { [weak source] _ in
                guard let source, source.value < 2_000 else { return }
                last.increment()
                source.value += 1
            }
            source.value = 1
            expect(property.value, is: entry.result(2_000))
        }
        expect(last.value, is: 1_999)
    }
}
