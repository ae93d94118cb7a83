/// A file to be counted.
struct SourceFile: Sendable, Equatable {
    let path: String
    let size: Int
    /// The number of its language in the table, if its name tells.
    let language: Int?
}

/// What is counted in one go: enough files to be worth a thread's while, few enough to share among threads.
struct Batch: Sendable, Equatable {
    var files: [SourceFile] = []
    var bytes = 0
    /// What the walk had to leave out meanwhile.
    var skipped: [SkippedFile] = []
    /// Files in no language of the table, and files met before by another name.
    var unknown = 0
    var duplicates = 0
    /// Files and directories that were to be left out.
    var ignored = 0

    static let mostFiles = 64
    static let mostBytes = 1 << 20

    var isFull: Bool { files.count >= Self.mostFiles || bytes >= Self.mostBytes || skipped.count >= Self.mostFiles }
    var isEmpty: Bool { files.isEmpty && skipped.isEmpty && unknown == 0 && duplicates == 0 && ignored == 0 }

    mutating func add(_ file: SourceFile) {
        files.append(file)
        bytes += file.size
    }
}
