import Foundation

/// The terminal in which the viewer runs.
package final class Terminal: Sendable {
    private let original: termios

    /// `nil` if the program does not run in a terminal, or if that has no keyboard.
    package init?() {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0,
            let kind = getenv("TERM"), strcmp(kind, "dumb") != 0
        else { return nil }
        original = settings
    }

    /// Receives each key at once, and shows a screen of its own.
    package func enter() {
        var settings = original
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")
    }

    /// Restores what was there before.
    package func leave() {
        write("\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
        var settings = original
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    package var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    package func show(_ screen: TopScreen) {
        var text = ""
        for (index, line) in screen.lines.enumerated() {
            let content = index == screen.highlighted ? "\u{1b}[7m\(line)\u{1b}[0m" : line
            text += "\u{1b}[\(index + 1);1H\(content)\u{1b}[K"
        }
        write(text)
    }

    private func write(_ text: String) {
        var bytes = ArraySlice(Array(text.utf8))
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0, errno != EINTR, errno != EAGAIN {
                return
            }
        }
    }

    /// Calls `action` with the keys that are pressed, on a thread of its own, until the program ends.
    package func readKeys(_ action: @escaping @Sendable ([Key]) -> Void) {
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                // The terminal is gone.
                if count <= 0 { return action([.interrupt]) }
                action(Key.keys(in: Array(buffer[..<count])))
            }
        }
    }
}
