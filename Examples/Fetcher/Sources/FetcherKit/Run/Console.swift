import NIOConcurrencyHelpers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The standard streams.
enum Console {
    static let input: Int32 = 0
    static let output: Int32 = 1
    static let errors: Int32 = 2

    /// Writes the whole text. Ignores errors, because nobody is left to read about them.
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

    /// Why a file cannot be read, in the words of the system. Those of Foundation's errors say less.
    struct ReadError: Error {
        let reason = lastReason()
    }

    static func contents(of file: String) throws(ReadError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ReadError() }
        defer { close(descriptor) }
        return try readAll(descriptor)
    }

    static func readAll(_ descriptor: Int32) throws(ReadError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return contents }
            if count > 0 { contents += buffer[..<count] } else if errno != EINTR { throw ReadError() }
        }
    }

    static func tell(_ line: String) { write("fetcher: \(line)\n", to: errors) }

    /// Whether standard error is a terminal whose lines can be redrawn.
    static var isTerminal: Bool {
        isatty(errors) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(errors, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Makes a write to a closed pipe fail, instead of ending the process.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Lines on the terminal that are redrawn, and erased at the end.
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
            // A single write, so that the terminal never shows half of it.
            Console.write(Self.erasing(state.height) + lines.joined(separator: "\n"), to: Console.errors)
            state.height = lines.count
        }
    }

    /// Erases the lines. Later calls of ``draw(_:)`` do nothing.
    func finish() {
        state.withLockedValue { state in
            if !state.isFinished, state.height > 0 { Console.write(Self.erasing(state.height), to: Console.errors) }
            state.isFinished = true
        }
    }

    /// Moves the cursor from the end of the last of `height` lines to the beginning of the first, and clears them.
    static func erasing(_ height: Int) -> String {
        "\r" + (height > 1 ? "\u{1B}[\(height - 1)A" : "") + "\u{1B}[J"
    }
}
