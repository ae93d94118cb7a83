import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// The listeners to the signals of the process, and the actions that the signals had before.
///
/// A signal handler may do hardly anything: the thread that it interrupts may hold any lock, including those of the
/// allocator and of the runtime's metadata. So the handler writes the number of the signal to a pipe, and everything
/// else happens on a queue.
final class UnixSignals: Sendable {
    static let shared = UnixSignals()

    /// One start.
    private struct Listener {
        let signals: Set<Int32>
        let queue: DispatchQueue
        let action: @Sendable (Int32) -> Void
    }

    /// The action to restore when a signal has no listener left.
    private struct PreviousAction {
        var action: sigaction
        var listeners = 0
    }

    private struct State {
        var listeners: [UInt: Listener] = [:]
        var lastKey: UInt = 0
        var previousActions: [Int32: PreviousAction] = [:]
    }

    private let state = Locked(State())
    /// The read end of the pipe. Never closed, because a handler may run at any time.
    private let descriptor: Int32
    private let source: SystemSource

    private init() {
        let (readEnd, writeEnd) = Self.makePipe()
        descriptor = readEnd
        // Set before any handler is installed.
        noteDescriptor = writeEnd
        let source = DispatchSource.makeReadSource(
            fileDescriptor: readEnd, queue: DispatchQueue(label: "ReactiveSignals.UnixSignals"))
        self.source = SystemSource(source) { [state] in state.withLock { Self.passOn(from: readEnd, &$0) } }
    }

    private static func makePipe() -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        require(pipe(&ends) == 0, "unixSignal(): cannot create a pipe: \(SystemError.last("pipe"))")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    /// Whether a signal exists, can be caught, and allows the program to continue.
    static func canHear(_ signal: Int32) -> Bool {
        let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
        return signal != SIGKILL && signal != SIGSTOP && !faults.contains(signal) && sigaction(signal, nil, nil) == 0
    }

    /// Calls `action`, on a queue of its own, with each of these signals that is delivered from now on.
    ///
    /// - Returns: A disposable that stops this.
    func listen(to signals: Set<Int32>, _ action: @escaping @Sendable (Int32) -> Void) -> any Disposable {
        let queue = DispatchQueue(label: "ReactiveSignals.unixSignal")
        let key = state.withLock { state in
            // Signals delivered before now are only for the earlier listeners.
            Self.passOn(from: descriptor, &state)
            state.lastKey += 1
            state.listeners[state.lastKey] = Listener(signals: signals, queue: queue, action: action)
            for signal in signals {
                state.previousActions[signal, default: PreviousAction(action: Self.replaceAction(of: signal))]
                    .listeners += 1
            }
            return state.lastKey
        }
        return AnyDisposable { self.forget(key) }
    }

    private func forget(_ key: UInt) {
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: key)
            for signal in listener?.signals ?? [] {
                guard var previous = state.previousActions[signal] else { continue }
                previous.listeners -= 1
                state.previousActions[signal] = previous.listeners > 0 ? previous : nil
                if previous.listeners == 0 { Self.restoreAction(previous.action, of: signal) }
            }
            return listener
        }
        // What `action` captures is released outside the lock.
        withExtendedLifetime(listener) {}
    }

    /// Call only under the lock, so that every listener receives the signals in the order of their delivery. `async`
    /// does not call the listener synchronously.
    private static func passOn(from descriptor: Int32, _ state: inout State) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { buffer in
            while true {
                // A nonempty buffer has an address. Every number in the pipe was written as a whole.
                let count = read(descriptor, buffer.baseAddress!, buffer.count * MemoryLayout<Int32>.size)
                guard count > 0 else { return }
                for signal in buffer[..<(count / MemoryLayout<Int32>.size)] {
                    state.listeners.forEachInOrder { listener in
                        if listener.signals.contains(signal) { listener.queue.async { listener.action(signal) } }
                    }
                }
            }
        }
    }

    // MARK: Actions

    /// Installs the handler, and returns the previous action.
    private static func replaceAction(of number: Int32) -> sigaction {
        var previous = sigaction()
        sigaction(number, nil, &previous)
        // Sets the handler, for which the C libraries have fields with different names.
        _ = signal(number, noteSignal)
        var current = sigaction()
        sigaction(number, nil, &current)
        // System calls that the handler interrupts are restarted. The handler runs on the thread's alternate signal
        // stack, if it has one.
        current.sa_flags |= SA_RESTART | Int32(truncatingIfNeeded: SA_ONSTACK)
        sigaction(number, &current, nil)
        return previous
    }

    private static func restoreAction(_ previous: sigaction, of number: Int32) {
        var current = sigaction()
        sigaction(number, nil, &current)
        guard handler(of: current) == unsafeBitCast(noteSignal as @convention(c) (Int32) -> Void, to: UInt.self) else {
            return
        }
        var previous = previous
        sigaction(number, &previous, nil)
    }

    /// Returns the address of the handler, which is the first field in every C library used here, in some of them in a
    /// union.
    private static func handler(of action: sigaction) -> UInt {
        withUnsafeBytes(of: action) { $0.load(as: UInt.self) }
    }
}

/// The write end of the pipe. Unsafe and unchecked, because the handler can take no lock and cannot record its
/// accesses. Written once, before any handler is installed.
@exclusivity(unchecked) nonisolated(unsafe) private var noteDescriptor: Int32 = -1

/// The signal handler. It calls only what POSIX allows: no generic code, no allocation, and no global that is
/// initialized on first use, not even in a debug build.
private func noteSignal(_ number: Int32) {
    let reason = errno
    var number = number
    _ = write(noteDescriptor, &number, 4)
    errno = reason
}
