import Dispatch
import HotSignals
public import ReactiveSignals

/// A source that breaks the rules on purpose, to test how an operator or an observer reacts.
///
/// ```swift
/// let source = UnrulySource<Int, Never>([1, 2, 3], violations: [.endsTwice, .sendsAfterEnd])
/// let recorder = source.producer.record(on: scheduler)
/// #expect(recorder.values == [1, 2, 3])
/// #expect(source.sent == 8)  // three values, two ends, three values
/// ```
///
/// **Delivery**: ``producer`` and ``pipe()`` send through an input, like any source, and so through the gate of the
/// stream. The gate serializes calls, queues re-entrant sends, and drops events after a terminal event. Code behind the
/// gate therefore sees a stream that keeps the rules, and a test can check that. An observer made of closures has no
/// gate: ``play(into:until:)`` sends it every event as it is.
public final class UnrulySource<Value: Sendable, Failure: Error>: Sendable {
    /// The rules that the source breaks.
    public struct Violations: OptionSet, Sendable {
        /// One bit per rule.
        public let rawValue: Int

        /// Creates a set of rules to break.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Sends its values again after the terminal event.
        public static var sendsAfterEnd: Violations { Violations(rawValue: 1) }
        /// Sends a second terminal event, different from the first.
        public static var endsTwice: Violations { Violations(rawValue: 2) }
        /// Sends the values from several threads without synchronization, each value once. The caller does not wait for
        /// these threads.
        public static var sendsFromManyThreads: Violations { Violations(rawValue: 4) }
        /// Sends the next event while one of its own events is being delivered. Has no effect on ``play(into:until:)``.
        public static var sendsFromInside: Violations { Violations(rawValue: 8) }
        /// Sends no terminal event, and retains the input until it is disposed of.
        public static var neverEnds: Violations { Violations(rawValue: 16) }
        /// Continues after it has been disposed of.
        public static var ignoresDisposal: Violations { Violations(rawValue: 32) }
    }

    private let values: [Value]
    private let end: Event<Value, Failure>
    private let violations: Violations
    private let threadCount: Int
    private let count = Locked(0)

    /// Creates a source that sends values and a terminal event.
    ///
    /// - Parameters:
    ///   - values: Sent in order, unless several threads send them.
    ///   - end: Sent after the values. Traps unless it is a terminal event.
    ///   - violations: The rules to break. With an empty set it keeps all rules.
    ///   - threads: How many threads send. Traps unless positive.
    ///   - file: The file that a trap names.
    ///   - line: The line that a trap names.
    public init(
        _ values: [Value], end: Event<Value, Failure> = .completed, violations: Violations = [], threads: Int = 4,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        require(
            end.isTerminating, "UnrulySource(end: \(end)): the end must be a terminal event", file: file, line: line)
        require(
            threads > 0, "UnrulySource(threads: \(threads)): the number of threads must be positive", file: file,
            line: line)
        self.values = values
        self.end = end
        self.violations = violations
        threadCount = violations.contains(.sendsFromManyThreads) ? threads : 0
    }

    /// How many events it has sent so far, in all starts, whether or not they reached an observer.
    public var sent: Int { count.withLock { $0 } }

    // MARK: Streams

    /// A producer whose starts send the events and break the rules.
    public var producer: SignalProducer<Value, Failure> {
        SignalProducer.deferred { [self] in
            let script = makeScript()
            return SignalProducer<Value, Failure> { input, lifetime in
                self.begin(script, input, lifetime)
            }
            .on(event: { self.sendFromInside(script, while: $0) })
        }
    }

    /// Creates a signal that breaks the rules, and a closure that sends its events.
    ///
    /// - Returns: The signal, and a closure that sends all events, once. If the closure is released before it is
    ///   called, the signal is interrupted.
    public func pipe() -> (output: Signal<Value, Failure>, play: @Sendable () -> Void) {
        let script = makeScript()
        let lifetimes = Locked<Lifetime?>(nil)
        let inputs = Locked<Signal<Value, Failure>.Observer?>(nil)
        let signal = Signal<Value, Failure> { input, lifetime in
            lifetimes.withLock { $0 = lifetime }
            inputs.withLock { $0 = input }
        }
        let output = signal.on(event: { self.sendFromInside(script, while: $0) })
        return (
            output,
            {
                guard let input = inputs.withLock({ $0.take() }), let lifetime = lifetimes.withLock({ $0.take() })
                else { return }
                self.begin(script, input, lifetime)
            }
        )
    }

