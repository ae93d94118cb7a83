import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// Who listens to the signals of the process, and what their actions were before.
///
/// In a signal handler hardly anything may be done: the thread that it interrupts may hold any lock, that of the allocator or of
/// the runtime's metadata among them. So the handler writes the number of the signal to a pipe, and all else happens on a queue.
final class UnixSignals: Sendable {
    static let shared = UnixSignals()

    /// One start.
    private struct Listener {
        let signals: Set<Int32>
        let queue: DispatchQueue
        let action: @Sendable (Int32) -> Void
    }

    /// What has to be put back when nobody listens any more.
    private struct Former {
        var action: sigaction
        var listeners = 0
    }

    private struct State {
        var listeners: [UInt: Listener] = [:]
        var lastKey: UInt = 0
        var formers: [Int32: Former] = [:]
    }

    private let state = Locked(State())
    /// The end of the pipe that the handler does not write to. Never closed: a handler may run at any time.
    private let descriptor: Int32
    private let source: SystemSource

    private init() {
        let (readEnd, writeEnd) = Self.makePipe()
        descriptor = readEnd
        // Before any handler is in place.
        noteDescriptor = writeEnd
        let source = DispatchSource.makeReadSource(
            fileDescriptor: readEnd, queue: DispatchQueue(label: "ReactiveSignals.UnixSignals"))
        self.source = SystemSource(source) { [state] in state.withLock { Self.passOn(from: readEnd, &$0) } }
    }

    private static func makePipe() -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [-1, -1]
        require(
            pipe(&ends) == 0, "unixSignal(): cannot create a pipe: \(SystemError.last("pipe"))",
            file: #fileID, line: #line)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    /// Whether a program can go on after this signal.
    static func canHear(_ signal: Int32) -> Bool {
        let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
        return signal != SIGKILL && signal != SIGSTOP && !faults.contains(signal) && sigaction(signal, nil, nil) == 0
    }

    /// Calls `action`, on a queue of its own, with each of the signals that is delivered from now on.
    ///
    /// - Returns: What ends that.
    func listen(to signals: Set<Int32>, _ action: @escaping @Sendable (Int32) -> Void) -> any Disposable {
        let queue = DispatchQueue(label: "ReactiveSignals.unixSignal")
        let key = state.withLock { state in
            // What was delivered before is for those who have listened before.
            Self.passOn(from: descriptor, &state)
            state.lastKey += 1
            state.listeners[state.lastKey] = Listener(signals: signals, queue: queue, action: action)
            for signal in signals {
                state.formers[signal, default: Former(action: Self.replaceAction(of: signal))].listeners += 1
            }
            return state.lastKey
        }
        return AnyDisposable { self.forget(key) }
    }

    private func forget(_ key: UInt) {
        let listener = state.withLock { state in
            let listener = state.listeners.removeValue(forKey: key)
            for signal in listener?.signals ?? [] {
                guard var former = state.formers[signal] else { continue }
                former.listeners -= 1
                state.formers[signal] = former.listeners > 0 ? former : nil
                if former.listeners == 0 { Self.restoreAction(former.action, of: signal) }
            }
            return listener
        }
        // What the action holds is released outside the lock.
        withExtendedLifetime(listener) {}
    }

    /// Under the lock, so that everybody gets the signals in the order of their delivery. A queue calls nobody at once.
    private static func passOn(from descriptor: Int32, _ state: inout State) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { buffer in
            while true {
                // A buffer that is not empty has an address. What is written is written whole.
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

    /// Returns the former action.
    private static func replaceAction(of number: Int32) -> sigaction {
        var former = sigaction()
        sigaction(number, nil, &former)
        // Sets the handler, which the C libraries have in fields of different names.
        _ = signal(number, noteSignal)
        var current = sigaction()
        sigaction(number, nil, &current)
        // Calls that it interrupts are begun again; and it runs on the stack that a thread may have for handlers.
        current.sa_flags |= SA_RESTART | Int32(truncatingIfNeeded: SA_ONSTACK)
        sigaction(number, &current, nil)
        return former
    }

    private static func restoreAction(_ former: sigaction, of number: Int32) {
        var current = sigaction()
        sigaction(number, nil, &current)
        guard handler(of: current) == unsafeBitCast(noteSignal as @convention(c) (Int32) -> Void, to: UInt.self) else {
            return
        }
        var former = former
        sigaction(number, &former, nil)
    }

    /// The address of the handler, which every C library here has as the first field, some in a union.
    private static func handler(of action: sigaction) -> UInt {
        withUnsafeBytes(of: action) { $0.load(as: UInt.self) }
    }
}

/// Where the handler writes to. Unsafe and unchecked as the handler can take no lock and keep no record of what it reads: written
/// once, before there is a handler.
@exclusivity(unchecked) nonisolated(unsafe) private var noteDescriptor: Int32 = -1

/// The signal handler. It calls what POSIX allows and nothing else: no generic code, no allocation, and no global that is set up
/// when it is first used, not even in a debug build.
private func noteSignal(_ number: Int32) {
    let reason = errno
    var number = number
    _ = write(noteDescriptor, &number, 4)
    errno = reason
}
