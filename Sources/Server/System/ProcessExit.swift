import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#endif

/// How a process ended.
public enum ProcessExit: Hashable, Sendable {
    /// It exited with this code.
    case exited(code: Int32)
    /// It was terminated by this signal.
    case signaled(Int32)
    /// The status is not available: the process is not a child of this one, or other code has already waited for it.
    case unknown
}

extension SignalProducer where Value == ProcessExit, Failure == SystemError {
    /// A producer that reports how a process ends.
    ///
    /// ```swift
    /// SignalProducer.processExit(pid: child).startWithResult { print($0) }  // for example, success(exited(code: 0))
    /// ```
    ///
    /// Sends one value when the process has ended, then completes. If the process has already ended and no code has
    /// waited for it yet, the value is sent immediately. Fails at the start, with the system call that failed, if there
    /// is no such process.
    ///
    /// The producer does not reap the process: a child remains in the process table, like any process that has ended,
    /// until its parent calls `waitpid`. Do so after the value has arrived; the call then does not block. The producer
    /// also does not take the status from other code that waits for the child. If that code waited before the producer
    /// could read the status, the value is ``ProcessExit/unknown``. Only a parent can read the status of a process: for
    /// any other process it is also unknown.
    ///
    /// The start refers to the process itself, not to its ID: a later process with the same ID is not mistaken for it.
    ///
    /// **Threads**: the value is sent on the start's own queue. Disposal does not affect the process.
    ///
    /// - Parameter pid: The ID of a process, whether or not it is a child.
    public static func processExit(pid: Int32) -> SignalProducer {
        SignalProducer(StreamName("processExit(pid: #)", argument: Int(pid))) { start, sink in
            guard let core = Core.head(of: sink) else { return }
            do throws(SystemError) {
                let watch = try ProcessWatch(pid)
                start += SystemSource(watch.makeSource()) {
                    core.sendNext(watch.status)
                    core.sendEnd(.completed)
                } cleanUp: {
                    watch.close()
                }
            } catch {
                core.sendEnd(.error(error))
            }
        }
    }
}

#if os(Linux)
// The compiler does not import it because of its variable arguments, which are passed like any others.
@_silgen_name("syscall")
private func systemCall(_ number: Int, _ first: Int, _ second: Int) -> Int
#endif

/// Waits for a process to end.
private struct ProcessWatch {
    #if os(Linux)
    /// Refers to the process, and becomes readable when it has ended.
    private let descriptor: Int32

    init(_ pid: Int32) throws(SystemError) {
        // `pidfd_open`, whose number is the same on every machine.
        descriptor = Int32(truncatingIfNeeded: systemCall(434, Int(pid), 0))
        guard descriptor >= 0 else { throw .last("pidfd_open") }
    }

    func makeSource() -> any DispatchSourceProtocol {
        DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "ReactiveSignals.processExit"))
    }

    func close() { _ = systemClose(descriptor) }

    var status: ProcessExit { .status(of: idtype_t(3), id_t(descriptor)) }
    #else
    private let pid: Int32

    init(_ pid: Int32) throws(SystemError) {
        guard kill(pid, 0) == 0 || errno == EPERM else { throw .last("kill") }
        self.pid = pid
    }

    func makeSource() -> any DispatchSourceProtocol {
        DispatchSource.makeProcessSource(
            identifier: pid, eventMask: .exit, queue: DispatchQueue(label: "ReactiveSignals.processExit"))
    }

    func close() {}

    var status: ProcessExit { .status(of: P_PID, id_t(pid)) }
    #endif
}

extension ProcessExit {
    /// Returns the status of a child that has ended. Does not reap the child: that is left to the code that waits for
    /// it.
    fileprivate static func status(of kind: idtype_t, _ id: id_t) -> ProcessExit {
        var information = siginfo_t()
        guard waitid(kind, id, &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return .unknown }
        #if os(Linux)
        // The status is in a union whose fields the C libraries name differently, at an offset that the kernel defines.
        let status = withUnsafeBytes(of: information) { $0.load(fromByteOffset: 24, as: Int32.self) }
        #else
        let status = information.si_status
        #endif
        switch information.si_code {
        case Int32(CLD_EXITED): return .exited(code: status)
        case Int32(CLD_KILLED), Int32(CLD_DUMPED): return .signaled(status)
        default: return .unknown
        }
    }
}

#if os(Linux)
/// The `close` of the C library, which a method hides.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
#endif
