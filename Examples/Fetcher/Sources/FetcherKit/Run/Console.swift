import NIOConcurrencyHelpers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Standard output and standard error.
enum Console {
    static let output: Int32 = 1
    static let errors: Int32 = 2

    /// Writes all of the text. If nobody reads it any more, there is nobody to be told.
    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeBufferPointer(rebasing: rest)
                #if canImport(Darwin)
                let count = Darwin.write(descriptor, part.baseAddress, part.count)
                #elseif canImport(Musl)
                let count = Musl.write(descriptor, part.baseAddress, part.count)
                #else
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                #endif
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
            }
        }
    }

    static func tell(_ line: String) { write("fetcher: \(line)\n", to: errors) }

    /// Whether lines that are written there can be taken back.
    static var isTerminal: Bool {
        isatty(errors) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(errors, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// A write to a pipe that nobody reads fails, instead of ending the process.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Lines on the terminal that are drawn over again and again, and gone in the end.
final class RedrawnBlock: Sendable {
    private struct State: Sendable {
        var height = 0
        var isFinished = false
    }

    private let state = NIOLockedValueBox(State())

    init() {}

    func draw(_ lines: [String]) {
        state.withLockedValue { state in
            guard !state.isFinished else { return }
            // In a single write, so that no half of it is ever seen.
            Console.write(Self.erasing(state.height) + lines.joined(separator: "\n"), to: Console.errors)
            state.height = lines.count
        }
    }

    /// Takes the lines away. Nothing is drawn any more.
    func finish() {
        state.withLockedValue { state in
            if !state.isFinished, state.height > 0 { Console.write(Self.erasing(state.height), to: Console.errors) }
            state.isFinished = true
        }
    }

    /// What goes back to the beginning of so many lines, the cursor being at the end of the last, and clears all from there.
    static func erasing(_ height: Int) -> String {
        "\r" + (height > 1 ? "\u{1B}[\(height - 1)A" : "") + "\u{1B}[J"
    }
}
