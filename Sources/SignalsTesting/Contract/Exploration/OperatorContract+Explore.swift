#if Explore
import HotSignals
import InterleavingExplorer
import ReactiveSignals

extension OperatorContract {
    /// Runs the operator under every order in which a few threads can take turns, and throws an error if it violates
    /// the contract in one of them.
    ///
    /// Available with the package trait `Explore`, which is for test packages only. Where
    /// ``check(rounds:depth:patience:file:line:)-a2rg`` repeats races and depends on timing, this method tries each
    /// possible moment. At each access to an atomic or a lock of the library, and at each call of the observer, another
    /// thread may continue. So explore operators that are made of the library's parts: `StreamOperator`,
    /// `StatefulOperator`, and other operators. A lock or an atomic of your own is not a point at which threads switch;
    /// a semaphore or queue of your own blocks the exploration, which reports it.
    ///
    /// ```swift
    /// try OperatorContract(ofSignals: "numbered") { source, probe in
    ///     source.applying(Numbered()).map { probe.see($0.1) }
    /// }.explore()
    /// ```
    ///
    /// A violation ends with a line such as `disposal: 17=1 /85`. ``replay(_:)`` runs that one order again.
    ///
    /// Blocks the calling thread, for seconds with one preemption and for up to a minute with two. Only one exploration
    /// can run in a process at a time, and nothing else may use the library meanwhile: put `.serialized` on the suite.
    ///
    /// - Parameters:
    ///   - preemptions: How many times a thread that could continue is interrupted. With 2, almost all known defects of
    ///     such code appear.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    /// - Throws: The first violation that was found. Every order has been run if it does not throw.
    public func explore(
        preemptions: Int = 1, file: StaticString = #fileID, line: UInt = #line
    ) throws(ContractViolations) {
        require(
            preemptions >= 0,
            "OperatorContract(\(name)).explore: the number of preemptions, \(preemptions), must not be negative",
            file: file, line: line)
        require(
            !traits.isAsynchronous,
            "OperatorContract(\(name)).explore: an operator whose events come on other threads cannot be explored",
            file: file, line: line)
        var settings = Settings()
        settings.preemptions = preemptions
        for course in Course.allCases {
            let outcome = Explorer(scenario(course), settings).exhaust()
            if let finding = outcome.finding { throw violations(course, finding) }
            if !outcome.isExhausted {
                throw violations(course, ["there are more than \(outcome.executions) orders"], nil)
            }
        }
    }

    /// Runs one order again that ``explore(preemptions:file:line:)`` has reported, for example under a debugger.
    ///
    /// - Parameter line: The last line of the violation.
    /// - Throws: The violation. Also throws if the operator has changed so that the line no longer fits.
    public func replay(_ line: String) throws(ContractViolations) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let course = Course(rawValue: String(parts[0])), let schedule = Schedule("\(parts[1])")
        else {
            let names = Course.allCases.map(\.rawValue).joined(separator: ", ")
            let details =
                "\"\(line)\" is no line of explore(): they look like \"disposal: 17=1 /85\", with one of \(names)"
            throw ContractViolations(
                name: name, violations: [ContractViolation(contracts: [], rule: "a line to replay", details: details)])
        }
        if let finding = Explorer(scenario(course)).replay(schedule) { throw violations(course, finding) }
    }

    private func violations(_ course: Course, _ finding: Finding) -> ContractViolations {
        violations(course, finding.failures, finding.schedule)
    }

    private func violations(_ course: Course, _ failures: [String], _ schedule: Schedule?) -> ContractViolations {
        let line = schedule.map { "\n  \(course.rawValue): \($0)" } ?? ""
        let details = failures.joined(separator: "; ") + line
        return ContractViolations(
            name: name,
            violations: [ContractViolation(contracts: course.contracts, rule: course.rule, details: details)])
    }

    // MARK: Scenarios

    private enum Course: String, CaseIterable {
        case senders, ends, disposal, observers, release

        var contracts: [Int] {
            switch self {
            case .senders: [2]
            case .ends: [1]
            case .disposal: [8]
            case .observers: [1]
            case .release: [11]
            }
        }

        var rule: String {
            switch self {
            case .senders: "three threads send: events are serial, none is lost, and each sender's order is kept"
            case .ends: "threads send and end the source: one terminal event, with nothing after it"
            case .disposal: "a thread disposes while others send: no call begins after dispose() has returned"
            case .observers: "observers come while a thread sends and ends the source: each gets one terminal event"
            case .release: "the result and the source are released on two threads: one end, and nothing leaks"
            }
        }
    }

    private func scenario(_ course: Course) -> Scenario {
        Scenario(course.rule) { [self] trial in
            let probes = ContractProbeCounter()
            let (source, input) = Numbers.pipe()
            let sourceHandle = ExploredHandle(source)
            let result = ExploredHandle(apply(source, probes.probe()))
            let recorders = (0..<2).map { ExploredRecorder<Int, ContractError>(trial, "observer \($0)") }
            switch course {
            case .senders:
                result.value?.observe(recorders[0])
                let sent = [[1, 2], [11, 12], [21]]
                for values in sent {
                    trial.thread { for value in values { input.sendNext(value) } }
                }
                trial.finally { if passesAll { recorders[0].expectAll(sent) } }
            case .ends:
                result.value?.observe(recorders[0])
                trial.thread { [1, 2].forEach(input.sendNext) }
                trial.thread { input.sendError(ContractError()) }
                trial.thread {
                    input.sendNext(11)
                    input.sendCompleted()
                }
                trial.finally { if passesAll { recorders[0].expectOrder([[1, 2], [11]]) } }
            case .disposal:
                let observation = result.value?.observe(recorders[0])
                result.value?.observe(recorders[1])
                trial.thread { [1, 2].forEach(input.sendNext) }
                trial.thread { input.sendNext(11) }
                trial.thread {
                    observation?.dispose()
                    recorders[0].isDisposed()
                }
                trial.finally { if passesAll { recorders[1].expectAll([[1, 2], [11]]) } }
            case .observers:
                trial.thread {
                    [1, 2].forEach(input.sendNext)
                    input.sendCompleted()
                }
                for recorder in recorders { trial.thread { result.value?.observe(recorder) } }
                trial.finally { for recorder in recorders { recorder.expectOneEnd() } }
            case .release:
                result.value?.observe(recorders[0])
                trial.thread { input.sendNext(1) }
                trial.thread { result.value = nil }
                trial.thread { sourceHandle.value = nil }
            }
            trial.finally {
                input.sendCompleted()
                if course != .observers, course != .disposal { recorders[0].expectOneEnd() }
                result.value = nil
                sourceHandle.value = nil
                trial.expect(probes.alive == 0, "\(probes.alive) of the operator's closures are still held")
            }
        }
    }

    /// Whether the operator forwards all values of all senders.
    private var passesAll: Bool { traits.isTransparent && traits.limit == nil && !traits.failsAtFour }
}

/// A reference that a thread of a scenario releases.
private final class ExploredHandle<Value>: @unchecked Sendable {
    // Sendable: only the thread that holds the baton accesses it.
    var value: Value?

    init(_ value: Value) { self.value = value }
}
#endif
