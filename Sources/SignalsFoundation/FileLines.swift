public import ColdProducers
public import Foundation
import HotSignals

extension FileHandle {
    /// A producer of the lines from the handle's position on.
    ///
    /// ```swift
    /// FileHandle.standardInput.lines.startWithResult { print($0) }
    /// ```
    ///
    /// A line ends with a line feed, or with a carriage return and a line feed. Neither is part of the value. A
    /// carriage return elsewhere is. The last line need not end with a line feed, and an empty file has no line. A byte
    /// order mark is not removed.
    ///
    /// **Encoding**: bytes that are not valid UTF-8 are replaced by U+FFFD, as by `String(decoding:as:)`.
    ///
    /// **Memory**: a line is held as a whole, however long it is. If you do not trust the writer, read
    /// ``chunks(upTo:)`` and limit the length yourself.
    ///
    /// **Position**: the file is read in chunks of 64 KiB. A start that ends early, as with `take(first:)`, has
    /// therefore read more than the lines that it has sent. The next start continues after that.
    ///
    /// For demand, termination, threads and disposal see ``chunks(upTo:)``. A line that is incomplete when
    /// the reading fails is dropped.
    ///
    /// - SeeAlso: ``lines(of:)``
    public var lines: SignalProducer<String, SystemError> {
        SignalProducer(StreamName("lines"), reading: self) { LineReading() }
    }

    /// A producer of the lines of a file.
    ///
    /// ```swift
    /// let warnings = FileHandle.lines(of: log).filter { $0.contains("warning") }
    /// ```
    ///
    /// Like ``lines``, but each start opens the file, reads it from its beginning, and closes it when it ends. Fails
    /// with the system call that failed: for example with `ENOENT` if there is no such file.
    ///
    /// - Parameters:
    ///   - url: The file. It is opened on the queue of the start, and not before. Traps unless it is a file URL.
    public static func lines(of url: URL) -> SignalProducer<String, SystemError> {
        checkURL(url, "lines(of:)")
        return SignalProducer(StreamName("lines(of:)"), readingFileAt: url) { LineReading() }
    }
}

/// Divides what is read into lines.
private struct LineReading: Reading {
    private static let chunk = 65_536

    private var splitter = LineSplitter()
    private var hasEnded = false

    mutating func next(from reader: DescriptorReader) async throws(SystemError) -> String? {
        while true {
            if let line = splitter.takeLine() {
                let hasReturn = line.last == UInt8(ascii: "\r")
                return String(decoding: hasReturn ? line.dropLast() : line, as: UTF8.self)
            }
            if hasEnded { return nil }
            guard let chunk = try await reader.read(upTo: Self.chunk) else {
                hasEnded = true
                return splitter.takeRest().map { String(decoding: $0, as: UTF8.self) }
            }
            splitter.append(chunk)
        }
    }
}
