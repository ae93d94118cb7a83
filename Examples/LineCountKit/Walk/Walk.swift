import ExamplesKit

/// All files below a directory, in batches.
///
/// Links are followed, and nothing is met twice: neither by a link, nor by a second name. It is a lazy sequence, so
/// if no more is requested, the walk stops.
struct Walk: Sequence, Sendable {
    let root: String
    let table: LanguageTable
    var selection = Selection()

    func makeIterator() -> Iterator { Iterator(root: root, table: table, selection: selection) }

    struct Iterator: IteratorProtocol {
        /// A directory on the way from the root to where the walk is.
        private struct Level {
            let path: String
            let identity: FileStatus.Identity
            /// What is left of it, backwards.
            var names: [String]
            /// What its own `.gitignore` says.
            let rules: IgnoreRules?
        }

        private let table: LanguageTable
        private var root: String?
        private var levels: [Level] = []
        private var met: Set<FileStatus.Identity> = []
        private var batch = Batch()
        private let followsIgnoreFiles: Bool
        private let excluded: IgnoreRules
        private let rulesAbove: [(rules: IgnoreRules, way: [[UInt8]])]
        /// The names on the way from the root to where the walk is.
        private var way: [[UInt8]] = []

        init(root: String, table: LanguageTable, selection: Selection) {
            self.root = root
            self.table = table
            followsIgnoreFiles = selection.followsIgnoreFiles
            excluded = IgnoreRules(patterns: selection.excluded)
            rulesAbove = followsIgnoreFiles ? Selection.rules(above: root) : []
        }

        mutating func next() -> Batch? {
            if let root = root.take() { visit(root, name: root) }
            while !batch.isFull, let level = levels.indices.last {
                if let name = levels[level].names.popLast() {
                    let directory = levels[level].path
                    visit(directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)", name: name)
                } else {
                    levels.removeLast()
                    if !way.isEmpty { way.removeLast() }
                }
            }
            defer { batch = Batch() }
            return batch.isEmpty ? nil : batch
        }

        private mutating func visit(_ path: String, name: String) {
            let status: FileStatus
            do {
                status = try System.status(of: path)
            } catch {
                if isIgnored(name, isDirectory: false) {
                    batch.ignored += 1
                    return
                }
                return skip(path, error, hasStatus: false)
            }
            if isIgnored(name, isDirectory: status.kind == .directory) {
                batch.ignored += 1
                return
            }
            guard status.kind != .other else { return skip(path, .notRegular) }
            guard met.insert(status.identity).inserted else {
                if levels.contains(where: { $0.identity == status.identity }) { return skip(path, .linkCycle) }
                batch.duplicates += 1
                return
            }
            if status.kind == .directory {
                enter(path, name: name, status.identity)
            } else {
                add(path, name: name, size: status.size)
            }
        }

        /// Whether what is in the present directory is left out. The root itself never is.
        private func isIgnored(_ name: String, isDirectory: Bool) -> Bool {
            guard !levels.isEmpty else { return false }
            if followsIgnoreFiles, name == Selection.repository { return true }
            guard !excluded.isEmpty || !rulesAbove.isEmpty || levels.contains(where: { $0.rules != nil }) else {
                return false
            }
            let path = way + [Array(name.utf8)]
            if excluded.verdict(on: path[...], isDirectory: isDirectory) == true { return true }
            // The nearest file that has something to say decides.
            for (depth, level) in levels.enumerated().reversed() {
                if let verdict = level.rules?.verdict(on: path[depth...], isDirectory: isDirectory) { return verdict }
            }
            for (rules, way) in rulesAbove {
                if let verdict = rules.verdict(on: (way + path)[...], isDirectory: isDirectory) { return verdict }
            }
            return false
        }

        private mutating func enter(_ path: String, name: String, _ identity: FileStatus.Identity) {
            do {
                // In order, so that the same tree gives the same result, whichever of two names is met first.
                let names = try System.names(in: path).sorted(by: >)
                let hasRules = followsIgnoreFiles && names.contains(Selection.ignoreFile)
                let rules = hasRules ? try Selection.rules(in: path) : nil
                if !levels.isEmpty { way.append(Array(name.utf8)) }
                levels.append(Level(path: path, identity: identity, names: names, rules: rules))
            } catch {
                skip(path, error, hasStatus: true)
            }
        }

        private mutating func add(_ path: String, name: String, size: Int) {
            switch table.guess(fileName: name) {
            case .language(let index): batch.add(SourceFile(path: path, size: size, language: index))
            case .unnamed: batch.add(SourceFile(path: path, size: size, language: nil))
            case .unknown: batch.unknown += 1
            }
        }

        private mutating func skip(_ path: String, _ failure: System.Failure, hasStatus: Bool) {
            if !hasStatus, failure.isLoop { return skip(path, .linkCycle) }
            if !hasStatus, failure.isMissing, System.isLink(path) { return skip(path, .brokenLink) }
            batch.skipped.append(SkippedFile(path: path, failure))
        }

        private mutating func skip(_ path: String, _ reason: SkippedFile.Reason) {
            batch.skipped.append(SkippedFile(path: path, reason: reason))
        }
    }
}
