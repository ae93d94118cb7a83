import ExamplesKit

/// Reads a file: the file system, or what a test puts in its place.
typealias ReadFile = @Sendable (_ path: String, _ size: Int) throws(System.Failure) -> [UInt8]

/// Counts the lines of one file.
struct FileCounter: Sendable {
    /// Larger files are data rather than programs.
    static let largestSize = 100 << 20

    let table: LanguageTable
    var read: ReadFile = { path, size throws(System.Failure) in
        try System.bytes(of: path, size: size, limit: largestSize)
    }

    /// What became of a file. Fails only with what may be gone a moment later.
    func count(_ file: SourceFile) throws(System.Failure) -> FileCount {
        guard file.size <= Self.largestSize else { return .skipped(SkippedFile(path: file.path, reason: .tooLarge)) }
        let bytes: [UInt8]
        do {
            bytes = try read(file.path, file.size)
        } catch  where error.isTransient {
            throw error
        } catch {
            return .skipped(SkippedFile(path: file.path, error))
        }
        guard let language = file.language ?? table.language(ofFirstLine: bytes.prefix(256)) else { return .unknown }
        switch Text(bytes) {
        case .utf8: return .counted(language: language, table.scanners[language].count(bytes), bytes: bytes.count)
        case .binary: return .skipped(SkippedFile(path: file.path, reason: .binary))
        case .otherEncoding: return .skipped(SkippedFile(path: file.path, reason: .notUTF8))
        }
    }
}

/// What became of a file.
enum FileCount: Sendable, Equatable {
    case counted(language: Int, Lines, bytes: Int)
    case skipped(SkippedFile)
    /// In no language of the table.
    case unknown
}

/// A file or directory that was not counted, and why.
struct SkippedFile: Error, Sendable, Equatable {
    enum Reason: Sendable, Hashable {
        case unreadable(String)
        case brokenLink, linkCycle, notRegular, tooLarge, binary, notUTF8
    }

    let path: String
    let reason: Reason

    init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    init(path: String, _ failure: System.Failure) {
        self.init(path: path, reason: failure.code == 0 ? .tooLarge : .unreadable(failure.description))
    }
}

extension SkippedFile.Reason: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let reason): "unreadable: \(reason)"
        case .brokenLink: "broken link"
        case .linkCycle: "link cycle"
        case .notRegular: "not a regular file"
        case .tooLarge: "too large"
        case .binary: "binary"
        case .notUTF8: "not UTF-8"
        }
    }
}
