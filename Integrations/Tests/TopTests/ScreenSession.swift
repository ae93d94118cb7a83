import Foundation
import Glibc
import IntegrationsTestSupport
import Synchronization

/// The program `signals-top` in a terminal without a screen, in which the test has the place of the user.
///
/// Used by one task.
final class ScreenSession {
    enum Failure: Error {
        case notStarted(String)
        /// What the screen showed, and everything that was written.
        case timedOut(screen: [String], output: String)
    }

    private(set) var screen: ScreenText
    /// Everything that the program has written.
    private(set) var output = ""
    private let terminal: Int32
    private var process: pid_t = 0
    private var exitCode: Int32?
    private var pending: [UInt8] = []

    /// Others must not inherit the terminal, and `posix_spawn` closes nothing by itself.
    private static let starting = Mutex(())

    init(_ arguments: [String], columns: Int, rows: Int) throws {
        screen = ScreenText(rows: rows)
        // Replaces `posix_openpt`, `unlockpt` and `ptsname`, which are not visible to Swift on Linux.
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        // `TIOCSPTLCK` and `TIOCGPTN`.
        guard terminal >= 0, ioctl(terminal, 0x4004_5431, &isLocked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0
        else { throw Failure.notStarted("no terminal: \(String(cString: strerror(errno)))") }
        resize(columns: columns, rows: rows)
        // The program is beside the tests.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/signals-top"
        let result = Self.starting.withLock { _ in start(program, arguments, "/dev/pts/\(number)") }
        guard result == 0 else { throw Failure.notStarted("\(program): \(String(cString: strerror(result)))") }
    }

    private func start(_ program: String, _ arguments: [String], _ path: String) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that a session leader opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // `POSIX_SPAWN_SETSID`, which is not visible to Swift.
        posix_spawnattr_setflags(&attributes, 0x80)
        var variables = ProcessInfo.processInfo.environment
        variables["TERM"] = "xterm"
        var pointers = ([program] + arguments).map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in pointers + environment { free(pointer) } }
        return posix_spawn(&process, program, &actions, &attributes, &pointers, &environment)
    }

    deinit {
        if process > 0, exitCode == nil {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(terminal)
    }

    /// Changes the size, which sends SIGWINCH to the program.
    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
        screen.rows = rows
    }

    /// Types like a user.
    func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
    }

    /// Whether typed text appears on the screen.
    var echoes: Bool {
        var mode = termios()
        return tcgetattr(terminal, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Reads until the screen satisfies the condition.
    func wait(until isReached: (ScreenText) -> Bool) throws {
        let deadline = ContinuousClock.now + patience
        while !isReached(screen) {
            guard ContinuousClock.now < deadline, exitCode == nil else {
                throw Failure.timedOut(screen: screen.lines, output: output)
            }
            _ = read()
        }
    }

    /// Reads to the end of the program. Returns its exit code, or the negative number of the signal that ended it.
    func waitUntilEnd() throws -> Int32 {
        let deadline = ContinuousClock.now + patience
        while true {
            if let exitCode { return exitCode }
            guard ContinuousClock.now < deadline else {
                throw Failure.timedOut(screen: screen.lines, output: output)
            }
            if read() { continue }
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                exitCode = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
            }
        }
    }

    /// Reads what there is, and waits for at most a tenth of a second. Returns false if there is nothing.
    private func read() -> Bool {
        var descriptor = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 100) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(terminal, &buffer, buffer.count)
        // The program has closed the terminal.
        guard count > 0 else { return false }
        pending += buffer[..<count]
        // Not in the middle of a character or of a control sequence.
        let end = pending.lastIndex(of: 0x1b) ?? pending.count
        let isWhole = pending[end...].dropFirst(2).contains { (0x40...0x7e).contains($0) }
        let text = String(decoding: pending[..<(isWhole ? pending.count : end)], as: UTF8.self)
        pending.removeFirst(isWhole ? pending.count : end)
        output += text
        screen.write(text)
        return true
    }
}

/// What a terminal shows, for the few control sequences that `signals-top` uses.
struct ScreenText {
    var rows: Int
    private var cells: [Int: String] = [:]
    /// The row of the cursor, from 1.
    private var row = 1
    private(set) var isAlternate = false
    /// The first row that is shown inverted.
    private(set) var highlighted: Int?

    init(rows: Int) { self.rows = rows }

    /// One string for each row, without the spaces at its end.
    var lines: [String] { (1...rows).map { cells[$0, default: ""] } }

    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    mutating func write(_ text: String) {
        var rest = Substring(text)
        while let character = rest.first {
            if character == "\u{1b}" {
                let end = rest.dropFirst(2).firstIndex { $0.isLetter } ?? rest.index(before: rest.endIndex)
                perform(rest[...end].dropFirst(2))
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.firstIndex(of: "\u{1b}") ?? rest.endIndex
                cells[row, default: ""] += rest[..<end]
                rest = rest[end...]
            }
        }
    }

    private mutating func perform(_ sequence: Substring) {
        switch sequence {
        case "?1049h": isAlternate = true
        case "?1049l": isAlternate = false
        case "2J": cells = [:]
        case "7m": highlighted = row
        case let move where move.hasSuffix(";1H"):
            row = Int(move.dropLast(3)) ?? 1
            cells[row] = ""
        default: break
        }
    }
}