    /// Sends everything into an observer directly. If the observer is made of closures, nothing is filtered.
    ///
    /// - Parameters:
    ///   - observer: Receives what a stream would never deliver: overlapping calls, and calls after the terminal event.
    ///   - lifetime: Ends when the source is disposed of. The source ignores that if it is one of its violations.
    public func play(into observer: Signal<Value, Failure>.Observer, until lifetime: Lifetime? = nil) {
        begin(makeScript(), observer, lifetime)
    }

    // MARK: Sending

    /// The events that one start has yet to send.
    private final class Script: Sendable {
        struct State {
            /// Reversed, so that the next value is the last element.
            var values: [Value]
            var tail: [Event<Value, Failure>]
            var workers: Int
            var hasSentEnd = false
            var input: Signal<Value, Failure>.Observer?
            var lifetime: Lifetime?
        }

        let state: Locked<State>

        init(_ state: State) { self.state = Locked(state) }

        func nextValue() -> Value? { state.withLock { $0.values.popLast() } }

        func nextOfTail() -> Event<Value, Failure>? { state.withLock { $0.tail.popLast() } }
    }

    private func makeScript() -> Script {
        var tail: [Event<Value, Failure>] = []
        if !violations.contains(.neverEnds) {
            tail.append(end)
            if violations.contains(.endsTwice) { tail.append(end.isCompleted ? .interrupted : .completed) }
            if violations.contains(.sendsAfterEnd) { tail += values.map { .next($0) } }
        }
        return Script(
            Script.State(values: values.reversed(), tail: tail.reversed(), workers: max(1, threadCount)))
    }

    private func begin(_ script: Script, _ input: Signal<Value, Failure>.Observer, _ lifetime: Lifetime?) {
        script.state.withLock { state in
            state.input = input
            state.lifetime = lifetime
        }
        if violations.contains(.neverEnds) {
            // Retains the input, because releasing it would terminate the stream.
            lifetime?.observeEnded { withExtendedLifetime(input) {} }
        }
        if threadCount == 0 { return work(script, input, lifetime) }
        for index in 0..<threadCount {
            // One queue per thread, so that they do not wait for each other.
            DispatchQueue(label: "UnrulySource \(index)").async { self.work(script, input, lifetime) }
        }
    }

    /// Sends values on one thread. The last thread to finish also sends the terminal event and whatever follows it.
    private func work(_ script: Script, _ input: Signal<Value, Failure>.Observer, _ lifetime: Lifetime?) {
        while goesOn(script, lifetime), let value = script.nextValue() { send(.next(value), script, input) }
        let isLast = script.state.withLock { state in
            state.workers -= 1
            return state.workers == 0
        }
        guard isLast else { return }
        while goesOn(script, lifetime), let event = script.nextOfTail() { send(event, script, input) }
    }

    /// Called during a delivery. Sends the next event re-entrantly, which a source must not do.
    private func sendFromInside(_ script: Script, while event: Event<Value, Failure>) {
        guard violations.contains(.sendsFromInside) else { return }
        let (input, lifetime) = script.state.withLock { ($0.input, $0.lifetime) }
        guard let input, goesOn(script, lifetime) else { return }
        if event.isTerminating {
            if let event = script.nextOfTail() { send(event, script, input) }
        } else if let value = script.nextValue() {
            send(.next(value), script, input)
        }
    }

    private func goesOn(_ script: Script, _ lifetime: Lifetime?) -> Bool {
        if violations.contains(.ignoresDisposal) || lifetime?.hasEnded != true { return true }
        // If the source has sent its terminal event, that is what ended the lifetime.
        return script.state.withLock { $0.hasSentEnd }
    }

    private func send(_ event: Event<Value, Failure>, _ script: Script, _ input: Signal<Value, Failure>.Observer) {
        count.withLock { $0 += 1 }
        if event.isTerminating { script.state.withLock { $0.hasSentEnd = true } }
        input.send(event)
    }
}

extension UnrulySource {
    /// The former name of ``Violations``.
    @_documentation(visibility: internal)
    @available(*, deprecated, renamed: "Violations")
    public typealias Misdeeds = Violations

    /// The former name of ``init(_:end:violations:threads:file:line:)``.
    @_documentation(visibility: internal)
    @available(*, deprecated, renamed: "init(_:end:violations:threads:file:line:)")
    public convenience init(
        _ values: [Value], end: Event<Value, Failure> = .completed, misdeeds: Violations, threads: Int = 4,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(values, end: end, violations: misdeeds, threads: threads, file: file, line: line)
    }
}
