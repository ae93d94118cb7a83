import HotSignals
import ReactiveSignals
import ReactiveSignalsTesting
import TestSupport
import Testing

/// Counts the starts of an action and their outcomes.
private final class StartTally: Sendable {
    let begun = Counter()
    let ends = Counter()
    let refusals = Counter()
    let mistakes = Log<String>()
}

@Suite("Action contract", .watched)
struct ActionContractTests {
    static let policies: [ActionPolicy] = [.refuse, .concurrent(limit: 2), .queue(waiting: 1), .restart]

    /// An action whose units run until the test ends them.
    private func makeAction(
        _ policy: ActionPolicy, _ counter: StartTally, _ member: Population.Member, until end: Signal<Void, Never>
    ) -> Action<Int, Int, TestError> {
        Action(policy: policy) { input in
            member.touch()
            counter.begun.increment()
            return SignalProducer { observer, lifetime in
                observer.sendNext(input)
                lifetime += end.observe(Signal<Void, Never>.Observer { _ in observer.sendCompleted() })
            }
        }
    }

    private func start(_ action: Action<Int, Int, TestError>, _ counter: StartTally) -> any Disposable {
        let isOver = OnceFlag()
        return action.apply(1).start { event in
            guard event.isTerminating else { return }
            if !isOver.raise() { counter.mistakes.append("a second end") }
            counter.ends.increment()
            if case .error(.disabled) = event { counter.refusals.increment() }
        }
    }

    @Test("every unit ends once when starts, disposals and the end of the action race", arguments: policies)
    func races(policy: ActionPolicy) {
        let population = Population()
        withThreads(3) { threads in
            for _ in 0..<raceRounds {
                let counter = StartTally()
                let (end, input) = Signal<Void, Never>.pipe()
                let held = Locked<Action<Int, Int, TestError>?>(
                    makeAction(policy, counter, population.member(), until: end))
                let (isEnabled, isExecuting) = held.withLock { ($0!.isEnabled, $0!.isExecuting) }
                let events = Counter()
                held.withLock { $0! }.events.observeNext { event in if event.isTerminating { events.increment() } }
                threads.race { thread in
                    guard let action = held.withLock({ $0 }) else { return }
                    let running = start(action, counter)
                    switch thread {
                    case 0: running.dispose()
                    case 1: input.sendNext(())
                    default:
                        let released = held.withLock { $0.take() }
                        withExtendedLifetime(released) {}
                    }
                }
                let last = held.withLock { $0.take() }
                withExtendedLifetime(last) {}
                input.sendNext(())
                input.sendCompleted()
                // A thread that must not wait leaves the end of a unit to another thread.
                let begun = counter.begun.value
                let isOver = becomesTrue {
                    events.value >= begun && isEnabled.value && !isExecuting.value
                }
                if counter.mistakes.count > 0 || !isOver {
                    Issue.record("\(counter.mistakes.all) \(isExecuting.value) \(isEnabled.value) \(events.value)")
                    return
                }
            }
        }
        #expect(becomesTrue { population.alive == 0 })
    }

    @Test("every unit of a group ends once when starts, disposals and the end of a member race", arguments: policies)
    func groupRaces(policy: ActionPolicy) {
        let population = Population()
        withThreads(3) { threads in
            for _ in 0..<raceRounds {
                let counter = StartTally()
                let (end, input) = Signal<Void, Never>.pipe()
                let group = ActionGroup(policy: policy)
                let kept = makeAction(.member(of: group), counter, population.member(), until: end)
                let brief = Locked<Action<Int, Int, TestError>?>(
                    makeAction(.member(of: group), counter, population.member(), until: end))
                threads.race { thread in
                    switch thread {
                    case 0: start(kept, counter).dispose()
                    case 1:
                        _ = brief.withLock { $0 }.map { start($0, counter) }
                        input.sendNext(())
                    default:
                        _ = start(kept, counter)
                        let released = brief.withLock { $0.take() }
                        withExtendedLifetime(released) {}
                    }
                }
                input.sendNext(())
                // What a disposal begins in the place of a unit may begin on another thread.
                let isOver = becomesTrue {
                    input.sendNext(())
                    return kept.isEnabled.value && !kept.isExecuting.value
                }
                input.sendCompleted()
                if counter.mistakes.count > 0 || !isOver {
                    Issue.record("\(counter.mistakes.all) \(kept.isExecuting.value) \(kept.isEnabled.value)")
                    return
                }
            }
        }
        #expect(becomesTrue { population.alive == 0 })
    }

