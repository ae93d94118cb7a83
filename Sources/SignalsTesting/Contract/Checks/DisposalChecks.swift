import HotSignals
import ReactiveSignals

/// Contract 8: disposal from every place and thread.
extension ContractCheck {
    static let disposal = [
        ContractCheck(
            8, rule: "an observer that disposes of itself, twice, gets nothing more", for: .transparentAndSynchronous,
            ownCallback),
        ContractCheck(
            8, rule: "disposal before the values that are queued drops them", for: .transparentAndSynchronous,
            queuedValues),
        ContractCheck(8, rule: "disposal in the terminal callback does no harm", for: .all, terminalCallback),
        ContractCheck(
            8, rule: "a peer that is disposed of during a delivery does not get that event",
            for: .transparentAndSynchronous, peersCallback),
        ContractCheck(
            8, rule: "an observer that is added during a delivery gets the next event", for: .transparentAndSynchronous,
            addition),
        ContractCheck(
            8,
            rule: """
                disposal from another thread during a delivery does not wait for it, no call begins after it, and what was \
                captured goes when the delivery is over
                """, for: .transparentAndSynchronous, usesThreads: true, otherThread),
        ContractCheck(
            8, rule: "a call that has begun may finish, and keeps what it uses", for: .transparentAndSynchronous,
            usesThreads: true,
            disposalDuringTheCall),
        ContractCheck(
            8, rule: "disposal races with sending: once what was in flight has passed, no call begins",
            for: .transparentAndSynchronous, usesThreads: true
        ) { raceDisposal($0, rounds: min(100, $0.rounds)) },
        ContractCheck(
            8, rule: "disposal races with sending, in many rounds", for: .transparentAndSynchronous, isRace: true
        ) { raceDisposal($0, rounds: $0.rounds) },
        ContractCheck(
            8, rule: "disposing of one observer from eight threads removes it once", for: .all, isRace: true,
            racingDisposals),
    ]

