import Glibc

/// A terminal without a screen, in which the test has the place of the user.
final class PseudoTerminal {
    let descriptor: Int32
    /// The path that a program opens as its terminal.
    let path: String

    init(columns: Int, rows: Int) throws {
        // Replaces `posix_openpt`, `unlockpt` and `ptsname`, which are not available in Swift on Linux.
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, ioctl(descriptor, Self.setLock, &isLocked) == 0,
            ioctl(descriptor, Self.getNumber, &number) == 0
        else {
            throw ProcessFailure.notStarted("a pseudo terminal", reason: String(cString: strerror(errno)))
        }
        path = "/dev/pts/\(number)"
        resize(columns: columns, rows: rows)
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Changes the size, which makes the kernel send SIGWINCH to the program in the foreground.
    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// Types like a user: "\u{3}" is Ctrl-C.
    func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Whether typed text appears on the screen.
    var echoes: Bool {
        var mode = termios()
        return tcgetattr(descriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    deinit { close(descriptor) }
}