    @Test(
        "when starts race, as many begin as the policy allows",
        arguments: [ActionPolicy.refuse, .concurrent(limit: 2)])
    func room(policy: ActionPolicy) {
        withThreads(3) { threads in
            for _ in 0..<raceRounds {
                let counter = StartTally()
                let (end, input) = Signal<Void, Never>.pipe()
                let action = makeAction(policy, counter, Population().member(), until: end)
                threads.race { _ in _ = start(action, counter) }
                let room = policy == .refuse ? 1 : 2
                if counter.begun.value != room || counter.refusals.value != 3 - room {
                    Issue.record("\(counter.begun.value) have begun")
                    return
                }
                input.sendNext(())
                input.sendCompleted()
            }
        }
    }

    @Test("a start beside a drain is refused, or ends before the drain does", arguments: policies)
    func drain(policy: ActionPolicy) {
        withThreads(3) { threads in
            for _ in 0..<raceRounds {
                let (begun, ended, over, late) = (Counter(), Counter(), Counter(), Counter())
                let isDrained = OnceFlag()
                let action = Action<Int, Int, Never>(policy: policy) { number in
                    begun.increment()
                    if isDrained.isRaised { late.increment() }
                    return SignalProducer(value: number).on(disposed: { ended.increment() })
                }
                action.events.observeNext { event in
                    if case .completed = event, isDrained.isRaised { late.increment() }
                }
                threads.race { thread in
                    if thread == 0 {
                        action.draining().startWithCompleted {
                            if begun.value != ended.value { late.increment() }
                            isDrained.raise()
                        }
                    } else {
                        for number in 1...3 {
                            action.apply(number).start { event in if event.isTerminating { over.increment() } }
                        }
                    }
                }
                let isOver = becomesTrue { isDrained.isRaised && over.value == 6 }
                // A unit that is interrupted while it begins may begin its work a moment later.
                let isLate = policy != .restart && late.value > 0
                if !isOver || isLate || action.isEnabled.value || action.isExecuting.value {
                    Issue.record("\(over.value) are over, \(late.value) of \(begun.value) are late")
                    return
                }
            }
        }
    }

    @Test("starts nothing after its condition has become false")
    func condition() {
        withThreads(2) { threads in
            for _ in 0..<raceRounds {
                let isAllowed = MutableProperty(true)
                let late = Counter()
                let action = Action<Void, Void, Never>(enabledIf: isAllowed) { .empty }
                threads.race { thread in
                    if thread == 0 {
                        isAllowed.value = false
                        action.apply().startWithCompleted { late.increment() }
                    } else {
                        action.apply().start()
                    }
                }
                if late.value > 0 || action.isEnabled.value || action.isExecuting.value {
                    Issue.record("\(late.value) began too late")
                    return
                }
            }
        }
    }

    @Test("runs at most one unit and leaks nothing when a binding, its disposal and the action's end race")
    func binding() {
        let population = Population()
        withThreads(3) { threads in
            for _ in 0..<raceRounds {
                let counter = StartTally()
                let (end, ending) = Signal<Void, Never>.pipe()
                let (source, input) = Signal<Int, Never>.pipe()
                let held = Locked<Action<Int, Int, TestError>?>(
                    makeAction(.refuse, counter, population.member(), until: end))
                let binding = held.withLock { $0! } <~ source
                threads.race { thread in
                    switch thread {
                    case 0: input.sendNext(1)
                    case 1: binding.dispose()
                    default:
                        let released = held.withLock { $0.take() }
                        withExtendedLifetime(released) {}
                    }
                }
                ending.sendNext(())
                ending.sendCompleted()
                input.sendNext(2)
                input.sendCompleted()
                if counter.begun.value > 1 || !binding.isDisposed {
                    Issue.record("\(counter.begun.value) have begun")
                    return
                }
            }
        }
        expect(population.alive, is: 0)
    }
}
