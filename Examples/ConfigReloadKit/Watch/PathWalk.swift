import ExamplesKit

/// The way from the root to what a path leads to.
enum PathWalk {
    /// A name that is looked up in a directory on the way.
    struct Step: Sendable, Equatable {
        /// Without links.
        let directory: String
        let name: String
        /// Whether it is the last one, unless it is a link.
        let isLast: Bool
    }

    /// As many as the kernel follows.
    private static let mostLinks = 40

    /// Calls `visit` with each step, links followed, as far as the way goes; and before the name is looked up, so that
    /// code that watches the directory from then on does not miss a change of the name.
    static func follow(_ path: String, _ visit: (Step) -> Void) {
        var directory = "/"
        var names = Self.names(path.hasPrefix("/") ? path : System.currentDirectory + "/" + path)
        var links = 0
        while let name = names.popLast() {
            guard name != ".." else {
                directory = parent(of: directory)
                continue
            }
            visit(Step(directory: directory, name: name, isLast: names.isEmpty))
            let entry = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
            if let destination = System.destination(ofLink: entry) {
                links += 1
                guard links <= mostLinks else { return }
                if destination.hasPrefix("/") { directory = "/" }
                names += Self.names(destination)
            } else {
                guard System.exists(entry) else { return }
                directory = entry
            }
        }
    }

    /// The names in a path, backwards.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init).filter { $0 != "." }
    }

    private static func parent(of directory: String) -> String {
        let parent = directory.prefix(upTo: directory.lastIndex(of: "/") ?? directory.startIndex)
        return parent.isEmpty ? "/" : String(parent)
    }
}
