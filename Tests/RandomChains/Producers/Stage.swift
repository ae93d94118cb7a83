import ReactiveSignals
import ReactiveSignalsTesting

/// Creates the sources of a real chain of producers, and counts their starts.
final class Stage: @unchecked Sendable {
    // Sendable: created by the thread that runs the chain, and used by no other.

    let clock: TestScheduler
    private var observers: [Input: [IntSignal.Observer]] = [:]
    private var pipes: [Input: (output: IntSignal, input: IntSignal.Observer)] = [:]
    private var started = 0
    private var ended = 0
    private var pulled = 0

    init(_ clock: TestScheduler) { self.clock = clock }

    /// The numbers of starts, of active starts, and of elements requested from sequences.
    var counter: Tally { Tally(started: started, active: started - ended, pulled: pulled) }

    /// Counts a start.
    func begin(_ lifetime: Lifetime) {
        started += 1
        lifetime.observeEnded { self.ended += 1 }
    }

    /// Counts a start by its resource instead of its lifetime.
    func acquire() { started += 1 }
    func release() { ended += 1 }

    /// Counts a request for an element of a sequence.
    func pull() { pulled += 1 }

    func keep(_ observer: IntSignal.Observer, as input: Input) { observers[input, default: []].append(observer) }

    /// A signal driven by an input.
    func signal(_ input: Input) -> IntSignal {
        let pipe = pipes[input] ?? IntSignal.pipe()
        pipes[input] = pipe
        return pipe.output
    }

    /// Sends to everything that this input drives.
    func send(_ event: ChainEvent, into input: Input) {
        pipes[input]?.input.send(event)
        for observer in observers[input] ?? [] { observer.send(event) }
    }

    /// Releases everything that this input drives, one after the other.
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

/// The numbers of starts of the sources and of requests to them.
struct Tally: Equatable, CustomStringConvertible {
    var started = 0
    var active = 0
    var pulled = 0

    /// Whether the same number is active, though more may have been started.
    ///
    /// - Parameter mayStay: Whether what has been started in addition may be active.
    func agrees(with expected: Tally, mayStay: Bool) -> Bool {
        let more = started - expected.started
        return more >= 0 && pulled >= expected.pulled
            && (0...(mayStay ? more : 0)).contains(active - expected.active)
    }

    var description: String { "\(active) of \(started) active, \(pulled) pulled" }
}
