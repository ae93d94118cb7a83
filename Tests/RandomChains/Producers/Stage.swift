import ReactiveSignals
import ReactiveSignalsTesting

/// Where the sources of a real chain of producers come from, and what becomes of their starts.
final class Stage: @unchecked Sendable {
    // Sendable: one thread makes it and runs the chain.

    let clock: TestScheduler
    private var observers: [Input: [IntSignal.Observer]] = [:]
    private var pipes: [Input: (output: IntSignal, input: IntSignal.Observer)] = [:]
    private var started = 0
    private var ended = 0
    private var pulled = 0

    init(_ clock: TestScheduler) { self.clock = clock }

    /// The starts so far, those that go on, and how often sequences were asked for an element.
    var tally: Tally { Tally(started: started, active: started - ended, pulled: pulled) }

    /// Counts a start.
    func begin(_ lifetime: Lifetime) {
        started += 1
        lifetime.observeEnded { self.ended += 1 }
    }

    /// The same, where there is a resource in place of a lifetime.
    func acquire() { started += 1 }
    func release() { ended += 1 }

    /// A sequence is asked for an element.
    func pull() { pulled += 1 }

    func keep(_ observer: IntSignal.Observer, as input: Input) { observers[input, default: []].append(observer) }

    /// A signal that an input drives.
    func signal(_ input: Input) -> IntSignal {
        let pipe = pipes[input] ?? IntSignal.pipe()
        pipes[input] = pipe
        return pipe.output
    }

    /// Sends into all that this input drives.
    func send(_ event: ChainEvent, into input: Input) {
        pipes[input]?.input.send(event)
        for observer in observers[input] ?? [] { observer.send(event) }
    }

    /// Lets go of all that this input drives, one after the other.
    func release(_ input: Input) {
        var rest = (observers.removeValue(forKey: input) ?? [])[...]
        pipes[input]?.input.sendInterrupted()
        while let first = rest.popFirst() { withExtendedLifetime(first) {} }
    }

    func releaseAll() {
        for input in [Input.source, .other, .ticks, .inner] { release(input) }
        observers = [:]
        pipes = [:]
    }
}

/// How often the sources have been started and asked.
struct Tally: Equatable, CustomStringConvertible {
    var started = 0
    var active = 0
    var pulled = 0

    /// Whether no more is at work, though more may have been begun.
    func agrees(with expected: Tally) -> Bool {
        active == expected.active && started >= expected.started && pulled >= expected.pulled
    }

    var description: String { "\(active) of \(started) active, \(pulled) pulled" }
}
