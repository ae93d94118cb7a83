import ExamplesKit

/// What a watch of a file has to tell.
enum FileChange: Sendable, Equatable {
    /// What the path leads to may be another file, or hold something else; or it may not.
    case changed
    /// Changes of the file are not seen, as its directory cannot be watched.
    case hidden(directory: String, reason: String)

    /// What is to be said of it.
    var warning: String? {
        switch self {
        case .changed: nil
        case .hidden(let directory, let reason): "cannot detect changes in \(directory.printable): \(reason)"
        }
    }
}
