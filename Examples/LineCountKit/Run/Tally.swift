/// What has been counted so far: the state of a `scan` over the batches.
struct Tally: Sendable, Equatable {
    struct Sum: Sendable, Equatable {
        var files = 0
        var lines = Lines()
    }

    /// By the languages' numbers in the table.
    var languages: [Int: Sum] = [:]
    var all = Sum()
    var bytes = 0
    /// A list a batch, as adding to one long list would copy it when somebody still has the last tally.
    var skipped: [[SkippedFile]] = []
    var unknown = 0
    var duplicates = 0
    /// Files and directories that were to be left out.
    var ignored = 0
    /// Files that have been dealt with, counted or not.
    var handled = 0

    init() {}

    /// A batch of which nothing has been counted yet.
    init(_ batch: Batch) {
        skipped = batch.skipped.isEmpty ? [] : [batch.skipped]
        unknown = batch.unknown
        duplicates = batch.duplicates
        ignored = batch.ignored
    }

    mutating func add(_ count: FileCount) {
        handled += 1
        switch count {
        case .counted(let language, let lines, let bytes):
            languages[language, default: Sum()] += Sum(files: 1, lines: lines)
            all += Sum(files: 1, lines: lines)
            self.bytes += bytes
        case .skipped(let file): skipped.append([file])
        case .unknown: unknown += 1
        }
    }

    mutating func add(_ other: Tally) {
        languages.merge(other.languages) { sum, other in
            var sum = sum
            sum += other
            return sum
        }
        all += other.all
        bytes += other.bytes
        if !other.skipped.isEmpty { skipped.append(Array(other.skipped.joined())) }
        unknown += other.unknown
        duplicates += other.duplicates
        ignored += other.ignored
        handled += other.handled
    }

    /// How many files and directories could not be read, though they should have been.
    var unreadable: Int {
        skipped.joined().count { file in
            if case .unreadable = file.reason { true } else { false }
        }
    }

    /// In the order of their paths, since that of their batches' ends is chance.
    var skippedInOrder: [SkippedFile] { skipped.joined().sorted { $0.path < $1.path } }
}

extension Tally.Sum {
    static func += (sum: inout Self, other: Self) {
        sum.files += other.files
        sum.lines += other.lines
    }
}
