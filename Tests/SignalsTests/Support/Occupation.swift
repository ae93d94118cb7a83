import HotSignals
import ReactiveSignals
import TestSupport

/// Another thread that is blocked during a delivery until it may continue.
final class Occupation: Sendable {
    private let entered = Latch("the occupation has not entered")
    private let mayLeave = Latch("the occupation may not leave")
    private let thread: TestThread

    /// - Parameter enter: Runs on the other thread; must lead to a call of `stay`, which blocks.
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

    /// Occupies a signal with an event. First adds an observer, which receives only that event.
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

    /// Lets the other thread continue.
    func release() { mayLeave.open() }

    /// Lets the other thread continue, and returns when it has finished.
    func end() {
        release()
        thread.join()
    }
}
