import Foundation
import Glibc
import NIOConcurrencyHelpers

/// The program in its own process.
final class RunningProgram: Sendable {
    struct End: Sendable {
        /// The exit status, or the negative number of the signal that ended the process.
        let code: Int32
        let output: String
        let errors: String
        /// The peak memory in bytes.
        let peak: Int
    }

    enum Failure: Error {
        case notStarted(String)
    }

    private struct State: Sendable {
        var texts: [Stream: String] = [.output: "", .errors: ""]
        var open: Set<Stream> = [.output, .errors]
        var waiting: [(stream: Stream, text: String, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    enum Stream: Sendable {
        case output, errors
    }

    private let identifier: pid_t
    private let state = NIOLockedValueBox(State())
    private let end = Latch()
    private let result = NIOLockedValueBox<(code: Int32, peak: Int)>((-1, 0))

    /// - Parameters:
    ///   - input: The contents of standard input.
    ///   - onTerminal: Whether standard error is a terminal.
    init(_ arguments: [String], input: String = "", onTerminal: Bool = false) throws {
        let directory = Bundle.main.executableURL?.deletingLastPathComponent().path ?? "."
        let path = "\(directory)/Fetcher"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Self.starting.lock()
        defer { Self.starting.unlock() }
        let inputPipe = Self.pipe()
        let output = Self.pipe()
        let terminal = onTerminal ? try Self.terminal() : nil
        let errors = terminal.map { (read: $0.descriptor, write: -1) } ?? Self.pipe()
        posix_spawn_file_actions_adddup2(&actions, inputPipe.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        if let terminal {
            posix_spawn_file_actions_addopen(&actions, 2, terminal.path, O_RDWR | O_NOCTTY, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // As a shell starts it: no signal is blocked or ignored, whatever the test runner does.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var environment = ProcessInfo.processInfo.environment
        environment["TERM"] = "xterm"
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in variables + words { free(pointer) } }
        var identifier: pid_t = 0
        let error = posix_spawn(&identifier, path, &actions, &attributes, words, variables)
        self.identifier = identifier
        for descriptor in [inputPipe.read, output.write, errors.write] where descriptor >= 0 { close(descriptor) }
        _ = input.withCString { write(inputPipe.write, $0, strlen($0)) }
        close(inputPipe.write)
        guard error == 0 else {
            close(output.read)
            close(errors.read)
            throw Failure.notStarted("\(path): \(String(cString: strerror(error)))")
        }
        // Separate threads, because reading blocks.
        Thread.detachNewThread { self.read(output.read, .output) }
        Thread.detachNewThread { self.read(errors.read, .errors) }
        Thread.detachNewThread { self.reap() }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits until the program has written `text`. Returns false if it exits first.
    func hasWritten(_ text: String, to stream: Stream) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLockedValue { state -> Bool? in
                if state.texts[stream]?.contains(text) == true { return true }
                if !state.open.contains(stream) { return false }
                state.waiting.append((stream, text, continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Waits until the program has exited.
    func ended() async -> End {
        await end.wait()
        // The program has exited, so both streams end.
        _ = await hasWritten("\u{0}", to: .output)
        _ = await hasWritten("\u{0}", to: .errors)
        let result = result.withLockedValue { $0 }
        return state.withLockedValue { state in
            End(
                code: result.code, output: state.texts[.output] ?? "", errors: state.texts[.errors] ?? "",
                peak: result.peak)
        }
    }

    private func read(_ descriptor: Int32, _ stream: Stream) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            let answered = state.withLockedValue { state in
                if count > 0 {
                    state.texts[stream]? += String(decoding: buffer[..<count], as: UTF8.self)
                } else {
                    state.open.remove(stream)
                }
                let text = state.texts[stream] ?? ""
                let answered = state.waiting.filter { $0.stream == stream && (count <= 0 || text.contains($0.text)) }
                state.waiting.removeAll { $0.stream == stream && (count <= 0 || text.contains($0.text)) }
                return answered.map { ($0.continuation, text.contains($0.text)) }
            }
            for (continuation, isThere) in answered { continuation.resume(returning: isThere) }
            if count <= 0 { break }
        }
        close(descriptor)
    }

    private func reap() {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        // check-waits: the memory of that process, which does nothing but what the test is about.
        result.withLockedValue { $0 = (code, usage.ru_maxrss * 1024) }
        end.open()
    }

    /// Serializes starts. A program that another test starts at the same time could otherwise inherit an end of a pipe
    /// before it is marked close-on-exec, and keep it open.
    private static let starting = NSLock()

    private static func pipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// A terminal, and what a program opens to be at its other end.
    ///
    /// Replaces `posix_openpt`, `unlockpt` and `ptsname`, which Swift does not import on Linux.
    private static func terminal() throws -> (descriptor: Int32, path: String) {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, ioctl(descriptor, setLock, &isLocked) == 0, ioctl(descriptor, getNumber, &number) == 0
        else { throw Failure.notStarted("there is no terminal") }
        return (descriptor, "/dev/pts/\(number)")
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
}
