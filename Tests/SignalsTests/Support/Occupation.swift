import HotSignals
import ReactiveSignals
import TestSupport

/// Another thread that stands in the middle of a delivery until it is told to go on.
final class Occupation: Sendable {
    private let entered = Latch("the occupation has not entered")
    private let mayLeave = Latch("the occupation may not leave")
    private let thread: TestThread

    /// - Parameter enter: Run on the other thread; leads to a call of the closure that it gets, which stays.
    init(_ enter: @escaping @Sendable (_ stay: @escaping @Sendable () -> Void) -> Void) {
        let entered = entered
        let mayLeave = mayLeave
        thread = TestThread("occupation") {
            enter {
                entered.open()
                mayLeave.wait()
            }
        }
        entered.wait()
    }

    /// Occupies a signal with an event. Adds an observer to it first, which sees that event only.
    convenience init<Value, Failure>(
        of pipe: (output: Signal<Value, Failure>, input: Signal<Value, Failure>.Observer),
        sending event: Event<Value, Failure>
    ) {
        let (output, input) = pipe
        self.init { stay in
            let isFirst = OnceFlag()
            let disposable = output.observe { _ in
                if isFirst.raise() { stay() }
            }
            input.send(event)
            disposable?.dispose()
        }
    }

    /// Lets the other thread go on.
    func release() { mayLeave.open() }

    /// Lets the other thread go on, and returns when it has ended.
    func end() {
        release()
        thread.join()
    }
}
