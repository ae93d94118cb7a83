import ExamplesKit

/// All files below a directory, in batches.
///
/// Links are followed, and nothing is met twice: neither by a link, nor by a second name. It is a lazy sequence, so whoever
/// stops asking stops the walk.
struct Walk: Sequence, Sendable {
    let root: String
    let table: LanguageTable

    func makeIterator() -> Iterator { Iterator(root: root, table: table) }

    struct Iterator: IteratorProtocol {
        /// A directory on the way from the root to where the walk is.
        private struct Level {
            let path: String
            let identity: FileStatus.Identity
            /// What is left of it, backwards.
            var names: [String]
        }

        private let table: LanguageTable
        private var root: String?
        private var levels: [Level] = []
        private var met: Set<FileStatus.Identity> = []
        private var batch = Batch()

        init(root: String, table: LanguageTable) {
            self.root = root
            self.table = table
        }

        mutating func next() -> Batch? {
            if let root = root.take() { visit(root, name: root) }
            while !batch.isFull, let level = levels.indices.last {
                if let name = levels[level].names.popLast() {
                    let directory = levels[level].path
                    visit(directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)", name: name)
                } else {
                    levels.removeLast()
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
                return skip(path, error, hasStatus: false)
            }
            guard status.kind != .other else { return skip(path, .notRegular) }
            guard met.insert(status.identity).inserted else {
                if levels.contains(where: { $0.identity == status.identity }) { return skip(path, .linkCycle) }
                batch.duplicates += 1
                return
            }
            if status.kind == .directory {
                enter(path, status.identity)
            } else {
                add(path, name: name, size: status.size)
            }
        }

        private mutating func enter(_ path: String, _ identity: FileStatus.Identity) {
            do {
                // In order, so that the same tree gives the same result, whichever of two names is met first.
                let names = try System.names(in: path).sorted(by: >)
                levels.append(Level(path: path, identity: identity, names: names))
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
