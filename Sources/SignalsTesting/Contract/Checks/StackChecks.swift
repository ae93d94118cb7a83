import HotSignals
import ReactiveSignals

/// Contract 10: the stack does not grow with the number of events.
extension ContractCheck {
    static let stack = [
        ContractCheck(10, rule: "the number of values does not make the stack grow", for: .all, manyValues),
        ContractCheck(10, rule: "nor do values that are sent from inside one another", for: .transparent, nestedSends),
        ContractCheck(10, rule: "nor do values that queue up behind one event", for: .transparent, queuedSends),
    ]

    /// Each value is sent from inside the delivery of the one before.
    private static func nestedSends(_ trial: ContractTrial) {
        let (ended, count) = (trial.moment("the end of nested sends"), ContractCount())
        let stack = StackGauge()
        trial.onThread(stackSize: 512 << 10) {
            let (source, input) = Numbers.pipe()
            trial.apply(source).observe { event in
                guard let value = event.value else { return ended.arrive() }
                count.increment()
                if value % 10_000 == 0 { trial.progress() }
                // Counted, as what comes need not be what was sent. And what would overflow ends before it does.
                if count.value < trial.depth, stack.isSmall() {
                    input.sendNext(count.value + 1)
                } else {
                    input.sendCompleted()
                }
            }
            input.sendNext(1)
            // Unless it goes on elsewhere, all is over, and a value that has been lost has ended it.
            if !trial.traits.isAsynchronous { input.sendCompleted() }
            ended.wait()
        }
        trial.expect(
            stack.excess == nil,
            "each value sends the next one: the stack has grown by \(stack.excess ?? 0) bytes with value \(count.value)"
        )
        if stack.excess == nil {
            trial.expect(count.value, is: trial.depth, "each value sends the next one: how many come")
        }
    }

    private static func queuedSends(_ trial: ContractTrial) {
        let (ended, count) = (trial.moment("the end of queued sends"), ContractCount())
        let stack = StackGauge()
        let length = max(1, trial.depth / 5)
        // Not a small stack, so that what grows is found and does not end the process.
        trial.onThread(stackSize: 8 << 20) {
            let (source, input) = Numbers.pipe()
            trial.apply(source).observe { event in
                guard event.value != nil else { return ended.arrive() }
                // The first one, which need not be what was sent.
                guard count.increment() == 1 else {
                    _ = stack.isSmall()
                    return
                }
                for value in 0..<length { input.sendNext(value) }
                input.sendCompleted()
            }
            input.sendNext(-1)
            if !trial.traits.isAsynchronous { input.sendCompleted() }
            ended.wait()
        }
        trial.expect(
            stack.excess == nil, "\(length) values queue up: the stack has grown by \(stack.excess ?? 0) bytes")
        trial.expect(count.value, is: length + 1, "\(length) values queue up behind one: how many come")
    }

    /// An operator that goes through all that it has seen, a call for each, grows from value to value.
    private static func manyValues(_ trial: ContractTrial) {
        let ended = trial.moment("the end of many values")
        let stack = StackGauge()
        let length = min(trial.depth, 2_000)
        trial.onThread(stackSize: 8 << 20) {
            let (source, input) = Numbers.pipe()
            trial.apply(source).observe { event in
                if event.isTerminating { ended.arrive() } else { _ = stack.isSmall() }
            }
            for value in 1...length where stack.excess == nil { input.sendNext(value) }
            input.sendCompleted()
            ended.wait()
        }
        trial.expect(
            stack.excess == nil,
            "\(length) values are sent one after the other: the stack has grown by \(stack.excess ?? 0) bytes")
    }
}

/// Measures how far the stack has grown since it looked first, on one thread.
private final class StackGauge: Sendable {
    private struct State {
        var thread: UInt = 0
        var first: UInt = 0
        var excess: Int?
    }

    /// More than a delivery takes through any operator, less than the smallest stack of a thread.
    private static let limit = 128 << 10
    private let state = Locked(State())

    /// By how many bytes it has grown, if by too many.
    var excess: Int? { state.withLock { $0.excess } }

    func isSmall() -> Bool {
        var local: UInt = 0
        let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        return state.withLock { state in
            let thread = ThreadIdentity.current
            if state.thread == 0 { (state.thread, state.first) = (thread, here) }
            // Another thread's stack cannot be compared.
            guard state.thread == thread else { return state.excess == nil }
            let growth = Int(state.first) - Int(here)
            if growth > Self.limit { state.excess = max(growth, state.excess ?? 0) }
            return state.excess == nil
        }
    }
}
