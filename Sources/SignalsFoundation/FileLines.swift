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

    /// What has been read. Bytes before `start` have been sent.
    private var bytes: [UInt8] = []
    private var start = 0
    /// No line feed lies between `start` and this position, so that a long line is searched once.
    private var searched = 0
    private var hasEnded = false

    mutating func next(from reader: DescriptorReader) async throws(SystemError) -> String? {
        while true {
            if let line = takeLine() { return line }
            if hasEnded { return nil }
            guard let chunk = try await reader.read(upTo: Self.chunk) else {
                hasEnded = true
                return start < bytes.count ? take(upTo: bytes.count) : nil
            }
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
            bytes.append(contentsOf: chunk)
        }
    }

    /// The next complete line.
    private mutating func takeLine() -> String? {
        let feed = bytes.withUnsafeBytes { bytes -> Int? in
            // An empty buffer may have no address.
            guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
            let found = memchr(base + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            return found.map { UnsafeRawPointer($0) - base }
        }
        guard let feed else {
            searched = bytes.count
            return nil
        }
        let isAfterReturn = feed > start && bytes[feed - 1] == UInt8(ascii: "\r")
        let line = take(upTo: isAfterReturn ? feed - 1 : feed)
        start = feed + 1
        searched = start
        return line
    }

    private func take(upTo end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
}
