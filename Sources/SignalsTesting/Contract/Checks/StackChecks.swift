import HotSignals
import ReactiveSignals

/// Contract 10: the stack does not grow with the number of events.
extension ContractCheck {
    static let stack = [
        ContractCheck(10, rule: "the number of values does not make the stack grow", for: .all, manyValues),
        ContractCheck(10, rule: "nor do values that are sent from inside one another", for: .transparent, nestedSends),
        ContractCheck(10, rule: "nor do values that queue up behind one event", for: .transparent, queuedSends),
    ]

    /// Sends each value during the delivery of the previous one.
    private static func nestedSends(_ trial: ContractTrial) {
        let (ended, count) = (trial.moment("the end of nested sends"), ContractCount())
        let stack = StackGauge()
        trial.onThread(stackSize: 512 << 10) {
            let (source, input) = Numbers.pipe()
            trial.apply(source).observe { event in
                guard let value = event.value else { return ended.arrive() }
                count.increment()
                if value % 10_000 == 0 { trial.progress() }
                // Counted, because the value received need not be the one that was sent. Completes before the stack
                // overflows.
                if count.value < trial.depth, stack.isSmall() {
                    input.sendNext(count.value + 1)
                } else {
                    input.sendCompleted()
                }
            }
            input.sendNext(1)
            // Unless events arrive on other threads, everything has been delivered by now. If a value was lost, the
            // source has not been completed, so this completes it.
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
        // A large stack, so that growth is detected before it ends the process.
        trial.onThread(stackSize: 8 << 20) {
            let (source, input) = Numbers.pipe()
            trial.apply(source).observe { event in
                guard event.value != nil else { return ended.arrive() }
                // The first value, which need not be the one that was sent.
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

    /// Detects an operator that visits everything it has received, with a nested call for each: its stack grows with
    /// every value.
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

/// Measures how far the stack of one thread has grown since the first measurement.
private final class StackGauge: Sendable {
    private struct State {
        var thread: UInt = 0
        var first: UInt = 0
        var excess: Int?
    }

    /// More than a delivery through any operator needs, and less than the smallest stack of a thread.
    private static let limit = 128 << 10
    private let state = Locked(State())

    /// By how many bytes the stack has grown, if by too many.
    var excess: Int? { state.withLock { $0.excess } }

    func isSmall() -> Bool {
        var local: UInt = 0
        let here = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
        return state.withLock { state in
            let thread = ThreadIdentity.current
            if state.thread == 0 { (state.thread, state.first) = (thread, here) }
            // The stack of another thread cannot be compared.
            guard state.thread == thread else { return state.excess == nil }
            let growth = Int(state.first) - Int(here)
            if growth > Self.limit { state.excess = max(growth, state.excess ?? 0) }
            return state.excess == nil
        }
    }
}
