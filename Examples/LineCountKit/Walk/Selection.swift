import ExamplesKit

/// Which of the files below a directory are to be counted.
struct Selection: Sendable, Equatable {
    /// Patterns as in a `.gitignore` of the directory, of what is left out in any case.
    var excluded: [String] = []
    /// Whether `.gitignore` files are followed, and what belongs to Git is left out.
    var followsIgnoreFiles = true
}

extension Selection {
    static let ignoreFile = ".gitignore"
    static let repository = ".git"

    /// The rules of the directories above, up to that of the repository, the nearest first; and the names on the way
    /// from there.
    static func rules(above root: String) -> [(rules: IgnoreRules, way: [[UInt8]])] {
        guard let path = System.absolutePath(of: root) else { return [] }
        var names = path.split(separator: "/").map { Array($0.utf8) }
        var way: [[UInt8]] = []
        var found: [(rules: IgnoreRules, way: [[UInt8]])] = []
        var directory = path
        while !System.exists("\(directory)/\(repository)") {
            guard let name = names.popLast() else { return [] }
            way.insert(name, at: 0)
            directory = "/" + names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
            if let rules = try? rules(in: directory) { found.append((rules, way)) }
        }
        return found
    }

    /// The rules of a directory's own file; nil if there is none.
    static func rules(in directory: String) throws(System.Failure) -> IgnoreRules? {
        let path = "\(directory)/\(ignoreFile)"
        guard let status = try? System.status(of: path), status.kind == .file else { return nil }
        return IgnoreRules(try System.bytes(of: path, size: status.size, limit: 1 << 20))
    }
}
