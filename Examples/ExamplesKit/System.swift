#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The calls of the C library that the examples make.
///
/// No file but this and its extension imports one, so no other file chooses which.
package enum System {
    /// What a call gave as the reason of its failure.
    package struct Failure: Error, CustomStringConvertible {
        package let code: Int32

        package init(code: Int32) { self.code = code }

        package static var last: Failure { Failure(code: errno) }
        package var description: String { code == 0 ? "it is too large" : String(cString: strerror(code)) }
    }

    // MARK: Files

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The text of a file.
    ///
    /// Pipes are not waited for, and what is far too long for /proc is not read to its end.
    package static func contents(of path: String) throws(Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while contents.count < 16 << 20 {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return String(decoding: contents, as: UTF8.self) }
            if count > 0 {
                contents.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw .last
            }
        }
        throw Failure(code: 0)
    }

    /// Writes all of the text, however many calls that takes.
    package static func put(_ text: String, to descriptor: Int32) throws(Failure) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // Whoever shares the descriptor made it non-blocking.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&request, 1, -1)
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    package static let standardInput = STDIN_FILENO
    package static let standardOutput = STDOUT_FILENO
    package static let standardError = STDERR_FILENO

    // MARK: The terminal

    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The size of the terminal, or nil where there is none or it does not know.
    package static func terminalSize(of descriptor: Int32 = standardOutput) -> TerminalSize? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Stops the terminal from echoing what is typed; returns what undoes it.
    package static func silenceKeyboard() -> (@Sendable () -> Void)? {
        var mode = termios()
        // A background job that changed the terminal would be stopped.
        guard isInForeground, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        let saved = mode
        mode.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return nil }
        return {
            var mode = saved
            _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
            // Drops what was typed meanwhile, which the shell would take for a command.
            _ = tcflush(STDIN_FILENO, TCIFLUSH)
        }
    }

    /// Whether what is typed goes to this process. One in the background that reads the terminal is stopped.
    package static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// What has been typed, without waiting for more; nil once nothing can be typed any more.
    package static func typedBytes() -> [UInt8]? {
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    // MARK: The process

    /// The signals by which a user, a shutdown or a closing terminal asks a program to end.
    package static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    package static let windowChanged = SIGWINCH
    /// Ctrl-Z.
    package static let suspension = SIGTSTP

    /// Stops the process as Ctrl-Z does, whoever else hears of that, and returns when it is continued.
    package static func suspend() {
        var former = sigaction()
        sigaction(SIGTSTP, nil, &former)
        signal(SIGTSTP, SIG_DFL)
        // The threads of queues have it blocked.
        changeMask(SIG_UNBLOCK, [SIGTSTP])
        raise(SIGTSTP)
        changeMask(SIG_BLOCK, [SIGTSTP])
        sigaction(SIGTSTP, &former, nil)
    }

    private static func changeMask(_ how: Int32, _ signals: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(how, &set, nil)
    }

    /// Lets a write to a closed pipe fail, instead of killing the process without a word.
    package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// How many processors there are to run threads on.
    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    package static func end(_ code: Int32) -> Never { exit(code) }

    /// Ends the process at once, whatever its other threads wait for.
    package static func leave(_ code: Int32) -> Never { _exit(code) }
}
