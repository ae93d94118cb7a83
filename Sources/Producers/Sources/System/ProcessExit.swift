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
    /// A producer that says how a process ends.
    ///
    ///     processExit(pid: child)    ------------exited(code: 0)|
    ///
    /// Sends one value when the process has ended, at once if it has ended before and nobody has waited for it yet, and completes.
    /// Fails at the start, with the call that failed, if there is no such process.
    ///
    /// The process is not waited for: a child stays in the table of processes, as any that has ended, until its parent calls
    /// `waitpid`. Do so once the value has come; it does not block any more. Nor is the status taken from whoever else waits for
    /// the child; if they have done so before this could look, the value is ``ProcessExit/unknown``. Only a parent learns the
    /// status of a process: for any other it is unknown, too.
    ///
    /// The start holds the process itself, not its number: another that gets the number later is not mistaken for it.
    ///
    /// **Threads**: the value comes on a queue of the start's own. Disposal leaves the process as it is.
    ///
    /// - Parameter pid: The number of a process, be it a child or not.
    public static func processExit(pid: Int32) -> SignalProducer {
        SignalProducer(StreamName("processExit(pid: #)", argument: Int(pid))) { run, sink in
            guard let core = Core.head(of: sink) else { return }
            do throws(SystemError) {
                let watch = try ProcessWatch(pid)
                run += SystemSource(watch.makeSource()) {
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

/// What waits for a process to end.
private struct ProcessWatch {
    #if os(Linux)
    /// Refers to the process, and can be read when it has ended.
    private let descriptor: Int32

    init(_ pid: Int32) throws(SystemError) {
        descriptor = LinuxCalls.openProcess(pid)
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
    /// The status of a child that has ended, which is left for the one who waits for it.
    fileprivate static func status(of kind: idtype_t, _ id: id_t) -> ProcessExit {
        var information = siginfo_t()
        guard waitid(kind, id, &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return .unknown }
        #if os(Linux)
        // Lies in a union whose fields the C libraries name differently, at the place that the kernel has given it.
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
/// `close`, which a method hides.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
#endif