    private static func ownCallback(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source)
        let own = SerialDisposable()
        let recorder = trial.recorder()
        own.inner = result.observe { event in
            recorder.record(event)
            own.dispose()
            own.dispose()
        }
        let peer = trial.record(result)
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        trial.expect(recorder.events, is: [.next(1)], "an observer disposes of itself with the first of three values")
        trial.expect(
            peer.events, is: [.next(1), .next(2), .next(3), trial.traits.completion],
            "an observer beside one that disposes of itself")
    }

    private static func queuedValues(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let own = SerialDisposable()
        let recorder = trial.recorder()
        own.inner = trial.apply(source).observe { event in
            recorder.record(event)
            input.sendNext(2)
            own.dispose()
            input.sendNext(3)
        }
        input.sendNext(1)
        trial.expect(
            recorder.events, is: [.next(1)],
            "an observer sends 2, disposes of itself and sends 3, all in the delivery of 1")
    }

    private static func terminalCallback(_ trial: ContractTrial) {
        let probes = ContractProbeCounter()
        for terminal in OperatorTraits.Terminal.allCases {
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source, probes.probe())
            let recorder = trial.recorder()
            let disposables = CompositeDisposable()
            let observe = { (probe: ContractProbe) in
                result.observe { event in
                    probe.see(recorder.record(event))
                    guard event.isTerminating else { return }
                    disposables.dispose()
                }
            }
            disposables += observe(probes.probe())
            let last = trial.record(result)
            disposables += result.observe { _ in }
            input.send(terminal.event)
            recorder.ended.wait()
            last.ended.wait()
            trial.expectOneEnd(recorder, "\(terminal.event) is sent, and observers are disposed of in its delivery")
            trial.expect(
                last.violations, is: [], "\(terminal.event) is sent, and observers are disposed of in its delivery")
        }
        trial.expectEmpty(probes, "each end has been sent")
    }

    private static func peersCallback(_ trial: ContractTrial) {
        for terminates in [false, true] {
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source)
            let peer = SerialDisposable()
            result.observe { event in
                if event.isTerminating == terminates { peer.dispose() }
            }
            let recorder = trial.recorder()
            peer.inner = result.observe { recorder.record($0) }
            let last = trial.record(result)
            input.sendNext(1)
            input.sendCompleted()
            let event = terminates ? "completion" : "1"
            trial.expect(
                recorder.events, is: terminates ? [.next(1)] : [],
                "an observer that is disposed of by the one before it with \(event)")
            trial.expect(
                last.events, is: [.next(1), trial.traits.completion],
                "an observer behind one that is disposed of with \(event)")
            trial.expect(peer.inner?.isDisposed != false, "what has been disposed of does not say so")
        }
    }

    private static func addition(_ trial: ContractTrial) {
        let (source, input) = Numbers.pipe()
        let result = trial.apply(source)
        let recorder = trial.recorder()
        let hasAdded = AtomicBox()
        result.observe { _ in
            if hasAdded.flag.raise() {
                result.observe { recorder.record($0) }
                result.observe { _ in }?.dispose()
            }
        }
        for value in 1...3 { input.sendNext(value) }
        input.sendCompleted()
        trial.expect(
            recorder.events, is: [.next(2), .next(3), trial.traits.completion],
            "an observer that comes in the delivery of 1")
    }

    private static func otherThread(_ trial: ContractTrial) {
        trial.withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source)
            let probes = ContractProbeCounter()
            let isDelivering = trial.moment("the delivery of a value")
            let isDisposed = trial.moment("the return of a disposal from another thread")
            result.observe { event in
                guard event.value == 1 else { return }
                isDelivering.arrive()
                isDisposed.wait()
            }
            let recorder = trial.recorder()
            let releasedBy = Locked<UInt>(0)
            let observe = { (probe: ContractProbe) in
                result.observe { probe.see(recorder.record($0)) }
            }
            let disposable = observe(
                probes.probe(onDeath: {
                    releasedBy.withLock { $0 = ThreadIdentity.current }
                    // The gate is free, so this value is delivered immediately.
                    input.sendNext(7)
                }))
            let after = trial.record(result)
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                    // If the value was not delivered, the other thread must not wait for it.
                    isDelivering.arrive()
                    trial.expect(
                        releasedBy.withLock { $0 } == ThreadIdentity.current,
                        "what a disposed observer captured has not been released by the thread whose delivery was in flight"
                    )
                    trial.expect(
                        after.values, is: [1, 7], "7 is sent when that is released, another observer's values")
                } else {
                    isDelivering.wait()
                    disposable?.dispose()
                    trial.expect(disposable?.isDisposed == true, "what has been disposed of does not say so")
                    isDisposed.arrive()
                }
            }
            trial.expect(recorder.events, is: [], "an observer that is disposed of before a delivery gets to it")
            trial.expect(probes.alive, is: 0, "probes that are alive after disposal")
            input.sendCompleted()
        }
    }

    private static func disposalDuringTheCall(_ trial: ContractTrial) {
        trial.withThreads(2) { threads in
            let (source, input) = Numbers.pipe()
            let result = trial.apply(source)
            let probes = ContractProbeCounter()
            let isDelivering = trial.moment("the delivery of a value")
            let isDisposed = trial.moment("the return of a disposal from another thread")
            let observe = { (probe: ContractProbe) in
                result.observe { _ in
                    isDelivering.arrive()
                    isDisposed.wait()
                    probe.see(())
                    trial.expect(
                        probes.alive, is: 1, "probes that are alive in a call whose observer has been disposed of")
                }
            }
            let disposable = observe(probes.probe())
            threads.race { thread in
                if thread == 0 {
                    input.sendNext(1)
                    // If the value was not delivered, the other thread must not wait for it.
                    isDelivering.arrive()
                    trial.expect(probes.alive, is: 0, "probes that are alive after disposal and the call in flight")
                } else {
                    isDelivering.wait()
                    disposable?.dispose()
                    trial.expect(
                        probes.alive, is: 1, "probes that are alive after disposal, with the call still in flight")
                    isDisposed.arrive()
                }
            }
        }
    }

    private static func raceDisposal(_ trial: ContractTrial, rounds: Int) {
        let probes = ContractProbeCounter()
        trial.withThreads(4) { threads in
            for round in 0..<rounds where !trial.hasFailed {
                let (source, input) = Numbers.pipe()
                let result = trial.apply(source)
                let late = ContractCount()
                threads.race { thread in
                    if thread < 2 {
                        for value in 0..<4 { input.sendNext(value) }
                        if thread == 0, round % 2 == 0 { input.sendCompleted() }
                    } else {
                        let isOver = AtomicBox()
                        let probe = probes.probe()
                        let disposable = result.observe { _ in
                            if isOver.flag.isRaised { late.increment() }
                            probe.see(())
                        }
                        disposable?.dispose()
                        // A call that began before the disposal may be about to read the flag. This send waits for it.
                        input.sendNext(-1)
                        isOver.flag.raise()
                        input.sendNext(-2)
                        disposable?.dispose()
                        trial.expect(disposable?.isDisposed != false, "what has been disposed of does not say so")
                    }
                }
                trial.expect(late.value, is: 0, "calls of a disposed observer that begin after the disposal")
            }
        }
        trial.expectEmpty(probes, afterRace: true, "observers have been disposed of while two threads send")
    }

    private static func racingDisposals(_ trial: ContractTrial) {
        let probes = ContractProbeCounter()
        trial.withThreads(8) { threads in
            for _ in 0..<max(1, trial.rounds / 5) where !trial.hasFailed {
                let (source, input) = Numbers.pipe()
                let result = trial.apply(source, probes.probe())
                let observe = { (probe: ContractProbe) in result.observe { _ in probe.see(()) } }
                let disposable = observe(probes.probe())
                let peer = trial.record(result)
                threads.race { thread in
                    if thread % 2 == 0 { input.sendNext(thread) }
                    disposable?.dispose()
                }
                input.sendCompleted()
                peer.ended.wait()
                trial.expect(peer.violations, is: [], "an observer beside one of which eight threads dispose")
            }
        }
        trial.expectEmpty(probes, afterRace: true, "eight threads have disposed of an observer")
    }
}

extension ContractTrial {
    /// Expects that all probes have been released. An asynchronous operator may release them a moment later. So may a
    /// thread of the library after a race.
    func expectEmpty(
        _ probes: ContractProbeCounter, afterRace: Bool = false, _ circumstances: @autoclosure () -> String
    ) {
        if afterRace || traits.isAsynchronous { probes.waitUntilEmpty(atMost: patience) }
        expect(probes.alive, is: 0, "\(circumstances()), probes that are still alive")
    }

    /// Expects a count. An asynchronous operator may reach it a moment later.
    func expect(_ count: ContractCount, comesTo expected: Int, _ details: @autoclosure () -> String) {
        if traits.isAsynchronous { count.wait(for: expected, atMost: patience) }
        expect(count.value, is: expected, details())
    }

    /// Expects the values received before the source failed or was interrupted. An asynchronous operator may drop the
    /// last ones, because errors and interruptions are forwarded immediately.
    func expect(_ values: [Int], beforeExceptionIs expected: [Int], _ details: @autoclosure () -> String) {
        if traits.isAsynchronous, values == Array(expected.prefix(values.count)) { return }
        expect(values, is: expected, details())
    }
}

/// A flag that a closure can capture.
final class AtomicBox: Sendable {
    let flag = AtomicFlag()
}
