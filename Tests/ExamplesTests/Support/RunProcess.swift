import Foundation
import Glibc
import TestSupport

/// How a program ended, and everything that it wrote.
struct ProcessResult: Equatable {
    /// The exit code, or the number of the signal that killed it, negative.
    var exitCode: Int32
    var output: String
    var errors: String
}

/// A failure to run a program, as opposed to a failure of the program.
enum ProcessFailure: Error {
    case notStarted(String, reason: String)
    /// The program did not meet the awaited condition, and was killed. Has the output up to then.
    case timedOut(output: String, errors: String)
}

/// Runs a program of this package to its end.
func runProcess(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:]
) throws -> ProcessResult {
    try RunningProcess(program, arguments, environment: environment).waitUntilEnd()
}

/// A program of this package while it runs.
///
/// Used by one thread. Output is read only while waiting.
final class RunningProcess {
    /// The directory into which SwiftPM builds this configuration, which also has the resources of the tests.
    static let products = Bundle.module.bundleURL.deletingLastPathComponent().path
    static let fixtures = Bundle.module.bundleURL.appendingPathComponent("Fixtures").path

    private(set) var output = ""
    private(set) var errors = ""
    private let identifier: pid_t
    private var outputStream: ByteStream
    private var errorStream: ByteStream
    private var exitCode: Int32?
    /// Retained, as the output is read from its descriptor.
    private let terminal: PseudoTerminal?

    /// Starts the program with pipes for its output and errors, or with the terminal for both.
    ///
    /// - Parameter output: A file for the output in place of the pipe.
    init(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
        terminal: PseudoTerminal? = nil, output: String? = nil
    ) throws {
        let path = "\(Self.products)/\(program)"
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let started = Self.starting.withLock {
            Self.start([path] + arguments, variables: variables, terminal: terminal, file: output)
        }
        self.terminal = terminal
        identifier = started.identifier
        outputStream = ByteStream(descriptor: terminal?.descriptor ?? started.output, isOwned: terminal == nil)
        errorStream = ByteStream(descriptor: started.errors, isOwned: true)
        guard started.result == 0 else {
            // There is nothing for `deinit` to kill.
            exitCode = -1
            throw ProcessFailure.notStarted(path, reason: String(cString: strerror(started.result)))
        }
    }

    private struct Started {
        var result: Int32 = 0
        var identifier: pid_t = 0
        var output: Int32 = -1
        var errors: Int32 = -1
    }

    private static func start(
        _ arguments: [String], variables: [String], terminal: PseudoTerminal?, file: String?
    ) -> Started {
        var started = Started()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var childEnds: [Int32] = []
        defer { for descriptor in childEnds { close(descriptor) } }

        if let terminal {
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal.path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        } else {
            let (output, errors) = (pipe(), pipe())
            (started.output, started.errors) = (output.read, errors.read)
            childEnds = [output.write, errors.write]
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
            if let file { posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file, O_WRONLY, 0) }
        }
        started.result = withCStrings(arguments) { argumentPointers in
            withCStrings(variables) { variablePointers in
                withAttributes(inNewSession: terminal != nil) { attributes in
                    posix_spawn(
                        &started.identifier, arguments[0], &actions, attributes, argumentPointers, variablePointers)
                }
            }
        }
        return started
    }

    // MARK: Waiting

    /// Reads until the output, without errors, satisfies the condition.
    func wait(until isReached: (_ output: String) -> Bool) throws {
        let deadline = Self.deadline()
        while !isReached(output) {
            guard outputStream.isOpen, try read(before: deadline) else { throw timeOut() }
        }
    }

    /// Reads to the end, and waits for the program to end.
    func waitUntilEnd() throws -> ProcessResult {
        let deadline = Self.deadline()
        while outputStream.isOpen || errorStream.isOpen {
            guard try read(before: deadline) else { throw timeOut() }
        }
        // The program has closed its output, so it is about to end.
        try poll { hasEnded }
        return ProcessResult(exitCode: exitCode ?? -1, output: output, errors: errors)
    }

    /// Waits for the program to end, without reading its remaining output.
    func waitUntilEndWithoutReading() throws {
        try poll { hasEnded }
    }

    /// Waits until the pipe holds this number of bytes.
    func waitUntilUnread(bytes: Int) throws {
        try poll {
            var count: Int32 = 0
            return ioctl(outputStream.descriptor, UInt(FIONREAD), &count) == 0 && count >= bytes
        }
    }

    /// Waits until the program handles this signal. A program that handles several begins to do so one after the other,
    /// in any order.
    func waitUntilItHandles(_ signal: Int32) throws {
        try poll {
            let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
            let mask = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
            return UInt64(mask ?? "", radix: 16).map { $0 & 1 << UInt64(signal - 1) != 0 } ?? false
        }
    }

    /// Waits until the program has tried to open the file.
    func waitUntilItWants(_ file: LeasedFile) throws {
        try poll { file.isWanted }
    }

    // MARK: Acting on it

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Closes the pipe that the program writes to, as `head` does at its end.
    func closeOutput() { outputStream.close() }

    /// Reduces the pipe to the smallest possible size, so that it is soon full. Returns the size.
    func shrinkPipe() -> Int { Int(fcntl(outputStream.descriptor, Self.setPipeSize, 4096)) }

    deinit {
        if exitCode == nil {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
        outputStream.close()
        errorStream.close()
    }

    // MARK: Private

    /// `F_SETPIPE_SZ` and `POSIX_SPAWN_SETSID`, which are not available in Swift.
    private static let setPipeSize: Int32 = 1031
    private static let spawnInNewSession: Int32 = 0x80

    private static let clock = SuspendingClock()

    private static func deadline() -> SuspendingClock.Instant { clock.now + patience }

    private func timeOut() -> ProcessFailure { .timedOut(output: output, errors: errors) }

    /// Whether the program has ended. Must not be called again once it returned `true`.
    private var hasEnded: Bool {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WNOHANG) == identifier else { return false }
        exitCode = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        return true
    }

    /// Polls a condition that cannot be awaited.
    private func poll(until isReached: () throws -> Bool) throws {
        let deadline = Self.deadline()
        while try !isReached() {
            guard Self.clock.now < deadline else { throw timeOut() }
            usleep(1000)
        }
    }

    /// Reads once from the streams that have data. Returns `false` if no data arrived before the deadline.
    private func read(before deadline: SuspendingClock.Instant) throws -> Bool {
        // `poll` skips negative descriptors.
        var requests = [outputStream, errorStream].map {
            pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
        }
        let left = Self.clock.now.duration(to: deadline)
        guard left > .zero else { return false }
        guard Glibc.poll(&requests, 2, Int32(left.components.seconds * 1000 + 1)) > 0 else { return errno == EINTR }
        if requests[0].revents != 0 { output += outputStream.read() }
        if requests[1].revents != 0 { errors += errorStream.read() }
        return true
    }

    /// Held while a program starts. A program that another test starts concurrently must not inherit a pipe end that
    /// does not have close-on-exec yet, as that would hide the closing of the pipe.
    private static let starting = NSLock()

    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }

    /// The attributes of a program that a shell starts: no signal blocked or ignored, whatever the test runner does.
    private static func withAttributes<Result>(
        inNewSession: Bool, _ body: (UnsafePointer<posix_spawnattr_t>) -> Result
    ) -> Result {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inNewSession ? spawnInNewSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return body(&attributes)
    }
}
