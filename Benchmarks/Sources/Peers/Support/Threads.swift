import Dispatch
import Glibc

/// Two threads that are started once and released together for each run.
package final class TwoThreads: @unchecked Sendable {
    // Unchecked: `count` is written while the threads wait at the first barrier, which publishes it to them.
    private let barriers: UnsafeMutablePointer<pthread_barrier_t>
    private var count = 0
    private let send: @Sendable (Int) -> Void

    package init(_ send: @escaping @Sendable (_ count: Int) -> Void) {
        self.send = send
        barriers = .allocate(capacity: 2)
        for index in 0..<2 {
            pthread_barrier_init(barriers + index, nil, 3)
        }
        for _ in 0..<2 {
            startThread { [self] in
                while true {
                    pthread_barrier_wait(barriers)
                    send(count)
                    pthread_barrier_wait(barriers + 1)
                }
            }
        }
    }

    /// Each thread makes half of the `total` calls.
    package func run(_ total: Int) {
        count = total / 2
        pthread_barrier_wait(barriers)
        pthread_barrier_wait(barriers + 1)
    }
}

/// What a thread runs. Not inside `startThread`: the compiler's cross-module optimisation fails on types in functions.
private final class ThreadBody {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a thread that never ends before the program does.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        }, Unmanaged.passRetained(ThreadBody(body)).toOpaque())
    precondition(result == 0, "pthread_create failed: \(result)")
}

/// Gives the process a second thread.
///
/// The C library's locks and atomics are cheaper in a process that has only one; no server has, so no peer shall.
public func becomeMultithreaded() {
    startThread {
        while true { pause() }
    }
}

/// An observer that says when the value 0 has arrived, and a way to wait for that.
///
/// The workloads send their values counting down.
package struct Last: Sendable {
    package let observe: @Sendable (Int) -> Void
    private let arrived: DispatchSemaphore

    package init(_ functions: Functions = .opaque()) {
        let arrived = DispatchSemaphore(value: 0)
        self.arrived = arrived
        observe = { value in
            functions.observe(value)
            if value == 0 { arrived.signal() }
        }
    }

    package func wait() { arrived.wait() }
}
